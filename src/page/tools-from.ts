// Tools from an object whose keys are their names, for pages that keep their functions that way.
import type { AnyTool, InputOf, Schema, Tool } from './tool.js'

type Unnamed = Omit<AnyTool, 'name'>
/** As with `defineTool`, the type of the input comes from the schema. */
type Typed<S> = Omit<Tool<S extends Schema ? InputOf<S> : Record<string, never>>, 'name' | 'inputSchema'> & { readonly inputSchema?: S }

/** `{ find_orders: { description, execute } }` as a list; `prefix` is put before each name as it is. */
export function toolsFrom<S extends object>(tools: { readonly [Name in keyof S]: Typed<S[Name]> }, options?: { readonly prefix?: string }): AnyTool[]
export function toolsFrom(tools: Readonly<Record<string, Unnamed>>, options?: { readonly prefix?: string }): AnyTool[]
export function toolsFrom(tools: Readonly<Record<string, Unnamed>>, { prefix = '' }: { readonly prefix?: string } = {}): AnyTool[] {
  return Object.entries(tools).map(([name, tool]) => ({ ...tool, name: `${prefix}${name}` }))
}
