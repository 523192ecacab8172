// Reads the events of one run of an agent on a server. What the server ran itself is settled as soon as its result is
// there; the calls that are left at the end of the run are for the page.
import { ToolAgentError } from '../../../core/data/errors.js'
import { formatId } from '../../../core/data/ids.js'
import { dropUndefined, isObject, parseJson, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ToolResult } from '../../../core/data/message.js'
import { longestState } from '../../../core/data/session.js'
import { fenceUntrusted, sliceText } from '../../../core/prompt/cut-and-fence.js'
import {
  textIn,
  type AnswerBuilder,
  type AnswerProtocol,
  type AnswerReader,
  type Block,
  type Call,
  type Fields,
} from '../answer/answer-builder.js'
import { badResponse, quoted } from '../http/answer-errors.js'
import { patched } from './json-patch.js'
import { metadataKey, ownOf, type Own } from './run-input.js'

/** How runs are read. */
export const runAnswer: AnswerProtocol = {
  name: 'AG-UI',
  noun: 'the events of a run',
  metadataKey,
  finishWords: { stop: /^success$/ },
  reader: (answer) => new RunReader(answer),
}

/** Characters of a result that the server ran, in the conversation. The server has the whole. */
const longestResult = 20_000

/** A text or a block of reasoning. */
interface Written {
  readonly block: Block
  own: Own
  text: string
  isOpen: boolean
}

interface RunCall {
  readonly call: Call
  isSettled: boolean
}

class RunReader implements AnswerReader {
  readonly #answer: AnswerBuilder
  readonly #texts = new Map<string, Written>()
  readonly #calls = new Map<string, RunCall>()
  /** The calls and texts that the request has. A server that repeats one does not make it again. */
  readonly #before: ReadonlySet<string>
  /** What the runs of this turn have said before. */
  readonly #said: ReadonlySet<string>
  readonly #offered: ReadonlySet<string>
  /** The message or call that a chunk without an id continues, for each agent of the run. */
  readonly #lanes = new Map<string, string>()
  #state: JsonValue
  /** The calls that the server leaves to the page, if it names them. */
  #pending: readonly unknown[] = []
  /** Why the run ended without an answer. */
  #failure: ToolAgentError | undefined

  constructor(answer: AnswerBuilder) {
    this.#answer = answer
    const { messages = [], tools = [], conversation } = answer.context.request ?? {}
    const parts = messages.flatMap(({ role, content }) => (role === 'assistant' ? content : []))
    const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
    this.#before = new Set(
      parts.flatMap((part) => ownOf(part).id ?? (part.type === 'tool-call' ? part.toolCallId : [])),
    )
    this.#said = new Set(
      turn.flatMap(({ role, content }) =>
        role === 'assistant' ? content.flatMap((part) => (part.type === 'text' ? part.text : [])) : [],
      ),
    )
    this.#offered = new Set(tools.map(({ name }) => name))
    this.#state = conversation?.state ?? {}
  }

  read(event: Fields): void {
    // Before the release 1.0 reasoning was called thinking.
    const type = textIn(event, 'type')
      .replace(/^THINKING_TEXT_MESSAGE_/, 'REASONING_MESSAGE_')
      .replace(/^THINKING_/, 'REASONING_')
    const read = readers.get(type)
    if (read === undefined) {
      this.#answer.failIfOther(event)
      return this.#answer.ignore()
    }
    this.#answer.recognize(event['runId'])
    read(this, event)
  }

  end(): void {
    for (const one of this.#texts.values()) this.#close(one)
    if (!this.#answer.finished) return
    if (this.#failure) throw this.#failure
    for (const [id, { call }] of this.#calls) {
      const isOfPage = this.#pending.length === 0 ? this.#offered.has(call.name) : this.#pending.includes(id)
      if (!isOfPage) this.#settle(id, undefined, 'The agent ran this itself and reported no result.')
    }
  }

  *calls(): Iterable<Call> {
    for (const { call, isSettled } of this.#calls.values()) if (!isSettled) yield call
  }

  textStart(event: Fields): void {
    const { role = 'assistant' } = event
    // Some servers say the message of the user again.
    if (role === 'assistant') this.#text('text', event)
    else this.#answer.ignore()
  }

  /** `isChunk`: it may begin its message, and continue the last one without an id. */
  textDelta(kind: Block['type'], event: Fields, isChunk: boolean): void {
    const { role = 'assistant' } = event
    if (isChunk && role !== 'assistant') return this.#answer.ignore()
    const id = this.#idIn(event, 'messageId', kind, isChunk)
    if (kind === 'text' && !isChunk && !this.#texts.has(id)) return this.#answer.ignore()
    this.#write(this.#text(kind, { ...event, messageId: id }), textIn(event, 'delta'))
  }

  textEnd(event: Fields): void {
    const lane = this.#lanes.get(`reasoning ${textIn(event, 'subagentRunId')}`)
    const written = this.#texts.get(textIn(event, 'messageId') || (lane ?? ''))
    if (written) this.#close(written)
  }

  reasoningStart(event: Fields): void {
    this.#text('reasoning', { ...event, messageId: this.#idIn(event, 'messageId', 'reasoning', true) })
  }

  encrypted(event: Fields): void {
    const [id, encryptedValue] = [textIn(event, 'entityId'), textIn(event, 'encryptedValue')]
    if (event['subtype'] === 'tool-call') {
      const call = this.#calls.get(id)?.call
      if (call) call.own = { ...call.own, encryptedValue }
      return
    }
    const written = this.#texts.get(id) ?? this.#text('reasoning', { ...event, messageId: id })
    written.own = { ...written.own, encryptedValue }
    const { block, own } = written
    this.#answer.emit({
      type: `${block.type}-delta`,
      id: block.id,
      delta: '',
      providerMetadata: { [metadataKey]: own },
    })
  }

  callStart(event: Fields): void {
    const [id, parent] = [textIn(event, 'toolCallId'), textIn(event, 'parentMessageId')]
    if (this.#before.has(id) || this.#calls.has(id)) return this.#answer.ignore()
    const call = this.#answer.callStart(id, textIn(event, 'toolCallName'))
    call.own = dropUndefined({ id, parent: parent || undefined })
    this.#calls.set(id, { call, isSettled: false })
  }

  callDelta(event: Fields, isChunk: boolean): void {
    const id = this.#idIn(event, 'toolCallId', 'call', isChunk)
    if (isChunk && !this.#calls.has(id) && event['toolCallName'] !== undefined)
      this.callStart({ ...event, toolCallId: id })
    const open = this.#calls.get(id)
    if (open && !open.call.isEnded) this.#answer.callInput(open.call, textIn(event, 'delta'))
  }

  callEnd(event: Fields): void {
    const open = this.#calls.get(textIn(event, 'toolCallId'))
    if (open) this.#answer.callEnd(open.call)
  }

  result(event: Fields): void {
    this.#settle(textIn(event, 'toolCallId'), event['messageId'], contentText(event['content']))
  }

  setState(state: unknown): void {
    const next = state as JsonValue | undefined
    if (next === undefined) return this.#answer.ignore()
    if (JSON.stringify(next).length > longestState)
      throw badResponse(`The agent’s state has more than ${longestState / 1024} KB. Keep large data elsewhere.`)
    this.#state = next
    this.#answer.emit({ type: 'state', state: next })
  }

  /** A patch that does not fit is left out, as their client does: the next snapshot corrects it. */
  changeState(patch: unknown): void {
    this.setState(patched(this.#state, patch))
  }

  /**
   * The whole conversation as the server has it. Servers that do not stream everything say here what happened in this
   * run: calls, their results, and the answer.
   */
  snapshot(messages: unknown): void {
    if (!Array.isArray(messages)) return this.#answer.ignore()
    const all = (messages as readonly unknown[]).filter(isObject)
    const newest = all.slice(all.findLastIndex(({ role }) => role === 'user') + 1)
    for (const message of newest) {
      const [id, content] = [textIn(message, 'id'), contentText(message['content'])]
      if (message['role'] === 'tool') this.#settle(textIn(message, 'toolCallId'), id, content)
      if (message['role'] !== 'assistant') continue
      this.#wholeText(id, content)
      const calls = Array.isArray(message['toolCalls']) ? (message['toolCalls'] as readonly unknown[]) : []
      for (const call of calls.filter(isObject)) this.#wholeCall(id, call)
    }
  }

  finished(event: Fields): void {
    const outcome = isObject(event['outcome']) ? event['outcome'] : {}
    const kind = textIn(outcome, 'type') || 'success'
    const pending = outcome['pendingToolCallIds']
    this.#pending = Array.isArray(pending) ? (pending as readonly unknown[]) : []
    if (kind !== 'success')
      for (const id of this.#calls.keys()) this.#settle(id, undefined, 'The run ended before this had a result.')
    if (kind === 'interrupt') this.#interrupt(outcome['interrupts'])
    this.#addUsage(event['usage'])
    this.#answer.finish(kind)
    this.#answer.closeStream()
  }

  failed(event: Fields): never {
    const { secrets } = this.#answer.context
    const message = quoted(textIn(event, 'message') || 'The run failed.', secrets)
    const code = textIn(event, 'code')
    throw new ToolAgentError('server', `The agent reported an error: ${message}`, {
      details: dropUndefined({ retry: false, code: code === '' ? undefined : quoted(code, secrets) }),
    })
  }

  /** What the agent asks is its answer. The next message tells the agent that nobody has answered. */
  #interrupt(given: unknown): void {
    const interrupts = Array.isArray(given) ? (given as readonly unknown[]).filter(isObject) : []
    const own = { interrupts: interrupts.map((one) => textIn(one, 'id')) } satisfies Own
    const block = this.#answer.open('text', own, true)
    this.#answer.write(block, interrupts.map((one) => textIn(one, 'message')).join('\n\n'))
    this.#answer.close(block)
    const reasons = interrupts.map((one) => textIn(one, 'reason')).join(', ')
    const { secrets } = this.#answer.context
    const message = `The agent waits for an answer that this page cannot give (${quoted(reasons, secrets)}).`
    this.#failure = new ToolAgentError('bad-request', `${message} Let it ask by a tool of the page.`, {
      details: { retry: false, interrupts: own.interrupts },
    })
  }

  /** The block of a message. A message that goes on after its end gets another block with the same id. */
  #text(kind: Block['type'], event: Fields): Written {
    const id = textIn(event, 'messageId')
    const known = this.#texts.get(id)
    if (known?.isOpen) return known
    const subagentRunId = textIn(event, 'subagentRunId') || undefined
    const own = known?.own ?? dropUndefined({ id: id || undefined, subagentRunId })
    // What an agent inside of the run writes is not the answer.
    const type = subagentRunId === undefined ? kind : 'reasoning'
    const written = { block: this.#answer.open(known?.block.type ?? type, own, true), own, text: '', isOpen: true }
    this.#texts.set(id, written)
    return written
  }

  #close(written: Written): void {
    if (written.isOpen) this.#answer.close(written.block)
    written.isOpen = false
  }

  /** The id in an event. `goesOn`: an event without one continues the last of its kind. */
  #idIn(event: Fields, name: string, kind: string, goesOn: boolean): string {
    const lane = `${kind} ${textIn(event, 'subagentRunId')}`
    const id = textIn(event, name) || (goesOn ? this.#lanes.get(lane) : undefined) || ''
    this.#lanes.set(lane, id)
    return id
  }

  #wholeText(id: string, text: string): void {
    // A server may have given the message another id while it streamed.
    const isKnown = this.#texts.has(id) || this.#before.has(id) || this.#said.has(text)
    if (text.trim() === '' || isKnown || [...this.#texts.values()].some((one) => one.text === text)) return
    const written = this.#text('text', { messageId: id })
    this.#write(written, text)
    this.#close(written)
  }

  #write(written: Written, delta: string): void {
    written.text += delta
    this.#answer.write(written.block, delta)
  }

  #wholeCall(parentMessageId: string, call: Fields): void {
    const toolCallId = textIn(call, 'id')
    const written = isObject(call['function']) ? call['function'] : {}
    if (this.#calls.has(toolCallId)) return
    this.callStart({ toolCallId, toolCallName: written['name'], parentMessageId })
    this.callDelta({ toolCallId, delta: written['arguments'] }, false)
    this.callEnd({ toolCallId })
  }

  /** A call that the server ran. `from`: the message of its result. */
  #settle(id: string, from: unknown, text: string): void {
    const open = this.#calls.get(id)
    if (open === undefined || open.isSettled) return
    open.isSettled = true
    const { call } = open
    this.#answer.callEnd(call)
    const own: Own = dropUndefined({ ...call.own, result: typeof from === 'string' ? from : undefined })
    this.#answer.emit({
      type: 'tool-call',
      toolCallId: call.id,
      toolName: call.name,
      input: call.input,
      providerMetadata: { [metadataKey]: own as JsonObject },
    })
    this.#answer.emit({ type: 'tool-result', toolCallId: call.id, result: resultOf(text) })
  }

  #addUsage(given: unknown): void {
    if (!Array.isArray(given)) return
    const entries = (given as readonly unknown[]).filter(isObject)
    const sum = (name: string): number | undefined => {
      const counts = entries.map((entry) => entry[name]).filter((count) => Number.isFinite(count)) as number[]
      return counts.length > 0 ? counts.reduce((all, count) => all + count) : undefined
    }
    this.#answer.usage(
      { total: sum('inputTokens'), cacheRead: sum('cachedInputTokens'), cacheWrite: sum('cacheWriteInputTokens') },
      { total: sum('outputTokens'), reasoning: sum('reasoningTokens') },
    )
  }
}

/** What each event does. An event that is not here has no effect on the page. */
const readers: ReadonlyMap<string, (reader: RunReader, event: Fields) => void> = new Map<
  string,
  (reader: RunReader, event: Fields) => void
>([
  ['RUN_STARTED', () => undefined],
  ['RUN_FINISHED', (reader, event) => reader.finished(event)],
  ['RUN_ERROR', (reader, event) => reader.failed(event)],
  ['STEP_STARTED', () => undefined],
  ['STEP_FINISHED', () => undefined],
  ['TEXT_MESSAGE_START', (reader, event) => reader.textStart(event)],
  ['TEXT_MESSAGE_CONTENT', (reader, event) => reader.textDelta('text', event, false)],
  ['TEXT_MESSAGE_CHUNK', (reader, event) => reader.textDelta('text', event, true)],
  ['TEXT_MESSAGE_END', (reader, event) => reader.textEnd(event)],
  ['REASONING_START', () => undefined],
  ['REASONING_END', () => undefined],
  ['REASONING_MESSAGE_START', (reader, event) => reader.reasoningStart(event)],
  ['REASONING_MESSAGE_CONTENT', (reader, event) => reader.textDelta('reasoning', event, true)],
  ['REASONING_MESSAGE_CHUNK', (reader, event) => reader.textDelta('reasoning', event, true)],
  ['REASONING_MESSAGE_END', (reader, event) => reader.textEnd(event)],
  ['REASONING_ENCRYPTED_VALUE', (reader, event) => reader.encrypted(event)],
  ['TOOL_CALL_START', (reader, event) => reader.callStart(event)],
  ['TOOL_CALL_ARGS', (reader, event) => reader.callDelta(event, false)],
  ['TOOL_CALL_CHUNK', (reader, event) => reader.callDelta(event, true)],
  ['TOOL_CALL_END', (reader, event) => reader.callEnd(event)],
  ['TOOL_CALL_RESULT', (reader, event) => reader.result(event)],
  ['STATE_SNAPSHOT', (reader, { snapshot }) => reader.setState(snapshot)],
  ['STATE_DELTA', (reader, { delta }) => reader.changeState(delta)],
  ['MESSAGES_SNAPSHOT', (reader, { messages }) => reader.snapshot(messages)],
])

/** The text of a content; a note stands for each file in it. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return (content as readonly unknown[])
    .filter(isObject)
    .map((part) => (part['type'] === 'text' ? textIn(part, 'text') : `[${textIn(part, 'type') || 'file'}]`))
    .join('')
}

/** The result of a call that the server ran. Its text may come from anywhere, so other models read it in a fence. */
function resultOf(text: string): ToolResult {
  const kept =
    text.length > longestResult ? `${sliceText(text, 0, longestResult)}\n[… ${text.length} characters in all]` : text
  const parsed = kept === text && /^\s*[{[]/.test(text) ? parseJson(text) : undefined
  const boundary = formatId(crypto.getRandomValues(new Uint8Array(8)))
  return {
    output: parsed ?? kept,
    modelOutput: fenceUntrusted(kept, boundary),
    elsewhere: true,
    untrusted: true,
    foreign: true,
    attempts: 1,
    endedAt: Date.now(),
  }
}
