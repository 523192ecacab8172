// A refusal of the relay, as the page sees it, and the reason of an error in a few words.

export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {{ headers?: Record<string, string>, limit?: number }} [more] `limit`: what was exceeded, for the page.
   */
  constructor(status, code, message, { headers = {}, limit } = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
    this.limit = limit
  }
}

/** @param {string} message */
export function invalid(message) {
  return new Refusal(400, 'invalid_request', message)
}

/** @param {unknown} error */
export function reasonOf(error) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? (/** @type {any} */ (cause).code ?? cause.message) : String(cause)
}
