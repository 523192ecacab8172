// Questions of the server to the visitor (`elicitation/create`). They reach the page's handler only while a call runs,
// one at a time, and the answer is checked, so that only requested fields are sent. Nothing is filled in by itself.
import { errorMessage } from '../core/data/errors.js'
import { isObject, type JsonObject } from '../core/data/json.js'
import { normalizeText, truncate } from '../page-tools/dom/text.js'
import * as log from '../page/log.js'

/** A question of the server to the visitor. */
export interface Elicitation {
  /** The origin of the server that asks, such as `https://mcp.shop.example`. Show it to the visitor. */
  readonly server: string
  /** What the server says. Text of a foreign server: show it as text. */
  readonly message: string
  /**
   * The requested fields: an object schema with properties of the types string, number, integer, boolean, and lists of
   * choices.
   */
  readonly schema: JsonObject
  /** Aborted when the answer is no longer needed: the call was stopped, or the server withdrew the question. */
  readonly signal: AbortSignal
}

/** `decline`: the visitor refuses to answer. `cancel`: the visitor closed the question. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: 'decline' | 'cancel' }

/** Asks the visitor. If it throws, the server receives `cancel`. */
export type ElicitationHandler = (question: Elicitation) => ElicitationAnswer | Promise<ElicitationAnswer>

/** The texts of `elicitationDialog`. */
export interface ElicitationDialogTexts {
  /** The heading, with the server's origin in place of `{server}`. Default: `{server} asks you`. */
  readonly title?: string
  /** The note above the fields. Default: `Your answer is sent to this server.` */
  readonly note?: string
  /** The button that sends the answer. Default: `Send`. */
  readonly send?: string
  /** The button that refuses. Default: `Decline`. */
  readonly decline?: string
}

/** What `answerElicitation` needs to know about the connection. */
export interface ElicitationContext {
  readonly handler: ElicitationHandler | undefined
  /** The server's origin. */
  readonly origin: string
  /** Ends the wait for an answer. */
  readonly signal: AbortSignal
}

/** The visitor's answer, limited to the requested fields. Never rejects. */
export async function answerElicitation(
  params: unknown,
  { handler, origin, signal }: ElicitationContext,
): Promise<ElicitationAnswer> {
  if (!isObject(params) || !isObject(params['requestedSchema']) || handler === undefined) return { action: 'decline' }
  if (signal.aborted) return { action: 'cancel' }
  const schema = params['requestedSchema'] as JsonObject
  const message = truncate(normalizeText(String(params['message'] ?? '')), 2_000)
  try {
    const withdrawn = new Promise<ElicitationAnswer>((resolve) =>
      signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true }),
    )
    const answer: unknown = await Promise.race([handler({ server: origin, message, schema, signal }), withdrawn])
    return checkedAnswer(answer, schema)
  } catch (thrown) {
    log.logWarning(`onElicitation failed, so the server ${origin} received "cancel": ${errorMessage(thrown)}`)
    return { action: 'cancel' }
  }
}

function checkedAnswer(answer: unknown, schema: JsonObject): ElicitationAnswer {
  const action = isObject(answer) ? answer['action'] : undefined
  if (action === 'decline' || action === 'cancel') return { action }
  if (!isObject(answer) || action !== 'accept' || !isObject(answer['content']))
    throw new TypeError(
      `expected { action: 'accept', content } or { action: 'decline' }, received ${JSON.stringify(answer)}`,
    )
  const asked = isObject(schema['properties']) ? schema['properties'] : {}
  const content: Record<string, string | number | boolean | string[]> = {}
  for (const [name, value] of Object.entries(answer['content'])) {
    if (!Object.hasOwn(asked, name)) throw new TypeError(`the server did not ask for "${name}"`)
    if (!isAnswerValue(value)) throw new TypeError(`"${name}" must be a text, a number, a boolean or a list of texts`)
    content[name] = value
  }
  return { action: 'accept', content }
}

function isAnswerValue(value: unknown): value is string | number | boolean | string[] {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string')
  return ['string', 'number', 'boolean'].includes(typeof value)
}
