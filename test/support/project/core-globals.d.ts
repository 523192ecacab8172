// The globals that core/ may use: pages, workers and Node all have them. tsconfig.core.json checks core/ with only
// these, so that a name of the DOM, a timer or `console` does not compile there.
interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
declare const AbortSignal: { any(signals: readonly AbortSignal[]): AbortSignal }
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
