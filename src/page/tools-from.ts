// Tools from an object whose keys are their names, for pages that keep their functions that way.
import type { AnyTool } from './tool.js'

/** `{ find_orders: { description, execute } }` as a list; `prefix` is put before each name as it is. */
export function toolsFrom(tools: Readonly<Record<string, Omit<AnyTool, 'name'>>>, { prefix = '' }: { readonly prefix?: string } = {}): AnyTool[] {
  return Object.entries(tools).map(([name, tool]) => ({ ...tool, name: `${prefix}${name}` }))
}
