// Access to the browser's list of tools, `document.modelContext`. Polyfills may expect arguments as an object or as
// JSON text. The input is an object that converts to JSON text, so that a call never has to be repeated.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isObject, parseJson } from '../../core/data/json.js'
import { ToolAgentError } from '../../core/data/errors.js'

/** A tool as `getTools` lists it. */
export interface ModelContextTool {
  /** As registered; unique in its window, not among the windows of a page. */
  readonly name: string
  /** For people. Written by the page, so it must be cleaned before it is used. */
  readonly title?: string
  /** For models. Written by the page, so it must be cleaned before it is used. */
  readonly description?: string
  /** A JSON Schema as an object, or as JSON text in some polyfills. Absent: no parameters. */
  readonly inputSchema?: unknown
  /** Hints by name. Claims of the page, which must not lower a check. */
  readonly annotations?: Readonly<Record<string, unknown>>
  /** The window that registered it: this one, or that of a frame of the same origin. */
  readonly window?: Window
}

/** The part of the browser's API that is used. */
export interface ModelContext {
  /** Adds a tool until `signal` is aborted. May return a promise. Throws or rejects if the name is taken. */
  registerTool(tool: object, options?: { signal?: AbortSignal }): unknown
  /** The tools that this page may call. Absent in browsers that only register. Rejects if the policy forbids it. */
  getTools?(): Promise<readonly ModelContextTool[]>
  /** Calls a listed tool and resolves with its answer, which may be JSON text. Rejects with the error of the tool. */
  executeTool?(tool: ModelContextTool, input: object, options?: { signal?: AbortSignal }): Promise<unknown>
}

/** The window of a tool. Polyfills may omit it. */
export const ownerOf = (tool: ModelContextTool): Window => tool.window ?? window

/** The browser's list; undefined if it has none. */
export function modelContext(): ModelContext | undefined {
  const found = (unclobbered(document) as { modelContext?: Partial<ModelContext> }).modelContext
  // An image or form named `modelContext` would also be found here.
  return typeof found?.registerTool === 'function' ? (found as ModelContext) : undefined
}

/** The listed tools; none if the browser has no list, or the page's policy forbids access. */
export async function listTools(): Promise<readonly ModelContextTool[]> {
  const context = modelContext()
  if (!context?.getTools || !context.executeTool) return []
  try {
    return await context.getTools()
  } catch (thrown) {
    // Treat a forbidden list as empty. Forms do not need it.
    if (thrown instanceof DOMException && /^(NotAllowed|Security)Error$/.test(thrown.name)) return []
    throw thrown
  }
}

/** Calls a tool. Returns its text or value. Throws its error, or that of the browser. */
export async function callListed(tool: ModelContextTool, input: object, signal: AbortSignal): Promise<unknown> {
  const asText = { toString: () => JSON.stringify(input) }
  const answer = await modelContext()?.executeTool?.(tool, Object.assign(Object.create(asText) as object, input), {
    signal,
  })
  if (answer === null || answer === 'undefined') return undefined
  return readToolResponse(answer)
}

/**
 * Converts an MCP result to its text. Other answers are returned as they are.
 * @throws `execution-failed` if the result is marked as an error
 */
export function readToolResponse(answer: unknown): unknown {
  const result = typeof answer === 'string' ? parseJson(answer) : answer
  if (!isObject(result) || !Array.isArray(result['content'])) return answer
  const parts = (result['content'] as unknown[]).map((part) =>
    isObject(part) && part['type'] === 'text' ? String(part['text']) : undefined,
  )
  const text = parts.includes(undefined) ? undefined : parts.join('\n')
  if (result['isError'] === true)
    throw new ToolAgentError('execution-failed', (text ?? JSON.stringify(result['content'])).slice(0, 1_000))
  return text ?? answer
}
