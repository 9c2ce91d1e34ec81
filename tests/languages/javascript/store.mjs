#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import EventEmitter from 'node:events'

export const VERSION = '1.0.0'
export let current = null, previous

/** What happened. */
export const Events = Object.freeze({
  OPEN: 'open',
  CLOSE: 'close',
})

export { readFile as read } from 'node:fs/promises'
export const { actions, reducer: rootReducer } = createSlice({
  name: 'root',
  reducers: {
    increment(state) { state.value += 1 },
    reset: () => ({ value: 0 }),
    'set-all': function (state, action) { return action.payload },
  },
})

/**
 * Keeps things.
 *
 * It forgets them on exit.
 */
export class Store extends EventEmitter {
  static #count = 0
  static defaults = { size: 10 }
  items = new Map()
  onClose = () => this.items.clear()

  constructor(name, { size = 10 } = {}) {
    super()
    this.name = name
    // how many fit
    this.size = size
    this.#check()
    const local = 1
  }

  static {
    Store.#count += 1
  }

  get length() {
    return this.items.size
  }

  set length(value) {}

  static async open(path) {
    const text = await readFile(path)
    return new Store(text)
  }

  #check() {}

  async *[Symbol.asyncIterator]() {
    yield* this.items
  }

  'quoted name'() {}
}

const Cache = class LRU extends Store {
  evict() {}
}

export const compose = (...fns) =>
  (value) => fns.reduceRight((acc, fn) => fn(acc), value)

const first = (list) => list[0], last = function (list) { return list.at(-1) }

export const api = {
  base: '/v1',
  async get(path) { return fetch(path) },
  get url() { return this.base },
  post: async (path, body) => {
    const send = () => fetch(path, { method: 'POST', body })
    return send()
  },
}

const throttled = debounce(function run() {}, 100)

if (import.meta.main) {
  const store = await Store.open('x')
}

export default function () {
  return new Store('default')
}
