// Turns files of users and of tool results into content blocks. The API reads four image types, PDF and plain text. A
// note replaces any other file, because a refused file would end every later request of the session.
import type { JsonObject } from '../../../core/data/json.js'
import { base64Of, fileContent, leftOut, plainType, type FileContent, type PromptFile } from '../request/files.js'

const imageTypes = /^image\/(?:jpeg|png|gif|webp)$/
const textTypes = /^(?:text\/|application\/(?:json|xml|yaml|javascript)$)|\+(?:json|xml)$/

/** The content block for a file. */
export function fileBlock(file: PromptFile): JsonObject {
  const content = fileContent(file)
  const { name: title, data } = content
  const mediaType = plainType(content.mediaType)
  const isImage = imageTypes.test(mediaType)
  const isPdf = mediaType === 'application/pdf'
  const type = isImage ? 'image' : 'document'
  const named = isImage || !title ? {} : { title }
  if (isImage || isPdf) {
    const source = content.isRemote
      ? { type: 'url', url: data }
      : { type: 'base64', media_type: mediaType, data: base64Of(content) }
    return { type, source, ...named }
  }
  const text = textTypes.test(mediaType) ? textIn(content) : undefined
  if (text?.trim()) return { type, source: { type: 'text', media_type: 'text/plain', data: text }, ...named }
  const reason = text === undefined ? 'This model reads JPEG, PNG, GIF, WebP, PDF and text files.' : 'It is empty.'
  return { type: 'text', text: leftOut({ ...content, mediaType }, reason) }
}

/** The text of a file; undefined if its data is broken. */
function textIn({ isBase64, data }: FileContent): string | undefined {
  try {
    if (!isBase64) return decodeURIComponent(data)
    return new TextDecoder().decode(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)))
  } catch {
    return undefined
  }
}
