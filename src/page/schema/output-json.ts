// What a tool returned, as JSON for the session and as text for the model.
import { toWellFormed, type JsonValue } from '../../core/data/json.js'
import { jsonText, plainJson } from '../../core/data/plain-json.js'

/**
 * What a tool returned as JSON and as text: a string as it is, undefined as `Success`, an empty string as
 * `(empty result)`, all else its JSON text. Throws `not-serializable`, naming the path.
 */
export function toJson(value: unknown): { json: JsonValue; text: string } {
  const json = plainJson(value)
  if (json === undefined) return { json: null, text: 'Success' }
  const text = jsonText(json)
  if (json === '') return { json, text: '(empty result)' }
  return { json, text: typeof json === 'string' ? toWellFormed(json) : text }
}
