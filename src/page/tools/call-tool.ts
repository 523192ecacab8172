// Implements `agent.callTool`: the page runs one tool itself. Validation, time-out and lock are the same as for a call
// of the model. There is no approval and no transcript entry.
import { ToolAgentError } from '../../core/data/errors.js'
import { dropUndefined, type JsonValue } from '../../core/data/json.js'
import { internals, type ToolContext } from '../../core/data/tool.js'
import type { Message } from '../../core/data/message.js'
import type { ContextChange } from '../../core/data/session.js'
import { invalidInput } from '../answers/tool-errors.js'
import { mergeContextLayers } from '../context-layers.js'
import { compileTool, toolDefinition } from './compiled-tool.js'
import { isCompiled } from './registered-tool.js'
import type { ExclusiveLock } from '../promises.js'
import { executeTool, presentOutput } from './execute-tool.js'
import { toJson } from '../schema/json-value.js'
import { pageAddress } from '../facts/address.js'
import { randomId } from '../random-id.js'
import type { ToolRegistry } from './registry.js'

/** The options of `callTool`. */
export interface CallToolOptions {
  /** The highest layer of the tool context, for this call. */
  readonly toolContext?: ToolContext
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** Returns what a model would get of the output (`toModelOutput`) instead of the output. @default false */
  readonly forModel?: boolean
}

interface CallToolRequest {
  /** Tool context: defaults, session, call. Later layers win. */
  readonly layers: readonly ToolContext[]
  readonly sessionId: string
  readonly messages: readonly Message[]
  readonly signal: AbortSignal
  /** True: return the output as the model would receive it. */
  readonly forModel: boolean
}

/**
 * Runs the tool and returns its output and the context keys that it set.
 * @throws ToolAgentError `unknown-tool`, `unavailable`, `invalid-input`, `timeout` or `cancelled`; otherwise the tool's
 * own error.
 */
export async function callTool(
  registry: ToolRegistry,
  lock: ExclusiveLock,
  name: string,
  input: JsonValue,
  { layers, sessionId, messages, signal, forModel }: CallToolRequest,
): Promise<{ output: unknown; context: ContextChange }> {
  registry.compileWith(compileTool) // Where no host can be started, nothing else has done this.
  await registry.ready()
  const entry = registry.get(name)
  if (entry === undefined) throw new ToolAgentError('unknown-tool', `No tool is called '${name}'`)
  if (!isCompiled(entry))
    throw new ToolAgentError('unavailable', `The code for the schemas of '${name}' could not be loaded`)
  const spec = toolDefinition(entry, registry.describe(entry, pageAddress()))
  const checked = await entry.schema.validate(toJson(input).json)
  if ('issues' in checked) {
    const { code, message, details } = invalidInput(checked.issues)
    throw new ToolAgentError(code, message, details === undefined ? {} : { details })
  }
  const toolContext = await mergeContextLayers(layers, entry.contextSchema)
  const shared = new Map<string, unknown>()
  const facts = { toolContext, sessionId, toolCallId: randomId(), messages, shared }
  // The page itself decides what its call may do.
  const forecast = entry.tool[internals]?.preview?.(checked.value as never, { ...facts, signal })
  const permission = forecast?.effect && { effect: forecast.effect, by: 'user' as const }
  const work = () =>
    executeTool(entry, spec, checked.value, dropUndefined({ ...facts, permission }), {
      signal,
      onProgress: () => undefined,
      // Nobody is asked about a call of the page itself.
      mayHold: false,
      noQuestions: 'callTool has no conversation',
    })
  const done = await (spec.exclusive ? lock.run(work) : work())
  if (done.failure === undefined) {
    if (!forModel) return done
    const { output, text, content } = presentOutput(entry, { id: facts.toolCallId, input: checked.value }, done.output)
    return { ...done, output: content ?? (entry.tool.toModelOutput || done.output === undefined ? text : output) }
  }
  const { code, message, details } = done.failure
  if (code === 'execution-failed' || done.thrown instanceof ToolAgentError) throw done.thrown
  throw new ToolAgentError(code, message, { cause: done.thrown, ...(details === undefined ? {} : { details }) })
}
