// Questions of the server to the visitor (`elicitation/create`): which of them reach the page's handler, and a check of
// the answer, so that only requested fields are sent. Nothing is filled in by itself.
import { errorMessage } from '../../core/data/errors.js'
import { mostInQuestion } from '../../core/data/question-bounds.js'
import { isObject, type JsonObject } from '../../core/data/json.js'
import { normalizeText, toReadable, truncate } from '../../page-tools/dom/text.js'
import { sensitiveKindIn } from '../../page-tools/sensitive/sensitive-kind.js'
import * as log from '../../page/log.js'

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
  /** Asks in the panel, as `run.ask` of a tool does, and names the server. Without a panel: `agent.questions`. */
  ask(): Promise<ElicitationAnswer>
  /** Stops the turn, as the Stop button of the panel does. The question is withdrawn then. */
  stop(): void
}

/** `decline`: the visitor refuses to answer. `cancel`: the visitor closed the question. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: 'decline' | 'cancel' }

/** Asks the visitor. If it throws, the server receives `cancel`. */
export type ElicitationHandler = (question: Elicitation) => ElicitationAnswer | Promise<ElicitationAnswer>

/** What a question has at most: more is no question for a visitor. */
const most = mostInQuestion

/** What `answerElicitation` needs to know about the connection. */
export interface ElicitationContext {
  readonly handler: ElicitationHandler | undefined
  /** The server's origin. */
  readonly origin: string
  /** Ends the wait for an answer. */
  readonly signal: AbortSignal
  /** Asks by the call that runs. */
  ask(question: Question): Promise<ElicitationAnswer>
  /** Stops the turn. */
  stop(): void
}

/** A question that may be shown. */
export interface Question {
  readonly message: string
  readonly schema: JsonObject
}

/** The question with a clean text, or the reason for which it is not shown to the visitor. */
export function readQuestion(params: unknown): Question | string {
  if (!isObject(params) || !isObject(params['requestedSchema'])) return 'it has no fields'
  const schema = params['requestedSchema'] as JsonObject
  const message = truncate(normalizeText(String(params['message'] ?? '')), most.message)
  const fields = fieldsOf(schema)
  if (fields.length > most.fields) return `it has more than ${most.fields} fields`
  const choices = fields.reduce((sum, { choices }) => sum + choices.length, 0)
  if (choices > most.choices) return `it has more than ${most.choices} choices`
  // The protocol allows no question for a secret in a form.
  const typed = fields.filter((field) => field.isTyped)
  const secret = typed.find(({ texts }) => texts.some(namesSecret))
  if (secret) return `its field ${JSON.stringify(secret.label)} asks for a secret`
  if (typed.length === 1 && namesSecret(message)) return 'it asks for a secret'
  return { message, schema }
}

/** A field of a question, with clean texts. */
export interface QuestionField {
  /** As the server writes it; the key of the answer. */
  readonly name: string
  readonly property: Readonly<Record<string, unknown>>
  readonly label: string
  readonly description: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** The visitor types a text or a number. */
  readonly isTyped: boolean
  /** What says what it asks for. */
  readonly texts: readonly string[]
}

/** The fields of a question, in its order. */
export function fieldsOf(schema: JsonObject): QuestionField[] {
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : []
  return properties.flatMap(([name, property], index) => {
    if (!isObject(property)) return []
    const label = shown(property['title']) || shown(name) || String(index + 1)
    const description = shown(property['description'])
    const choices = choicesOf(isObject(property['items']) ? property['items'] : property)
    const isTyped = property['type'] !== 'boolean' && property['type'] !== 'array' && choices.length === 0
    const texts = [label, description, shown(name), toReadable(name), shown(property['format'])]
    return [{ name, property, label, description, choices, isTyped, texts }]
  })
}

/** The choices of `enum` with `enumNames`, or of `oneOf` and `anyOf` with `const` and `title`. */
function choicesOf(schema: Record<string, unknown>): { value: string; label: string }[] {
  const { enum: values, enumNames: names, oneOf, anyOf } = schema
  if (Array.isArray(values))
    return values.map((one: unknown, index) => {
      const value = String(one)
      return { value, label: shown(Array.isArray(names) ? names[index] : undefined) || shown(value) }
    })
  const titled: unknown = oneOf ?? anyOf
  if (!Array.isArray(titled)) return []
  return titled.filter(isObject).flatMap(({ const: value, title }) => {
    return typeof value === 'string' ? [{ value, label: shown(title) || shown(value) }] : []
  })
}

function shown(text: unknown): string {
  return typeof text === 'string' ? truncate(normalizeText(text), 300) : ''
}

const commands = 'give|enter|type|share|send|include|provide|write|use|tell'
/** What not to enter: up to the end of the clause, or to the next command. */
const warning = new RegExp(
  `\\b(?:do not|don['’]t|never) (?:${commands})\\b[^.;:()!?\\n]*?(?=[.;:()!?\\n]|\\b(?:but|instead|${commands})\\b|$)`,
  'gi',
)

/** A password, a card, a code, or a token for an account, unless the text warns to enter it. */
function namesSecret(said: string): boolean {
  const text = said.replace(warning, '')
  return sensitiveKindIn(text) !== undefined || /\b(?:access|auth|api|bearer|refresh|secret)[ _-]?tokens?\b/i.test(text)
}

/** The visitor's answer, limited to the requested fields. Never rejects. */
export async function answerElicitation(
  { message, schema }: Question,
  { handler, origin, signal, ask, stop }: ElicitationContext,
): Promise<ElicitationAnswer> {
  if (handler === undefined) return { action: 'decline' }
  if (signal.aborted) return { action: 'cancel' }
  try {
    const withdrawn = new Promise<ElicitationAnswer>((resolve) =>
      signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true }),
    )
    const answer: unknown = await Promise.race([
      handler({ server: origin, message, schema, signal, ask: () => ask({ message, schema }), stop }),
      withdrawn,
    ])
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
