// Which attributes and properties the element has, and what may stand in them. One table of names, so that nothing is
// ignored in silence: a name without an attribute says which property to set.
import { ToolAgentError } from '../../core/data/errors.js'
import type { AgentOptions, PageToolToken } from '../../page/options.js'

export type Layout = 'inline' | 'floating' | 'sidebar'

/** What concerns the panel alone. */
export interface Settings {
  layout?: Layout
  open?: boolean
  heading?: string
  placeholder?: string
  suggestions?: readonly string[]
  pageTools?: string
}

/** Attributes by name, with their properties. */
const agentAttributes: ReadonlyMap<string, keyof AgentOptions> = new Map([
  ['endpoint', 'endpoint'],
  ['model', 'model'],
  ['provider', 'provider'],
  ['instructions', 'instructions'],
  ['session-id', 'sessionId'],
  ['scope', 'scope'],
  ['resume', 'resume'],
  ['approval', 'approval'],
  ['worker-url', 'workerUrl'],
])
const settingAttributes: ReadonlyMap<string, keyof Settings> = new Map([
  ['layout', 'layout'],
  ['open', 'open'],
  ['heading', 'heading'],
  ['placeholder', 'placeholder'],
  ['suggestions', 'suggestions'],
  ['page-tools', 'pageTools'],
])
/** Functions, objects and secrets: never in markup. */
const propertiesOnly = [
  'headers',
  'credentials',
  'toolContext',
  'limits',
  'todo',
  'contextWindow',
  'textProtocol',
  'modelAdapter',
  'stream',
  'retention',
  'debug',
  'logErrors',
  'exposeErrors',
  'onUnknownTool',
  'onInvalidInput',
  'onToolError',
  'stopWhen',
  'hooks',
]

export const attributeProperties: ReadonlyMap<string, keyof AgentOptions | keyof Settings> = new Map<
  string,
  keyof AgentOptions | keyof Settings
>([...agentAttributes, ...settingAttributes])
export const agentProperties: readonly string[] = [...agentAttributes.values(), ...propertiesOnly]
export const settingProperties: readonly (keyof Settings)[] = [...settingAttributes.values()]

const hyphenated = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Attributes that mean nothing, with what to do instead. */
export const wrongAttributes: ReadonlyMap<string, string> = new Map([
  ...[...propertiesOnly, 'agent', 'tools'].flatMap((name) =>
    [name.toLowerCase(), hyphenated(name)].map((attribute): [string, string] => [
      attribute,
      `${attribute} has no attribute: set the property ${name} of the element from a script`,
    ]),
  ),
  ...[...attributeProperties]
    .filter(([attribute]) => attribute.includes('-'))
    .map(([attribute, property]): [string, string] => [
      property.toLowerCase(),
      `${property.toLowerCase()}: the attribute is written ${attribute} (property ${property})`,
    ]),
])

/** What an attribute says, as the value of its property. */
export function attributeValue(property: string, text: string): unknown {
  if (property === 'open') return true
  if (property !== 'suggestions') return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw wrong('suggestions', 'a JSON array of strings, such as ["Find my order"],', text, cause)
  }
}

/** Throws `invalid-option` where a setting of the panel does not fit. */
export function checkSetting(name: keyof Settings, value: unknown): void {
  if (value === undefined) return
  if (name === 'layout' && !['inline', 'floating', 'sidebar'].includes(String(value))) {
    throw wrong(name, "'inline' or 'floating' or 'sidebar'", value)
  }
  if (name === 'open' && typeof value !== 'boolean') throw wrong(name, 'true or false', value)
  if ((name === 'heading' || name === 'placeholder') && typeof value !== 'string') throw wrong(name, 'a string', value)
  if (name === 'pageTools') pageToolTokens(value)
  if (name === 'suggestions' && !(Array.isArray(value) && value.every((item) => typeof item === 'string'))) {
    throw wrong(name, 'an array of strings', value)
  }
}

/** The tokens of `page-tools`, each once. */
export function pageToolTokens(value: unknown): PageToolToken[] {
  if (value === undefined) return []
  if (typeof value !== 'string') throw wrong('pageTools', "a string of 'read', 'fill', 'act'", value)
  const tokens = value.split(/[\s,]+/).filter((token) => token !== '')
  const known = tokens.filter(
    (token): token is PageToolToken => token === 'read' || token === 'fill' || token === 'act',
  )
  if (known.length < tokens.length) throw wrong('pageTools', "'read', 'fill' and 'act', separated by spaces,", value)
  return [...new Set(known)]
}

function wrong(name: string, needed: string, value: unknown, cause?: unknown): ToolAgentError {
  const got =
    typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : value === null ? 'null' : `a ${typeof value}`
  return new ToolAgentError('invalid-option', `${name}: ${needed} is needed, got ${got}`, { cause })
}
