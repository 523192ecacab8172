// Turns files of users and of tool results into content blocks. The API reads four image types, PDF and plain text. A
// note replaces any other file, because a refused file would end every later request of the session.
import type { JsonObject } from '../../../core/data/json.js'
import { base64OfPercentEncoded } from '../http/data-url.js'

/** A file of a message or a result. `data`: base64, a data URL or an https URL. */
interface PromptFile {
  readonly mediaType: string
  readonly data: string
  readonly filename?: string
  readonly name?: string
}

const imageTypes = /^image\/(?:jpeg|png|gif|webp)$/
const textTypes = /^(?:text\/|application\/(?:json|xml|yaml|javascript)$)|\+(?:json|xml)$/

/** The content block for a file. */
export function fileBlock(file: PromptFile): JsonObject {
  const title = file.filename ?? file.name
  const [, urlType = '', encoding = '', payload] = /^data:([^;,]*)([^,]*),([^]*)$/i.exec(file.data) ?? []
  const mediaType = (file.mediaType || urlType).toLowerCase().split(';')[0]!.trim().replace('image/jpg', 'image/jpeg')
  const isImage = imageTypes.test(mediaType)
  const isPdf = mediaType === 'application/pdf'
  const type = isImage ? 'image' : 'document'
  const named = isImage || !title ? {} : { title }
  if (/^https?:/i.test(file.data) && (isImage || isPdf))
    return { type, source: { type: 'url', url: file.data }, ...named }
  const isBase64 = payload === undefined || /;base64$/i.test(encoding)
  const data = payload ?? file.data
  if (isImage || isPdf) {
    const source = { type: 'base64', media_type: mediaType, data: isBase64 ? data : base64OfPercentEncoded(data) }
    return { type, source, ...named }
  }
  const text = textTypes.test(mediaType) ? textOf(data, isBase64) : undefined
  if (text?.trim()) return { type, source: { type: 'text', media_type: 'text/plain', data: text }, ...named }
  const kind = `${title ? `${JSON.stringify(title)}, ` : ''}${mediaType || 'unknown type'}`
  const reason = text === undefined ? 'This model reads JPEG, PNG, GIF, WebP, PDF and text files.' : 'It is empty.'
  return { type: 'text', text: `[A file was left out (${kind}). ${reason}]` }
}

/** The text of a file; undefined if its data is broken. */
function textOf(data: string, isBase64: boolean): string | undefined {
  try {
    if (!isBase64) return decodeURIComponent(data)
    return new TextDecoder().decode(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)))
  } catch {
    return undefined
  }
}
