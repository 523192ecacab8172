// Tools from an object whose keys are their names, for pages that keep their functions that way.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import { received } from '../parse-options.js'
import type { AnyTool, InputOf, Schema, Tool } from './tool.js'

type Unnamed = Omit<AnyTool, 'name'>
/** As with `defineTool`, the type of the input comes from the schema. */
type Typed<S> = Omit<Tool<S extends Schema ? InputOf<S> : Record<string, never>>, 'name' | 'inputSchema'> & {
  readonly inputSchema?: S
}

/**
 * `{ find_orders: { description, execute } }` as a list; `prefix` is put before each name as it is. Throws
 * `invalid-tool` for what is not an object, for an entry that is not one, such as a bare function, and for an object
 * without entries.
 */
export function toolsFrom<S extends object>(
  tools: { readonly [Name in keyof S]: Typed<S[Name]> },
  options?: { readonly prefix?: string },
): AnyTool[]
export function toolsFrom(tools: Readonly<Record<string, Unnamed>>, options?: { readonly prefix?: string }): AnyTool[]
export function toolsFrom(
  tools: Readonly<Record<string, Unnamed>>,
  { prefix = '' }: { readonly prefix?: string } = {},
): AnyTool[] {
  const entries = isObject(tools) ? Object.entries(tools) : undefined
  const wrong = entries?.find(([, tool]) => !isObject(tool))
  if (entries === undefined || wrong || entries.length === 0) {
    const none = 'an object without properties of its own; the methods of a class are not found'
    const got = entries === undefined ? received(tools) : wrong ? `${wrong[0]}: ${received(wrong[1])}` : none
    const form = "{ add: { description: '…', execute: add } }"
    throw new ToolAgentError('invalid-tool', `toolsFrom: expected tools by name, ${form}, received ${got}`)
  }
  return entries.map(([name, tool]) => ({ ...tool, name: `${prefix}${name}` }))
}
