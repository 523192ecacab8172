// The agent's tools in the browser's list, for agents from outside. They run through `callTool`, so their input is
// validated here; what would ask the user first is not there unless the author names it.
import { toFailure } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import { failureText } from '../../core/prompt/failure-text.js'
import { isDiscoveredTool } from '../../core/data/tool.js'
import type { Agent, RegisteredTool as AgentTool } from '../../page/agent.js'
import { modelContext, ownerOf, type ModelContextTool } from './model-context.js'

export interface ExposeOptions {
  /** Aborting it takes the tools out of the list. */
  readonly signal?: AbortSignal
  /** Exactly these, also those that would ask the user; all that would not by default. */
  readonly tools?: readonly string[]
}

const exposed = new Map<string, AbortController>()

/** Whether a listed tool is one of ours. */
export const isExposed = (tool: ModelContextTool): boolean => exposed.has(tool.name) && ownerOf(tool) === window

/**
 * Whether a call would, or might, ask the user. That the agent's own calls need no approval is no word on those of
 * others.
 */
function asks({ tool }: AgentTool, agent: Agent): boolean {
  const { needsApproval, annotations } = tool
  if (annotations?.consequentialHint) return true
  if (needsApproval !== undefined) return needsApproval !== false
  return agent.options.approval === 'always' || annotations?.destructiveHint === true
}

export function registerWithBrowser(agent: Agent, { signal, tools }: ExposeOptions): () => void {
  const mine = new Map<string, { readonly definition: string; readonly abort: AbortController }>()
  const isOpen = (one: AgentTool): boolean =>
    one.tool.execute !== undefined &&
    !one.tool[isDiscoveredTool] &&
    (tools ? tools.includes(one.name) : !asks(one, agent))
  const remove = (name: string): void => {
    const { abort } = mine.get(name) ?? {}
    mine.delete(name)
    if (exposed.get(name) === abort) exposed.delete(name)
    abort?.abort()
  }

  async function add(one: AgentTool, definition: string): Promise<void> {
    const { name, title, description, inputSchema } = one
    const abort = new AbortController()
    const { readOnlyHint, untrustedContentHint } = one.tool.annotations ?? {}
    const annotations = {
      readOnlyHint: readOnlyHint === true,
      untrustedContentHint: untrustedContentHint === true,
      consequentialHint: asks(one, agent),
    }
    mine.set(name, { definition, abort })
    exposed.set(name, abort)
    try {
      await modelContext()?.registerTool(
        {
          name,
          title,
          description,
          inputSchema,
          annotations,
          execute: (input: JsonValue, client?: { signal?: AbortSignal }) =>
            call(name, input, AbortSignal.any([abort.signal, ...(client?.signal ? [client.signal] : [])])),
        },
        { signal: abort.signal },
      )
    } catch (thrown) {
      if (abort.signal.aborted) return
      // The page has a tool of this name: that one stays, and ours is tried again when something changes.
      remove(name)
      if (!(thrown instanceof DOMException && thrown.name === 'InvalidStateError')) reportError(thrown)
    }
  }

  /** Errors are values: of what is thrown, browsers tell the agent nothing. */
  async function call(name: string, input: JsonValue, callSignal: AbortSignal): Promise<unknown> {
    try {
      const one = agent.tools.find((tool) => tool.name === name)
      if (one && !isOpen(one))
        return failed('Error (refused): This tool needs the user’s approval and cannot be called from outside.')
      return await agent.callTool(name, input ?? {}, { signal: callSignal, forModel: true })
    } catch (thrown) {
      const failure = toFailure(thrown, 'execution-failed')
      const isTold = failure.code !== 'execution-failed' || (agent.options.exposeErrors ?? 'message') === 'message'
      return failed(failureText(isTold ? failure : { ...failure, message: 'The tool failed.' }))
    }
  }

  let isDue = false
  const sync = (): void => {
    isDue = false
    if (ended) return
    const wanted = new Map(agent.tools.filter(isOpen).map((one) => [one.name, one]))
    const definitionOf = ({ tool: _tool, ...definition }: AgentTool): string => JSON.stringify(definition)
    for (const [name, { definition }] of [...mine]) {
      const one = wanted.get(name)
      if (one === undefined || definitionOf(one) !== definition) remove(name)
    }
    // A name that another agent of this page has there stays its own.
    for (const [name, one] of wanted) if (!exposed.has(name)) void add(one, definitionOf(one))
  }
  // Many changes at once are one.
  const stop = agent.observe(({ type }) => {
    if (type !== 'change' || isDue) return
    isDue = true
    queueMicrotask(sync)
  })
  let ended = false
  const end = (): void => {
    ended = true
    stop()
    signal?.removeEventListener('abort', end)
    for (const name of [...mine.keys()]) remove(name)
  }
  signal?.addEventListener('abort', end, { once: true })
  sync()
  return end
}

const failed = (text: string): object => ({ isError: true, content: [{ type: 'text', text }] })
