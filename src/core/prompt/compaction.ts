// Long conversations. A request that would be too long leaves out old tool results first; where that is not enough, a
// note stands for the older turns. The stored transcript stays whole.
import type { TurnDeps } from '../turn/turn-deps.js'
import { isObject } from '../data/json.js'
import { toolCallsOf, textOf, type Message, type ModelOutput } from '../data/message.js'
import type { ModelRequest } from '../data/model.js'
import { summaryCut } from './request.js'
import { fenceUntrusted, sliceText } from './result-text.js'
import { latestSummary, type Session } from '../data/session.js'
import { chooseRecovery, isFencedOff } from '../turn/model-step.js'

/** Builds the request for a session; `clear` leaves old tool results out. */
export type RequestBuilder = (session: Session, clear: boolean) => ModelRequest

/** The characters of a request, without the bytes of its files: what `Session.measured` compares. */
export function countChars(request: ModelRequest): number {
  return spokenText(request).length
}

function spokenText({ system, messages, tools }: ModelRequest): string {
  return JSON.stringify([system, messages, tools], (_key, value: unknown) =>
    isObject(value) && value['type'] === 'file' ? { ...value, data: '' } : value,
  )
}

/**
 * The tokens of a request, scaled from what the endpoint counted in the last one. Without a count that can be believed:
 * four characters a token, one for Chinese, Japanese and Korean.
 */
export function estimateTokens(request: ModelRequest, measured: Session['measured']): number {
  if (measured && isPlausible(measured)) return Math.ceil((measured.tokens * countChars(request)) / measured.chars)
  const text = spokenText(request)
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  return wide + Math.ceil((text.length - wide) / 4)
}

type Measured = NonNullable<Session['measured']>

/** Relays, test servers and prompt caches report constants, or only the tokens that were not cached. */
function isPlausible({ tokens, chars }: Measured): boolean {
  return chars >= tokens && chars <= 8 * tokens
}

/**
 * Whether the endpoint reads only the end of a request: it counted the same number of tokens although the request grew,
 * and that number is the size of a context window, a power of two. No upper bound on the characters per token: the more
 * is cut, the more there are.
 */
function wasTruncated({ tokens, chars, isCut }: Measured): boolean {
  const window = 2 ** Math.round(Math.log2(tokens))
  return isCut === true && chars >= tokens && window >= 2_048 && Math.abs(tokens - window) < window / 50
}

/** A request that fits into `contextWindow.tokens`, as far as that can be done and known. */
export async function fittingRequest(
  deps: TurnDeps,
  signal: AbortSignal,
  step: number,
  build: RequestBuilder,
): Promise<ModelRequest> {
  const { tokens: limit } = deps.config().contextWindow
  const whole = build(deps.session(), false)
  const { measured } = deps.root()
  const isTruncated = measured !== undefined && wasTruncated(measured)
  const isTooLong = (request: ModelRequest) =>
    isTruncated || (limit !== undefined && estimateTokens(request, measured) > limit)
  if (!isTooLong(whole)) return whole
  if (isTooLong(build(deps.session(), true))) await compact(deps, signal, step, build)
  return build(deps.session(), true)
}

/** The request as the page's hook lets it go out. */
export async function trimmedMessages(
  deps: TurnDeps,
  signal: AbortSignal,
  request: ModelRequest,
): Promise<ModelRequest> {
  return deps.config().hooks.beforeModel ? deps.ask({ type: 'before-model', request }, signal) : request
}

/** Puts a note in the place of older turns: of as few as will do, or of all before this one. Nothing where there are none. */
export async function compact(deps: TurnDeps, signal: AbortSignal, step: number, build: RequestBuilder): Promise<void> {
  const session = deps.session()
  const upTo = boundary(deps, session, build)
  if (upTo === undefined) return
  const messages = session.messages.slice(summaryCut(session), upTo - session.start)
  const before = latestSummary(session)
  let note: string
  try {
    const request = await trimmedMessages(deps, signal, noteRequest(deps, [...(before ? [before] : []), ...messages]))
    note = (await chooseRecovery(deps, signal, request, step)).trim()
  } catch (thrown) {
    if (signal.aborted || isFencedOff(thrown)) throw thrown
    note = '' // Without the model's words there are the user's own.
  }
  note ||= [
    ...(before ? [before.text] : []),
    'The user said:',
    ...messages
      .filter((message) => message.role === 'user')
      .slice(-20)
      .map((message) => `- ${sliceText(textOf(message), 0, 200)}`),
  ].join('\n')
  await deps.emit({ type: 'compact', at: deps.now(), id: deps.id('msg'), upTo, note })
}

/** Where a turn begins, behind the last note: the first place that lets the rest fit into most of the limit. */
function boundary(deps: TurnDeps, session: Session, build: RequestBuilder): number | undefined {
  const { tokens: limit } = deps.config().contextWindow
  const from = summaryCut(session)
  const places = session.messages
    .flatMap((message, index) => (message.role === 'user' && index > from ? [session.start + index] : []))
    .filter((place) => place <= (session.turn?.first ?? 0))
  if (limit === undefined) return places.at(-1)
  const fits = (upTo: number) => {
    const summary: Message = { id: '', role: 'summary', text: '', upTo, at: 0 }
    return (
      estimateTokens(build({ ...session, messages: [...session.messages, summary] }, true), deps.root().measured) <
      limit * 0.7
    )
  }
  // The later the place, the shorter the rest: halved, for a session of thousands of turns.
  let [low, high] = [0, places.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(places[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return places[high]
}

const instructions = [
  'You write the notes of a conversation between a user and an assistant that works with tools, so that the assistant can go on without it.',
  'Keep what the user wants, decided and told about himself, what was done and found (ids, names, numbers, addresses as they are), what is still open. At most 400 words, plain text, no preamble.',
].join(' ')

function noteRequest(deps: TurnDeps, messages: readonly Message[]): ModelRequest {
  const {
    model,
    contextWindow: { tokens },
  } = deps.config()
  const room = tokens === undefined ? 60_000 : Math.max(2_000, tokens * 2)
  const text = messages.map(lineOf).join('\n')
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

function lineOf(message: Message): string {
  if (message.role === 'summary') return `Notes so far: ${message.text}`
  const calls = toolCallsOf(message).map(({ call, result }) => {
    return `Tool ${call.name} ${short(call.input)} gave ${short(told(result?.modelOutput))}`
  })
  const text = textOf(message)
  return [...(text ? [`${message.role === 'user' ? 'User' : 'Assistant'}: ${text}`] : []), ...calls].join('\n')
}

/** What the model was told: an output may hold what is not for it. */
function told(output: ModelOutput | undefined): string {
  if (typeof output === 'string') return output
  return output?.value.map((part) => (part.type === 'text' ? part.text : '[file]')).join(' ') ?? 'nothing'
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return text.length > 500 ? `${sliceText(text, 0, 500)}…` : text
}
