// Shortens the requests of long conversations, in batches, because each change of what was sent costs the cache of the
// provider. First, old tool results are left out. If that is not enough, a summary replaces the older turns. Both are
// stored, so a reload and another tab send the same. The stored transcript stays complete.
import { isFencedOff, type TurnDeps } from '../loop/turn-deps.js'
import { dropUndefined } from '../data/json.js'
import { toolCallsOf, textOf, type Message, type ModelOutput, type Usage } from '../data/message.js'
import type { ModelRequest } from '../data/model.js'
import { countChars, countFileChars, requestText } from './request-size.js'
import { summaryCut, type RequestPlan } from './request.js'
import { fenceUntrusted, sliceText } from './cut-and-fence.js'
import { latestSummary, type Session } from '../data/session.js'
import { generateText, requestAfterHook } from '../loop/model-step.js'

/** The longest request before a summary, in tokens, if neither the options nor a rejected request say it. */
const defaultLimit = 100_000
/** The longest request before old results are left out, in tokens, in a window that is known and in one that is not. */
const clearAtMost = 100_000
const clearAtUnknown = 32_000

/** Above `clear` tokens, results are left out. Above `summarize`, a summary is written. */
interface Limits {
  readonly clear: number
  readonly summarize: number
}

function limitsOf(deps: TurnDeps): Limits {
  const { tokens = Infinity, clearAt } = deps.config().contextWindow
  const window = Math.min(tokens, deps.session().rejected ?? Infinity)
  const usual = Number.isFinite(window) ? Math.min(window * 0.7, clearAtMost) : clearAtUnknown
  const summarize = Number.isFinite(window) ? window : defaultLimit
  return { clear: Math.min(clearAt ?? usual, summarize), summarize }
}

/**
 * Estimates the tokens of a request from the count that the endpoint reported for the last request. Without a plausible
 * count: four characters per token, one for Chinese, Japanese and Korean.
 */
export function estimateTokens(request: ModelRequest, measured: Session['measured']): number {
  if (measured && isPlausible(measured)) return Math.ceil((measured.tokens * countChars(request)) / measured.chars)
  const text = requestText(request)
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  return wide + Math.ceil((text.length - wide) / 4)
}

type Measured = NonNullable<Session['measured']>

/** False for counts that cannot be right: some relays report constants, or only the tokens that were not cached. */
function isPlausible({ tokens, chars }: Measured): boolean {
  return chars >= tokens && chars <= 8 * tokens
}

/**
 * True if the endpoint silently reads only the end of a request. It counted the same number of tokens for a longer
 * request, and that number is about a power of two, the size of a context window. The characters per token have no
 * upper bound here, because they grow with what is cut.
 */
function wasTruncated({ tokens, chars, isCut }: Measured): boolean {
  const window = 2 ** Math.round(Math.log2(tokens))
  return isCut === true && chars >= tokens && window >= 2_048 && Math.abs(tokens - window) < window / 50
}

/**
 * A request that fits into the context window, if possible: old tool results are left out, then older turns are
 * summarized.
 */
export async function fittingRequest(deps: TurnDeps, signal: AbortSignal, plan: RequestPlan): Promise<ModelRequest> {
  const { build, step } = plan
  const whole = build(deps.session())
  const { measured } = deps.rootSession()
  const { clear, summarize } = limitsOf(deps)
  // No estimate is higher than one token per character.
  if (!measured?.isCut && countChars(whole) <= clear) return whole
  const isTruncated = measured !== undefined && wasTruncated(measured)
  const isAbove = (request: ModelRequest, limit: number) => isTruncated || estimateTokens(request, measured) > limit
  if (!isAbove(whole, clear)) return whole
  // The summary is a request, too, and depends on what is stored.
  await deps.committed()
  // How much is too long is not known where the endpoint cuts requests silently.
  await clearResults(deps, plan, { to: isTruncated ? 0 : clear / 2, isUrgent: isAbove(whole, summarize) })
  if (isAbove(build(deps.session()), summarize))
    await compact(deps, signal, isTruncated ? { build, step } : { build, step, limit: summarize })
  return build(deps.session())
}

/** A request after the endpoint has rejected one as too long: with a summary of all older turns. */
export async function requestAfterRejection(
  deps: TurnDeps,
  signal: AbortSignal,
  { build, step }: RequestPlan,
  rejected: ModelRequest,
): Promise<ModelRequest> {
  await clearResults(deps, { build, step }, { to: 0, isUrgent: true })
  const tokens = estimateTokens(rejected, deps.rootSession().measured)
  const isWindow = tokens >= smallestWindow
  await compact(deps, signal, {
    build,
    step,
    rejected: isWindow ? Math.min(tokens, deps.session().rejected ?? tokens) : undefined,
  })
  return build(deps.session())
}

/**
 * A request after the endpoint has refused one because of its files: without the files of older turns and results.
 * Undefined, with nothing changed, if there are none, because then no request of this turn is smaller.
 */
export async function requestWithFewerFiles(
  deps: TurnDeps,
  signal: AbortSignal,
  { build, step }: RequestPlan,
): Promise<ModelRequest | undefined> {
  const session = deps.session()
  const upTo = session.turn?.first ?? 0
  const summary: Message = { id: '', role: 'summary', text: '', upTo, at: 0 }
  const clearedTo = Math.max(clearablePlaces(deps, session).at(-1) ?? 0, session.clearedTo ?? 0)
  const smallest = { ...session, messages: [...session.messages, summary], clearedTo }
  if (countFileChars(build(smallest)) >= countFileChars(build(session))) return undefined
  await clearResults(deps, { build, step }, { to: 0, isUrgent: true })
  await compact(deps, signal, { build, step, isWhole: true })
  return build(deps.session())
}

/** A shorter request was rejected for another reason, such as the room for the answer. */
const smallestWindow = 4_000

/** The least that a batch must save, as a share of the request. Otherwise each step would change what was sent. */
const worthwhile = 0.2

/**
 * Leaves out the results of older steps: as few as necessary for a request of `to` tokens, and none of the newest
 * `contextWindow.keepResults`. Does nothing if that saves little, unless it is urgent.
 */
async function clearResults(
  deps: TurnDeps,
  { build }: RequestPlan,
  { to, isUrgent }: { readonly to: number; readonly isUrgent: boolean },
): Promise<void> {
  const session = deps.session()
  const { measured } = deps.rootSession()
  const from = Math.max(session.start + summaryCut(session), session.clearedTo ?? 0)
  const places = clearablePlaces(deps, session).filter((place) => place > from)
  const tokens = (clearedTo: number) => estimateTokens(build({ ...session, clearedTo }), measured)
  const place = firstPlace(places, (upTo) => tokens(upTo) <= to)
  if (place === undefined) return
  if (!isUrgent && tokens(place) > tokens(from) * (1 - worthwhile)) return
  await deps.emit({ type: 'clear', at: deps.now(), upTo: place })
}

/** Absolute indexes after each message with results, as far as the newest results stay. */
function clearablePlaces(deps: TurnDeps, { messages, start }: Session): number[] {
  let kept = deps.config().contextWindow.keepResults ?? 3
  const places: number[] = []
  for (let index = messages.length - 1; index >= 0; index--) {
    const count = toolCallsOf(messages[index]).length
    if (count === 0) continue
    if (kept <= 0) places.unshift(start + index + 1)
    kept -= count
  }
  return places
}

/** The first of the places that is enough, or the last one. A later place leaves a shorter request. */
function firstPlace(places: readonly number[], isEnough: (place: number) => boolean): number | undefined {
  // A binary search, for sessions with thousands of turns.
  let [low, high] = [0, places.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isEnough(places[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return places[high]
}

/**
 * Replaces older turns with a summary: as few as necessary, or all turns before the running one. Does nothing if there
 * are none. Must not reject if the model fails: then the summary consists of the user's own words.
 */
export async function compact(deps: TurnDeps, signal: AbortSignal, plan: RequestPlan): Promise<void> {
  const { step } = plan
  const session = deps.session()
  const upTo = summaryEnd(deps, session, plan)
  if (upTo === undefined) return
  const messages = session.messages.slice(summaryCut(session), upTo - session.start)
  const before = latestSummary(session)
  let note = ''
  let usage: Usage | undefined
  try {
    const request = await requestAfterHook(
      deps,
      signal,
      summaryRequest(deps, [...(before ? [before] : []), ...messages]),
    )
    const answer = await generateText(deps, signal, { request, step })
    note = answer.text.trim()
    usage = answer.usage
  } catch (thrown) {
    if (signal.aborted || isFencedOff(thrown)) throw thrown
  }
  note ||= [
    ...(before ? [before.text] : []),
    'The user wrote:',
    ...messages
      .filter((message) => message.role === 'user' && !message.replaced)
      .slice(-20)
      .map((message) => `- ${sliceText(textOf(message), 0, 200)}`),
  ].join('\n')
  await deps.emit(
    dropUndefined({ type: 'compact', at: deps.now(), id: deps.id('msg'), upTo, note, rejected: plan.rejected, usage }),
  )
}

/**
 * The absolute index at which the summary ends: the first start of a turn, after the last summary, from which the rest
 * fits into half of the limit. Undefined if no older turn is left.
 */
function summaryEnd(deps: TurnDeps, session: Session, { build, limit, isWhole }: RequestPlan): number | undefined {
  const from = summaryCut(session)
  const places = session.messages
    .flatMap((message, index) => (message.role === 'user' && index > from ? [session.start + index] : []))
    .filter((place) => place <= (session.turn?.first ?? 0))
  const { tokens: goal = limit } = deps.config().contextWindow
  if (goal === undefined || isWhole) return places.at(-1)
  return firstPlace(places, (upTo) => {
    const summary: Message = { id: '', role: 'summary', text: '', upTo, at: 0 }
    const rest = build({ ...session, messages: [...session.messages, summary] })
    return estimateTokens(rest, deps.rootSession().measured) < goal / 2
  })
}

const instructions =
  'Summarize this conversation. The assistant continues with your summary alone. Keep what the user wants, decided ' +
  'and wrote about themselves, results with exact ids and numbers, and open tasks. ' +
  'At most 400 words.'

function summaryRequest(deps: TurnDeps, messages: readonly Message[]): ModelRequest {
  const {
    model,
    contextWindow: { tokens },
  } = deps.config()
  const room = tokens === undefined ? 60_000 : Math.max(2_000, tokens * 2)
  const text = messages.map(transcriptLine).filter(Boolean).join('\n')
  const part = Math.floor(room / 4)
  const fitting =
    text.length <= room
      ? text
      : `${sliceText(text, 0, part)}\n[…]\n${sliceText(text, text.length - 3 * part, text.length)}`
  return {
    model,
    system: instructions,
    messages: [{ role: 'user', content: [{ type: 'text', text: fenceUntrusted(fitting, deps.nonce()) }] }],
    tools: [],
    toolChoice: 'auto',
  }
}

function transcriptLine(message: Message): string {
  if (message.role === 'summary') return `Notes so far: ${message.text}`
  const calls = toolCallsOf(message).map(({ call, result }) => {
    return `Tool ${call.name}(${shorten(call.input)}) returned ${shorten(textOfOutput(result?.modelOutput))}`
  })
  const text = message.replaced ? '' : textOf(message)
  return [...(text ? [`${message.role === 'user' ? 'User' : 'Assistant'}: ${text}`] : []), ...calls].join('\n')
}

/** What the model read. The output itself may contain data that is not for the model. */
function textOfOutput(output: ModelOutput | undefined): string {
  if (typeof output === 'string') return output
  return output?.value.map((part) => (part.type === 'text' ? part.text : '[file]')).join(' ') ?? 'nothing'
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return text.length > 500 ? `${sliceText(text, 0, 500)}…` : text
}
