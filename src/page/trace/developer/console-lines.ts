// With `debug`: one console line for each thing an agent does. A line may have tool names, times and the arguments that
// the model wrote. It must not have results, texts of the conversation, headers or values of the tool context.
import type { Failure } from '../../../core/data/errors.js'
import type { AgentEvent } from '../../../core/data/event.js'
import { toolCallsOf, type CallId, type ToolCall } from '../../../core/data/message.js'
import type { ContextChange } from '../../../core/data/session.js'
import { debug } from '../../log.js'
import type { TraceEntry } from '../trace.js'

/** Characters of arguments in one line. */
const maxInputChars = 200

/** Prints the events of one agent. */
export class DebugLines {
  /** Tool names of the calls of the running turn: events have only call ids. */
  readonly #names = new Map<CallId, string>()
  #turnAt = 0
  #stepAt = 0

  /** Prints the line for an entry, if it has one. `now`: when it arrived, by `performance.now()`. */
  add({ path = [], event, session }: TraceEntry, now: number): void {
    const line = session ? `session ${session.id} opened` : this.#line(event, now, path.length === 0)
    if (line !== undefined) debug(`${path.map((id) => `${this.#name(id)} › `).join('')}${line}`)
    if (event?.type === 'turn-end' && path.length === 0) this.#names.clear()
  }

  #line(event: AgentEvent, now: number, isOuter: boolean): string | undefined {
    switch (event.type) {
      case 'turn-start':
        if (isOuter) this.#turnAt = now
        return `turn ${event.turn.id} ${startOf(event)}`
      case 'step-start':
        this.#stepAt = now
        return `step ${event.step}: request sent to the model`
      case 'step-end': {
        const { usage } = event.message
        const calls = toolCallsOf(event.message).map(({ call }) => this.#called(call))
        const cached = usage?.cachedInputTokens === undefined ? '' : ` (${usage.cachedInputTokens} cached)`
        const tokens =
          usage === undefined ? '' : `, ${usage.inputTokens ?? '?'}${cached} + ${usage.outputTokens ?? '?'} tokens`
        return `step ${event.step} took ${ms(now - this.#stepAt)}${tokens}: ${calls.join(', ') || 'an answer'}`
      }
      case 'step-retry':
        return `step ${event.step}: ${event.error.code}, attempt ${event.attempt} in ${event.delay} ms`
      case 'approval-request':
        return `${this.#name(event.callId)} waits for approval`
      case 'tool-start':
        return `${this.#name(event.callId)} runs${grantText(event)}`
      case 'tool-result': {
        const { error, attempts, startedAt, endedAt } = event.result
        const took = startedAt === undefined ? '' : ` in ${endedAt - startedAt} ms`
        const keys = event.context?.length ? `, remembers ${event.context.map(({ key }) => key).join(', ')}` : ''
        const outcome = error ? `failed: ${error.code}` : 'is done'
        const tries = attempts > 1 ? `, ${attempts} attempts` : ''
        return `${this.#name(event.callId)} ${outcome}${took}${tries}${keys}`
      }
      case 'tool-undo':
        return `${this.#name(event.callId)} undo: ${event.undone?.state ?? 'taken back'}`
      case 'grants-end':
        if (event.all) return 'the user took back what they allowed'
        return event.page === undefined ? 'nothing is allowed for the task any more' : 'an approval for the task ended'
      case 'context-change':
        return `tool context: ${event.context.map(changeText).join(', ')}`
      case 'turn-end': {
        const end = `ends: ${event.reason}${codeOf(event)}`
        return isOuter ? `turn ${event.turn} ${end} after ${ms(now - this.#turnAt)}` : `turn ${end}`
      }
      case 'storage-change':
        return `sessions are stored in ${event.storage}${codeOf(event)}`
      case 'compact':
        return `compacted: requests leave out the messages up to ${event.upTo}`
      case 'turn-replaced':
        return `turn ${event.end.turn} is replaced${event.message ? ' by another message' : ''}`
      default:
        return undefined
    }
  }

  /** The arguments are cut, because a form may have thousands of characters. */
  #called({ id, name, input, raw }: ToolCall): string {
    this.#names.set(id, name)
    const text = raw ?? JSON.stringify(input)
    return `${name}(${text.length > maxInputChars ? `${text.slice(0, maxInputChars)}…` : text}) as ${id}`
  }

  #name(id: CallId): string {
    const name = this.#names.get(id)
    return name === undefined ? id : `${name} ${id}`
  }
}

/** How a turn begins: with a message, after a reload, or by `continue()`. */
function startOf({ message, turn }: Extract<AgentEvent, { type: 'turn-start' }>): string {
  if (message) return 'starts'
  return turn.resumes > 0 ? 'resumes after a reload' : 'continues'
}

function grantText({ grant, taskGrant }: Extract<AgentEvent, { type: 'tool-start' }>): string {
  if (taskGrant) return ', allowed for this task'
  return grant ? ', allowed for this session' : ''
}

function changeText({ key, value }: ContextChange[number]): string {
  return value === undefined ? `${key} deleted` : key
}

function codeOf({ error }: { readonly error?: Failure }): string {
  return error ? ` (${error.code})` : ''
}

function ms(time: number): string {
  return `${Math.round(time)} ms`
}
