// What a page says to a host, in the form that a server reads: nothing that the server decides, and each text within
// its bound. A field that a server does not know would refuse the whole message.
import type { Failure } from '../../../core/data/failure.js'
import { dropUndefined, isObject, stringify, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type {
  ExecutionResult,
  Offer,
  PageChange,
  Prepared,
  Queries,
  QueryKind,
  RequestMessage,
  Verdict,
} from '../../../core/data/protocol.js'
import type { PageFacts } from '../../../core/data/session.js'
import type { ToolSpec } from '../../../core/data/tool.js'
import type { GuestInput } from '../../../server/protocol/guest-messages.js'
import { maxFrame } from '../../../server/protocol/server-messages.js'
import { textOfInput, type Attached } from './uploads.js'

type Input<T extends GuestInput['type']> = Extract<GuestInput, { type: T }>
type Sent = Input<'send'>
type Outcome = Input<'outcome'>['outcome']

/** The longest time-out of a tool, in milliseconds: a day. */
const longestTimeout = 86_400_000
/** Characters of a result that is too long to be sent. */
const shortened = 100_000

const cut = (text: string | undefined, length: number): string => text?.slice(0, length) ?? ''

/** Whether a message is too long for a server, which counts bytes. */
export function isTooLong(text: string): boolean {
  return text.length * 3 > maxFrame && new TextEncoder().encode(text).length > maxFrame
}

/** What the page is. */
export function guestFacts({ url, title, ...facts }: PageFacts): Sent['facts'] {
  return dropUndefined({ ...facts, url: cut(url, 4_000), title: cut(title, 1_000) })
}

/** The path of the page, which says whether another page may run a call. In Node it is empty. */
const path = (): string => (typeof document === 'object' ? cut(location.pathname, 4_000) : '')

/** Tools as they are offered to a server. An agent as a tool runs in a host of its own page only. */
function guestTools(tools: readonly ToolSpec[]): Extract<Sent['offer'], object>['tools'] {
  return tools
    .filter(({ agent }) => agent === undefined)
    .map(({ agent: _agent, ...tool }) => ({ ...tool, timeout: Math.min(tool.timeout, longestTimeout) }))
}

/** The tools that a page posts. */
export const guestOffer = ({ number, tools }: Offer): Extract<Sent['offer'], object> => ({
  number,
  path: path(),
  tools: guestTools(tools),
})

/** An answer to one of the queries of a server. */
export function guestAnswer(query: QueryKind, value: unknown): JsonValue {
  if (query === 'prepare') {
    const { tools, stop } = value as Prepared
    return dropUndefined({ path: path(), tools: guestTools(tools), stop }) as JsonObject
  }
  if (query === 'tools') return guestTools(value as Prepared['tools']) as unknown as readonly JsonObject[]
  return query === 'check'
    ? ((value as readonly Verdict[]).map(guestVerdict) as unknown as readonly JsonObject[])
    : null
}

/** What is reported before an answer. */
export function guestProgress(value: Queries['read' | 'execute']['progress']): Input<'progress'>['value'] {
  if (!isObject(value)) return value
  if ('verdicts' in value) return { verdicts: (value['verdicts'] as readonly Verdict[]).map(guestVerdict) } as never
  if ('outcome' in value) return { outcome: guestOutcome(value['outcome'] as ExecutionResult) } as never
  return value as JsonObject
}

// The server marks everything of a page as untrusted.
function guestVerdict(verdict: Verdict): Verdict {
  if (verdict.do !== 'refuse') return verdict
  const { untrusted: _untrusted, ...given } = verdict
  return { ...given, error: cutFailure(given.error) }
}

const cutFailure = <F extends Failure>(failure: F): F => ({ ...failure, message: cut(failure.message, 10_000) })

/** How a call ended. A result that is too long is shortened. */
export function guestOutcome({ untrusted: _untrusted, ...outcome }: ExecutionResult): Outcome {
  if (outcome.error !== undefined)
    return dropUndefined({ ...outcome, error: cutFailure(outcome.error) } as ExecutionResult) as Outcome
  // With room for the rest of its message.
  if (!isTooLong(stringify(outcome) + ' '.repeat(1_000))) return outcome as Outcome
  const text = `${cut(outcome.text, shortened)}…\nThe result was too long for the server, so this is its beginning.`
  const { content: _content, ...short } = outcome
  return { ...short, output: text, text } as Outcome
}

/** The outcome of a call that left the page before this one. */
export function outcomeOfChange({ callId, ...navigated }: PageChange): Outcome {
  const at = Date.now()
  const output = { navigated: dropUndefined(navigated) }
  return { callId, attempts: 1, startedAt: at, endedAt: at, output, text: JSON.stringify(output) }
}

/** An outcome in place of one that a server has refused. */
export const unsentOutcome = ({ callId, attempts, startedAt, endedAt }: Outcome, why: string): Outcome => ({
  callId,
  attempts,
  startedAt,
  endedAt,
  error: {
    code: 'not-serializable',
    message: `This has run, but its result could not be sent to the server: ${cut(why, 1_000)}`,
  },
})

/**
 * A request as a server reads it. One about a session names it, because another one may be open when it is sent again.
 * A text in its place says why a server cannot be asked this. `files`: what a message that replaces one has attached.
 */
export function guestRequest(
  { id, what, with: given }: RequestMessage,
  { session, files }: { readonly session: string; readonly files: Attached },
): Input<'request'> | string {
  switch (what) {
    case 'stored':
      return 'sessions.stored: a server keeps the session, and does not show its record.'
    case 'take-over':
      return 'Pages of a server need not take a session over.'
    case 'replace':
      return { type: 'request', id, what, with: given.input ? { text: textOfInput(given.input), files } : {} }
    case 'messages':
    case 'result':
    case 'rename':
    case 'validate':
    case 'delete':
    case 'export':
      return { type: 'request', id, what, with: { id: session, ...given } } as Input<'request'>
    default:
      return { type: 'request', id, what, with: given } as Input<'request'>
  }
}
