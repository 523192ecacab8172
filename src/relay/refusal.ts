// A refusal of the relay, as the page sees it, and the reason of an error in a few words.

export interface RefusalDetails {
  readonly headers?: Readonly<Record<string, string>>
  /** What was exceeded, for the page. */
  readonly limit?: number
}

export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly limit: number | undefined

  constructor(status: number, code: string, { message, headers = {}, limit }: RefusalDetails & { message: string }) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
    this.limit = limit
  }
}

export function invalid(message: string): Refusal {
  return new Refusal(400, 'invalid_request', { message })
}

export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
