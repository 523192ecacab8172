// A question of a tool to the user while it runs: a text and a form of flat fields, as in MCP elicitation. The tool
// waits inside its call, so the question is in the outcome of the call, and the answer in the query that goes on.
import { isObject, type JsonObject, type JsonValue } from './json.js'
import type { Failure } from './failure.js'

/** What a tool asks the user while it runs. */
export interface FormQuestion {
  /** Names this question. An answer to another one does not count. */
  readonly hash: string
  /** What is asked: plain text. Untrusted if `from` is set. */
  readonly message: string
  /** The JSON Schema of the answer: an object of texts, numbers, booleans and choices. */
  readonly schema: JsonObject
  /** Who asks and receives the answer, if it is not this page: the origin of a server. */
  readonly from?: string
}

/** How the user answered: `decline` if they refuse, `cancel` if they closed the question without an answer. */
export type FormAnswer =
  | {
      readonly action: 'accept'
      /** Matches the schema of the question. */
      readonly content: JsonObject
    }
  | { readonly action: 'decline' | 'cancel'; readonly content?: never }

/** A question of a running call that the user has answered. */
export type AnsweredQuestion = Pick<FormQuestion, 'hash' | 'message'> & FormAnswer

/** Questions of one call. */
export const mostQuestions = 20

/** The failure of an attempt that waits for the answer of the user. Nobody reads it, unless nobody can be asked. */
export const waitsForAnswer = (question: FormQuestion): Failure => ({
  code: 'needs-approval',
  message: 'Nobody could be asked.',
  details: { question: question as unknown as JsonObject },
})

/** The question that an attempt waits for; undefined if it waits for none. */
export function questionIn({ code, details }: Failure): FormQuestion | undefined {
  const { question } = code === 'needs-approval' && isObject(details) ? details : {}
  return question as FormQuestion | undefined
}

/** The `input` of a decision in which the user closed the question. */
const cancelled = 'cancel'

/** An answer as a decision carries it. */
export function decisionOf(answer: FormAnswer): { readonly decision: 'approve' | 'deny'; readonly input?: JsonValue } {
  if (answer.action === 'accept') return { decision: 'approve', input: answer.content }
  return { decision: 'deny', ...(answer.action === 'cancel' ? { input: cancelled } : {}) }
}

/** The answer that a decision carries. */
export function answerOf(decision: { readonly do: 'approve' | 'deny'; readonly input?: JsonValue }): FormAnswer {
  const { do: does, input } = decision
  if (does === 'approve') return { action: 'accept', content: isObject(input) ? (input as JsonObject) : {} }
  return { action: input === cancelled ? 'cancel' : 'decline' }
}

/** What the user answered before a call ended without a result, for the model. Its texts may be of a server. */
export const answersText = (answers: readonly AnsweredQuestion[]): string =>
  `Before that, the tool asked the user: ${JSON.stringify(answers.map(({ hash: _hash, ...one }) => one))}`
