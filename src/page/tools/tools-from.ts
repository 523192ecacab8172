// Converts an object of tools, keyed by name, into a list to register.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import { received } from '../checks.js'
import type { AnyTool, InputOf, Schema, Tool } from './tool.js'

type Unnamed = Omit<AnyTool, 'name'>
/** A tool without its name, whose input type comes from its schema. */
type Typed<S> = Omit<Tool<S extends Schema ? InputOf<S> : Record<string, never>>, 'name' | 'inputSchema'> & {
  readonly inputSchema?: S
}

/**
 * Converts `{ find_orders: { description, execute } }` into a list of tools. `prefix` is prepended to each name.
 * @throws ToolAgentError `invalid-tool` if the argument is not an object, has no entries, or has an entry that is
 * not an object, such as a bare function.
 */
export function toolsFrom<S extends object>(
  tools: { readonly [Name in keyof S]: Typed<S[Name]> },
  options?: { readonly prefix?: string },
): AnyTool[]
/** The same for tools whose types are not inferred. */
export function toolsFrom(tools: Readonly<Record<string, Unnamed>>, options?: { readonly prefix?: string }): AnyTool[]
export function toolsFrom(
  tools: Readonly<Record<string, Unnamed>>,
  { prefix = '' }: { readonly prefix?: string } = {},
): AnyTool[] {
  const entries = isObject(tools) ? Object.entries(tools) : undefined
  const wrong = entries?.find(([, tool]) => !isObject(tool))
  if (entries === undefined || wrong || entries.length === 0) {
    const got = describeReceived(tools, wrong)
    const form = "{ add: { description: '…', execute: add } }"
    throw new ToolAgentError('invalid-tool', `toolsFrom: expected tools by name, ${form}, received ${got}`)
  }
  return entries.map(([name, tool]) => ({ ...tool, name: `${prefix}${name}` }))
}

function describeReceived(tools: unknown, wrong: readonly [string, unknown] | undefined): string {
  if (wrong) return `${wrong[0]}: ${received(wrong[1])}`
  return isObject(tools) ? 'an object without own properties; methods of a class do not count' : received(tools)
}
