// What `core/` finds everywhere besides the language itself: pages, workers and Node all have these. tsconfig.core.json
// checks core/ with nothing else, so that a name of the DOM, a timer or `console` there does not compile.
interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
declare var AbortSignal: { any(signals: readonly AbortSignal[]): AbortSignal }
declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}
declare class TextEncoder {
  encode(text: string): Uint8Array
}
declare class URL {
  static canParse(url: string): boolean
  constructor(url: string)
  readonly protocol: string
  readonly origin: string
  readonly pathname: string
}
