// The definitions that a server lists: checked, with cleaned texts, and named for the agent. Everything in them is
// text of a foreign server that the model and the visitor read.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { fingerprint } from '../../core/state/fingerprint.js'
import { canonicalJson } from '../../core/data/plain-json.js'
import type { ToolAnnotations } from '../../core/data/tool.js'
import { normalizeText, truncate } from '../../page-tools/dom/text.js'
import { readParameterHeaders } from './parameter-headers.js'

/** A tool as the server lists it, cleaned. */
export interface McpDefinition {
  /** The server's name for it, as calls send it. */
  readonly remoteName: string
  /** The agent's name for it: `prefix_name`. */
  readonly name: string
  /** For people; ends with the host of the server. */
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly annotations: ToolAnnotations
}

/** Maximum characters of a title, of the description of a tool, and of a text in its schema. */
const budgets = { title: 60, tool: 1_000, parameter: 300 }
/** A definition that is longer as JSON is left out. */
const definitionChars = 50_000

/** How `readDefinitions` names and limits the tools. */
export interface DefinitionSettings {
  /** Before each name. */
  readonly prefix: string
  /** The host of the server, for titles. */
  readonly host: string
  /** The names to keep; undefined means all. */
  readonly only: ReadonlySet<string> | undefined
  /** The others are left out. */
  readonly maxTools: number
  /** The server reads arguments from headers, so a tool that asks for impossible ones is left out. */
  readonly usesParameterHeaders: boolean
  /** Receives one sentence for each tool that is left out. */
  warn(message: string): void
}

/** The definitions that can be offered, by the agent's name for them. */
export function readDefinitions(
  listed: readonly unknown[],
  { prefix, host, only, maxTools, usesParameterHeaders, warn }: DefinitionSettings,
): ReadonlyMap<string, McpDefinition> {
  const usable = new Map<string, Omit<McpDefinition, 'name'>>()
  for (const tool of listed) {
    const remoteName = isObject(tool) ? tool['name'] : undefined
    if (!isObject(tool) || typeof remoteName !== 'string' || remoteName === '') {
      warn('A tool without a name is left out.')
    } else if (only === undefined || only.has(remoteName)) {
      const headers =
        usesParameterHeaders && isObject(tool['inputSchema'])
          ? readParameterHeaders(tool['inputSchema'] as JsonObject)
          : []
      const shown = JSON.stringify(truncate(normalizeText(remoteName), 80))
      if (usable.has(remoteName)) warn(`The tool ${shown} is listed twice. The second one is left out.`)
      else if (!isObject(tool['inputSchema'])) warn(`The tool ${shown} is left out: its inputSchema is not an object.`)
      else if (JSON.stringify(tool).length > definitionChars)
        warn(`The tool ${shown} is left out: its definition has more than ${definitionChars} characters.`)
      else if (typeof headers === 'string') warn(`The tool ${shown} is left out: ${headers}.`)
      else usable.set(remoteName, definitionOf(tool, remoteName, host))
    }
  }
  for (const name of only ?? [])
    if (!usable.has(name)) warn(`The option "tools" names ${JSON.stringify(name)}, which the server does not offer.`)
  const all = [...usable.values()]
  if (all.length > maxTools)
    warn(
      `The server lists ${all.length} tools. Only the first ${maxTools} are offered: choose with the option "tools".`,
    )
  return named(all.slice(0, maxTools), prefix)
}

/** The same definition: a call runs only what was offered. */
export function isSameDefinition(one: McpDefinition, other: McpDefinition | undefined): boolean {
  return canonicalJson(one) === canonicalJson(other ?? null)
}

function definitionOf(tool: Record<string, unknown>, remoteName: string, host: string): Omit<McpDefinition, 'name'> {
  const claims = isObject(tool['annotations']) ? tool['annotations'] : {}
  const title = cleaned(tool['title'] ?? claims['title'], budgets.title) || cleaned(remoteName, budgets.title)
  const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
  return {
    remoteName,
    title: `${title} (${host})`,
    description: cleaned(tool['description'], budgets.tool) || title,
    inputSchema: cleanedSchema(tool['inputSchema'] as JsonObject) as JsonObject,
    annotations: Object.fromEntries(
      hints.flatMap((hint) => (typeof claims[hint] === 'boolean' ? [[hint, claims[hint]]] : [])),
    ),
  }
}

/**
 * Adds the prefix and replaces characters that models do not accept. A name that is changed, cut or taken ends with six
 * hex digits of the hash of the original, if it would be ambiguous without them.
 */
function named(definitions: readonly Omit<McpDefinition, 'name'>[], prefix: string): Map<string, McpDefinition> {
  const found = new Map<string, McpDefinition>()
  const plain = (name: string) => `${prefix}_${name.replace(/[^A-Za-z0-9_-]/g, '_')}`
  const isExact = ({ remoteName }: { remoteName: string }) => plain(remoteName) === `${prefix}_${remoteName}`
  // Exact names first, so that no other tool takes them, whatever the order of the list.
  for (const one of [...definitions].sort((a, b) => Number(isExact(b)) - Number(isExact(a)))) {
    const short = plain(one.remoteName)
    const isAmbiguous = short.length > 64 || found.has(short)
    const name = isAmbiguous ? `${short.slice(0, 57)}_${fingerprint(one.remoteName).slice(0, 6)}` : short
    found.set(name, { ...one, name })
  }
  return found
}

function cleaned(text: unknown, most: number): string {
  return typeof text === 'string' ? truncate(normalizeText(text), most) : ''
}

/** Keywords whose contents are data. */
const values = new Set(['enum', 'const', 'default', 'examples'])
/** Cleans and shortens the descriptions and titles of a schema. Values are not changed. */
function cleanedSchema(schema: JsonValue, depth = 0): JsonValue {
  if (depth > 50 || typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).map((item) => cleanedSchema(item, depth + 1))
  return Object.fromEntries(
    Object.entries(schema as JsonObject).map(([key, value = null]) => {
      if (typeof value === 'string' && /^(?:description|title)$/.test(key))
        return [key, cleaned(value, budgets.parameter)]
      return [key, values.has(key) ? value : cleanedSchema(value, depth + 1)]
    }),
  )
}
