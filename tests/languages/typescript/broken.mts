export interface Good { a: string }

export class Half {
  method(a: string {
    return a
  }
  other(): void {}
}

const = 5

export type After = string
export function last<T>(x: T): T { return x }
