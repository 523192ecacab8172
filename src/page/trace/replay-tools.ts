// The tools of a replay: each has the definition of a recorded tool, accepts the arguments that it accepted, and gives
// the recorded outcome of each call.
import { toErrorValue, ToolAgentError, type Failure } from '../../core/data/errors.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import { canonicalJson, pathKeys } from '../../core/data/plain-json.js'
import {
  toolCallsOf,
  type AssistantMessage,
  type CallId,
  type ModelContent,
  type ToolCall,
  type ToolCallPart,
  type ToolResult,
} from '../../core/data/message.js'
import { builtinToolNames } from '../../core/data/tool.js'
import { approvalNotes } from '../../core/prompt/compose-result.js'
import { isFenced, takeFence } from '../../core/prompt/cut-and-fence.js'
import { repetitionNote, limitNote } from '../../core/loop/call-guards.js'
import type { AnyTool, Schema, ToolRun } from '../tools/tool.js'
import type { Trace, TraceEntry, TracedTool } from './trace.js'

/** What the events of a trace have about one call. */
export interface RecordedCall {
  /** As the model wrote it. */
  readonly call: ToolCall
  /** The user was asked. */
  readonly approval?: ToolCallPart['approval']
  /** The tool was called, with these arguments. */
  readonly started?: Extract<TraceEntry['event'], { type: 'tool-start' }>
  /** How the call ended, also if it never started. */
  readonly ended?: Extract<TraceEntry['event'], { type: 'tool-result' }>
  /** A handler of the page ended the turn with this error. */
  readonly fatal?: Failure
}

/** Recorded calls by id. */
export type RecordedCalls = ReadonlyMap<CallId, RecordedCall>

/** Collects the calls of a trace, also those of agents inside calls. */
export function recordedCalls(events: readonly TraceEntry[]): RecordedCalls {
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
      // The event does not name the call. A handler runs for failed calls, so it was the last of them.
      if (last) add(last.call.id, { fatal: event.error })
    }
  }
  return calls
}

/** One tool for each that was registered or, as far as the trace shows it, offered. */
export function replayTools(trace: Trace, calls: RecordedCalls): AnyTool[] {
  return definitionsIn(trace).map((definition) => replayTool(definition, calls))
}

/** Without built-in tools, which the agent adds itself. A definition with a description wins over one without. */
function definitionsIn(trace: Trace): TracedTool[] {
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

/**
 * Approval, direct return and fence are the recorded ones too. It has no timeout, because recorded calls end by
 * themselves.
 */
function replayTool({ inputSchema, annotations, ...definition }: TracedTool, calls: RecordedCalls): AnyTool {
  const ownCalls = [...calls.values()].filter(({ call }) => call.name === definition.name)
  const results = ownCalls.flatMap(({ ended }) => (ended ? [ended.result] : []))
  const direct = results.find((result) => result.direct)?.direct
  const isUntrusted = results.some(
    ({ untrusted, modelOutput }) => untrusted ?? (typeof modelOutput === 'string' && isFenced(modelOutput)),
  )
  return {
    ...definition,
    annotations: isUntrusted ? { ...annotations, untrustedContentHint: true } : annotations,
    inputSchema: recordedSchema(inputSchema, ownCalls),
    timeout: 0,
    maxRetries: 0,
    ...(direct ? { returnDirect: direct } : {}),
    needsApproval: (_input: never, { toolCallId }) => calls.get(toolCallId)?.approval !== undefined,
    execute: (_input: never, run: ToolRun) => recordedOutcome(definition.name, calls.get(run.toolCallId), run),
    toModelOutput: ({ toolCallId, output }) => {
      const recorded = calls.get(toolCallId)
      const shown = recorded?.ended?.result.modelOutput
      if (typeof shown === 'object') return { type: 'content', value: plainContent(shown.value, recorded) }
      return { type: 'text', value: recorded?.ended?.whole ?? plainText(recorded) ?? JSON.stringify(output) }
    },
  }
}

/** Validates like the recorded tool: arguments that it rejected are rejected, and defaults that it added are added. */
function recordedSchema(schema: JsonObject, calls: readonly RecordedCall[]): Schema {
  const rejected = new Map<string, Failure>()
  const accepted = new Map<string, JsonValue>()
  for (const { call, approval, started, ended } of calls) {
    const error = ended?.result.error
    if (!started && error?.code === 'invalid-input') rejected.set(canonicalJson(call.input), error)
    const first = approval?.input ?? started?.input
    if (first !== undefined) accepted.set(canonicalJson(call.input), first).set(canonicalJson(first), first)
    if (started) accepted.set(canonicalJson(started.input), started.input)
  }
  let last: Failure | undefined
  const validate = (value: unknown) => {
    const key = canonicalJson(value)
    const known = accepted.get(key)
    if (known !== undefined) return { value: known }
    // Arguments that are not recorded are the coerced form of those before.
    last = rejected.get(key) ?? last
    return last === undefined ? { value } : { issues: issuesOf(last) }
  }
  const jsonSchema = { input: () => schema, output: () => schema }
  return { '~standard': { version: 1, vendor: 'tool-agent', validate, jsonSchema } } as Schema
}

/** The issues in the details of an `invalid-input` failure. Their paths are texts such as `items[2].name`. */
function issuesOf({ message, details }: Failure): { message: string; path?: (string | number)[] }[] {
  if (!Array.isArray(details)) return [{ message }]
  return (details as { path: string; message: string }[]).map(({ path, message: text }) => ({
    message: text,
    ...(path === '' ? {} : { path: pathKeys(path) }),
  }))
}

/** Returns or throws what the call ended with. A cancelled call waits until it is aborted. */
async function recordedOutcome(
  name: string,
  recorded: RecordedCall | undefined,
  run: ToolRun,
): Promise<JsonValue | undefined> {
  const { ended } = recorded ?? {}
  if (ended === undefined)
    throw new ToolAgentError('unavailable', `The trace has no outcome of ${name}, call ${run.toolCallId}`)
  const { result, whole, context = [] } = ended
  if (result.error?.code === 'cancelled')
    return new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)))
  if (result.error) throw toErrorValue(result.error)
  for (const { key, value } of context) run.remember(key, value)
  return outputOf(result, whole)
}

/** The output of a cut result is its beginning. The whole text is in the event. */
function outputOf({ output }: ToolResult, whole: string | undefined): JsonValue | undefined {
  return typeof output === 'string' && whole?.startsWith(output) ? whole : output
}

/** The text inside a fence, without the notes before it. A text without a fence is returned as it is. */
const withoutFence = (text: string): string => takeFence(text)?.text ?? text

/** The text of a result as its tool gave it. The host will add fence and notes again. Undefined for content. */
export function plainText(recorded: RecordedCall | undefined): string | undefined {
  const output = recorded?.ended?.result.modelOutput
  return typeof output === 'string' ? withoutNotes(withoutFence(output), recorded) : undefined
}

/** The content of a result as its tool gave it, without fences and the notes before it. */
function plainContent(content: ModelContent, recorded: RecordedCall | undefined): ModelContent {
  const [first, ...rest] = content
  const isNotes = first?.type === 'text' && first.text !== '' && withoutNotes(`${first.text}\n`, recorded) === ''
  return (isNotes ? rest : content).map((part) =>
    part.type === 'text' ? { ...part, text: withoutFence(part.text) } : { ...part },
  )
}

/** Removes the lines that the host writes before a result, in the order in which it writes them. */
function withoutNotes(text: string, { approval, started }: Partial<RecordedCall> = {}): string {
  const ofUser = approval ? approvalNotes(approval, started?.input, started?.reason) : []
  const ofGuards = [repetitionNote, limitNote, limitNote, limitNote]
  let rest = text
  for (const note of ofGuards) {
    const [line = ''] = rest.split('\n', 1)
    if (line.length < rest.length && note.test(line)) rest = rest.slice(line.length + 1)
  }
  for (const note of ofUser) if (rest.startsWith(`${note}\n`)) rest = rest.slice(note.length + 1)
  return rest
}
