import { describe, expect, it, vi } from 'vitest'

function setup(overrides: Partial<Options> = {}) {
  const log = vi.fn()
  const make = (): UserService => new UserService()
  return { log, make }
}

describe('UserService', () => {
  describe.each(['a', 'b'])('with %s', (name) => {
    it('finds', async () => {
      const { make } = setup({ log: () => {} })
      expect(make().find(name)).toBe(1)
    })
  })

  test.concurrent('closes', { timeout: 100 }, async function () {})
})
