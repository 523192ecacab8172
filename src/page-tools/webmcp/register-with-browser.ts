// Registers the agent's tools with the browser, for external agents. They run through `callTool`, which validates the
// input. Tools that would ask the user are excluded unless the author names them.
import { toFailure } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import { failureText } from '../../core/prompt/failure-text.js'
import { internals } from '../../core/data/tool.js'
import type { Agent, RegisteredTool as AgentTool } from '../../page/agent.js'
import { modelContext, ownerOf, type ModelContextTool } from './model-context.js'

/** Options of `exposeToWebMcp`. */
export interface ExposeOptions {
  /** Unregisters the tools when aborted. */
  readonly signal?: AbortSignal
  /**
   * The names of the tools to register, also of tools that would ask the user.
   * @default all tools that would not ask the user
   */
  readonly tools?: readonly string[]
}

const exposed = new Map<string, AbortController>()

/** Whether a listed tool was registered by this module. */
export const isExposed = (tool: ModelContextTool): boolean => exposed.has(tool.name) && ownerOf(tool) === window

/** Whether a call would or might ask the user. `approval: 'off'` only applies to the agent's own calls. */
function needsUser({ tool }: AgentTool, agent: Agent): boolean {
  const { needsApproval, annotations } = tool
  if (annotations?.consequentialHint || tool[internals]?.mayAct) return true
  if (needsApproval !== undefined) return needsApproval !== false
  return agent.options.approval === 'always' || annotations?.destructiveHint === true
}

/** Keeps the browser's list in step with the agent's tools. Returns the function that ends this. */
export function registerWithBrowser(agent: Agent, { signal, tools }: ExposeOptions): () => void {
  const registered = new Map<string, { readonly definition: string; readonly abort: AbortController }>()
  const isExposable = (one: AgentTool): boolean =>
    one.tool.execute !== undefined &&
    !one.tool[internals]?.isDiscovered &&
    (tools ? tools.includes(one.name) : !needsUser(one, agent))
  const remove = (name: string): void => {
    const { abort } = registered.get(name) ?? {}
    registered.delete(name)
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
      consequentialHint: needsUser(one, agent),
    }
    registered.set(name, { definition, abort })
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
      // The page has a tool of this name, which takes precedence. Try again after the next change.
      remove(name)
      if (!(thrown instanceof DOMException && thrown.name === 'InvalidStateError')) reportError(thrown)
    }
  }

  /** Returns errors as results, because browsers do not pass on the message of a rejection. */
  async function call(name: string, input: JsonValue, callSignal: AbortSignal): Promise<unknown> {
    try {
      const one = agent.tools.find((tool) => tool.name === name)
      if (one && !isExposable(one))
        return errorResult('Error (refused): This tool needs the user’s approval and cannot be called from outside.')
      return await agent.callTool(name, input ?? {}, { signal: callSignal, forModel: true })
    } catch (thrown) {
      const failure = toFailure(thrown, 'execution-failed')
      const isMessageExposed =
        failure.code !== 'execution-failed' || (agent.options.exposeErrors ?? 'message') === 'message'
      return errorResult(failureText(isMessageExposed ? failure : { ...failure, message: 'The tool failed.' }))
    }
  }

  let isDue = false
  const sync = (): void => {
    isDue = false
    if (ended) return
    const wanted = new Map(agent.tools.filter(isExposable).map((one) => [one.name, one]))
    const definitionOf = ({ tool: _tool, ...definition }: AgentTool): string => JSON.stringify(definition)
    for (const [name, { definition }] of registered) {
      const one = wanted.get(name)
      if (one === undefined || definitionOf(one) !== definition) remove(name)
    }
    // A name that another agent of this page has registered stays with that agent.
    for (const [name, one] of wanted) if (!exposed.has(name)) void add(one, definitionOf(one))
  }
  // Batches changes of the same task.
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
    for (const name of registered.keys()) remove(name)
  }
  signal?.addEventListener('abort', end, { once: true })
  sync()
  return end
}

const errorResult = (text: string): object => ({ isError: true, content: [{ type: 'text', text }] })
