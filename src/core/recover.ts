// What a crash, a reload or a navigation left open, settled. Pure: it gives the events, the host emits them.
import type { DurableEvent } from './event.js'
import { callsOf, type CallId } from './message.js'
import { failedResult, mayHaveHappened } from './outcome.js'
import type { Session } from './session.js'
import { draftMessage } from './step.js'

export interface Recovery {
  readonly at: number
  /** The turn goes on by itself: calls that may run again, or never started, stay open for it. */
  readonly goOn: boolean
  /** Calls that the page still runs or whose outcome it holds. */
  readonly known: ReadonlySet<CallId>
}

const lost = 'The page was left or reloaded while this ran.'

/** The events after which the session is a valid history: with `goOn` one that its turn can work off, else one at rest. */
export function recover(session: Session, { at, goOn, known }: Recovery): DurableEvent[] {
  const events: DurableEvent[] = []
  const last = session.messages.length - 1
  for (const [index, message] of session.messages.entries()) {
    for (const { call, started, result } of callsOf(message)) {
      if (result !== undefined) continue
      // Only the newest message of a running turn can be worked on; an open call anywhere else is damage.
      const mayStay = goOn && session.turn !== undefined && index === last
      if (mayStay && (!started || started.repeatable || known.has(call.id))) continue
      const failure = started
        ? mayHaveHappened('interrupted', lost, started.repeatable)
        : { code: 'interrupted' as const, message: 'The page was left or reloaded before this ran.' }
      events.push({ type: 'tool-result', at, callId: call.id, result: failedResult(failure, at) })
    }
  }
  if (goOn || session.turn === undefined) return events
  const kept = session.draft && draftMessage(session.draft, at)
  if (kept) events.push({ type: 'step-end', at, step: session.draft?.step ?? 0, message: kept, offered: session.turn.offered })
  events.push({ type: 'turn-end', at, turn: session.turn.id, reason: 'interrupted' })
  return events
}

const freshFor = 5 * 60_000
const maxResumes = 3

/** Whether a turn goes on without asking: same tab, fresh, and not the third time in a row without getting anywhere. */
export function resumesByItself(session: Session, resume: 'auto' | 'ask' | 'never', tab: string, now: number): boolean {
  const { turn } = session
  if (turn === undefined || resume !== 'auto' || turn.mode === 'manual') return false
  return turn.tab === tab && now - turn.lastAt < freshFor && turn.resumes < maxResumes
}
