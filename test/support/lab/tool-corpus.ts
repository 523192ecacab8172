// The tools of twenty public MCP packages, and what visitors would say for three of each.
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../../src/core/data/json.js'
import type { AvailableTools } from '../../../src/page/tools/available-tools.js'
import { compileTool, definitionHash } from '../../../src/page/tools/compiled-tool.js'
import { createToolEntry, describeTool, type CompiledTool } from '../../../src/page/tools/registered-tool.js'
import type { AnyTool } from '../../../src/page/tools/tool.js'

/** What is said for one tool, and what a model makes of it. */
export interface Sentence {
  /** The name of the tool in its package. */
  readonly tool: string
  readonly en: string
  readonly de: string
  readonly enQuery: string
  readonly deQuery: string
}

interface Package {
  readonly prefix: string
  readonly set: 'tune' | 'test'
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: JsonObject }[]
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/tool-search/${name}`, import.meta.url), 'utf8'))

/** The sentences by the set of packages that they are about. */
export const sentences = read('queries.json') as Readonly<Record<'tune' | 'test', readonly Sentence[]>>
const { packages } = read('tools.json') as { readonly packages: readonly Package[] }

/** The tools of all packages, as `mcpTools` names them. */
export function corpusTools(): AnyTool[] {
  return packages.flatMap(({ prefix, tools }) =>
    tools.map(({ name, ...tool }) => ({
      ...tool,
      name: `${prefix}_${name.replace(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, 64),
      execute: () => null,
    })),
  )
}

/** The name that a tool of a set has here. */
export function corpusName(set: 'tune' | 'test', tool: string): string {
  const owners = packages.filter((one) => one.set === set && one.tools.some(({ name }) => name === tool))
  if (owners.length !== 1) throw new Error(`${owners.length} packages of ${set} have the tool ${tool}`)
  return `${owners[0]?.prefix}_${tool}`.slice(0, 64)
}

/** The tools as a step has them. */
export function availableTools(tools: readonly AnyTool[]): AvailableTools {
  return new Map(
    tools.map((tool) => {
      const entry = createToolEntry(tool)
      void compileTool(entry)
      const compiled = entry as CompiledTool
      const spec = definitionHash(
        compiled,
        describeTool(entry, { url: '', locale: '' }, () => {}),
      )
      return [tool.name, { entry: compiled, spec }]
    }),
  )
}
