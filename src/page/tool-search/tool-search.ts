// `find_tools` and `use_tool`: what a request has instead of the definitions of many tools. The first searches them on
// the page. The second is only a definition: its calls become calls of the tool that they name, before anything else.
import { isObject } from '../../core/data/json.js'
import { toolCallsOf, type Message } from '../../core/data/message.js'
import type { HiddenTool } from '../../core/data/protocol.js'
import { internals, type ToolSpec } from '../../core/data/tool.js'
import { findToolsName, useToolName } from '../../core/loop/tool-names.js'
import {
  compileTool,
  definitionHash,
  isAlwaysOffered,
  type AvailableTool,
  type AvailableTools,
  type StepOffer,
  type ToolSearch,
} from '../tools/compiled-tool.js'
import { describeTool, type CompiledTool, type ToolEntry } from '../tools/registered-tool.js'
import type { AnyTool, ToolRun } from '../tools/tool.js'
import { CatalogueIndex } from './catalogue-index.js'

export { compileLater } from './compile-later.js'

/** How many tools a search returns with their definitions, and how many more it names. */
const shown = 5
const named = 5
/** Characters of the definitions of one search. The first is always whole. */
const shownChars = 20_000
/** Characters of a description in a list of names. */
const namedChars = 80

/** Characters of a definition in an error. */
const errorChars = 9_900

/** What a result says that it has shown to the model: a definition, by its hash. */
interface FoundTool {
  readonly name: string
  readonly hash: string
}

/** What `find_tools` returns. The definitions are only in the text for the model. */
interface Findings {
  /** Best first. */
  readonly found: readonly FoundTool[]
  /** The names after them. */
  readonly others: readonly string[]
}

const findTools: AnyTool = {
  name: findToolsName,
  title: 'Look for a suitable function',
  description:
    'Searches the many tools that are not listed here. Search before you say that something cannot be done. ' +
    `Returns up to ${shown} tools with the schema of their input. Call them with ${useToolName}.`,
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description:
          'What the tool does, in key words: its verb and its objects with synonyms, in English and in the language ' +
          'of the page. Not the values. Example: create add issue ticket bug',
      },
    },
    required: ['query'],
  },
  annotations: { readOnlyHint: true },
  // It shows nothing but the tools of the agent.
  needsApproval: false,
}

const useTool: AnyTool = {
  name: useToolName,
  title: 'Use a tool',
  description: `Calls a tool that ${findToolsName} has returned.`,
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of the tool' },
      input: { type: 'object', description: 'Its input, as its schema says' },
    },
    required: ['name', 'input'],
  },
  // A call arrives here only if it names no tool.
  execute: () => {
    throw new Error(`name: expected the name of a tool that ${findToolsName} has returned`)
  },
}

/** The search of one agent. */
export class CatalogueSearch implements ToolSearch {
  readonly #index = new CatalogueIndex()
  readonly #find = builtIn(findTools)
  readonly #use = builtIn(useTool)

  offer(tools: AvailableTools, isOwn: boolean): StepOffer {
    const index = isOwn ? this.#index : new CatalogueIndex()
    const hidden = new Map([...tools].filter(([, tool]) => !isAlwaysOffered(tool)))
    // While the model reads the request.
    if (isOwn) void index.update(hidden)
    const { entry, spec } = this.#find
    // Its results quote what others have written about their tools.
    const isForeign = [...hidden.values()].some((tool) => tool.entry.tool[internals]?.isDiscovered)
    const annotations = { ...spec.annotations, untrustedContentHint: isForeign }
    const find = {
      spec: { ...spec, annotations },
      entry: { ...entry, tool: { ...findTools, ...searching(hidden, index) } },
    }
    // They come first, because the tools of the page may change.
    const own = [find, this.#use].map((tool): [string, AvailableTool] => [tool.entry.name, tool])
    const always = [...tools].filter(([, tool]) => isAlwaysOffered(tool))
    return { callable: new Map([...own, ...tools]), sent: new Map([...own, ...always]) }
  }

  // Read from the results of the conversation, so a reload changes nothing.
  hidden(tools: readonly AvailableTool[], messages: readonly Message[]): readonly HiddenTool[] {
    return tools.map(({ spec, entry }) => {
      if (messages.some((message) => shows(message, spec))) return spec
      const { name, hash } = spec
      const message = `Read this definition, then call it again with input that matches: ${definitionText(spec)}`
      const details = { found: [{ name, hash }] }
      const error = { code: 'unknown-tool', message: message.slice(0, errorChars), details } as const
      return { ...spec, unread: { error, untrusted: entry.tool[internals]?.isDiscovered === true } }
    })
  }
}

/** The definition as the model reads it. */
function definitionText({ name, description, inputSchema }: ToolSpec): string {
  return JSON.stringify({ name, description, input: inputSchema })
}

/** Whether the results of a message show this definition. */
function shows(message: Message, { name, hash }: FoundTool): boolean {
  return toolCallsOf(message).some(({ call, via, result }) => {
    const shown = call.name === findToolsName ? result?.output : via && result?.error?.details
    const found = isObject(shown) ? shown['found'] : undefined
    return Array.isArray(found) && found.some((one) => isObject(one) && one['name'] === name && one['hash'] === hash)
  })
}

/** A tool of the agent itself. As one of a provider, it need not be registered to be called. */
function builtIn(tool: AnyTool): AvailableTool {
  const { name, title = name, annotations = {}, inputSchema } = tool
  const given = { inputSchema, outputSchema: undefined, contextSchema: undefined }
  const entry: ToolEntry = { name, title, tool, annotations, given, source: 'provider' }
  void compileTool(entry)
  const compiled = entry as CompiledTool
  return {
    entry: compiled,
    spec: definitionHash(
      compiled,
      describeTool(entry, { url: '', locale: '' }, () => {}),
    ),
  }
}

/** The functions of `find_tools` for one catalogue. */
function searching(hidden: AvailableTools, index: CatalogueIndex): Partial<AnyTool> {
  return {
    async execute({ query }: { readonly query: string }, { signal }: ToolRun): Promise<Findings> {
      await index.update(hidden, signal)
      const names = index.search(query, hidden, shown + named)
      const specs = names.slice(0, shown).flatMap((name) => hidden.get(name)?.spec ?? [])
      const found = fitting(specs)
      return { found, others: names.filter((name) => found.every((one) => one.name !== name)) }
    },
    toModelOutput: ({ output }: { readonly output: Findings }) => findingsText(output, hidden),
  } as Partial<AnyTool>
}

/** Those whose definitions are shown: the first, and those after it while there is room. */
function fitting(specs: readonly ToolSpec[]): FoundTool[] {
  let chars = 0
  return specs.flatMap((spec, place) => {
    chars += definitionText(spec).length
    return place === 0 || chars <= shownChars ? [{ name: spec.name, hash: spec.hash }] : []
  })
}

function findingsText({ found, others }: Findings, hidden: AvailableTools): string {
  if (found.length === 0) return 'No tool fits. Try other words, such as synonyms or the name of the product.'
  const specOf = (name: string) => hidden.get(name)?.spec
  const definitions = found.flatMap(({ name }) => specOf(name) ?? []).map(definitionText)
  const lines = others.map((name) => `${name}: ${(specOf(name)?.description ?? '').slice(0, namedChars)}`)
  return [...definitions, ...(lines.length > 0 ? ['Less likely, search again to read them:', ...lines] : [])].join('\n')
}
