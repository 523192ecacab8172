// A tool call in one line: the sentence of its tool, or its title and its arguments.
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import { internals } from '../../../core/data/tool.js'
import type { CallLike } from './call-state.js'
import { scalarText } from '../values/arguments-view.js'
import { toSingleLine } from '../values/shown-text.js'
import { labelOf, propertySchema, withoutTitles } from '../values/schema-labels.js'
import type { RenderState } from '../../panel/render-context.js'

/** The sentence that the tool gave for the ended call; an empty string without one. */
export function sentenceOf(item: CallLike): string {
  return item.type === 'tool-call' ? toSingleLine(item.result?.summary ?? '') : ''
}

/** The arguments of a call: those that ran, or those of the model. Undefined while they stream. */
export function inputOf(item: CallLike): JsonValue | undefined {
  return item.type === 'tool-call' ? (item.result?.input ?? item.started?.input ?? item.call.input) : undefined
}

/**
 * The JSON Schema of the arguments of a tool; {} if it is not known. As in its questions, a tool that the page or a
 * server offers does not choose the labels.
 */
export function schemaOf(name: string, { toolOf }: RenderState): JsonObject {
  const registered = toolOf(name)
  const schema = registered?.inputSchema
  if (!isObject(schema)) return {}
  return registered?.tool[internals]?.isDiscovered ? withoutTitles(schema as JsonObject) : (schema as JsonObject)
}

/** The first three simple arguments on one line, with their labels. */
export function inputLine(item: CallLike, renderState: RenderState, input = inputOf(item)): string {
  const name = item.type === 'tool-call' ? item.call.name : item.name
  const tool = renderState.toolOf(name)
  if (!isObject(input)) return ''
  const root = schemaOf(name, renderState)
  const texts = Object.entries(input as JsonObject).flatMap(([key, value]): string[] => {
    const schema = propertySchema(root, root, key)
    // A tool with a sentence of its own has arguments for the model, such as references of elements.
    const isForModel = tool?.tool.summary !== undefined && schema['title'] === undefined
    if (isForModel || !isSimple(value)) return []
    return [`${labelOf(key, schema)}: ${scalarText(schema, value, renderState.words).slice(0, 120)}`]
  })
  return toSingleLine(texts.slice(0, 3).join(', '))
}

/** A text, number or boolean that says something. */
export function isSimple(value: JsonValue | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
}
