// What the messages of a request say about the work so far. The offline model keeps nothing between requests: what
// was asked, done and answered is read off the transcript, so a reload or another page changes nothing.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import type { Todo, TodoStatus } from '../../src/core/data/todo.js'
import { parseJson, type ChatRequest } from './chat.js'
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
  /** What the visitor asked for in the turn that is going on. */
  readonly text: string
  /** Calls of this turn, in order. */
  readonly calls: readonly Call[]
  /** Calls of earlier turns, in order. */
  readonly earlier: readonly Call[]
  /** Today on the page, from the newest facts. */
  readonly today: Day | undefined
  readonly page: { readonly title: string; readonly address: string } | undefined
  /** The visitor did not ask for anything new, but to go on after a stop or a limit. */
  readonly isContinued: boolean
  /** The message of the visitor before that, and what was answered so far. */
  readonly before: string
  readonly answers: readonly string[]
  /** The list of a reminder that the request ends with. */
  readonly reminded: readonly Todo[] | undefined
}

const continued = /^\s*(please\s+)?(continue|go on|carry on|keep going|resume)\b(?! with)/i
const notes = /^Notes on the conversation so far/

export function readTranscript(request: ChatRequest): Transcript {
  const { messages, facts } = splitFacts(request.messages)
  const last = messages.at(-1)
  const isReminded = last?.role === 'user' && isReminder(last.text)
  const start = messages.findLastIndex(
    ({ role, text }) => role === 'user' && !isReminder(text) && !continued.test(text) && !notes.test(text),
  )
  const calls = callsIn(messages.slice(Math.max(start, 0)))
  const past = messages.slice(0, Math.max(start, 0))
  return {
    text: messages[start]?.text ?? '',
    before: past.findLast(({ role, text }) => role === 'user' && !isReminder(text))?.text ?? '',
    answers: past.flatMap(({ role, text }) => (role === 'assistant' && text !== '' ? [text] : [])),
    calls,
    earlier: callsIn(past),
    today: parseDay(facts.get('Today') ?? textOfSystem(messages)),
    page: facts.has('Page address')
      ? { title: facts.get('Page title') ?? '', address: facts.get('Page address') ?? '' }
      : undefined,
    isContinued: messages.findLast(({ role, text }) => role === 'user' && !isReminder(text)) !== messages[start],
    reminded: isReminded ? newestList(messages) : undefined,
  }
}

/** Other hosts write the date there. */
function textOfSystem(messages: ChatRequest['messages']): string {
  return messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ text }) => text)
    .join('\n')
}

const factsHeading = /^Facts from the page, not written by the user:\n/

/** The messages without the facts before the words of the user, and the newest facts. */
function splitFacts(all: ChatRequest['messages']): { messages: ChatRequest['messages']; facts: Map<string, string> } {
  const facts = new Map<string, string>()
  const messages = all.map((message) => {
    if (message.role !== 'user' || !factsHeading.test(message.text)) return message
    const [head = '', ...rest] = message.text.split('\n\n')
    for (const line of head.split('\n')) {
      const [, name, text = ''] = /^([A-Z][a-z ]+): (.*)$/.exec(line) ?? []
      if (name !== undefined) facts.set(name, text)
    }
    return { ...message, text: rest.join('\n\n') }
  })
  return { messages, facts }
}

/** The todo list as the newest reminder or result has it. */
function newestList(messages: ChatRequest['messages']): Todo[] {
  return parseTodos(messages.findLast(({ role, text }) => role !== 'assistant' && listLine.test(text))?.text ?? '')
}

function isReminder(text: string): boolean {
  return /^\s*<reminder>/i.test(text)
}

function callsIn(messages: ChatRequest['messages']): Call[] {
  return messages.flatMap((message, index) =>
    message.calls.map(({ id, name, input }) => {
      const answer = messages.slice(index + 1).find(({ role, callId }) => role === 'tool' && callId === id)
      return { name, input, result: answer && readResult(answer.text) }
    }),
  )
}

const listLine = /^\s*\[([ >x])\]\s*#([^:]+):\s*(.*)$/m
const countLine = /^\s*(\(\d+\/\d+ completed\)|No todos\.)\s*$/
const statuses: Record<string, TodoStatus> = { ' ': 'pending', '>': 'in_progress', x: 'completed' }

/** The todo list in a text such as the reminder's or a `todo_write` result. */
export function parseTodos(text: string): Todo[] {
  return text.split('\n').flatMap((line) => {
    const [, mark = '', id = '', what = ''] = listLine.exec(line) ?? []
    const status = statuses[mark]
    return status === undefined ? [] : [{ id: id.trim(), text: what.trim(), status }]
  })
}

/** A result as its tool gave it: reminder lines, notes and the boundary around outside text are taken off. */
export function readResult(raw: string): Result {
  const body = withoutReminder(raw)
  const fenced = /<(untrusted[^<>\s]*)[^<>]*>\n?([\s\S]*?)\n?<\/\1>/i.exec(body)?.[2]
  const text = (fenced ?? body).trim()
  const value = parseJson(text) ?? parseJson(/^[{[][\s\S]*$/m.exec(text)?.[0] ?? '')
  const failed =
    fenced === undefined && (/^Error(?: \([a-z-]+\))?: |^Tool call JSON parse failed/m.test(text) || isFailure(value))
  return { text, value, failed }
}

function isFailure(value: JsonValue | undefined): boolean {
  return isObject(value) && 'error' in value && Object.keys(value).length <= 2
}

function withoutReminder(text: string): string {
  if (!isReminder(text)) return text
  const lines = text.replace(/^\s*<reminder>[\s\S]*?<\/reminder>[^\n]*\n?/i, '').split('\n')
  const end = lines.findIndex((line) => !listLine.test(line) && !countLine.test(line))
  return end === -1 ? '' : lines.slice(end).join('\n')
}
