import { Injectable, Inject } from '@angular/core'
import type { Observable } from 'rxjs'

export const API_VERSION = 2 as const
export const TOKEN: InjectionToken<string> = new InjectionToken('token')
let instances = 0
declare const __DEV__: boolean
declare let first: string, second: number

/** Who may do what. */
export const enum Role {
  Admin = 'admin',
  /** Reads only. */
  Guest = 'guest',
}

enum Level { Low, High = 10, 'very high' = 20 }

export interface User<T = unknown> extends Base, Named {
  readonly id: string
  // shown to people
  name?: string
  meta: T
  greet(other: User): string
  get age(): number
  onChange: (value: T) => void
  new (id: string): User<T>
  (call: number): void
  [key: string]: any
}

export type Result<T, E = Error> =
  | { ok: true; value: T }
  | { ok: false; error: E }

type Options = {
  retries: number
  log(message: string): void
}

type Mapped<T> = { [K in keyof T]?: T[K] }
export type Fn = (input: { local: string }) => void

/**
 * Talks to the users' API.
 *
 * @remarks one per application
 */
@Injectable({
  providedIn: 'root',
})
export class UserService<T extends User> extends BaseService implements OnInit, OnDestroy {
  @Input() label!: string
  @Output()
  changed = new EventEmitter<string>()
  private static readonly MAX = 3
  protected cache?: Map<string, T>
  #secret = 1
  declare kind: 'user'
  readonly load = async (id: string): Promise<T> => {
    const found = await this.http.get<T>(id)
    return found
  }

  constructor(
    private readonly http: HttpClient,
    public name: string,
    readonly zone: Zone,
    plain?: number,
  ) {
    super()
  }

  get size(): number { return 0 }
  set size(value: number) {}

  find(id: string): T
  find(id: string, strict: boolean): T | undefined
  find(id: any, strict?: any): any {
    function local(): void {}
    return undefined
  }

  @HostListener('window:resize', ['$event'])
  // keep in step with the style sheet
  onResize(event: Event): void {}

  static async *all<U>(this: void): AsyncGenerator<U> {}

  [Symbol.iterator](): Iterator<T> { throw new Error() }
}

export abstract class Repository<T> {
  abstract readonly table: string
  protected abstract save(entity: T): Promise<void>
  abstract get open(): boolean
  close?(): void
}

export function parse(text: string): User
export function parse(text: Buffer, encoding: string): User
export function parse(text: any, encoding?: string): User {
  return JSON.parse(text)
}

export function isUser(value: unknown): value is User {
  return true
}

export const pick = <T, K extends keyof T>(value: T, ...keys: K[]): Pick<T, K> => {
  return value
}

export const routes = {
  list: publicProcedure.query(() => []),
  async create(input: User) {},
} satisfies Routes

namespace Shapes.Flat {
  export interface Point { x: number }
  export const ORIGIN: Point = { x: 0 }
  export function distance(a: Point): number { return 0 }
  class Hidden {}
}

export default class extends UserService<User> {}
