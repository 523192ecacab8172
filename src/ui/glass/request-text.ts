// The newest request as text: what the model got of the conversation and of the page, with `[private]` in place. It is
// built again from the session, as the host has built it, so nothing is stored for it. What a hook of the page changed
// in it is not known here.
import { textOf, toolCallsOf } from '../../core/data/message.js'
import type { PromptMessage } from '../../core/data/model.js'
import { buildRequest } from '../../core/prompt/request.js'
import type { Session, TurnEnd } from '../../core/data/session.js'

/** Ends of a turn whose last answer may not be stored. */
const failures: ReadonlySet<TurnEnd['reason']> = new Set(['error', 'no-answer', 'length', 'content-filter'])

/** What the text needs. */
export interface RequestTexts {
  readonly you: string
  readonly assistant: string
  /** How many messages are not loaded, as a line. */
  notLoaded(count: number): string
  /** `title`: of a tool. */
  resultOf(title: string): string
  titleOf(tool: string): string
}

/** A request in two parts, of which the second begins with the newest message of the visitor. */
export interface RequestText {
  readonly earlier: string
  readonly newest: string
}

/** Undefined while nothing was sent. */
export function lastRequest(session: Session, texts: RequestTexts): RequestText | undefined {
  const prompt = promptOf(session)
  if (prompt.length === 0) return undefined
  const at = Math.max(
    0,
    prompt.findLastIndex(({ role }) => role === 'user'),
  )
  const write = (messages: readonly PromptMessage[]): string[] => messages.map((one) => messageText(one, texts))
  const missing = session.start > 0 ? [texts.notLoaded(session.start)] : []
  return {
    earlier: [...missing, ...write(prompt.slice(0, at))].join('\n\n'),
    newest: write(prompt.slice(at)).join('\n\n'),
  }
}

/** The messages before the newest answer, with what its request had besides. */
function promptOf(session: Session): readonly PromptMessage[] {
  const { messages, draft } = session
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  // Results were sent, and the answer to them failed, so it is not stored.
  const results = messages[at] ? toolCallsOf(messages[at]).map(({ result }) => result) : []
  const hasFailed = session.end !== undefined && failures.has(session.end.reason)
  const isLost = hasFailed && results.length > 0 && results.every((result) => result !== undefined)
  const isAnswered = !isLost && draft === undefined && messages.slice(at + 1).every(({ role }) => role !== 'user')
  const answer = isAnswered ? messages[at] : undefined
  const isSent = answer !== undefined && (textOf(answer) !== '' || toolCallsOf(answer).length > 0)
  const sent = isAnswered ? messages.slice(0, at + (isSent ? 1 : 0)) : messages
  const settings = { model: '', instructions: '', tools: [], toolChoice: 'auto', reminder: false } as const
  const prompt = buildRequest({ ...session, messages: sent }, settings).messages
  // The answer itself is there only for what is stored with it.
  return isSent
    ? prompt.slice(
        0,
        Math.max(
          0,
          prompt.findLastIndex(({ role }) => role === 'assistant'),
        ),
      )
    : prompt
}

function messageText(message: PromptMessage, texts: RequestTexts): string {
  if (message.role === 'tool') return message.content.map((one) => resultText(one, texts)).join('\n\n')
  const lines = message.content.map((part) => {
    if (part.type === 'tool-call') return `→ ${texts.titleOf(part.toolName)} ${JSON.stringify(part.input)}`
    return part.type === 'file' ? `[${part.filename ?? part.mediaType}]` : part.text
  })
  return [`${message.role === 'user' ? texts.you : texts.assistant}:`, ...lines].join('\n')
}

type ToolResultPart = Extract<PromptMessage, { role: 'tool' }>['content'][number]

function resultText({ toolName, output }: ToolResultPart, texts: RequestTexts): string {
  const text =
    output.type === 'content'
      ? output.value.map((one) => (one.type === 'text' ? one.text : `[${one.name ?? one.mediaType}]`)).join('\n')
      : output.value
  return `${texts.resultOf(texts.titleOf(toolName))}\n${text}`
}
