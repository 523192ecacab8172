// What a crash, a reload or a navigation left open, settled. Pure: it gives the events, the host emits them.
import type { DurableEvent } from '../data/event.js'
import { allToolCalls, type CallId, type ToolCall, type ToolResult } from '../data/message.js'
import { mayHaveHappened } from '../prompt/failure-text.js'
import { failedResult } from '../prompt/tool-result.js'
import type { Session } from '../data/session.js'
import { composeResultText } from '../prompt/result-text.js'
import { draftMessage } from '../turn/model-step.js'

export interface Recovery {
  readonly at: number
  /** The turn goes on by itself: calls that may run again, or never started, stay open for it. */
  readonly goOn: boolean
  /** Calls that the page still runs or whose outcome it holds. */
  readonly known: ReadonlySet<CallId>
  /** The call by which the page before this one was left. `boundary` fences the addresses: a page chose them. */
  readonly left?:
    | { readonly callId: CallId; readonly from: string; readonly to: string; readonly boundary: string }
    | undefined
}

const lost = 'The page was left or reloaded while this ran.'

/** An event, and the calls of agents it belongs in. */
export interface Recovered {
  readonly event: DurableEvent
  readonly path: readonly CallId[]
}

/** The events after which the session is a valid history: with `goOn` one that its turn can work off, else one at rest. */
export function recover(session: Session, { at, goOn, known, left }: Recovery): Recovered[] {
  const events: Recovered[] = []
  const add = (event: DurableEvent, path: readonly CallId[] = []) => events.push({ event, path })
  const last = session.messages.length - 1
  for (const [index, message] of session.messages.entries()) {
    for (const {
      part: { call, started, result },
      path,
    } of allToolCalls([message])) {
      if (result !== undefined) continue
      if (left?.callId === call.id && started && !known.has(call.id)) {
        add({ type: 'tool-result', at, callId: call.id, result: navigated(left, started.at, at) }, path)
        continue
      }
      // Only the newest message of a running turn can be worked on; an open call anywhere else is damage.
      // What an agent inside a call was doing ends with it.
      const mayStay = goOn && session.turn !== undefined && index === last && path.length === 0
      if (mayStay && (!started || started.repeatable || known.has(call.id))) continue
      const failure = started
        ? mayHaveHappened('interrupted', lost, started.repeatable)
        : { code: 'interrupted' as const, message: 'The page was left or reloaded before this ran.' }
      add({ type: 'tool-result', at, callId: call.id, result: failedResult(failure, at, { started }) }, path)
    }
  }
  if (goOn || session.turn === undefined) return events
  const kept = session.draft && draftMessage(session.draft, at)
  if (kept) add({ type: 'step-end', at, step: session.draft?.step ?? 0, message: kept, offered: session.turn.offered })
  add({ type: 'turn-end', at, turn: session.turn.id, reason: 'interrupted' })
  return events
}

/** An act that led to another page has done what it was for. */
function navigated(
  { callId, from, to, boundary }: NonNullable<Recovery['left']>,
  startedAt: number,
  endedAt: number,
): ToolResult {
  const output = { navigated: { from, to } }
  const { text: modelOutput } = composeResultText({
    text: JSON.stringify(output),
    callId,
    limit: Infinity,
    untrusted: true,
    boundary,
  })
  return { output, modelOutput, startedAt, endedAt, attempts: 1, untrusted: true }
}

/**
 * Calls that a page noted when they began and nothing could be stored: the events that put them where `recover` finds
 * them, as if their start were on the disk. `id` is for the message of those whose step was not stored either.
 */
export function rebuildDraft(session: Session, calls: readonly ToolCall[], at: number, id: string): DurableEvent[] {
  const { turn, messages } = session
  if (turn === undefined) return []
  const known = new Map(allToolCalls(messages).map(({ part }) => [part.call.id, part]))
  const parts = calls.filter((call) => !known.has(call.id)).map((call) => ({ type: 'tool-call', call }) as const)
  return [
    ...(parts.length > 0
      ? [
          {
            type: 'step-end',
            at,
            step: 0,
            message: { id, role: 'assistant', parts, at },
            offered: turn.offered,
          } as const,
        ]
      : []),
    ...calls.flatMap(({ id: callId, input }): DurableEvent[] => {
      const { started, result } = known.get(callId) ?? {}
      return (started ?? result) ? [] : [{ type: 'tool-start', at, callId, hash: '', input, repeatable: false }]
    }),
  ]
}

const freshFor = 5 * 60_000
const maxResumes = 3

/** Whether a turn goes on without asking: same tab, fresh, and not the third time in a row without getting anywhere. */
export function resumesByItself(session: Session, resume: 'auto' | 'ask' | 'never', tab: string, now: number): boolean {
  const { turn } = session
  if (turn === undefined || resume !== 'auto' || turn.mode === 'manual') return false
  return turn.tab === tab && now - turn.lastAt < freshFor && turn.resumes < maxResumes
}
