// What the messages of a request say about the work so far. The offline model keeps nothing between requests: what
// was asked, done and answered is read off the transcript, so a reload or another page changes nothing.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import { parseJson, type ChatMessage, type ChatRequest } from '../server/chat.js'
import { parseDay, type Day } from './values.js'

export interface Call {
  readonly name: string
  readonly input: JsonObject
  readonly result: Result | undefined
}

export interface Result {
  /** Without reminder and fence. */
  readonly text: string
  /** The text as JSON, where it is JSON. */
  readonly value: JsonValue | undefined
  readonly failed: boolean
}

export interface Transcript {
  /** What the visitor asked for in the turn that is going on, and before that. */
  readonly text: string
  readonly before: string
  /** Calls of this turn and of earlier turns, in order. */
  readonly calls: readonly Call[]
  readonly earlier: readonly Call[]
  /** The texts of the answers so far. */
  readonly answers: readonly string[]
  /** Today on the page, and its title, from the newest facts. */
  readonly today: Day | undefined
  readonly title: string
  /** The visitor did not ask for anything new, but to go on after a stop or a limit. */
  readonly isContinued: boolean
  /** The request ends with a reminder of the todo list. */
  readonly isReminded: boolean
}

const continued = /^\s*(please\s+)?(continue|go on|carry on|keep going|resume)\b(?! with)/i
const reminder = /^\s*<reminder>/i
const factsHeading = /^Facts from the page, not written by the user:\n/

export function readTranscript(request: ChatRequest): Transcript {
  const facts = new Map<string, string>()
  const messages = request.messages.map((message) => withoutFacts(message, facts))
  const isUser = ({ role, text }: ChatMessage): boolean => role === 'user' && !reminder.test(text)
  const isNew = ({ text }: ChatMessage): boolean =>
    !continued.test(text) && !text.startsWith('Notes on the conversation')
  const start = messages.findLastIndex((message) => isUser(message) && isNew(message))
  const past = messages.slice(0, Math.max(start, 0))
  // Other hosts write the date into the system text.
  const system = messages.flatMap(({ role, text }) => (/^(?:system|developer)$/.test(role) ? [text] : [])).join('\n')
  return {
    text: messages[start]?.text ?? '',
    before: past.findLast(isUser)?.text ?? '',
    calls: callsIn(messages.slice(Math.max(start, 0))),
    earlier: callsIn(past),
    answers: past.flatMap(({ role, text }) => (role === 'assistant' && text !== '' ? [text] : [])),
    today: parseDay(facts.get('Today') ?? system),
    title: facts.get('Page title') ?? '',
    isContinued: messages.findLast(isUser) !== messages[start],
    isReminded: messages.at(-1)?.role === 'user' && reminder.test(messages.at(-1)?.text ?? ''),
  }
}

/** The message without the facts before the words of the user, which go into `facts`. */
function withoutFacts(message: ChatMessage, facts: Map<string, string>): ChatMessage {
  if (message.role !== 'user' || !factsHeading.test(message.text)) return message
  const [head = '', ...rest] = message.text.split('\n\n')
  for (const line of head.split('\n')) {
    const [, name, text = ''] = /^([A-Z][a-z ]+): (.*)$/.exec(line) ?? []
    if (name !== undefined) facts.set(name, text)
  }
  return { ...message, text: rest.join('\n\n') }
}

function callsIn(messages: readonly ChatMessage[]): Call[] {
  return messages.flatMap((message, index) =>
    message.calls.map(({ id, name, input }) => {
      const answer = messages.slice(index + 1).find(({ role, callId }) => role === 'tool' && callId === id)
      return { name, input, result: answer && readResult(answer.text) }
    }),
  )
}

/** A result as its tool gave it: the reminder with its list and the boundary around outside text are taken off. */
function readResult(raw: string): Result {
  const list = /^\s*<reminder>[\s\S]*?<\/reminder>[^\n]*\n?(?:\s*\[[ >x]\] #[^\n]*\n?|\s*\(\d+\/\d+ completed\)\n?)*/i
  const body = raw.replace(list, '')
  const fenced = /<(untrusted[^<>\s]*)[^<>]*>\n?([\s\S]*?)\n?<\/\1>/i.exec(body)?.[2]
  const text = (fenced ?? body).trim()
  const value = parseJson(text) ?? parseJson(/^[{[][\s\S]*$/m.exec(text)?.[0] ?? '')
  const isError = /^Error(?: \([a-z-]+\))?: |^Tool call JSON parse failed/m.test(text)
  const isFailure = isObject(value) && 'error' in value && Object.keys(value).length <= 2
  return { text, value, failed: fenced === undefined && (isError || isFailure) }
}
