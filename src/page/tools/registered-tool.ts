// A registered tool: checked, and its definition for the host. The definition that the model receives and the schema
// that validates its calls come from the same entry. Its schemas are compiled by compiled-tool.ts, which is loaded
// later.
import { withIndex } from '../../core/data/lists.js'
import { toFailure, errorMessage, ToolAgentError, type Failure } from '../../core/data/errors.js'
import type { JsonObject } from '../../core/data/json.js'
import type { ToolAnnotations, ToolSpec } from '../../core/data/tool.js'
import { checkInputSchema, checkSchema, isLibrarySchema, noParameters } from '../schema/check-schema.js'
import type { CompiledSchema, OutputSchema } from '../schema/compiled-schema.js'
import { visibleText } from '../visible-text.js'
import type { AnyTool } from './tool.js'
import { annotationsOf, checkTool, invalidTool } from './validate-tool.js'

/** What a tool says about itself. */
export type ToolDescription = Pick<ToolSpec, 'name' | 'title' | 'description' | 'annotations' | 'inputSchema'> & {
  /** What its description function returned. */
  readonly given?: string
}

/** The schemas of a tool, compiled. */
export interface ToolSchemas {
  /** Describes the arguments for the model, and validates them. */
  readonly schema: CompiledSchema
  /** Absent: any output is accepted. */
  readonly outputSchema?: OutputSchema
  /** Absent: the tool receives the whole tool context. */
  readonly contextSchema?: CompiledSchema
}

/** A tool in the registry. */
export interface ToolEntry extends Partial<ToolSchemas> {
  /** Unique in its registry. Checked, so every model API accepts it. */
  readonly name: string
  /** For people: the tool's `title`, or its name in words. */
  readonly title: string
  /** The tool as the page author wrote it. */
  readonly tool: AnyTool
  /** The hints as JSON, copied at registration; {} if it has none. Claims of a discovered tool are lowered. */
  readonly annotations: ToolAnnotations
  /** The schemas as they are compiled: those of libraries as they are, plain JSON Schemas copied at registration. */
  readonly given: { readonly [Key in 'inputSchema' | 'outputSchema' | 'contextSchema']: object | undefined }
  /** The tools of an agent that runs as this tool. */
  readonly inner?: readonly ToolEntry[]
  /** `provider` for a provider's tool; undefined for the page's own tools. */
  readonly source?: string
}

/** A tool whose schemas are compiled, as those of its `inner` tools are. Only such a tool is offered and called. */
export type CompiledTool = ToolEntry & ToolSchemas

/** Whether the schemas of a tool are compiled. */
export function isCompiled(entry: ToolEntry): entry is CompiledTool {
  return entry.schema !== undefined
}

/**
 * Checks a tool, and its schemas for the most common mistakes. `compileTool` finds the others.
 * @throws ToolAgentError `invalid-tool`
 */
export function createToolEntry(tool: AnyTool, source?: string): ToolEntry {
  checkTool(tool, source)
  const { name, inputSchema, outputSchema, contextSchema } = tool
  try {
    const inner = tool.agent?.tools.map((one) => createToolEntry(one))
    for (const [at, one] of withIndex(inner ?? [])) {
      if (inner?.findIndex((other) => other.name === one.name) !== at)
        throw invalidTool(name, `its agent has two tools called "${one.name}"`)
    }
    return {
      name,
      tool,
      annotations: annotationsOf(tool),
      title: visible(tool.title ?? '') || toolTitleOf(name),
      given: {
        inputSchema: checkInputSchema(inputSchema, 'inputSchema'),
        outputSchema: checkSchema(outputSchema, 'outputSchema'),
        contextSchema: checkInputSchema(contextSchema, 'contextSchema'),
      },
      ...(inner === undefined ? {} : { inner }),
      ...(source === undefined ? {} : { source }),
    }
  } catch (error) {
    throw namedError(error, name)
  }
}

/** An error of a schema with the name of its tool. Other errors, and those that have a name, are not changed. */
export function namedError(error: unknown, name: string): unknown {
  if (!(error instanceof ToolAgentError) || error.message.startsWith('Tool "')) return error
  return new ToolAgentError(error.code, `Tool "${name}": ${error.message}`, { cause: error })
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
 * Returns the current description. A description that is a function is called each time. If it throws or returns no
 * string, the failure is reported and the title is used.
 */
export function describeTool(
  entry: ToolEntry,
  page: { readonly url: string; readonly locale: string },
  report: (failure: Failure) => void,
): ToolDescription {
  const { name, title, tool, annotations } = entry
  let given: unknown = tool.description
  if (typeof given === 'function') {
    try {
      given = (given as (page: object) => unknown)({ url: page.url, locale: page.locale })
      if (typeof given !== 'string')
        throw new TypeError(`it returned ${given instanceof Promise ? 'a Promise' : `a ${typeof given}`}, not a string`)
    } catch (error) {
      report({
        ...toFailure(error, 'invalid-tool'),
        message: `Tool "${name}": its description function failed: ${errorMessage(error)}`,
      })
    }
  }
  const isText = typeof given === 'string'
  const description = (isText && visible(given as string)) || visible(tool.title ?? '') || name
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: shownSchema(entry),
    ...(isText && given !== tool.description ? { given: given as string } : {}),
  }
}

/** The JSON Schema of the arguments. Until it is compiled, as the author wrote it; without properties for a library. */
function shownSchema({ schema, given: { inputSchema: given } }: ToolEntry): JsonObject {
  if (schema !== undefined) return schema.jsonSchema
  if (given === undefined) return noParameters
  return isLibrarySchema(given) ? { type: 'object', properties: {} } : (given as JsonObject)
}

const visible = (text: string): string => visibleText(text).trim()
