// A registered tool: checked, with compiled schemas, and its definition for the host. The definition that the model
// receives and the schema that validates its calls come from the same entry.
import { toFailure, errorMessage, ToolAgentError, type Failure } from '../../core/data/errors.js'
import {
  isDiscoveredTool,
  isRepeatable,
  type AgentSpec,
  type ToolAnnotations,
  type ToolSpec,
} from '../../core/data/tool.js'
import { compileOutputSchema, compileSchema, type CompiledSchema, type OutputSchema } from '../schema/compile.js'
import { visibleText } from '../schema/convert.js'
import type { AnyTool } from './tool.js'
import { annotationsOf, checkTool, invalidTool, lintDescription } from './validate-tool.js'

/** Milliseconds per attempt. */
const defaultTimeout = 15_000
const defaultRetries = 3

/** A definition as the host receives it, without its hash. */
export type ToolDefinition = Omit<ToolSpec, 'hash'>

/** A tool in the registry. */
export interface ToolEntry {
  /** Unique in its registry. Checked, so every model API accepts it. */
  readonly name: string
  /** For people: the tool's `title`, or its name in words. */
  readonly title: string
  /** The tool as the page author wrote it. */
  readonly tool: AnyTool
  /** The hints as JSON, copied at registration; {} if it has none. Claims of a discovered tool are lowered. */
  readonly annotations: ToolAnnotations
  /** While a schema converter loads, `jsonSchema` describes no parameters and `validate` waits. */
  readonly schema: CompiledSchema
  /** Absent: any output is accepted. */
  readonly outputSchema?: OutputSchema
  /** Absent: the tool receives the whole tool context. */
  readonly contextSchema?: CompiledSchema
  /** The tools of an agent that runs as this tool. */
  readonly inner?: readonly ToolEntry[]
  /** `provider` for a provider's tool; undefined for the page's own tools. */
  readonly source?: string
  /** Settles when the schemas are converted; rejects with `invalid-tool`. Undefined if they are converted already. */
  readonly ready?: Promise<void>
}

/**
 * Checks a tool and compiles its schemas.
 * @throws ToolAgentError `invalid-tool` for every problem that is known without loading a converter; the others reject
 * `ready`.
 */
export function createToolEntry(tool: AnyTool, source?: string): ToolEntry {
  checkTool(tool)
  const { name, inputSchema, outputSchema, contextSchema } = tool
  try {
    const foreign = tool[isDiscoveredTool] === true
    const schema = awaited(compileSchema(inputSchema, undefined, foreign), name)
    const context =
      contextSchema === undefined ? undefined : awaited(compileSchema(contextSchema, 'contextSchema'), name)
    const inner = tool.agent?.tools.map((one) => createToolEntry(one))
    for (const [at, one] of (inner ?? []).entries()) {
      if (inner?.findIndex((other) => other.name === one.name) !== at)
        throw invalidTool(name, `its agent has two tools called "${one.name}"`)
    }
    const waits = [schema.ready, context?.ready, ...(inner ?? []).map((one) => one.ready)].filter(
      (ready) => ready !== undefined,
    )
    const ready = waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined)
    return {
      name,
      tool,
      annotations: annotationsOf(tool),
      title: visibleText(tool.title ?? '').trim() || toolTitleOf(name),
      schema: schema.schema,
      ...(outputSchema === undefined ? {} : { outputSchema: compileOutputSchema(outputSchema, undefined, foreign) }),
      ...(context === undefined ? {} : { contextSchema: context.schema }),
      ...(inner === undefined ? {} : { inner }),
      ...(source === undefined ? {} : { source }),
      ...(ready === undefined ? {} : { ready }),
    }
  } catch (error) {
    throw named(error, name)
  }
}

function named(error: unknown, name: string): unknown {
  if (!(error instanceof ToolAgentError) || error.message.startsWith('Tool "')) return error
  return invalidTool(name, error.message, error)
}

/** Wraps a schema whose conversion is still pending. */
function awaited(
  made: CompiledSchema | Promise<CompiledSchema>,
  name: string,
): { schema: CompiledSchema; ready?: Promise<void> } {
  if (!(made instanceof Promise)) return { schema: made }
  let compiled: CompiledSchema | undefined
  const pending = made.catch((error: unknown) => {
    throw named(error, name)
  })
  const ready = pending.then((schema) => {
    compiled = schema
  })
  // The registry reports the failure. Without this handler the browser would report it as unhandled as well.
  ready.catch(() => undefined)
  return {
    ready,
    schema: {
      get jsonSchema() {
        return compiled?.jsonSchema ?? { type: 'object', properties: {} }
      },
      async validate(value) {
        return (await pending).validate(value)
      },
    },
  }
}

/** Turns `find_orders` or `findOrders` into `Find orders`. */
export function toolTitleOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Returns the current definition. A description that is a function is called each time. If it throws or returns no
 * string, the failure is reported and the title is used.
 */
export function toolSpecOf(
  entry: ToolEntry,
  page: { readonly url: string; readonly locale: string },
  report: (failure: Failure) => void,
): ToolDefinition {
  const { name, title, tool, schema, annotations } = entry
  const fallback = visibleText(tool.title ?? '').trim() || name
  let said: unknown = tool.description
  if (typeof said === 'function') {
    try {
      said = (said as (page: object) => unknown)({ url: page.url, locale: page.locale })
      if (typeof said !== 'string')
        throw new TypeError(`it returned ${said instanceof Promise ? 'a Promise' : `a ${typeof said}`}, not a string`)
      lintDescription(name, said.trim())
    } catch (error) {
      report({
        ...toFailure(error, 'invalid-tool'),
        message: `Tool "${name}": its description function failed: ${errorMessage(error)}`,
      })
    }
  }
  const description = (typeof said === 'string' ? visibleText(said).trim() : '') || fallback
  const agent = agentSpec(tool.agent)
  const repeatable = isRepeatable({ annotations, ...agent })
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: schema.jsonSchema,
    // The tools inside an agent have time-outs and locks; the agent itself has none.
    exclusive: agent.agent === undefined && (tool.exclusive ?? false),
    timeout: agent.agent ? 0 : (tool.timeout ?? defaultTimeout),
    maxRetries: repeatable ? (tool.maxRetries ?? defaultRetries) : 0,
    returnDirect: tool.returnDirect ?? false,
    ...agent,
  }
}

function agentSpec(agent: AnyTool['agent']): { agent?: AgentSpec } {
  if (agent === undefined) return {}
  const { tools: _tools, ...spec } = agent
  return { agent: spec }
}
