// Turns files of users and of tool results into input items. The API reads four image types, PDF, text and office
// documents. A note replaces any other file, because a refused file would end every later request of the session.
import { dropUndefined, type JsonObject } from '../../../core/data/json.js'
import { base64OfPercentEncoded } from '../http/data-url.js'

/** A file of a message or a result. `data`: base64, a data URL or an https URL. */
interface PromptFile {
  readonly mediaType: string
  readonly data: string
  readonly filename?: string
  readonly name?: string
}

const imageTypes = /^image\/(?:jpeg|png|gif|webp)$/
const office = /^application\/(?:rtf|msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.))/
const text = /^text\/|^application\/(?:pdf|json|xml|yaml|javascript)$|\+(?:json|xml)$/

/** The input item for a file. */
export function fileItem(file: PromptFile): JsonObject {
  const name = file.filename ?? file.name
  const [, urlType = '', encoding = '', payload] = /^data:([^;,]*)([^,]*),([^]*)$/i.exec(file.data) ?? []
  const mediaType = (file.mediaType || urlType).toLowerCase().split(';')[0]!.trim().replace('image/jpg', 'image/jpeg')
  const isBase64 = payload === undefined || /;base64$/i.test(encoding)
  const data = payload ?? file.data
  const isRemote = /^https?:/i.test(file.data)
  const url = isRemote ? file.data : `data:${mediaType};base64,${isBase64 ? data : base64OfPercentEncoded(data)}`
  if (imageTypes.test(mediaType)) return { type: 'input_image', image_url: url }
  const isFile = (office.test(mediaType) || text.test(mediaType)) && !mediaType.startsWith('image/')
  if (isFile && data !== '')
    return isRemote
      ? { type: 'input_file', file_url: url }
      : dropUndefined({ type: 'input_file', filename: name || fileName(mediaType), file_data: url })
  const kind = `${name ? `${JSON.stringify(name)}, ` : ''}${mediaType || 'unknown type'}`
  const reason = data === '' ? 'It is empty.' : 'This model reads JPEG, PNG, GIF, WebP, PDF, text and office files.'
  return { type: 'input_text', text: `[A file was left out (${kind}). ${reason}]` }
}

/** The API reads the type of a file from the ending of its name. */
function fileName(mediaType: string): string {
  const ending = /^(?:text\/plain|.*\.)/.test(mediaType) ? 'txt' : mediaType.replace(/^.*[/+]/, '')
  return `file.${ending}`
}
