// What must hold in a world after its faults: from what the pages did, what they were told, and what is stored.
import { allToolCalls, textOf, type Message } from '../../../../src/core/data/message.js'
import type { Session } from '../../../../src/core/data/session.js'

/** A message that a page was given to send. */
export interface SentMessage {
  readonly user: string
  readonly text: string
  /** `lost`: its document ended before it knew. */
  state: 'pending' | 'resolved' | 'rejected' | 'lost'
  error?: { readonly code?: string; readonly message: string }
  /** A page has said it to a server. */
  wasSaid: boolean
}

/** A run of a function of a page. */
export interface Run {
  readonly user: string
  readonly callId: string
  readonly tool: string
  readonly plan: string
}

/** What a user pressed. */
export interface Pressed {
  readonly callId: string
  readonly decision: 'approve' | 'deny'
}

/** What is known at the end of a world. */
export interface Outcome {
  readonly sent: readonly SentMessage[]
  readonly runs: readonly Run[]
  readonly pressed: readonly Pressed[]
  /** Somebody of this user has stopped a turn. */
  readonly stopped: ReadonlySet<string>
  readonly stored: ReadonlyMap<string, Session | undefined>
}

const repeatable = new Set(['look', 'set'])
const mayHaveRun = /may (still )?have (happened|taken effect|run)/

/** The laws that are broken. */
export function brokenLaws(outcome: Outcome): string[] {
  return [...outcome.stored].flatMap(([user, session]) => [
    ...messageLaws(user, session?.messages ?? [], outcome),
    ...callLaws(user, session?.messages ?? [], outcome),
  ])
}

function messageLaws(user: string, messages: readonly Message[], { sent, stopped }: Outcome): string[] {
  const broken: string[] = []
  for (const { user: of, text, state, error, wasSaid } of sent) {
    if (of !== user) continue
    const count = messages.filter((one) => one.role === 'user' && textOf(one).includes(text)).length
    const told = `${text} (${state}${error ? `: ${error.code} ${error.message}` : ''})`
    if (state === 'pending') broken.push(`never settled: ${told}`)
    if (count > 1) broken.push(`${count} turns of ${told}`)
    if (state === 'resolved' && count === 0) broken.push(`no turn of ${told}`)
    // A page that no server has ever accepted says so, and keeps nothing.
    if (state === 'rejected' && count === 0 && wasSaid && !stopped.has(user)) broken.push(`lost: ${told}`)
  }
  return broken
}

function callLaws(user: string, messages: readonly Message[], { runs, pressed }: Outcome): string[] {
  const broken: string[] = []
  const own = runs.filter((run) => run.user === user)
  const calls = new Map(allToolCalls(messages).map(({ part }) => [part.call.id, part]))
  // What only reads may run before its step is stored.
  for (const { callId, tool } of own)
    if (!calls.has(callId) && tool !== 'look') broken.push(`${tool} ${callId} ran and is not stored`)
  const plans = new Map<string, number>()
  for (const { plan, tool } of own) if (!repeatable.has(tool)) plans.set(plan, (plans.get(plan) ?? 0) + 1)
  for (const [plan, count] of plans) if (count > 1) broken.push(`${plan} ran ${count} times`)
  for (const [callId, { call, result }] of calls) {
    const { name } = call
    const ran = own.filter((run) => run.callId === callId)
    if (result === undefined) {
      broken.push(`${name} ${callId} has no result`)
      continue
    }
    const { error } = result
    const decisions = new Set(pressed.filter((one) => one.callId === callId).map(({ decision }) => decision))
    if (!error && ran.length === 0) broken.push(`${name} ${callId} has an output and never ran`)
    if (error && ran.length > 0 && !repeatable.has(name) && !mayHaveRun.test(error.message))
      broken.push(`${name} ${callId} ran, and its error does not say so: ${error.code} ${error.message}`)
    if (name === 'pay' && ran.length > 0 && !decisions.has('approve')) broken.push(`${callId} ran without an approval`)
    if (error?.code === 'denied' && !decisions.has('deny')) broken.push(`${callId} was denied by nobody`)
  }
  return broken
}
