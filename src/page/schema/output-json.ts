// Converts what a tool returned into JSON for the session and text for the model.
import type { JsonValue } from '../../core/data/json.js'
import { jsonText, maxJsonChars, plainJson } from '../../core/data/plain-json.js'

/**
 * JSON and text of a value. The text of a string is the string, of undefined `Success`, of an empty string
 * `(empty result)`, of anything else its JSON text.
 * `most`: the longest JSON text, in characters; by default what a message can hold.
 * @throws `not-serializable` with the path of the value that JSON cannot hold
 */
export function toJson(value: unknown, most = maxJsonChars): { json: JsonValue; text: string } {
  const json = plainJson(value, undefined, most)
  if (json === undefined) return { json: null, text: 'Success' }
  const text = jsonText(json, undefined, most)
  if (json === '') return { json, text: '(empty result)' }
  return { json, text: typeof json === 'string' ? json.toWellFormed() : text }
}
