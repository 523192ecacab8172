// Builds a model request from a session. Whatever the session holds, the request is a valid history: each call has
// exactly one result after its message, in call order, no message is empty, and the last one is not the assistant's.
// Text that was sent before keeps its bytes and its place, so that providers can cache the prefix: what a request has
// besides the messages is stored with its answer (`RequestAddition`).
import { dropUndefined } from '../data/json.js'
import { fingerprint } from '../state/fingerprint.js'
import { memoize } from '../state/memoize.js'
import {
  toolCallsOf,
  type AssistantMessage,
  type CallId,
  type Message,
  type ModelContent,
  type RequestAddition,
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
import { changedFacts, factsText, turnFacts, withFacts, type KnownFacts } from './facts.js'
import { repeatedResults, type FullResults } from './repeated-results.js'
import { type ReminderRule, renderTodos, type Todo } from '../data/todo.js'
import { fenceUntrusted, fenceInstruction } from './cut-and-fence.js'
import { latestSummary, type Session } from '../data/session.js'
import type { ToolChoice, ToolSpec } from '../data/tool.js'

/** What a request contains besides the messages of the session. */
interface RequestSettings {
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
  /** Adds the reminder as a user message after the answer, whether it is due or not. @default false */
  readonly nudge?: boolean
  /** Tells the model that the call in its last answer, which is not stored, was text. @default false */
  readonly isCallLeaked?: boolean
}

/** Builds the request for a session. */
export type RequestBuilder = (session: Session) => ModelRequest

/** What the compaction functions need to build a request for a step. */
export interface RequestPlan {
  /** The number of the step, from 1. */
  readonly step: number
  /** Called several times with different sessions, so it must be pure. */
  readonly build: RequestBuilder
  /** The longest request, in tokens. @default `contextWindow.tokens` */
  readonly limit?: number | undefined
  /** All older turns are summarized, whatever the limit is. */
  readonly isWhole?: boolean
  /** Tokens of the request that the endpoint rejected as too long. */
  readonly rejected?: number | undefined
}

const preamble =
  'You are an assistant inside a web page. Help its visitor by calling tools. The page runs each call and returns ' +
  'its result. Never claim that something is done unless a tool result confirms it. If a call fails, read the ' +
  'error. Fix the call or explain the problem.'
const continueText = 'Continue where you stopped.'
const leakedCallText =
  'You wrote a tool call as text. It did not run, and the user did not see it. ' +
  'Call the tool through the API, not as text.'
/** In place of a message that the user edited, if tools were called for it. */
const editedText = '[The user replaced this message.]'

/** The request for the next model call of the session. Pure: equal arguments give equal bytes. */
export function buildRequest(session: Session, settings: RequestSettings): ModelRequest {
  const { model, instructions, tools, toolChoice } = settings
  return {
    model,
    system: systemText(session, instructions),
    messages: composePrompt(session, settings).messages,
    tools: tools.map(({ name, description, inputSchema }): ModelTool => ({
      type: 'function',
      name,
      description,
      inputSchema,
    })),
    toolChoice,
  }
}

/** What the next request has besides the messages of the session; undefined if nothing. Stored with the answer. */
export function requestAddition(session: Session, settings: AdditionSettings): RequestAddition | undefined {
  const { added } = composePrompt(session, settings)
  return Object.keys(added).length > 0 ? added : undefined
}

type AdditionSettings = Pick<RequestSettings, 'tools' | 'reminder' | 'nudge' | 'isCallLeaked'>

interface ComposedPrompt {
  readonly messages: readonly PromptMessage[]
  readonly added: RequestAddition
}

/** The newest prompt of each session: its messages and its addition are needed one after the other. */
const composed = new WeakMap<Session, AdditionSettings & { readonly prompt: ComposedPrompt }>()

function composePrompt(session: Session, settings: AdditionSettings): ComposedPrompt {
  const before = composed.get(session)
  const names = ['tools', 'reminder', 'nudge', 'isCallLeaked'] as const
  if (before && names.every((name) => before[name] === settings[name])) return before.prompt
  const prompt = newPrompt(session, settings)
  composed.set(session, { ...settings, prompt })
  return prompt
}

function newPrompt(session: Session, { tools, reminder: rule, nudge, isCallLeaked }: AdditionSettings): ComposedPrompt {
  const sent = sentMessages(session)
  const newest = sent.at(-1)
  const cleared = clearedMessages(session)
  const isDue =
    rule !== false &&
    tools.some((tool) => tool.name === 'todo_write') &&
    isReminderDue(
      rule,
      session.messages.filter((message) => message.role !== 'summary'),
      session.todos,
    )
  const text =
    rule !== false && (nudge || isDue)
      ? reminderText(rule, { messages: sent, todos: session.todos, clearedTo: cleared })
      : undefined
  const facts = isGoingOn(newest) && session.turn ? turnFacts(session.turn, session.messages) : []
  const changed = factsText(changedFacts(facts, sentFacts(sent)), boundaryOf(session))
  const reminder = nudge ? undefined : text
  const messages = promptMessages(session, reminder)
  const needsWords = changed !== '' || messages.at(-1)?.role === 'assistant'
  const continued = needsWords ? continueText : undefined
  const words = isCallLeaked ? leakedCallText : continued
  const added = dropUndefined({
    reminder,
    facts: changed === '' ? undefined : facts,
    text: nudge ? text : words,
  })
  messages.push(...additionPrompt(added, changed))
  return { messages, added }
}

/**
 * Whether a turn goes on after an answer of its own: then it may be on another page. An answer that was replaced is
 * written again with the facts of its user message.
 */
function isGoingOn(newest: Message | undefined): boolean {
  return newest?.role === 'assistant' && !newest.replaced
}

/** The system text: preamble and instructions. It contains nothing of the page. */
export function systemText({ turn }: Pick<Session, 'turn'>, instructions: string): string {
  return [`${preamble} ${fenceInstruction}`, instructions, turn?.options.instructions]
    .map((text) => text?.trim())
    .filter(Boolean)
    .join('\n\n')
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

/** How many of the messages of a request have their results left out. */
function clearedMessages(session: Session): number {
  return (session.clearedTo ?? 0) - session.start - summaryCut(session)
}

/** What messages say about the day and the page. */
function sentFacts(messages: readonly Message[]): KnownFacts {
  const newest = messages.findLast((message) => ownFacts(message).length > 0)
  return withFacts(new Map(), newest === undefined ? [] : ownFacts(newest))
}

function ownFacts(message: Message): NonNullable<RequestAddition['facts']> {
  if (message.role === 'summary') return []
  if (message.role === 'user') return message.replaced ? [] : (message.facts ?? [])
  return message.added?.facts ?? []
}

/** One boundary of fences for the whole session, so that the text keeps its bytes. */
function boundaryOf({ id, createdAt }: Session): string {
  return fingerprint(`${id} ${createdAt}`)
}

/** What the next message of a prompt depends on: the prompt so far, its facts, and the results that it has in full. */
interface PromptSoFar {
  readonly prompt: PromptMessage[]
  known: KnownFacts
  readonly full: FullResults
}

/** The prompt of the messages before the newest turn, and all that it was made of. */
interface EarlierTurns {
  readonly messages: readonly Message[]
  readonly summary: SummaryMessage | undefined
  readonly cleared: number
  readonly boundary: string
  readonly soFar: PromptSoFar
}

/** By the first message of the prompt. So a request of a long session costs what its newest turn costs. */
const earlierTurns = new WeakMap<Message, EarlierTurns>()

const copyOf = ({ prompt, known, full }: PromptSoFar): PromptSoFar => ({
  prompt: [...prompt],
  known,
  full: new Map(full),
})

/** The messages of the session as a request has them. `reminder`: the text before the newest results. */
function promptMessages(session: Session, reminder = ''): PromptMessage[] {
  const sent = sentMessages(session)
  const [first] = sent
  const made = {
    summary: latestSummary(session),
    cleared: clearedMessages(session),
    boundary: boundaryOf(session),
  }
  const before = first && earlierTurns.get(first)
  const isSame =
    before?.summary === made.summary &&
    before?.cleared === made.cleared &&
    before?.boundary === made.boundary &&
    // The last of the earlier messages depends on the one after it.
    sent[before.messages.length]?.role === 'user' &&
    before.messages.every((message, index) => message === sent[index])
  const soFar = before && isSame ? copyOf(before.soFar) : beginPrompt(made.summary)
  const newestTurn = sent.findLastIndex(({ role }) => role === 'user')
  for (let index = before && isSame ? before.messages.length : 0; index < sent.length; index++) {
    if (first && index === newestTurn)
      earlierTurns.set(first, { ...made, messages: sent.slice(0, index), soFar: copyOf(soFar) })
    addToPrompt(soFar, sent, index, { ...made, reminder })
  }
  return soFar.prompt
}

function beginPrompt(summary: SummaryMessage | undefined): PromptSoFar {
  const notes = summary && `Notes on the conversation so far:\n${fenceUntrusted(summary.text, summary.id)}`
  return { prompt: notes === undefined ? [] : [userText(notes)], known: new Map(), full: new Map() }
}

/** Adds one message. It depends on those before it, and on the one after it. */
function addToPrompt(
  soFar: PromptSoFar,
  sent: ReturnType<typeof sentMessages>,
  index: number,
  { cleared, boundary, reminder }: Pick<EarlierTurns, 'cleared' | 'boundary'> & { readonly reminder: string },
): void {
  const { prompt, full } = soFar
  const [message, next] = [sent[index], sent[index + 1]]
  if (message === undefined) return
  const newFacts = (): string => {
    const facts = ownFacts(message)
    const text = factsText(changedFacts(facts, soFar.known), boundary)
    soFar.known = withFacts(soFar.known, facts)
    return text
  }
  if (message.role === 'user') {
    prompt.push(...userPrompt(message, message.replaced ? '' : newFacts()))
    return
  }
  const reminded = next === undefined ? reminder : (next.role === 'assistant' && next.added?.reminder) || ''
  const isOld = index < cleared
  const repeated = isOld ? noTexts : repeatedResults(message, full)
  const isPlain = reminded === '' && !isOld && repeated.size === 0
  const [answer, ...results] = isPlain ? plainAnswer(message) : answerPrompt(message, reminded, isOld, repeated)
  if (answer === undefined) return
  if (message.added) prompt.push(...additionPrompt(message.added, newFacts()))
  // The calls of a message that the user edited need a user message before them.
  if (message.replaced && (prompt.at(-1)?.role ?? 'assistant') === 'assistant') prompt.push(userText(editedText))
  const last = prompt.at(-1)
  if (last?.role === 'assistant')
    prompt[prompt.length - 1] = { role: 'assistant', content: [...last.content, ...answer.content] }
  else prompt.push(answer)
  prompt.push(...results)
}

function additionPrompt({ text }: RequestAddition, facts: string): PromptMessage[] {
  const words = [facts, text].filter(Boolean).join('\n\n')
  return words === '' ? [] : [userText(words)]
}

// Stored messages never change. Their prompt messages keep their identity from request to request, so that a model
// adapter writes each of them once.
const userPrompts = memoize((_message: UserMessage) => new Map<string, PromptMessage[]>())

function userPrompt(message: UserMessage, facts: string): PromptMessage[] {
  const known = userPrompts(message)
  const prompt = known.get(facts) ?? newUserPrompt(message, facts)
  known.set(facts, prompt)
  return prompt
}

function newUserPrompt({ replaced, parts }: UserMessage, facts: string): PromptMessage[] {
  if (replaced) return []
  const content = parts.flatMap((part): PromptUserPart[] => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text.toWellFormed() }]
    const { mediaType, data, name, upload } = part
    return [dropUndefined({ type: 'file', mediaType, data, filename: name || undefined, upload })]
  })
  if (content.length === 0) return []
  return [{ role: 'user', content: facts ? [{ type: 'text', text: facts.toWellFormed() }, ...content] : content }]
}

const noTexts: ReadonlyMap<CallId, string> = new Map()
const plainAnswer = memoize((message: AssistantMessage) => answerPrompt(message, '', false, noTexts))

type AnswerPrompt =
  | readonly []
  | readonly [Extract<PromptMessage, { role: 'assistant' }>, ...Extract<PromptMessage, { role: 'tool' }>[]]

/**
 * An answer, and after it the results of its calls. Empty for an answer that no provider accepts. `repeated`: the texts
 * of results that repeat earlier ones.
 */
function answerPrompt(
  message: AssistantMessage,
  reminder: string,
  isOld: boolean,
  repeated: ReadonlyMap<CallId, string>,
): AnswerPrompt {
  const content = message.parts.flatMap((part) => (message.replaced && part.type === 'text' ? [] : promptPart(part)))
  // Providers reject a message with reasoning only. It is left when an answer was stopped before its first word.
  if (!content.some((part) => part.type !== 'reasoning')) return []
  const results = toolCallsOf(message).flatMap((part, index) =>
    promptResult(part, index === 0 ? reminder : '', isOld ? omitted : repeated.get(part.call.id)),
  )
  const answer = { role: 'assistant', content } as const
  return results.length > 0 ? [answer, { role: 'tool', content: results }] : [answer]
}

function promptPart(part: AssistantMessage['parts'][number]): PromptAssistantPart[] {
  const options = part.metadata ? { providerOptions: part.metadata } : {}
  if (part.type === 'tool-call') {
    if (part.result === undefined) return []
    const { name, input } = part.via ?? { ...part.call, ...(part.call.raw === undefined ? {} : { input: {} }) }
    return [{ type: 'tool-call', toolCallId: part.call.id, toolName: name, input, ...options }]
  }
  if (part.text.trim() === '' && part.metadata === undefined) return []
  return [{ type: part.type, text: part.text.toWellFormed(), ...options }]
}

const omitted = '[This result was removed to save space. Call the tool again if you need it.]'

/** `shorter`: what is sent in place of the whole result, if it is shorter. */
function promptResult(part: ToolCallPart, reminder: string, shorter: string | undefined): PromptToolResult[] {
  const { call, via = call, result } = part
  if (result === undefined) return []
  const whole = result.modelOutput ?? (result.error ? failureText(result.error) : JSON.stringify(result.output))
  const isShorter = shorter !== undefined && (typeof whole !== 'string' || whole.length > shorter.length)
  const output = isShorter ? shorter : whole
  const head = { type: 'tool-result' as const, toolCallId: call.id, toolName: via.name }
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

// The reminder to update the todo list. Whether it is due is computed from the messages, so a reload changes nothing.
// It is stored with the answer to its request, and later requests contain it at the same place.

/** Rounds (steps with tool calls) since the last successful `todo_write`. */
function roundsSinceWrite(messages: readonly Message[]): number {
  let rounds = 0
  for (const message of messages.toReversed()) {
    const calls = toolCallsOf(message)
    if (calls.length === 0) continue
    if (calls.some((part) => part.call.name === 'todo_write' && part.result?.error === undefined && part.result)) break
    rounds++
  }
  return rounds
}

/** The reminder. The whole list follows it, unless a result or a reminder that the model still reads has it. */
function reminderText(rule: ReminderRule, { messages, todos, clearedTo }: RemindedSession): string {
  const list = renderTodos(todos)
  const isSent = messages.some((message, index) => {
    if (message.role !== 'assistant') return false
    const { reminder = '', text = '' } = message.added ?? {}
    const results = index < clearedTo ? [] : toolCallsOf(message).map((part) => part.result?.modelOutput)
    return [reminder, text, ...results].some((sent) => typeof sent === 'string' && sent.endsWith(list))
  })
  return isSent ? rule.text : `${rule.text}\n${list}`
}

/** What a reminder is made of. */
interface RemindedSession {
  /** The messages of the request. */
  readonly messages: readonly Message[]
  readonly todos: readonly Todo[]
  /** Index in `messages` before which old results are left out. */
  readonly clearedTo: number
}

/**
 * True if the next request contains the reminder: after every `afterRounds` rounds without a successful write, while an
 * item is open and the newest message has calls. Not in every round, because models learn to ignore that.
 */
function isReminderDue(rule: ReminderRule, messages: readonly Message[], todos: readonly Todo[]): boolean {
  if (rule.afterRounds < 1 || todos.every((todo) => todo.status === 'completed')) return false
  if (toolCallsOf(messages.at(-1)).length === 0) return false
  const rounds = roundsSinceWrite(messages)
  return rounds >= rule.afterRounds && rounds % rule.afterRounds === 0
}
