// The reducer: a session and an event give the next session. Host, page and tests use the same function, so a replica
// always equals the host's session. Parts that did not change keep their identity.
import { isGrantInForce, isSameScope, type TaskGrant } from '../data/effect.js'
import { isDurable, type AgentEvent } from '../data/event.js'
import { dropUndefined } from '../data/json.js'
import {
  allToolCalls,
  isQuestion,
  textOf,
  type Approval,
  type AssistantMessage,
  type CallId,
  type Draft,
  type DraftPart,
  type Message,
  type ToolCallPart,
  type Usage,
  type UserMessage,
} from '../data/message.js'
import { emptySession, type ContextChange, type Session, type TurnEnd } from '../data/session.js'
import type { ToolContext } from '../data/tool.js'
import { findToolsName } from '../loop/tool-names.js'
import { sumUsage } from '../data/turn-result.js'

/** Characters. */
const titleLength = 60

/**
 * The session after `event`. Pure, and never throws: an event that does not fit, such as a late delta, changes nothing.
 * `path`: ids of the enclosing agent calls, outermost first; empty for the user's own turn.
 */
export function reduce(session: Session, event: AgentEvent, path: readonly CallId[] = []): Session {
  const next = path.length > 0 ? applyInside(session, event, path) : apply(session, event)
  if (!isDurable(event)) return next
  return dropUndefined({
    ...next,
    updatedAt: event.at,
    turn: next.turn && { ...next.turn, lastAt: event.at },
    usage: sumUsage([session.usage, usedBy(event)]),
  })
}

/** The tokens of the model call that ends with an event, of the user's own turn or of an agent inside a call. */
function usedBy(event: AgentEvent): Usage | undefined {
  if (event.type === 'step-end') return event.message.usage
  return event.type === 'compact' ? event.usage : undefined
}

/** An agent's messages are stored in its call. Its context changes and grants apply to the whole session. */
function applyInside(session: Session, event: AgentEvent, [outer = '', ...inner]: readonly CallId[]): Session {
  const next = updateCall(session, outer, (part) => {
    const { messages, draft, clearedTo } = reduce({ ...emptySession(outer, '', 0), ...part.child }, event, inner)
    return { ...part, child: dropUndefined({ messages, draft, clearedTo }) }
  })
  if (event.type === 'tool-start') return settledStatus(withGrants(next, event))
  return settledStatus(event.type === 'tool-result' ? remember(next, event.context) : next)
}

/** Events that do not change the session. A new event type must be added here or get a case in `apply`. */
type DisplayOnly =
  | 'tool-input-end'
  | 'step-retry'
  | 'tool-progress'
  | 'todos-change'
  | 'storage-change'
  | 'step-request'
  | 'step-response'

function apply(session: Session, event: AgentEvent): Session {
  switch (event.type) {
    case 'turn-start': {
      const { end: _end, draft: _draft, ...rest } = session
      const messages = withFacts(event.message ? [...session.messages, event.message] : session.messages, event.facts)
      const title = session.title ?? (titleFrom(event.message) || undefined)
      const waiting = rest.waiting?.filter(({ turn }) => turn !== event.turn.id)
      return settledStatus(dropUndefined({ ...rest, messages, turn: event.turn, status: 'running', title, waiting }))
    }
    case 'step-start':
      return { ...session, draft: { id: event.id, step: event.step, parts: [] } }
    case 'text-delta':
      return withDraft(session, (parts) => appendText(parts, 'text', event.delta))
    case 'text-retract':
      return withDraft(session, (parts) => withoutTextEnd(parts, event.length))
    case 'reasoning-delta':
      return withDraft(session, (parts) => appendText(parts, 'reasoning', event.delta))
    case 'tool-input-start':
      return withDraft(session, (parts) => [...parts, { type: 'tool-input', id: event.id, name: event.name, text: '' }])
    case 'tool-input-delta':
      return withDraft(session, (parts) =>
        parts.map((part) =>
          part.type === 'tool-input' && part.id === event.id ? { ...part, text: part.text + event.delta } : part,
        ),
      )
    case 'step-state':
      return session.draft ? { ...session, draft: { ...session.draft, state: event.state } } : session
    case 'step-end': {
      const { draft: _draft, ...rest } = session
      const { state = session.state, toolChoice, offered, reads, spent = session.turn?.spent ?? 0 } = event
      const turn = session.turn && dropUndefined({ ...session.turn, resumes: 0, offered, toolChoice, reads, spent })
      return dropUndefined({
        ...rest,
        messages: [...session.messages, event.message],
        turn,
        state,
        toolSearch: offered.includes(findToolsName) || session.toolSearch,
        measured: measure(session.measured, event),
      })
    }
    case 'approval-request':
      return settledStatus(updateCall(session, event.callId, (part) => asked(part, event.approval)))
    case 'tool-start': {
      const { at, hash, input, repeatable, tab, answer } = event
      // What was held is sent now. A call that begins anew asks anew.
      const next = updateCall(session, event.callId, ({ held: _allowed, answers = [], ...part }) => ({
        ...part,
        started: dropUndefined({ at, hash, input, repeatable, tab }),
        ...(answer ? { answers: [...answers, answer] } : {}),
      }))
      return settledStatus(withGrants(next, event))
    }
    case 'tool-result': {
      // The draft of an agent that a crash ended is discarded.
      const next = updateCall(session, event.callId, ({ child, held: _over, ...part }) =>
        dropUndefined({ ...part, result: event.result, child: child?.draft ? { messages: child.messages } : child }),
      )
      return settledStatus({ ...remember(next, event.context), todos: event.todos ?? next.todos })
    }
    case 'tool-undo':
      return updateCall(session, event.callId, ({ undone: _before, ...part }) =>
        dropUndefined({ ...part, undone: event.undone }),
      )
    case 'grants-end': {
      const { all, at, page } = event
      const next = withTaskGrants(session, (grants) =>
        page === undefined ? [] : grants.filter((grant) => isGrantInForce(grant, at, page)),
      )
      return all ? { ...next, grants: [] } : next
    }
    case 'context-change': {
      const next = remember(session, event.context)
      return event.state === undefined ? next : { ...next, state: event.state }
    }
    case 'clear':
      return { ...session, clearedTo: Math.max(event.upTo, session.clearedTo ?? 0) }
    case 'compact': {
      const { id, note: text, upTo, at, rejected } = event
      const note = { id, role: 'summary', text, upTo, at } as const
      return dropUndefined({
        ...session,
        note,
        messages: [...session.messages, note],
        rejected: rejected ?? session.rejected,
      })
    }
    case 'session-change':
      return dropUndefined({
        ...session,
        title: event.title ?? session.title,
        waiting: event.waiting ?? session.waiting,
      })
    case 'turn-replaced': {
      // A turn that has started meanwhile is not the one to replace.
      if (session.turn !== undefined) return session
      const messages = session.messages.map((message, index) =>
        session.start + index < event.from ? message : ({ ...message, replaced: true } as const),
      )
      return {
        ...session,
        messages: event.message ? [...messages, event.message] : messages,
        status: 'interrupted',
        end: event.end,
      }
    }
    case 'turn-end': {
      const { turn, draft: _draft, ...rest } = session
      return {
        ...rest,
        messages: withReason(session, turn?.first ?? Infinity, event.reason),
        status: event.reason === 'interrupted' ? 'interrupted' : 'idle',
        end: dropUndefined({
          turn: event.turn,
          reason: event.reason,
          at: event.at,
          error: event.error,
          options: keptOptions(turn),
          manual: turn?.mode === 'manual' || undefined,
        }),
      }
    }
    default:
      event satisfies { readonly type: DisplayOnly }
      return session
  }
}

/** The first message, shortened, is the title of the session until the user renames it. */
function titleFrom(message: Message | undefined): string {
  const text = textOf(message).trim().replace(/\s+/g, ' ')
  return text.length > titleLength ? `${text.slice(0, titleLength - 1).trimEnd()}…` : text
}

function withDraft(session: Session, change: (parts: readonly DraftPart[]) => readonly DraftPart[]): Session {
  // A delta without a draft arrived after its step had ended, so it is ignored.
  if (session.draft === undefined) return session
  const draft: Draft = { ...session.draft, parts: change(session.draft.parts) }
  return { ...session, draft }
}

function appendText(parts: readonly DraftPart[], type: 'text' | 'reasoning', delta: string): readonly DraftPart[] {
  const last = parts.at(-1)
  if (last?.type === type) return [...parts.slice(0, -1), { ...last, text: last.text + delta }]
  return [...parts, { type, text: delta }]
}

function withoutTextEnd(parts: readonly DraftPart[], length: number): readonly DraftPart[] {
  const index = parts.findLastIndex((part) => part.type === 'text')
  const last = parts[index]
  if (last?.type !== 'text') return parts
  const text = last.text.slice(0, Math.max(0, last.text.length - length))
  return text === '' ? parts.toSpliced(index, 1) : parts.with(index, { ...last, text })
}

function updateCall(session: Session, callId: CallId, change: (part: ToolCallPart) => ToolCallPart): Session {
  for (let index = session.messages.length - 1; index >= 0; index--) {
    const message = session.messages[index]
    if (message?.role !== 'assistant') continue
    const place = message.parts.findIndex((part) => part.type === 'tool-call' && part.call.id === callId)
    if (place < 0) continue
    const parts = message.parts.map((part, at) => (at === place && part.type === 'tool-call' ? change(part) : part))
    return { ...session, messages: session.messages.with(index, { ...message, parts }) }
  }
  return session
}

/** The status of a running turn: `awaiting-approval` while the user has to decide on a call, otherwise `running`. */
function settledStatus(session: Session): Session {
  if (session.turn === undefined) return session
  const status = allToolCalls(session.messages.slice(-1)).some(({ part }) => isQuestion(part))
    ? 'awaiting-approval'
    : 'running'
  return session.status === status ? session : { ...session, status }
}

/**
 * A call about which the user is asked. One that was stopped waits as if it had not started. One that is held, or that
 * asks something itself, has run: it goes on.
 */
function asked({ started, held: _before, ...part }: ToolCallPart, approval: Approval): ToolCallPart {
  const isHeld = approval.preview?.held ?? approval.asks
  return started && isHeld ? { ...part, started, approval, held: true } : { ...part, approval }
}

/** What the user allowed with a call. A grant replaces an earlier one for the same. */
function withGrants(session: Session, { grant, taskGrant }: Extract<AgentEvent, { type: 'tool-start' }>): Session {
  const next = taskGrant
    ? withTaskGrants(session, (grants) => [...grants.filter((one) => !isSameGrant(one, taskGrant)), taskGrant])
    : session
  return grant ? { ...next, grants: [...next.grants.filter((one) => one.tool !== grant.tool), grant] } : next
}

const isSameGrant = (one: TaskGrant, other: TaskGrant): boolean =>
  one.page === other.page && isSameScope(one.scope, other.scope)

function withTaskGrants(session: Session, change: (grants: readonly TaskGrant[]) => readonly TaskGrant[]): Session {
  if (session.turn === undefined) return session
  const { taskGrants = [], ...turn } = session.turn
  const changed = change(taskGrants)
  return { ...session, turn: changed.length > 0 ? { ...turn, taskGrants: changed } : turn }
}

function remember(session: Session, change: ContextChange | undefined): Session {
  if (change === undefined) return session
  const context = merge(session.context, change)
  // The newest write wins, so a remembered key is removed from the context of this turn's `send`.
  const sent = session.turn?.options.toolContext
  if (session.turn === undefined || sent === undefined) return { ...session, context }
  const toolContext = Object.fromEntries(Object.entries(sent).filter(([key]) => !change.some((one) => one.key === key)))
  return { ...session, context, turn: { ...session.turn, options: { ...session.turn.options, toolContext } } }
}

function merge(context: ToolContext, change: ContextChange): ToolContext {
  const entries = new Map(Object.entries(context))
  for (const { key, value } of change) {
    if (value === undefined) entries.delete(key)
    else entries.set(key, value)
  }
  return Object.fromEntries(entries)
}

/**
 * The token count that the endpoint reported. `compaction.ts` decides whether it is plausible. `isCut`: the same count
 * was reported for a longer request. Some relays report a small constant, which no context window has.
 */
function measure(
  before: Session['measured'],
  { message, chars }: Extract<AgentEvent, { type: 'step-end' }>,
): Session['measured'] {
  const tokens = message.usage?.inputTokens
  if (tokens === undefined || tokens <= 0 || chars === undefined) return before
  return dropUndefined({
    tokens,
    chars,
    isCut: (before?.tokens === tokens && chars > before.chars * 1.05 && tokens > 2e3) || undefined,
  })
}

/** The options that a continued turn keeps. The tool context and the tool choice end with the turn. */
function keptOptions(turn: Session['turn']): TurnEnd['options'] {
  const { toolContext: _context, toolChoice: _choice, ...options } = turn?.options ?? {}
  return Object.keys(options).length > 0 ? options : undefined
}

/** Sets the facts of the newest message, if it is one of the user without facts. */
function withFacts(messages: readonly Message[], facts: UserMessage['facts']): readonly Message[] {
  const newest = messages.at(-1)
  if (facts === undefined || newest?.role !== 'user' || newest.facts) return messages
  return messages.with(-1, { ...newest, facts })
}

/** Sets the reason on the last message of the turn, if it is an assistant message. */
function withReason(session: Session, first: number, reason: AssistantMessage['reason'] & string): readonly Message[] {
  const place = session.messages.findLastIndex((message) => message.role !== 'summary')
  const last = session.messages[place]
  if (last?.role !== 'assistant' || session.start + place < first) return session.messages
  return session.messages.with(place, { ...last, reason })
}
