// Shortens the requests of long conversations. First, old tool results are left out. If that is not enough, a summary
// replaces the older turns. The stored transcript stays complete.
import { isFencedOff, type TurnDeps } from '../loop/turn-deps.js'
import { toolCallsOf, textOf, type Message, type ModelOutput } from '../data/message.js'
import type { ModelRequest } from '../data/model.js'
import { countChars, requestText } from './request-size.js'
import { summaryCut, type RequestPlan } from './request.js'
import { fenceUntrusted, sliceText } from './cut-and-fence.js'
import { latestSummary, type Session } from '../data/session.js'
import { generateText, requestAfterHook } from '../loop/model-step.js'

/**
 * The longest request, in tokens, if `contextWindow.tokens` is not set. Not applied to a request that the endpoint
 * rejected or cut: then its window is smaller, and all older turns are replaced.
 */
const defaultLimit = 100_000

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
 * A request that fits into `contextWindow.tokens`, if possible: old tool results are left out, then older turns are
 * summarized.
 */
export async function fittingRequest(deps: TurnDeps, signal: AbortSignal, plan: RequestPlan): Promise<ModelRequest> {
  const { build, step } = plan
  const whole = build(deps.session(), false)
  const { measured } = deps.rootSession()
  const limit = deps.config().contextWindow.tokens ?? defaultLimit
  // No estimate is higher than one token per character.
  if (!measured?.isCut && countChars(whole) <= limit) return whole
  const isTruncated = measured !== undefined && wasTruncated(measured)
  const isTooLong = (request: ModelRequest) => isTruncated || estimateTokens(request, measured) > limit
  if (!isTooLong(whole)) return whole
  if (isTooLong(build(deps.session(), true)))
    await compact(deps, signal, isTruncated ? { build, step } : { build, step, limit })
  return build(deps.session(), true)
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
  let note: string
  try {
    const request = await requestAfterHook(
      deps,
      signal,
      summaryRequest(deps, [...(before ? [before] : []), ...messages]),
    )
    note = (await generateText(deps, signal, { request, step })).trim()
  } catch (thrown) {
    if (signal.aborted || isFencedOff(thrown)) throw thrown
    note = ''
  }
  note ||= [
    ...(before ? [before.text] : []),
    'The user wrote:',
    ...messages
      .filter((message) => message.role === 'user' && !message.replaced)
      .slice(-20)
      .map((message) => `- ${sliceText(textOf(message), 0, 200)}`),
  ].join('\n')
  await deps.emit({ type: 'compact', at: deps.now(), id: deps.id('msg'), upTo, note })
}

const windowOf = (deps: TurnDeps): number | undefined => deps.config().contextWindow.tokens

/**
 * The absolute index at which the summary ends: the first start of a turn, after the last summary, from which the rest
 * fits into 70 % of the limit. Undefined if no older turn is left.
 */
function summaryEnd(
  deps: TurnDeps,
  session: Session,
  { build, limit = windowOf(deps) }: RequestPlan,
): number | undefined {
  const from = summaryCut(session)
  const places = session.messages
    .flatMap((message, index) => (message.role === 'user' && index > from ? [session.start + index] : []))
    .filter((place) => place <= (session.turn?.first ?? 0))
  if (limit === undefined) return places.at(-1)
  const fits = (upTo: number) => {
    const summary: Message = { id: '', role: 'summary', text: '', upTo, at: 0 }
    return (
      estimateTokens(
        build({ ...session, messages: [...session.messages, summary] }, true),
        deps.rootSession().measured,
      ) <
      limit * 0.7
    )
  }
  // A binary search, for sessions with thousands of turns: a later place leaves a shorter rest.
  let [low, high] = [0, places.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(places[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return places[high]
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
