// Many servers send `null` for a field that is absent (C#, Go, Python without `exclude_none`). The client's schemas
// refuse the whole message, after the tool has run: so such fields are left out before the client reads them.
import { isObject } from '../../core/data/json.js'

/** Values that belong to the author of a tool. There `null` means something. */
const isForeign = new Set(['arguments', 'structuredContent', 'data'])
/** JSON Schemas, whose keywords are never `null`. */
const isSchema = new Set(['inputSchema', 'outputSchema', 'requestedSchema'])
/** Keywords of a schema that hold a value, and those that hold values. */
const [isValue, areValues] = [new Set(['default', 'const']), new Set(['enum', 'examples'])]
/** Fields of the protocol that may be `null`. */
const mayBeNull = new Set(['id', 'data'])
/** The end of an event. A line ends with CR, LF or both. */
const eventEnd = /(?:\r\n|\n|\r(?!\n)){2}/
/** Characters of an end that may have arrived without the last one. */
const endRest = 3

/** The body of an answer, with its messages as the client's schemas expect them. */
export function leaveOutNulls(body: ReadableStream<Uint8Array>, isStream: boolean): ReadableStream<Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  const before: string[] = []
  let text = ''
  const take = (end: string): Uint8Array => {
    const whole = before.splice(0).join('') + end
    return encoder.encode(isStream ? eventWithoutNulls(whole) : messageWithoutNulls(whole))
  }
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        text += decoder.decode(piece, { stream: true })
        for (let end; isStream && (end = eventEnd.exec(text));) {
          const length = end.index + end[0].length
          controller.enqueue(take(text.slice(0, length)))
          text = text.slice(length)
        }
        // What was searched is not searched again: a long message arrives in many pieces.
        before.push(text.slice(0, -endRest))
        text = text.slice(-endRest)
      },
      flush(controller) {
        controller.enqueue(take(text + decoder.decode()))
      },
    }),
  )
}

function eventWithoutNulls(event: string): string {
  if (!event.includes('null')) return event
  const lines = event.split(/\r\n|\n|\r/)
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5))
  const others = lines.filter((line) => line !== '' && !line.startsWith('data:'))
  return [...others, `data: ${messageWithoutNulls(data.join('\n'))}`, '', ''].join('\n')
}

/** A text that cannot be read stays: the client says what is wrong with it. */
function messageWithoutNulls(text: string): string {
  if (!text.includes('null')) return text
  try {
    return JSON.stringify(withoutNulls(JSON.parse(text)))
  } catch {
    return text
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => field !== null || mayBeNull.has(name))
      .map(([name, field]) => {
        if (isForeign.has(name)) return [name, field]
        return [name, isSchema.has(name) ? schemaWithoutNulls(field) : withoutNulls(field)]
      }),
  )
}

function schemaWithoutNulls(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaWithoutNulls)
  if (!isObject(schema)) return schema
  const { type, nullable } = schema
  // Python writes the default of an optional text as null, beside a type that excludes it.
  const isNullRefused = typeof type === 'string' && type !== 'null' && nullable !== true
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, field]) => field !== null || (isValue.has(name) && !(name === 'default' && isNullRefused)))
      .map(([name, field]) => [name, isValue.has(name) || areValues.has(name) ? field : schemaWithoutNulls(field)]),
  )
}
