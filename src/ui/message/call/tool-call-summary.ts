// A tool call in one line: the sentence of its tool, or its title and its arguments.
import { isObject, type JsonValue } from '../../../core/data/json.js'
import type { CallLike } from './call-state.js'
import { toSingleLine } from '../values/json-view.js'
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
 * The simple arguments that the tool's schema names for people, as `[title, value]`. `input`: the arguments of the
 * call. Empty if the schema has no titles, or the tool is not registered.
 */
export function titledValues(name: string, input: JsonValue | undefined, { toolOf }: RenderState): [string, string][] {
  const schema = toolOf(name)?.inputSchema
  const properties = isObject(schema) ? schema['properties'] : undefined
  if (!isObject(properties) || !isObject(input)) return []
  return Object.entries(properties).flatMap(([key, property]): [string, string][] => {
    const title = isObject(property) ? property['title'] : undefined
    const value = Object.hasOwn(input, key) ? input[key] : undefined
    return typeof title === 'string' && isSimple(value) ? [[title, String(value)]] : []
  })
}

/** The first three simple arguments on one line, with the titles of the schema if it has any. */
export function inputLine(item: CallLike, renderState: RenderState, input = inputOf(item)): string {
  const name = item.type === 'tool-call' ? item.call.name : item.name
  const titled = titledValues(name, input, renderState).map(([title, value]) => `${title}: ${value}`)
  // A tool with a sentence of its own has arguments for the model, such as references of elements.
  const isForModel = renderState.toolOf(name)?.tool.summary !== undefined || !isObject(input)
  const plain = isForModel ? [] : Object.values(input).filter(isSimple)
  return toSingleLine(
    (titled.length > 0 ? titled : plain)
      .slice(0, 3)
      .map((value) => String(value).slice(0, 120))
      .join(', '),
  )
}

function isSimple(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
}
