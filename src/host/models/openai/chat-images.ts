// Images in requests to models without vision: the server refuses the request, and the images are replaced by a note.
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'

/** Models that have refused images, for later requests. */
const textOnly = new Set<unknown>()

/** Whether an error says that the model takes no images, as opposed to a broken or too large image. */
export function refusesImages(error: string): boolean {
  return (
    /image|vision|multi-?modal|content must be a string/i.test(error) &&
    !/too (?:large|big)|exceed|decod|base64|corrupt|download|process/i.test(error)
  )
}

/** The body with a note in place of each image; undefined if it has none. Remembers the model. */
export function withoutImages(body: JsonObject): JsonObject | undefined {
  const messages = body['messages'] as readonly JsonObject[]
  if (!JSON.stringify(messages).includes('"type":"image_url"')) return undefined
  textOnly.add(body['model'])
  return { ...body, messages: messages.map(textMessage) }
}

/** The body that the model can read. */
export function readableBody(body: JsonObject): JsonObject {
  return (textOnly.has(body['model']) && withoutImages(body)) || body
}

/** A message without images. Its content is a text if it has no other files, because some servers require that. */
function textMessage(message: JsonObject): JsonObject {
  const { content } = message
  if (!Array.isArray(content)) return message
  const parts = (content as readonly JsonValue[]).map((part) =>
    isObject(part) && part['type'] === 'image_url' ? { type: 'text', text: note } : (part as JsonObject),
  )
  const texts = parts.map((part) => part['text'])
  return { ...message, content: texts.every((text) => typeof text === 'string') ? texts.join('\n\n') : parts }
}

const note = '(An image was left out, because this model cannot read images.)'
