// Turns the result of a call into the output for the page and the content for the model. Images become files, also
// those that a server sends as Base64 in a text. Everything else that is not text is named and never fetched. A result
// that reports an error is thrown, so the model can correct its call.
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

/** How the images that models accept begin. A request with an image of another type than it says is refused. */
const imageTypes = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
] as const
/** A text of fewer characters is not taken for an image. */
const leastImage = 60

/** @throws ToolAgentError `execution-failed` for a result that reports an error or is no result */
export function readResult(result: unknown): McpOutcome {
  const given = isObject(result) ? result['content'] : undefined
  const structured = isObject(result) ? (result['structuredContent'] as JsonValue | undefined) : undefined
  if (!isObject(result) || (given === undefined && structured === undefined))
    throw new ToolAgentError('execution-failed', 'The server sent a result without content.')
  const blocks: readonly unknown[] = Array.isArray(given) ? given : [given ?? []].flat()
  const images = new Set<unknown>()
  // Servers send an image as itself and as a resource or a text.
  const parts = blocks.map(contentPart).filter(({ data }) => {
    const isFirst = data === undefined || !images.has(data)
    images.add(data)
    return isFirst
  })
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
  if (!isObject(block)) return textPart(block)
  const { type, text, data, mimeType } = block
  switch (type) {
    case 'text':
      return textPart(text)
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

/** A text; an image if it is nothing else, and JSON if it is no text. */
function textPart(text: unknown): JsonObject {
  if (typeof text !== 'string') return { type: 'text', text: text === undefined ? '' : JSON.stringify(text) }
  return (text.length >= leastImage && imagePart(text)) || { type: 'text', text }
}

function resourcePart(resource: unknown): JsonObject {
  if (!isObject(resource)) return note('a resource without content was left out')
  const { uri, mimeType, text, blob } = resource
  if (typeof text === 'string') return { type: 'text', text: `[resource ${oneLine(uri)}]\n${text}` }
  return (
    imagePart(blob, oneLine(uri)) ??
    note(`resource ${oneLine(uri)}, ${oneLine(mimeType)}, ${sizeOf(blob)}: its content is not passed on`)
  )
}

function filePart(data: unknown, mimeType: unknown): JsonObject {
  return imagePart(data) ?? note(`image, ${oneLine(mimeType)}, ${sizeOf(data)}: this type is not passed on`)
}

/** The image of a Base64 text or data URL, by what it holds: servers also claim wrong types. */
function imagePart(text: unknown, name?: string): JsonObject | undefined {
  if (typeof text !== 'string') return undefined
  const letters = text.replace(/^\s*data:[^,]{0,100};base64,/i, '').replace(/\s+|={1,2}\s*$/g, '')
  if (letters.length % 4 === 1 || !/^[A-Za-z0-9+/]{8,}$/.test(letters)) return undefined
  const data = letters.padEnd(Math.ceil(letters.length / 4) * 4, '=')
  const start = atob(data.slice(0, 16))
  const [mediaType] = imageTypes.find(([, beginning]) => beginning.test(start)) ?? []
  return mediaType && { type: 'file', mediaType, data, ...(name ? { name } : {}) }
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
