// What may be changed in a body after a refusal that names its reason.
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { RelaxRule } from '../http/http-model.js'

/** A field that not every model and server knows. */
type OptionalField = 'include' | 'reasoning'

/** The fields that a server refused, by model. Saves one refused request per model call. */
const refused = new Map<string, Set<OptionalField>>()

/** Whether a server has refused this field for this model. */
export function isRefused(model: string, field: OptionalField): boolean {
  return refused.get(model)?.has(field) ?? false
}

/** The rules, in the order in which they are tried. */
export const responsesRelaxed: readonly RelaxRule[] = [
  (body, text) => without('include', body, /["'`]include["'`[.]|encrypted content is not supported/i.test(text)),
  // Also for accounts that must be verified before they get summaries.
  (body, text) =>
    without('reasoning', body, isSummaryOnly(body['reasoning']) && /reasoning[. ]summar|["'`]reasoning/i.test(text)),
  withoutItems,
  withTextOutputs,
]

function without(field: OptionalField, body: JsonObject, isNamed: boolean): JsonObject | undefined {
  if (!isNamed || body[field] === undefined) return undefined
  const model = String(body['model'] ?? '')
  refused.set(model, (refused.get(model) ?? new Set()).add(field))
  const { [field]: _removed, ...rest } = body
  return rest
}

/** The value that the adapter sets itself. A value of the page is never removed. */
function isSummaryOnly(reasoning: unknown): boolean {
  return JSON.stringify(reasoning) === '{"summary":"auto"}'
}

/**
 * Encrypted reasoning and ids are bound to a model and an account. A body without them is always accepted: the items
 * then are plain messages and calls.
 */
function withoutItems(body: JsonObject, text: string): JsonObject | undefined {
  if (!/encrypted|reasoning|following item|\bids?\b|not found|input\[\d+\]/i.test(text)) return undefined
  const items = inputOf(body)
  const isBound = ({ type, id }: JsonObject) => type === 'reasoning' || id !== undefined
  if (!items.some(isBound)) return undefined
  const input = items
    .filter(({ type }) => type !== 'reasoning')
    .map(({ id: _id, phase: _phase, status: _status, ...rest }): JsonObject => rest)
  return { ...body, input }
}

/** Some servers accept only text as the output of a call. The files then follow in a message of the user. */
function withTextOutputs(body: JsonObject, text: string): JsonObject | undefined {
  const items = inputOf(body)
  const hasContent = ({ type, output }: JsonObject) => type === 'function_call_output' && Array.isArray(output)
  if (!/output|string|input_(image|file)/i.test(text) || !items.some(hasContent)) return undefined
  const input: JsonObject[] = []
  let files: JsonValue[] = []
  const flush = () => {
    if (files.length > 0) input.push({ role: 'user', content: files })
    files = []
  }
  for (const item of items) {
    if (item['type'] !== 'function_call_output') flush()
    if (!hasContent(item)) {
      input.push(item)
      continue
    }
    const content = (item['output'] as readonly JsonValue[]).filter(isObject) as JsonObject[]
    const texts = content.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []))
    input.push({ ...item, output: [...texts, '(files follow below)'].join('\n') })
    // The text directly before a file marks its content as untrusted.
    const isText = (part: JsonObject | undefined) => part === undefined || part['type'] === 'input_text'
    const labelled = content.filter((part, index) => !isText(part) || !isText(content[index + 1]))
    files.push({ type: 'input_text', text: `Files from the result of ${String(item['call_id'])}:` }, ...labelled)
  }
  flush()
  return { ...body, input }
}

function inputOf(body: JsonObject): readonly JsonObject[] {
  const input = body['input']
  return Array.isArray(input) ? (input as readonly JsonObject[]) : []
}
