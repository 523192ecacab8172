// A trace played back: a model that answers as it was recorded, tools that come to the recorded outcomes, and a run that
// says and decides what the user did. For tests: no network, no page, the same turn.
import { toErrorValue, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { canonicalJson, dropUndefined, isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import {
  toolCallsOf,
  type AssistantMessage,
  type CallId,
  type ToolCall,
  type ToolCallPart,
  type ToolResult,
} from '../../core/data/message.js'
import type { ModelAdapter } from '../../core/data/model.js'
import { failureText } from '../../core/prompt/failure-text.js'
import { builtinToolNames } from '../../core/data/tool.js'
import type { Agent } from '../agent.js'
import type { AgentOptions, SendOptions } from '../options.js'
import { recordedAnswers, replayModel } from './replay-model.js'
import type { AnyTool, Schema, ToolRun } from '../tools/tool.js'
import type { Trace, TraceEntry, TracedTool } from './recorder.js'

export interface Replay {
  /** Plays the recorded answers: for each request the one that was given behind the same call, else the next. */
  readonly modelAdapter: ModelAdapter
  /** Stand-ins for the recorded tools: same definitions, recorded outcomes. Leave them out to test your own. */
  readonly tools: readonly AnyTool[]
  /** What an agent needs to do the same: model adapter, tools, and what of the recorded configuration shows in a request. */
  readonly options: AgentOptions
  /** Recorded answers that were not played yet, those of agents inside calls not counted. */
  readonly left: number
  /**
   * Sends what was sent and answers what was asked, turn by turn. An edited approval is edited again. Rejects with
   * `invalid-option` at a turn that ended by something else that the user did, such as stop.
   */
  run(agent: Agent): Promise<void>
}

/** One call as the trace tells of it. */
interface RecordedCall {
  readonly call: ToolCall
  readonly approval?: ToolCallPart['approval']
  readonly started?: Extract<TraceEntry['event'], { type: 'tool-start' }>
  readonly ended?: Extract<TraceEntry['event'], { type: 'tool-result' }>
  /** A handler of the page ended the turn with it. */
  readonly fatal?: Failure
}
type Calls = ReadonlyMap<CallId, RecordedCall>

/** Throws `invalid-option` for what is no trace of a version it knows. */
export function replayTrace(trace: Trace): Replay {
  if (trace?.version !== 1 || !Array.isArray(trace.events)) {
    throw new ToolAgentError('invalid-option', 'replayTrace: a trace of version 1 is needed, as exportTrace() gives it')
  }
  const calls = recordedCalls(trace.events)
  const model = replayModel(recordedAnswers(trace))
  const tools = definitions(trace).map((definition) => standIn(definition, calls))
  const told = (error: Failure, { call }: { call: ToolCall }): string | undefined => {
    const recorded = calls.get(call.id)
    if (recorded?.fatal) throw toErrorValue(recorded.fatal)
    const text = bareText(recorded?.ended?.result.modelOutput)
    return text === undefined || text === failureText(error) ? undefined : text
  }
  const {
    config: { model: name, instructions, todo, limits },
    config,
  } = trace
  const options: AgentOptions = {
    model: name,
    instructions,
    todo,
    limits,
    approval: config.approval,
    modelAdapter: model.adapter,
    tools,
    onUnknownTool: told,
    onInvalidInput: told,
    onToolError: told,
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
    run: (agent) => run(agent, trace, tools, calls),
  }
}

function recordedCalls(events: readonly TraceEntry[]): Calls {
  const calls = new Map<CallId, RecordedCall>()
  const add = (id: CallId, more: Partial<RecordedCall>): void => {
    const known = calls.get(id)
    if (known) calls.set(id, { ...known, ...more })
  }
  let newest: AssistantMessage | undefined
  for (const { event, path = [] } of events) {
    if (event?.type === 'step-end') {
      for (const { call } of toolCallsOf(event.message)) calls.set(call.id, { call })
      if (path.length === 0) newest = event.message
    } else if (event?.type === 'approval-request') add(event.callId, { approval: event.approval })
    else if (event?.type === 'tool-start') add(event.callId, { started: event })
    else if (event?.type === 'tool-result') add(event.callId, { ended: event })
    else if (event?.type === 'turn-end' && event.error && path.length === 0) {
      const last = toolCallsOf(newest).findLast(({ call }) => calls.get(call.id)?.ended?.result.error)
      if (last) add(last.call.id, { fatal: event.error })
    }
  }
  return calls
}

/** The tools that were registered or, as far as it is known, offered. */
function definitions(trace: Trace): TracedTool[] {
  const known = new Map<string, TracedTool>()
  const add = (tool: { readonly name: string } & Partial<TracedTool>): void => {
    const { name } = tool
    if (builtinToolNames.has(name) || known.get(name)?.description) return
    known.set(name, { title: name, description: '', inputSchema: { type: 'object' }, annotations: {}, ...tool })
  }
  for (const tool of trace.tools) add(tool)
  for (const { event, path } of trace.events) {
    if (event === undefined || path.length > 0) continue
    if (event.type === 'step-request') for (const tool of event.request.tools) add(tool)
    if (event.type === 'step-end') for (const name of event.offered) if (!known.has(name)) add({ name })
  }
  return [...known.values()]
}

function standIn({ inputSchema, annotations, ...definition }: TracedTool, calls: Calls): AnyTool {
  const mine = [...calls.values()].filter(({ call }) => call.name === definition.name)
  const results = mine.flatMap(({ ended }) => (ended ? [ended.result] : []))
  const direct = results.find((result) => result.direct)?.direct
  const isFenced = results.some(
    ({ untrusted, modelOutput }) => untrusted ?? (typeof modelOutput === 'string' && fenced.test(modelOutput)),
  )
  return {
    ...definition,
    annotations: isFenced ? { ...annotations, untrustedContentHint: true } : annotations,
    inputSchema: recordedSchema(inputSchema, mine),
    timeout: 0,
    maxRetries: 0,
    ...(direct ? { returnDirect: direct } : {}),
    needsApproval: (_input: never, { toolCallId }) => calls.get(toolCallId)?.approval !== undefined,
    execute: (_input: never, run: ToolRun) => outcome(definition.name, calls.get(run.toolCallId), run),
    toModelOutput: ({ toolCallId, output }) => {
      const ended = calls.get(toolCallId)?.ended
      const shown = ended?.result.modelOutput
      if (typeof shown === 'object')
        return {
          type: 'content',
          value: shown.value.map((part) =>
            part.type === 'text' ? { ...part, text: unfenced(part.text) } : { ...part },
          ),
        }
      return { type: 'text', value: ended?.whole ?? bareText(shown) ?? JSON.stringify(output) }
    },
  }
}

/** Judges arguments as the recorded tool did: what it refused is refused, what it completed is completed. */
function recordedSchema(schema: JsonObject, calls: readonly RecordedCall[]): Schema {
  const refused = new Map<string, Failure>()
  const ran = new Map<string, JsonValue>()
  for (const {
    call: { input },
    approval,
    started,
    ended,
  } of calls) {
    const error = ended?.result.error
    if (!started && error?.code === 'invalid-input') refused.set(canonicalJson(input), error)
    const first = approval?.input ?? started?.input
    if (first !== undefined) ran.set(canonicalJson(input), first).set(canonicalJson(first), first)
    if (started) ran.set(canonicalJson(started.input), started.input)
  }
  let last: Failure | undefined
  const validate = (value: unknown) => {
    const key = canonicalJson(value)
    const known = ran.get(key)
    if (known !== undefined) return { value: known }
    // What is not known at all is what the page made of arguments that it tries to mend.
    last = refused.get(key) ?? last
    return last === undefined ? { value } : { issues: issuesOf(last) }
  }
  const jsonSchema = { input: () => schema, output: () => schema }
  return { '~standard': { version: 1, vendor: 'tool-agent', validate, jsonSchema } } as Schema
}

function issuesOf({ message, details }: Failure): { message: string; path?: (string | number)[] }[] {
  if (!Array.isArray(details)) return [{ message }]
  return (details as { path: string; message: string }[]).map(({ path, message: words }) =>
    path === ''
      ? { message: words }
      : {
          message: words,
          path: [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|[^.[\]]+/g)].map(([text, index, name]) =>
            index === undefined ? (name ?? text) : Number(index),
          ),
        },
  )
}

async function outcome(name: string, recorded: RecordedCall | undefined, run: ToolRun): Promise<JsonValue | undefined> {
  const { ended } = recorded ?? {}
  if (ended === undefined)
    throw new ToolAgentError('unavailable', `The trace holds no outcome of ${name}, call ${run.toolCallId}`)
  const { result, whole, context = [] } = ended
  if (result.error?.code === 'cancelled')
    return new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)))
  if (result.error) throw toErrorValue(result.error)
  for (const { key, value } of context) run.remember(key, value)
  return outputOf(result, whole)
}

/** What was cut is kept as its beginning; the whole of it stands beside the event. */
function outputOf({ output }: ToolResult, whole: string | undefined): JsonValue | undefined {
  return typeof output === 'string' && whole?.startsWith(output) ? whole : output
}

const fenced = /<untrusted-([^>\s]+)>\n([\s\S]*)\n<\/untrusted-\1>$/
const note =
  /^(?:Warning: this is the same call for the |The user changed the arguments from |The user approved with the words: ).*\n/

function unfenced(text: string): string {
  return fenced.exec(text)?.[2] ?? text
}

/** A result's text without what the host put around it; it will do so again. */
function bareText(output: ToolResult['modelOutput']): string | undefined {
  if (typeof output !== 'string') return undefined
  let text = unfenced(output)
  while (note.test(text)) text = text.replace(note, '')
  return text
}

/** Ends of a turn that no replay can bring about: the user or the page did something at a certain moment. */
const byHand: ReadonlySet<string> = new Set(['stopped', 'superseded', 'interrupted', 'max-time'])

async function run(agent: Agent, trace: Trace, tools: readonly AnyTool[], calls: Calls): Promise<void> {
  const events = trace.events.flatMap(({ event, path }) => (event && path.length === 0 ? [event] : []))
  const leave = agent.subscribe((event) => {
    if (event.type === 'approval-request') void decide(agent, event.callId, calls.get(event.callId))
  })
  const begun = new Set([trace.session.turn?.id])
  try {
    for (const [index, event] of events.entries()) {
      if (event.type !== 'turn-start' || begun.has(event.turn.id)) continue
      begun.add(event.turn.id)
      const { turn, message } = event
      const end = events.slice(index).find((one) => one.type === 'turn-end' && one.turn === turn.id)
      const reason = end?.type === 'turn-end' ? end.reason : 'stopped'
      if (byHand.has(reason))
        throw new ToolAgentError(
          'invalid-option',
          `replayTrace: turn ${turn.id} ended as '${reason}'. Drive this trace yourself, with the replay's options.`,
        )
      const offered = new Set(
        events.slice(index, end && events.indexOf(end)).flatMap((one) => (one.type === 'step-end' ? one.offered : [])),
      )
      const options: SendOptions =
        turn.options.toolsMode === 'replace'
          ? { ...turn.options, tools: tools.filter(({ name }) => offered.has(name)) }
          : turn.options
      const sent = message ? agent.send(message.parts, options) : agent.continue()
      await (reason === 'error' ? sent.catch(() => undefined) : sent)
    }
  } finally {
    leave()
  }
}

async function decide(agent: Agent, callId: CallId, recorded: RecordedCall | undefined): Promise<void> {
  const { approval, started, ended } = recorded ?? {}
  if (started && approval) {
    const isEdited = canonicalJson(started.input) !== canonicalJson(approval.input)
    return agent.approve(
      callId,
      dropUndefined({
        input: isEdited ? started.input : undefined,
        reason: said(/^The user approved with the words: (".*")$/m, ended),
        remember: started.grant && 'session',
      }),
    )
  }
  const { code, details } = ended?.result.error ?? {}
  if (code === 'denied') {
    const reason = isObject(details) ? details['reason'] : undefined
    return agent.deny(callId, typeof reason === 'string' ? { reason } : {})
  }
}

function said(words: RegExp, ended: RecordedCall['ended']): string | undefined {
  const output = ended?.result.modelOutput
  const quoted = typeof output === 'string' ? words.exec(output)?.[1] : undefined
  return quoted === undefined ? undefined : (JSON.parse(quoted) as string)
}
