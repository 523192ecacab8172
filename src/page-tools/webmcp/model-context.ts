// The browser's own list of tools, `document.modelContext`, and how one of them is called. What is not the browser's
// may have another idea of the arguments: they are an object and read as JSON text where somebody makes a text of them,
// so that a call is never tried twice.
import { isObject, parseJson } from '../../core/data/json.js'
import { ToolAgentError } from '../../core/data/errors.js'

/** A tool as `getTools` lists it. */
export interface ModelContextTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema?: unknown
  readonly annotations?: Readonly<Record<string, unknown>>
  /** The window that registered it: this one, or that of a frame of the same origin. */
  readonly window?: Window
}

export interface ModelContext {
  registerTool(tool: object, options?: { signal?: AbortSignal }): unknown
  getTools?(): Promise<readonly ModelContextTool[]>
  executeTool?(tool: ModelContextTool, input: object, options?: { signal?: AbortSignal }): Promise<unknown>
}

/** The window a tool belongs to; what is not the browser's may leave it out. */
export const ownerOf = (tool: ModelContextTool): Window => tool.window ?? window

/** Undefined where the browser has none. */
export function modelContext(): ModelContext | undefined {
  const found = (document as { modelContext?: Partial<ModelContext> }).modelContext
  // An image or form of this name would be found here, too.
  return typeof found?.registerTool === 'function' ? (found as ModelContext) : undefined
}

/** None where the browser has no list, or the page's policy allows no look at it. */
export async function listTools(): Promise<readonly ModelContextTool[]> {
  const context = modelContext()
  if (!context?.getTools || !context.executeTool) return []
  try {
    return await context.getTools()
  } catch (thrown) {
    // Forbidden here is as good as empty: forms are read all the same.
    if (thrown instanceof DOMException && /^(NotAllowed|Security)Error$/.test(thrown.name)) return []
    throw thrown
  }
}

/** What the tool answered, as a text or value; throws what it, or the browser for it, said went wrong. */
export async function callListed(tool: ModelContextTool, input: object, signal: AbortSignal): Promise<unknown> {
  const asText = { toString: () => JSON.stringify(input) }
  const answer = await modelContext()?.executeTool?.(tool, Object.assign(Object.create(asText) as object, input), {
    signal,
  })
  if (answer === null || answer === 'undefined') return undefined
  return readToolResponse(answer)
}

/** Results in MCP's form are read as what they say; one that is marked as an error is an error. */
export function readToolResponse(answer: unknown): unknown {
  const said = typeof answer === 'string' ? parseJson(answer) : answer
  if (!isObject(said) || !Array.isArray(said['content'])) return answer
  const parts = (said['content'] as unknown[]).map((part) =>
    isObject(part) && part['type'] === 'text' ? String(part['text']) : undefined,
  )
  const text = parts.includes(undefined) ? undefined : parts.join('\n')
  if (said['isError'] === true)
    throw new ToolAgentError('execution-failed', (text ?? JSON.stringify(said['content'])).slice(0, 1_000))
  return text ?? answer
}
