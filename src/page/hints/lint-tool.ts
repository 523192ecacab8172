// Logs hints for page authors, each once: definitions that models use badly, and defaults that are wrong. Names that do
// not exist are found when a tool is registered: see unknown-names.ts.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { pathText } from '../../core/data/plain-json.js'
import type { ToolSpec } from '../../core/data/tool.js'
import type { CompiledTool } from '../tools/registered-tool.js'
import * as log from '../log.js'
import { eachSchema } from '../schema/walk.js'

/** More tools than this are rejected by OpenAI and other providers. */
const maxToolCount = 128
/** The characters that a text should have. */
const textLimits = { name: 30, shortDescription: 20, description: 500, parameter: 150 }

/** Keywords that combine schemas, or refer to others. */
const combinations: ReadonlySet<string> = new Set(
  'allOf anyOf oneOf not if then else $ref $dynamicRef patternProperties dependentSchemas'.split(' '),
)

/** Logs the hints for one tool, each once. */
export function lintTool({ tool, schema: compiled, contextSchema }: CompiledTool): void {
  const { name, description } = tool
  const { jsonSchema: schema } = compiled
  const hint = (topic: string, message: string): void =>
    log.logWarning(`Tool "${name}": ${message}`, `${name} ${topic}`)
  if (typeof description !== 'function') lintDescription(name, description?.trim() ?? '')
  if (name.length > textLimits.name)
    hint('name', `its name has ${overLimit(name, textLimits.name)}, because models mistype long names.`)
  for (const schemaOf of [compiled, contextSchema]) {
    for (const { path, message } of schemaOf?.wrongDefaults?.() ?? [])
      hint(`default ${path}`, `the default of "${path}" does not match its own schema (${message}). It is not used.`)
  }
  const combined = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'].find((key) => key in schema)
  if (combined !== undefined)
    hint('root', `"${combined}" at the root of the inputSchema is refused by some model providers.`)
  eachSchema(schema, (inner, path) => {
    const missing = missingProperties(inner, path)
    if (missing.length > 0) {
      const names = missing.map((one) => `"${one}"`).join(', ')
      const where = path.length === 0 ? '' : ` of ${pathText(withoutKeywords(path))}`
      hint(
        `required ${pathText(path)}`,
        `required${where} names ${names}, which properties does not have. Calls without it fail, and the model does ` +
          'not know what it is: add it to properties, or remove it from required.',
      )
    }
    const text: JsonValue | undefined = inner['description']
    if (path.length > 0 && typeof text === 'string' && text.length > textLimits.parameter) {
      hint(
        `parameter ${pathText(path)}`,
        `the description of ${pathText(withoutKeywords(path))} has ${overLimit(text, textLimits.parameter)}.`,
      )
    }
  })
}

const overLimit = ({ length }: string, limit: number, more = ''): string =>
  `${length} characters${more}. Use at most ${limit}`

/** Logs a hint for a missing, short or long description. Description functions are checked when they are called. */
export function lintDescription(name: string, text: string): void {
  const problem = descriptionProblem(text)
  if (problem) log.logWarning(`Tool "${name}": ${problem}`, `${name} description`)
}

function descriptionProblem(text: string): string | undefined {
  if (text === '') return 'it has no description. Say what it does and when to use it, because models choose by it.'
  if (text.length < textLimits.shortDescription)
    return `its description is short ("${text}"). Say what it does, when to use it and what it returns.`
  if (text.length > textLimits.description)
    return `its description has ${overLimit(text, textLimits.description, ', sent with every request')}.`
  return undefined
}

/** Logs a warning if a request offers more tools than many models accept. Returns whether it does. */
export function warnAboutToolCount(
  tools: readonly Pick<ToolSpec, 'name' | 'description' | 'inputSchema'>[],
  builtIn = 0,
): boolean {
  const count = tools.length + builtIn
  if (count <= maxToolCount) return false
  const size = JSON.stringify(
    tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
  ).length
  log.logWarning(
    `A request offers ${count} tools, with ${Math.ceil(size / 1024)} KiB of definitions that each step sends. ` +
      `Many models take at most ${maxToolCount}: offer fewer with toolSearch, activeTools, a tool provider or ` +
      'hooks.beforeModel.',
  )
  return true
}

/** What `required` names beside the properties. A part of a combination may name those of another part. */
function missingProperties(schema: JsonObject, path: readonly (string | number)[]): string[] {
  const { properties, required } = schema
  const isPart = [...Object.keys(schema), ...path].some((key) => combinations.has(String(key)))
  if (!isObject(properties) || !Array.isArray(required) || isPart) return []
  return required.filter((name): name is string => typeof name === 'string' && !Object.hasOwn(properties, name))
}

/** Logs that a tool is left out of a turn that the agent runs. */
export function warnNotRunnable(name: string): void {
  log.logWarning(
    `Tool "${name}": it has no execute function, so it is offered only in turns of step(). ` +
      'Add execute(input, run).',
    `${name} execute`,
  )
}

/** A path through a schema without the `properties` keywords, as the author reads it. */
function withoutKeywords(path: readonly (string | number)[]): (string | number)[] {
  return path.filter((key, index) => !(key === 'properties' && index % 2 === 0))
}
