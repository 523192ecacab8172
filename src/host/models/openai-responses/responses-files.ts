// Turns files of users and of tool results into input items. The API reads four image types, PDF, text and office
// documents. A note replaces any other file, because a refused file would end every later request of the session.
import type { JsonObject } from '../../../core/data/json.js'
import { base64Of, fileContent, leftOut, plainType, type PromptFile } from '../request/files.js'

const imageTypes = /^image\/(?:jpeg|png|gif|webp)$/
const office = /^application\/(?:rtf|msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.))/
const text = /^text\/|^application\/(?:pdf|json|xml|yaml|javascript)$|\+(?:json|xml)$/

/** The input item for a file. */
export function fileItem(file: PromptFile): JsonObject {
  const content = fileContent(file)
  const { name, data, isRemote } = content
  const mediaType = plainType(content.mediaType)
  const url = isRemote ? data : `data:${mediaType};base64,${base64Of(content)}`
  if (imageTypes.test(mediaType)) return { type: 'input_image', image_url: url }
  const isFile = (office.test(mediaType) || text.test(mediaType)) && !mediaType.startsWith('image/')
  if (isFile && data !== '')
    return isRemote
      ? { type: 'input_file', file_url: url }
      : { type: 'input_file', filename: name || fileName(mediaType), file_data: url }
  const reason = data === '' ? 'It is empty.' : 'This model reads JPEG, PNG, GIF, WebP, PDF, text and office files.'
  return { type: 'input_text', text: leftOut({ ...content, mediaType }, reason) }
}

/** The API reads the type of a file from the ending of its name. */
function fileName(mediaType: string): string {
  const ending = /^(?:text\/plain|.*\.)/.test(mediaType) ? 'txt' : mediaType.replace(/^.*[/+]/, '')
  return `file.${ending}`
}
