/// <reference types="node" />

declare module 'virtual:routes' {
  export interface Route {
    path: string
  }
  const routes: Route[]
  export default routes
  export function match(path: string): Route | undefined
}

declare module '*.svg'

declare global {
  interface Window {
    __STATE__: unknown
  }
  var cached: boolean
  function gtag(...args: unknown[]): void
}

// Made by the bundler.
declare function requireAsync(name: string): Promise<unknown>

export declare class Emitter {
  on(event: 'open', listener: () => void): this
  on(event: string, listener: Function): this
  static instances: number
}

export as namespace Emitters
export {}
