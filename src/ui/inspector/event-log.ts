// The newest events of an agent for the inspector: a capped list in which all deltas of one text share one entry. Plain
// data; every change returns a new list.
import { isDurable, joinDeltas, type AgentEvent } from '../../core/data/event.js'
import type { CallId, Usage } from '../../core/data/message.js'

/** Entries. Older ones are removed. */
const capacity = 1_000

/** One line of the log. */
export interface LogEntry {
  /** Ascending; unique in one log. */
  readonly id: number
  /** When the inspector received the event, in milliseconds since the epoch. */
  readonly at: number
  /** Ids of the agent calls around the event, outermost first. */
  readonly path: readonly CallId[]
  /** The event is stored with the session. */
  readonly isDurable: boolean
  /** The number of deltas in this entry; 1 for other events. */
  readonly count: number
  /** The event; joined deltas are one event. */
  readonly event: AgentEvent
}

/** The log with one more event. A delta is joined with the last entry if it continues the same text. */
export function withEvent(
  log: readonly LogEntry[],
  event: AgentEvent,
  path: readonly CallId[],
  at: number,
): readonly LogEntry[] {
  const last = log.at(-1)
  const joined = last === undefined || last.path.join() !== path.join() ? undefined : joinDeltas(last.event, event)
  if (last !== undefined && joined !== undefined)
    return [...log.slice(0, -1), { ...last, count: last.count + 1, event: joined }]
  const entry = { id: (last?.id ?? 0) + 1, at, path, isDurable: isDurable(event), count: 1, event }
  return [...log.slice(log.length >= capacity ? 1 : 0), entry]
}

/** Entries whose type, path or content contains every word of the filter. */
export function filterEntries(log: readonly LogEntry[], filter: string, withTransient: boolean): readonly LogEntry[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return log.filter((entry) => {
    if (!withTransient && !entry.isDurable) return false
    if (words.length === 0) return true
    const text = `${entry.path.join(' ')} ${JSON.stringify(entry.event)}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Token counts in words, after a comma; empty if the endpoint reported none. */
export function tokensOf(usage: Usage | undefined): string {
  if (usage?.inputTokens === undefined) return ''
  const { inputTokens, cachedInputTokens: cached, outputTokens } = usage
  const inWords = `, ${inputTokens} tokens in${cached === undefined ? '' : ` (${cached} cached)`}`
  return `${inWords}${outputTokens === undefined ? '' : `, ${outputTokens} out`}`
}

/** An event in a few words, for one line. */
export function eventSummary(event: AgentEvent): string {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
      return event.delta
    case 'text-retract':
      return `${event.length} characters`
    case 'step-state':
      return JSON.stringify(event.state)
    case 'tool-input-start':
      return event.name
    case 'tool-start':
    case 'approval-request':
      return event.callId
    case 'tool-result':
      return `${event.callId} ${event.result.error === undefined ? 'ok' : event.result.error.code}`
    case 'turn-end':
      return event.error === undefined ? event.reason : `${event.reason}: ${event.error.code}`
    case 'step-start':
    case 'step-request':
    case 'step-response':
      return `step ${event.step}`
    case 'step-end':
      return `step ${event.step}, ${event.message.parts.length} parts${tokensOf(event.message.usage)}`
    case 'step-retry':
      return `attempt ${event.attempt} in ${event.delay} ms: ${event.error.code}`
    case 'todos-change':
      return `${event.todos.length} todos`
    case 'context-change':
      return event.context.map((change) => change.key).join(', ')
    case 'storage-change':
      return event.storage
    case 'session-change':
      return event.title ?? ''
    case 'tool-progress':
      return JSON.stringify(event.value)
    case 'turn-replaced':
      return `${event.end.turn} from message ${event.from}`
    case 'tool-undo':
      return event.undone?.state ?? 'taken back'
    case 'grants-end':
      return event.all ? 'all' : (event.page ?? '')
    case 'clear':
      return `results before message ${event.upTo}`
    case 'turn-start':
    case 'tool-input-end':
    case 'compact':
      return ''
  }
}
