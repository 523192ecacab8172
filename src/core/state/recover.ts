// Settles what a crash, a reload or a navigation left open. Pure: it returns events, and the host emits them.
import { withIndex } from '../data/lists.js'
import type { PageChange } from '../data/protocol.js'
import type { DurableEvent } from '../data/event.js'
import type { Failure } from '../data/failure.js'
import { answersText } from '../data/form-question.js'
import {
  allToolCalls,
  type AssistantMessage,
  type AssistantPart,
  type CallId,
  type Started,
  type ToolCall,
  type ToolResult,
} from '../data/message.js'
import { failureText, heldNotSent, mayHaveHappened } from '../prompt/failure-text.js'
import { failedResult, stoppedText } from '../prompt/compose-result.js'
import { stoppedBefore } from '../data/stopped-effect.js'
import type { Draft, Session } from '../data/session.js'
import { composeResultText, fenceUntrusted } from '../prompt/cut-and-fence.js'

/** What the host knows when it opens a session with an unfinished turn. */
export interface Recovery {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The turn resumes automatically, so calls that never started or may run again stay open. */
  readonly goOn: boolean
  /** Calls that the page still runs, or whose result it has. They stay open, too. */
  readonly known: ReadonlySet<CallId>
  /** The call that navigated away from the previous page. */
  readonly left?: PageChange | undefined
  /** Fences what a page chose: addresses, the answer, what was held. */
  readonly boundary: string
  /** Whether a tool ran beside the host and not on a page. @default none */
  readonly isOwn?: ((name: string) => boolean) | undefined
}

/** An event, and the ids of the enclosing agent calls, outermost first. */
export interface Recovered {
  /** Not emitted yet. Its `at` is that of the recovery. */
  readonly event: DurableEvent
  /** To be passed to `emit` with the event; empty for the user's own turn. */
  readonly path: readonly CallId[]
}

/**
 * The events that make the session a valid history again. With `goOn` its turn can continue. Otherwise every call is
 * settled and the turn ends as `interrupted`.
 */
export function recover(session: Session, { at, goOn, known, left, boundary, isOwn }: Recovery): Recovered[] {
  const events: Recovered[] = []
  const add = (event: DurableEvent, path: readonly CallId[] = []) => events.push({ event, path })
  const last = session.messages.length - 1
  for (const [index, message] of withIndex(session.messages)) {
    for (const {
      part: { call, started, held, answers = [], approval, result },
      path,
    } of allToolCalls([message])) {
      if (result !== undefined) continue
      if (left?.callId === call.id && started && !held && !known.has(call.id)) {
        add(
          {
            type: 'tool-result',
            at,
            callId: call.id,
            result: navigationResult(left, { boundary, startedAt: started.at, endedAt: at }),
          },
          path,
        )
        continue
      }
      // Only calls of the newest message can run. An open call in another message is damage, and an agent inside a call
      // is never resumed.
      const mayStay = goOn && session.turn !== undefined && index === last && path.length === 0
      if (mayStay && (!started || started.repeatable || known.has(call.id))) continue
      const mayHaveRun = index === last && path.length === 0 && session.turn?.reads === true
      const cause = isOwn?.(call.name) ? 'The server was restarted' : 'The page was closed or reloaded'
      const asks = held && approval?.asks !== undefined
      const failure = lost(cause, { started, held, asks, mayHaveRun })
      const stopped = held ? stoppedBefore(approval) : []
      const more = [
        ...(stopped.length > 0 ? [stoppedText(stopped)] : []),
        ...(answers.length > 0 ? [answersText(answers)] : []),
      ]
      const text = [failureText(failure), ...more.map((one) => fenceUntrusted(one, boundary))].join('\n')
      const options = { started, ...(more.length > 0 ? { text, untrusted: true } : {}) }
      add({ type: 'tool-result', at, callId: call.id, result: failedResult(failure, at, options) }, path)
    }
  }
  if (goOn || session.turn === undefined) return events
  const kept = session.draft && draftMessage(session.draft, at)
  if (kept) add({ type: 'step-end', at, step: session.draft?.step ?? 0, message: kept, offered: session.turn.offered })
  add({ type: 'turn-end', at, turn: session.turn.id, reason: 'interrupted' })
  return events
}

/** Why a call that was left open has no outcome. `mayHaveRun`: its start was not stored. */
function lost(
  cause: string,
  call: {
    readonly started: Started | undefined
    readonly held: true | undefined
    /** The tool waited for an answer. */
    readonly asks: boolean | undefined
    readonly mayHaveRun: boolean
  },
): Failure {
  const code = 'interrupted'
  const { started, held, asks, mayHaveRun } = call
  if (started && asks) return mayHaveHappened(code, `${cause} while the tool asked the user.`, started.repeatable)
  if (started && held) return { code, message: `${cause} while the user was asked. ${heldNotSent}` }
  if (started) return mayHaveHappened(code, `${cause} while this ran.`, started.repeatable)
  if (!mayHaveRun) return { code, message: `${cause} before this ran.` }
  return mayHaveHappened(code, `${cause} before this had a result. It may have run.`, true)
}

/** What was streamed of a step that a reload cut, as a message; undefined if it has no text. */
function draftMessage(draft: Draft, at: number): AssistantMessage | undefined {
  const parts = draft.parts.flatMap((part): AssistantPart[] =>
    part.type === 'tool-input' || part.text.trim() === '' ? [] : [part],
  )
  return parts.some((part) => part.type === 'text') ? { id: draft.id, role: 'assistant', parts, at } : undefined
}

/** The result of an action that opened another page: it succeeded, although its own page is gone. */
function navigationResult(
  { callId, ...navigated }: PageChange,
  { boundary, startedAt, endedAt }: { readonly boundary: string; readonly startedAt: number; readonly endedAt: number },
): ToolResult {
  const output = { navigated }
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
 * Events for calls that started while nothing could be stored, and that only the page remembers. After them `recover`
 * finds these calls as if their start had been stored. `id`: the message id for calls whose step was not stored either.
 */
export function unsavedCallEvents(
  session: Session,
  calls: readonly ToolCall[],
  at: number,
  id: string,
): DurableEvent[] {
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

/** Milliseconds after the last durable event in which a turn resumes automatically. */
const resumeWithin = 5 * 60_000
/** Automatic resumes in a row without a complete step. */
const maxResumes = 3

/**
 * True if the turn resumes without asking the user: with `resume: 'auto'`, in the same tab, soon after its last event,
 * and not after `maxResumes` attempts without a complete step. A stepped turn never resumes. `now`: milliseconds since
 * the epoch.
 */
export function resumesByItself(session: Session, resume: 'auto' | 'ask', tab: string, now: number): boolean {
  const { turn } = session
  if (turn === undefined || resume !== 'auto' || turn.mode === 'manual') return false
  return turn.tab === tab && now - turn.lastAt < resumeWithin && turn.resumes < maxResumes
}
