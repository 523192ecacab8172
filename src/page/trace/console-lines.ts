// What an agent does, line by line in the console, for whoever set `debug`. Says which tool and how long, and the
// arguments that the model wrote; never a result, a text of the conversation, a header or a value of the tool context.
import type { AgentEvent } from '../../core/data/event.js'
import { toolCallsOf, type CallId, type ToolCall } from '../../core/data/message.js'
import { debug } from '../log.js'
import type { TraceEntry } from './recorder.js'

const longest = 200

export class DebugLines {
  /** Names of the calls of the running turn; a line that says only an id helps nobody. */
  readonly #names = new Map<CallId, string>()
  #turnAt = 0
  #stepAt = 0

  add({ at, path = [], event, session }: TraceEntry): void {
    const line = session ? `session ${session.id} opened` : this.#line(event, at, path.length === 0)
    if (line !== undefined) debug(`${path.map((id) => `${this.#name(id)} › `).join('')}${line}`)
    if (event?.type === 'turn-end' && path.length === 0) this.#names.clear()
  }

  #line(event: AgentEvent, at: number, isOuter: boolean): string | undefined {
    switch (event.type) {
      case 'turn-start':
        if (isOuter) this.#turnAt = at
        return `turn ${event.turn.id} ${event.message ? 'starts' : event.turn.resumes > 0 ? 'goes on after a reload' : 'is continued'}`
      case 'step-start':
        this.#stepAt = at
        return `step ${event.step}: the model is asked`
      case 'step-end': {
        const { usage } = event.message
        const calls = toolCallsOf(event.message).map(({ call }) => this.#called(call))
        const tokens = usage === undefined ? '' : `, ${usage.inputTokens ?? '?'} + ${usage.outputTokens ?? '?'} tokens`
        return `step ${event.step} took ${at - this.#stepAt} ms${tokens}: ${calls.length === 0 ? 'an answer' : calls.join(', ')}`
      }
      case 'step-retry':
        return `step ${event.step}: ${event.error.code}, attempt ${event.attempt} in ${event.delay} ms`
      case 'approval-request':
        return `${this.#name(event.callId)} waits for the user`
      case 'tool-start':
        return `${this.#name(event.callId)} runs${event.grant ? ', allowed for the session' : ''}`
      case 'tool-result': {
        const { error, attempts, startedAt, endedAt } = event.result
        const took = startedAt === undefined ? '' : ` in ${endedAt - startedAt} ms`
        const keys = event.context?.length ? `, remembers ${event.context.map(({ key }) => key).join(', ')}` : ''
        return `${this.#name(event.callId)} ${error ? `failed: ${error.code}` : 'is done'}${took}${attempts > 1 ? `, ${attempts} attempts` : ''}${keys}`
      }
      case 'context-change':
        return `tool context: ${event.context.map(({ key, value }) => (value === undefined ? `${key} deleted` : key)).join(', ')}`
      case 'turn-end':
        return `turn ${isOuter ? `${event.turn} ` : ''}ends: ${event.reason}${event.error ? ` (${event.error.code})` : ''}${isOuter ? ` after ${at - this.#turnAt} ms` : ''}`
      case 'storage-change':
        return `sessions are kept in ${event.storage}${event.error ? ` (${event.error.code})` : ''}`
      case 'compact':
        return `older messages are left out, up to ${event.upTo}`
      default:
        return undefined
    }
  }

  #called({ id, name, input, raw }: ToolCall): string {
    this.#names.set(id, name)
    const text = raw ?? JSON.stringify(input)
    return `${name}(${text.length > longest ? `${text.slice(0, longest)}…` : text}) as ${id}`
  }

  #name(id: CallId): string {
    const name = this.#names.get(id)
    return name === undefined ? id : `${name} ${id}`
  }
}
