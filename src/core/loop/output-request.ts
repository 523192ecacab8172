// Changes a request so that the model answers with an object: by its response format, or by the tool `final_result`.
import { isObject, parseJson, type JsonObject, type JsonValue } from '../data/json.js'
import type { ModelRequest, PromptAssistantPart, PromptMessage, PromptToolResult } from '../data/model.js'
import { outputToolName } from './tool-names.js'
import { hostToolNames } from './builtin-tools.js'

/**
 * How the model is asked for the object. `json`: by its response format. `tool`: by a final tool, which it must call.
 * `free`: by a final tool, without forcing it, for models that cannot be forced.
 */
export type OutputMode = 'json' | 'tool' | 'free'

/** `isInPrompt`: the schema is repeated in the system text, for servers that ignore or hide a response format. */
export function formatRequest(request: ModelRequest, mode: OutputMode, isInPrompt: boolean): ModelRequest {
  const hasOthers = request.tools.some(({ name }) => !hostToolNames.has(name))
  // Without tools of the page there is one step, and a list of tasks is of no use.
  const tools = hasOthers ? request.tools : request.tools.filter(({ name }) => !name.startsWith('todo_'))
  const output = tools.find(({ name }) => name === outputToolName)
  if (output === undefined || mode === 'free') return { ...request, tools }
  if (mode === 'tool') {
    const forced = tools.length > 1 ? 'required' : ({ type: 'tool', toolName: outputToolName } as const)
    return { ...request, tools, toolChoice: request.toolChoice === 'auto' ? forced : request.toolChoice }
  }
  const { inputSchema: schema } = output
  const strict = schema['type'] === 'object' ? strictSchema(schema) : undefined
  return {
    ...request,
    system: isInPrompt ? `${request.system}\n\n${formatText(schema)}` : request.system,
    messages: textMessages(request.messages, schema),
    tools: tools.filter((tool) => tool !== output),
    responseFormat: { name: outputToolName, schema: strict ?? schema, strict: strict !== undefined },
  }
}

function formatText(schema: JsonObject): string {
  return `Answer with one JSON object and no other text. It must match this JSON Schema: ${JSON.stringify(schema)}`
}

/** The messages without calls of `final_result`: its arguments become the text, its error a message of the user. */
function textMessages(messages: readonly PromptMessage[], schema: JsonObject): PromptMessage[] {
  return messages.flatMap((message): PromptMessage[] => {
    if (message.role === 'user') return [message]
    if (message.role === 'assistant') return [{ role: 'assistant', content: message.content.flatMap(textPart) }]
    const results = message.content.filter(({ toolName }) => toolName !== outputToolName)
    const problems = message.content.filter((result) => result.toolName === outputToolName).flatMap(problemOf)
    return [
      ...(results.length > 0 ? [{ role: 'tool', content: results } as const] : []),
      ...problems.map((text): PromptMessage => ({
        role: 'user',
        content: [{ type: 'text', text: `${text}\n${formatText(schema)}` }],
      })),
    ]
  })
}

function textPart(
  part: PromptAssistantPart,
  _index: number,
  content: readonly PromptAssistantPart[],
): PromptAssistantPart[] {
  if (part.type !== 'tool-call' || part.toolName !== outputToolName) return [part]
  // A text that was not JSON is in the message already.
  const isText = content.some((one) => one.type === 'text')
  const text = JSON.stringify(part.input)
  return isText && text === '{}' ? [] : [{ type: 'text', text }]
}

/** Nothing for an object that was accepted. */
function problemOf({ output }: PromptToolResult): string[] {
  return output.type === 'error-text' ? [output.value] : []
}

/** Keywords of schemas that OpenAI enforces. https://platform.openai.com/docs/guides/structured-outputs */
const strictKeywords = new Set(
  [
    'type properties required additionalProperties items enum const anyOf $ref $defs definitions title description',
    'pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems',
  ].flatMap((names) => names.split(' ')),
)

/**
 * The schema with `additionalProperties: false` in every object, if it is then in the subset that OpenAI enforces:
 * every property is required, and all keywords are known. Undefined otherwise.
 */
export function strictSchema(schema: JsonObject): JsonObject | undefined {
  const entries = Object.entries(schema)
  if (entries.some(([key]) => !strictKeywords.has(key))) return undefined
  const { properties, additionalProperties, required } = schema
  const types: readonly unknown[] = [schema['type']].flat()
  if (types.includes('object')) {
    if (!isObject(properties) || (additionalProperties ?? false) !== false) return undefined
    const names = Array.isArray(required) ? (required as readonly unknown[]) : []
    if (Object.keys(properties).some((name) => !names.includes(name))) return undefined
  }
  const strict: Record<string, JsonValue> = types.includes('object') ? { additionalProperties: false } : {}
  for (const [key, value] of entries) {
    const inner = strictValue(key, value)
    if (inner === undefined) return undefined
    strict[key] = inner
  }
  return strict
}

function strictValue(key: string, value: JsonValue | undefined): JsonValue | undefined {
  const strictOne = (one: JsonValue | undefined) => (isObject(one) ? strictSchema(one as JsonObject) : undefined)
  if (key === 'items') return strictOne(value)
  if (key === 'anyOf') {
    const branches = Array.isArray(value) ? (value as readonly JsonValue[]).map(strictOne) : [undefined]
    return branches.includes(undefined) ? undefined : (branches as JsonValue)
  }
  if (key !== 'properties' && key !== '$defs' && key !== 'definitions') return value
  const inner = Object.entries(value as JsonObject).map(([name, one]) => [name, strictOne(one)] as const)
  return inner.some(([, one]) => one === undefined) ? undefined : (Object.fromEntries(inner) as JsonObject)
}

/** The text of one JSON object in an answer: the answer, the content of its code block, or its outermost braces. */
export function objectText(text: string): string {
  const block = /```(?:json)?\s*\n([^]*?)```/i.exec(text)?.[1]
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return [text, block, braces].find((one) => one !== undefined && isObject(parseJson(one))) ?? text
}
