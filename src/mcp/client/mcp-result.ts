// Turns the result of a call into the output for the page and the content for the model. Images become files.
// Everything else that is not text is named and never fetched. A result that reports an error is thrown, so the model
// can correct its call.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject, parseJson, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { canonicalJson } from '../../core/data/plain-json.js'
import { normalizeText, truncate } from '../../page-tools/dom/text.js'

/** The result of a call in both forms. */
export interface McpOutcome {
  /** For the page and the session: the structured content, else the text, else the parts without the data of files. */
  readonly output: JsonValue
  /** For the model, in order. Equal to `output` if that is a text. */
  readonly content: readonly JsonObject[]
}

/** Images that models accept. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** @throws ToolAgentError `execution-failed` for a result that reports an error or is no result */
export function readResult(result: unknown): McpOutcome {
  const list = isObject(result) ? result['content'] : undefined
  const structured = isObject(result) ? (result['structuredContent'] as JsonValue | undefined) : undefined
  if (
    !isObject(result) ||
    (list !== undefined && !Array.isArray(list)) ||
    (list === undefined && structured === undefined)
  )
    throw new ToolAgentError('execution-failed', 'The server sent a result without content.')
  const parts = ((list ?? []) as readonly unknown[]).map(contentPart)
  if (result['isError'] === true) {
    const text = parts.map((part) => ('text' in part ? part['text'] : fileNote(part))).join('\n')
    throw new ToolAgentError(
      'execution-failed',
      truncate(text.trim(), 4_000) || 'The tool reported an error without a description.',
    )
  }
  const texts = parts.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []))
  // Servers repeat structured content as text, for clients that cannot read it.
  if (structured !== undefined) {
    const isRepeated = texts.some((text) => canonicalJson(parseJson(text) ?? null) === canonicalJson(structured))
    const own = isRepeated ? [] : [{ type: 'text', text: JSON.stringify(structured) }]
    return { output: structured, content: [...parts, ...own] }
  }
  if (texts.length === parts.length) return { output: texts.join('\n\n'), content: parts }
  return { output: parts.map(({ data: _data, ...part }) => part), content: parts }
}

/** What the model receives: one text if there is no file. */
export function modelOutput(
  content: readonly JsonObject[],
): string | { type: 'content'; value: readonly JsonObject[] } {
  return content.every(({ type }) => type === 'text')
    ? content.map(({ text }) => text).join('\n\n')
    : { type: 'content', value: content }
}

/** One block as a text or a file. */
function contentPart(block: unknown): JsonObject {
  if (!isObject(block)) return note('content that is not an object was left out')
  const { type, text, data, mimeType } = block
  switch (type) {
    case 'text':
      return { type: 'text', text: typeof text === 'string' ? text : '' }
    case 'image':
      return filePart(data, mimeType)
    case 'audio':
      return note(`audio, ${oneLine(mimeType)}, ${sizeOf(data)}: audio is not passed on`)
    case 'resource_link':
      return note(
        [
          'link to a resource:',
          ...['title', 'name', 'uri', 'mimeType', 'description'].map((key) => oneLine(block[key])),
        ]
          .filter((word) => word !== '')
          .join(' '),
      )
    case 'resource':
      return resourcePart(block['resource'])
    default:
      return note(`content of the type ${JSON.stringify(oneLine(type))} was left out`)
  }
}

function resourcePart(resource: unknown): JsonObject {
  if (!isObject(resource)) return note('a resource without content was left out')
  const { uri, mimeType, text, blob } = resource
  if (typeof text === 'string') return { type: 'text', text: `[resource ${oneLine(uri)}]\n${text}` }
  if (imageTypes.has(String(mimeType))) return filePart(blob, mimeType, oneLine(uri))
  return note(`resource ${oneLine(uri)}, ${oneLine(mimeType)}, ${sizeOf(blob)}: its content is not passed on`)
}

function filePart(data: unknown, mimeType: unknown, name?: string): JsonObject {
  const mediaType = String(mimeType).toLowerCase()
  if (typeof data === 'string' && imageTypes.has(mediaType) && /^[A-Za-z0-9+/]+={0,2}$/.test(data))
    return { type: 'file', mediaType, data, ...(name ? { name } : {}) }
  return note(`image, ${oneLine(mimeType)}, ${sizeOf(data)}: this type is not passed on`)
}

function note(text: string): JsonObject {
  return { type: 'text', text: `[${text}]` }
}

function fileNote(part: JsonObject): string {
  return `[image, ${String(part['mediaType'])}]`
}

function oneLine(value: unknown): string {
  return typeof value === 'string' ? truncate(normalizeText(value), 500) : ''
}

/** The size of Base64 data. */
function sizeOf(data: unknown): string {
  return typeof data === 'string' ? `${Math.ceil((data.length * 3) / 4 / 1024)} KB` : 'no data'
}
