// Replays a trace in a test: a model that gives the recorded answers, and a run that sends and approves what the user
// did. No network and no page. The recorded tools are in `replay-tools.ts`.
import { withIndex } from '../../core/data/lists.js'
import { toErrorValue, ToolAgentError, type Failure } from '../../core/data/errors.js'
import type { AgentEvent } from '../../core/data/event.js'
import { dropUndefined, isObject } from '../../core/data/json.js'
import { canonicalJson } from '../../core/data/plain-json.js'
import type { CallId, ToolCall } from '../../core/data/message.js'
import type { ModelAdapter } from '../../core/data/model.js'
import { failureText } from '../../core/prompt/failure-text.js'
import type { Agent } from '../agent.js'
import type { AgentOptions } from '../options.js'
import { received } from '../checks.js'
import type { AnyTool } from '../tools/tool.js'
import type { Trace } from './trace.js'
import { recordedAnswers, replayModel } from './replay-model.js'
import { plainText, recordedCalls, replayTools, type RecordedCall, type RecordedCalls } from './replay-tools.js'

/** What a trace replays with. */
export interface Replay {
  /** Gives the recorded answers: for each request the one that followed the same call, otherwise the next one. */
  readonly modelAdapter: ModelAdapter
  /**
   * Replacements for the recorded tools: same definitions, recorded outcomes. Pass your own tools instead to test them.
   */
  readonly tools: readonly AnyTool[]
  /** Options of an agent that replays the trace: model adapter, tools, and the configuration that affects requests. */
  readonly options: AgentOptions
  /** Number of recorded answers that no request has received. Those of agents inside calls do not count. */
  readonly left: number
  /**
   * Sends each recorded message, and answers each approval like the user did. Resolves after the last turn.
   * @throws `invalid-option` at a turn that another act of the user ended, such as stop
   */
  run(agent: Agent): Promise<void>
}

/**
 * Prepares the replay of a trace.
 * @throws `invalid-option` for anything that is not a trace of version 1
 */
export function replayTrace(trace: Trace): Replay {
  if (trace?.version !== 1 || !Array.isArray(trace.events)) {
    throw new ToolAgentError(
      'invalid-option',
      `replayTrace: expected a trace of version 1, as exportTrace() returns it, received ${
        isObject(trace) ? `version ${String(trace.version)}` : received(trace)
      }`,
    )
  }
  const calls = recordedCalls(trace.events)
  const model = replayModel(recordedAnswers(trace))
  const tools = replayTools(trace, calls)
  // The recorded handler may have replaced the text of a failure, or ended the turn.
  const replayHandler = (error: Failure, { call }: { call: ToolCall }): string | undefined => {
    const recorded = calls.get(call.id)
    if (recorded?.fatal) throw toErrorValue(recorded.fatal)
    const text = plainText(recorded)
    return text === undefined || text === failureText(error) ? undefined : text
  }
  const { model: modelName, instructions, todo, limits, approval } = trace.config
  const options: AgentOptions = {
    model: modelName,
    instructions,
    todo,
    limits,
    approval,
    modelAdapter: model.adapter,
    tools,
    onToolError: replayHandler,
    stopWhen: () => model.isConditionMet(),
    hooks: {
      beforeTool: ({ id }) => {
        const { started, ended } = calls.get(id) ?? {}
        const error = ended?.result.error
        return !started && error?.code === 'refused' ? { refuse: error.message } : undefined
      },
    },
  }
  return {
    modelAdapter: model.adapter,
    tools,
    options,
    get left() {
      return model.left
    },
    run: (agent) => replayTurns(agent, { trace, calls }),
  }
}

/** Reasons that a replay cannot reproduce, because the user or the page acted at a certain moment. */
const reasonsByHand: ReadonlySet<string> = new Set(['stopped', 'superseded', 'interrupted', 'max-time'])

interface Recorded {
  readonly trace: Trace
  readonly calls: RecordedCalls
}

async function replayTurns(agent: Agent, { trace, calls }: Recorded): Promise<void> {
  const events = trace.events.flatMap(({ event, path }) => (event && path.length === 0 ? [event] : []))
  const unsubscribe = agent.subscribe((event) => {
    if (event.type === 'approval-request') void decide(agent, event.callId, calls.get(event.callId))
  })
  // The trace may begin inside a turn, and a turn that a reload interrupted starts more than once.
  const startedTurns = new Set([trace.session.turn?.id])
  let replaced: Extract<AgentEvent, { type: 'turn-replaced' }> | undefined
  try {
    for (const [index, event] of withIndex(events)) {
      if (event.type === 'turn-replaced') replaced = event
      if (event.type !== 'turn-start' || startedTurns.has(event.turn.id)) continue
      const { turn, message } = event
      startedTurns.add(turn.id)
      const reason = reasonOf(turn.id, events.slice(index))
      if (reasonsByHand.has(reason))
        throw new ToolAgentError(
          'invalid-option',
          `replayTrace: turn ${turn.id} ended as '${reason}'. Drive this trace yourself, with the replay's options.`,
        )
      const sent = message ? agent.send(message.parts, turn.options) : repeatTurn(agent, replaced)
      replaced = undefined
      await (reason === 'error' ? sent.catch(() => undefined) : sent)
    }
  } finally {
    unsubscribe()
  }
}

/** Continues the newest turn, or replaces it like the user did. */
function repeatTurn(
  agent: Agent,
  replaced: Extract<AgentEvent, { type: 'turn-replaced' }> | undefined,
): ReturnType<Agent['continue']> {
  if (replaced === undefined) return agent.continue()
  return replaced.message ? agent.editLast(replaced.message.parts) : agent.regenerate()
}

/** How a turn ended. A turn without an end was stopped when the trace was exported. */
function reasonOf(turn: string, events: readonly AgentEvent[]): string {
  const end = events.find((event) => event.type === 'turn-end' && event.turn === turn)
  return end?.type === 'turn-end' ? end.reason : 'stopped'
}

/** Approves or denies a call like the user did. */
async function decide(agent: Agent, callId: CallId, recorded: RecordedCall | undefined): Promise<void> {
  const { approval, started, ended } = recorded ?? {}
  if (started && approval) {
    const isEdited = canonicalJson(started.input) !== canonicalJson(approval.input)
    const decision = {
      input: isEdited ? started.input : undefined,
      reason: started.reason,
      remember: started.grant && ('session' as const),
    }
    return agent.approve(callId, dropUndefined(decision))
  }
  const { code, details } = ended?.result.error ?? {}
  if (code === 'denied') {
    const reason = isObject(details) ? details['reason'] : undefined
    return agent.deny(callId, typeof reason === 'string' ? { reason } : {})
  }
}
