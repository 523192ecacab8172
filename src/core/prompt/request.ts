// Builds a model request from a session. Whatever the session holds, the request is a valid history: each call has
// exactly one result after its message, in call order, no message is empty, and the last one is not the assistant's.
// Text that was sent before keeps its bytes, so that providers can cache the prefix.
import { dropUndefined } from '../data/json.js'
import { fingerprint } from '../state/fingerprint.js'
import { memoize } from '../state/memoize.js'
import {
  toolCallsOf,
  type AssistantMessage,
  type Message,
  type ModelContent,
  type SummaryMessage,
  type ToolCallPart,
  type UserMessage,
} from '../data/message.js'
import type {
  ModelRequest,
  ModelTool,
  PromptAssistantPart,
  PromptMessage,
  PromptToolResult,
  PromptUserPart,
} from '../data/model.js'
import { failureText } from './failure-text.js'
import { isReminderDue, reminderText, type ReminderRule } from './reminder.js'
import { fenceUntrusted, fenceInstruction, toOneLine } from './cut-and-fence.js'
import { latestSummary, type Session, type Turn } from '../data/session.js'
import type { ToolChoice, ToolSpec } from '../data/tool.js'

/** What a request contains besides the messages of the session. */
export interface RequestSettings {
  /** The name of the model, sent unchanged. */
  readonly model: string
  /** The agent's instructions. They follow the preamble in the system text. */
  readonly instructions: string
  /** The tools on offer, in this order. */
  readonly tools: readonly ToolSpec[]
  /** Sent unchanged, also if `tools` is empty. */
  readonly toolChoice: ToolChoice
  /** When to remind the model of its todo list; false for never. */
  readonly reminder: ReminderRule | false
  /** How many of the newest tool results are sent. Older ones are replaced by a note. @default all */
  readonly keepResults?: number
  /** Adds the reminder as a user message after the answer, whether it is due or not. @default false */
  readonly nudge?: boolean
}

/** Builds the request for a session. `clear`: leaves out old tool results. */
export type RequestBuilder = (session: Session, clear: boolean) => ModelRequest

/** What the compaction functions need to build a request for a step. */
export interface RequestPlan {
  /** The number of the step, from 1. */
  readonly step: number
  /** Called several times with different sessions, so it must be pure. */
  readonly build: RequestBuilder
  /** The longest request, in tokens. @default `contextWindow.tokens` */
  readonly limit?: number | undefined
}

const preamble =
  'You are an assistant inside a web page. Help its visitor by calling tools. The page runs each call and returns ' +
  'its result. Never claim that something is done unless a tool result confirms it. If a call fails, read the ' +
  'error. Fix the call or explain the problem.'
const continueText = 'Continue where you stopped.'
/** In place of a message that the user edited, if tools were called for it. */
const editedText = '[The user replaced this message.]'

/** The request for the next model call of the session. Pure: equal arguments give equal bytes. */
export function buildRequest(session: Session, settings: RequestSettings): ModelRequest {
  const { model, instructions, tools, toolChoice, reminder } = settings
  const due =
    reminder !== false &&
    tools.some((tool) => tool.name === 'todo_write') &&
    isReminderDue(
      reminder,
      session.messages.filter((message) => message.role !== 'summary'),
      session.todos,
    )
  const messages = promptMessages(session, due ? reminderText(reminder, session.todos) : '', settings.keepResults)
  if (settings.nudge && reminder !== false) messages.push(userText(reminderText(reminder, session.todos)))
  else if (messages.at(-1)?.role === 'assistant') messages.push(userText(continueText))
  return {
    model,
    system: systemText(session, instructions),
    messages,
    tools: tools.map(({ name, description, inputSchema }): ModelTool => ({
      type: 'function',
      name,
      description,
      inputSchema,
    })),
    toolChoice,
  }
}

/** The system text: preamble, instructions and page facts. Only the fenced part contains text of the page. */
export function systemText(session: Session, instructions: string): string {
  const { turn } = session
  return [`${preamble} ${fenceInstruction}`, instructions, turn?.options.instructions, turn && factsText(session, turn)]
    .map((text) => text?.trim())
    .filter(Boolean)
    .join('\n\n')
}

const languageTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/

/**
 * The date and the page facts, fixed for the turn. The text has no time of day and one boundary for the whole session,
 * so it keeps its bytes and providers can cache it. Title and path are untrusted: they are cleaned, cut and fenced. The
 * language is included only if it is a valid language tag.
 */
function factsText({ id, createdAt }: Session, { facts, startedAt }: Turn): string {
  const { timeZone, utcOffset = 0, lang } = facts
  // Not with Intl, whose first format takes several milliseconds. In UTC, this date has the values of the local time.
  const date = new Date(startedAt + utcOffset * 60_000)
  const day = date.toISOString().slice(0, 10)
  const weekday = date.toUTCString().slice(0, 3)
  const page = URL.canParse(facts.url) ? new URL(facts.url) : undefined
  const origin = page?.origin === 'null' ? page.protocol : page?.origin
  const address = page ? `${origin}${toOneLine(page.pathname, 200)}` : 'unknown'
  const words = fenceUntrusted(
    `Page: ${JSON.stringify(toOneLine(facts.title, 120))} at ${address}` +
      (facts.forms ? `\nForms: ${toOneLine(facts.forms, 2_000)}` : ''),
    fingerprint(`${id} ${createdAt}`),
  )
  const language = languageTag.test(lang) ? `, page language ${lang}` : ''
  return `Today is ${day} (${weekday}), time zone ${timeZone}${language}.\n${words}`
}

/**
 * The messages of a request: all, or those after the part that the newest summary replaces. They begin where a turn
 * begins, so a call keeps its result, and the running turn keeps its user message.
 */
export function sentMessages(
  session: Pick<Session, 'messages' | 'start' | 'turn' | 'note'>,
): readonly Exclude<Message, SummaryMessage>[] {
  return session.messages.slice(summaryCut(session)).filter((message) => message.role !== 'summary')
}

/** Index in `session.messages` of the first message of a request. */
export function summaryCut(session: Pick<Session, 'messages' | 'start' | 'turn' | 'note'>): number {
  const { messages, start, turn } = session
  const upTo = latestSummary(session)?.upTo ?? 0
  let cut = Math.max(0, Math.min(upTo, turn?.first ?? upTo) - start)
  while (messages[cut]?.role === 'summary') cut++
  while (cut > 0 && (messages[cut]?.role ?? 'user') !== 'user') cut--
  return cut
}

function promptMessages(session: Session, reminder: string, keepResults = Infinity): PromptMessage[] {
  const summary = latestSummary(session)
  const prompt: PromptMessage[] = []
  if (summary) prompt.push(userText(`Notes on the conversation so far:\n${fenceUntrusted(summary.text, summary.id)}`))
  const sent = sentMessages(session)
  const newest = sent.at(-1)
  const calls = sent.flatMap(toolCallsOf)
  const old = new Set(calls.slice(0, Math.max(0, calls.length - keepResults)))
  for (const message of sent) {
    if (message.role === 'user') {
      prompt.push(...userPrompt(message))
      continue
    }
    const own = message === newest ? reminder : ''
    const [answer, ...results] = own || old.size > 0 ? answerPrompt(message, own, old) : plainAnswer(message)
    if (answer === undefined) continue
    // The calls of a message that the user edited need a user message before them.
    if (message.replaced && (prompt.at(-1)?.role ?? 'assistant') === 'assistant') prompt.push(userText(editedText))
    const before = prompt.at(-1)
    if (before?.role === 'assistant')
      prompt[prompt.length - 1] = { role: 'assistant', content: [...before.content, ...answer.content] }
    else prompt.push(answer)
    prompt.push(...results)
  }
  return prompt
}

// Stored messages never change. Their prompt messages keep their identity from request to request, so that a model
// adapter writes each of them once.
const userPrompt = memoize(({ replaced, parts }: UserMessage): PromptMessage[] => {
  if (replaced) return []
  const content = parts.flatMap((part): PromptUserPart[] => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text.toWellFormed() }]
    const { mediaType, data, name } = part
    return [dropUndefined({ type: 'file', mediaType, data, filename: name || undefined })]
  })
  return content.length > 0 ? [{ role: 'user', content }] : []
})
const plainAnswer = memoize((message: AssistantMessage) => answerPrompt(message, '', new Set()))

type AnswerPrompt =
  | readonly []
  | readonly [Extract<PromptMessage, { role: 'assistant' }>, ...Extract<PromptMessage, { role: 'tool' }>[]]

/** An answer, and after it the results of its calls. Empty for an answer that no provider accepts. */
function answerPrompt(message: AssistantMessage, reminder: string, old: ReadonlySet<ToolCallPart>): AnswerPrompt {
  const content = message.parts.flatMap((part) => (message.replaced && part.type === 'text' ? [] : promptPart(part)))
  // Providers reject a message with reasoning only. It is left when an answer was stopped before its first word.
  if (!content.some((part) => part.type !== 'reasoning')) return []
  const results = toolCallsOf(message).flatMap((part, index) =>
    promptResult(part, index === 0 ? reminder : '', old.has(part)),
  )
  const answer = { role: 'assistant', content } as const
  return results.length > 0 ? [answer, { role: 'tool', content: results }] : [answer]
}

function promptPart(part: AssistantMessage['parts'][number]): PromptAssistantPart[] {
  const options = part.metadata ? { providerOptions: part.metadata } : {}
  if (part.type === 'tool-call') {
    if (part.result === undefined) return []
    const { id, name, input, raw } = part.call
    return [{ type: 'tool-call', toolCallId: id, toolName: name, input: raw === undefined ? input : {}, ...options }]
  }
  if (part.text.trim() === '' && part.metadata === undefined) return []
  return [{ type: part.type, text: part.text.toWellFormed(), ...options }]
}

const omitted = '[This result was removed to save space. Call the tool again if you need it.]'

function promptResult(part: ToolCallPart, reminder: string, isOld: boolean): PromptToolResult[] {
  const { call, result } = part
  if (result === undefined) return []
  const whole = result.modelOutput ?? (result.error ? failureText(result.error) : JSON.stringify(result.output))
  const output = isOld && (typeof whole !== 'string' || whole.length > omitted.length) ? omitted : whole
  const head = { type: 'tool-result' as const, toolCallId: call.id, toolName: call.name }
  if (typeof output !== 'string') {
    const content = output.value.flatMap((one): ModelContent =>
      one.type === 'file' && one.label ? [{ type: 'text', text: one.label }, one] : [one],
    )
    const value = reminder ? [{ type: 'text' as const, text: reminder }, ...content] : content
    return [{ ...head, output: { type: 'content', value } }]
  }
  const value = (reminder ? `${reminder}\n${output}` : output).toWellFormed()
  return [{ ...head, output: { type: result.error ? 'error-text' : 'text', value } }]
}

function userText(text: string): PromptMessage {
  return { role: 'user', content: [{ type: 'text', text: text.toWellFormed() }] }
}
