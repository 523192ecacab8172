// What the first script of a page (`src/border.ts`) leaves for those that are loaded later.

/** Decides about one call of a function of the browser. `original` calls it. */
export type WayHandler = (self: unknown, args: unknown[], original: (...given: unknown[]) => unknown) => unknown

/** The functions that lead through the first script. */
export interface EarlyBorder {
  /** By their owner and name. Set by what is loaded later; undefined until then. */
  readonly handlers: Map<object, Record<string, WayHandler | undefined>>
  /** No script was before it, and everything leads through it. */
  isFirst: boolean
  /** The page has made a socket, a connection, a worker or a window, whose messages are not seen. */
  hasChannel: boolean
}

/** Undefined on a page without that script. */
export const earlyBorder = (): EarlyBorder | undefined =>
  Reflect.get(window, Symbol.for('tool-agent:border')) as EarlyBorder | undefined
