// What a socket must be. A file of its own, because the declarations of the entry must not need those of zod.

/** What a socket must have: a WebSocket of `ws`, of a browser's standard, or an adapter. */
export interface SocketLike {
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close' | 'error', listener: () => void): void
  /** 1: open. */
  readonly readyState: number
  /** Characters that wait to be sent. */
  readonly bufferedAmount?: number
}
