// What a running tool asks the user (`run.ask`), and the answers. The attempt pauses meanwhile, as for what a page tool
// holds: its query is answered, no time limit runs, and slot and lock are free. Loaded with the first question.
import { toErrorValue, toFailure, ToolAgentError } from '../../core/data/errors.js'
import { decisionOf, mostQuestions, type FormAnswer, type FormQuestion } from '../../core/data/form-question.js'
import { questionProblem } from '../../core/data/question-bounds.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { canonicalJson } from '../../core/data/plain-json.js'
import { invalidInput } from '../answers/tool-errors.js'
import { checkInputSchema } from '../schema/check-schema.js'
import { compileSchema } from '../schema/compile.js'
import type { Validated } from '../schema/compiled-schema.js'
import { sha256 } from '../sha256.js'
import type { AskedQuestion, Attempt } from '../tools/attempt.js'
import type { AskOptions, AskResult } from '../tools/tool.js'
import type { CallId } from '../../core/data/message.js'

/** Asks one question. `number`: its place among those of the call, from 1. */
export async function askUser(
  attempt: Attempt,
  options: AskOptions,
  { callId, number }: { readonly callId: CallId; readonly number: number },
): Promise<AskResult<unknown>> {
  if (number > mostQuestions)
    throw new ToolAgentError('limit', `run.ask: a call asks at most ${mostQuestions} questions`)
  const { signal } = options
  const asked = { ...(await compileQuestion(options, `${callId} ${number}`)), ...(signal ? { signal } : {}) }
  for (;;) {
    if (signal?.aborted) return { action: 'cancel' }
    const answer = await attempt.pause<FormAnswer>({ asked })
    if (answer.action !== 'accept') return { action: answer.action }
    // It was validated where it was given. That may have been another page, which has only the JSON Schema.
    const checked = await checkAnswer(asked, answer.content)
    if ('value' in checked) return { action: 'accept', content: checked.value }
  }
}

/** @throws `invalid-option` if it cannot be asked */
async function compileQuestion(options: AskOptions, id: string): Promise<AskedQuestion> {
  const { message, schema, from } = options
  const isForeign = from !== undefined
  try {
    // What the user has cleared stays empty: a server gets nothing that the user has not confirmed.
    const given = isForeign ? withoutDefaults(schema as JsonObject) : checkInputSchema(schema, 'schema')
    const compiled = await compileSchema(given, 'schema', isForeign)
    const shown = isForeign ? (schema as JsonObject) : compiled.jsonSchema
    const problem = questionProblem({ message, schema: shown })
    if (problem !== undefined) throw new ToolAgentError('invalid-option', problem)
    const question = { message, schema: shown, ...(isForeign ? { from } : {}) }
    const hash = sha256(canonicalJson([id, question as unknown as JsonObject]))
    return { question: { hash, ...question }, schema: compiled }
  } catch (thrown) {
    const { code, message: why } = toFailure(thrown, 'invalid-option')
    throw new ToolAgentError(code === 'invalid-tool' ? 'invalid-option' : code, `run.ask: ${why}`, { cause: thrown })
  }
}

function withoutDefaults({ properties, ...schema }: JsonObject): JsonObject {
  if (!isObject(properties)) return schema
  const fields = Object.entries(properties as JsonObject).map(([name, field]) => {
    const { default: _preset, ...rest } = (isObject(field) ? field : {}) as JsonObject
    return [name, rest] as const
  })
  return { ...schema, properties: Object.fromEntries(fields) }
}

/** The content of an answer as the schema returns it, or what is wrong with it. Only fields that were asked count. */
export async function checkAnswer({ question, schema }: AskedQuestion, content: JsonValue): Promise<Validated> {
  const { properties } = question.schema
  const asked = isObject(properties) ? properties : {}
  const others = isObject(content) ? Object.keys(content).filter((name) => !Object.hasOwn(asked, name)) : []
  if (others.length > 0) return { issues: others.map((path) => ({ path, message: 'nobody asked for it' })) }
  return schema.validate(content)
}

/** A question that another page or host has asked: its answer is checked against the JSON Schema alone. */
export async function storedQuestion(question: FormQuestion): Promise<AskedQuestion> {
  return { question, schema: await compileSchema(withoutDefaults(question.schema), 'schema', true) }
}

/**
 * The decision that carries an answer. `asked`: the question, if its tool waits on this page.
 * @throws `invalid-option` for what is no answer, `invalid-input` for one that does not match
 */
export async function decisionFor(answer: unknown, asked: AskedQuestion | undefined, question: FormQuestion) {
  const given = formAnswer(answer)
  if (given.action !== 'accept') return decisionOf(given)
  const checked = await checkAnswer(asked ?? (await storedQuestion(question)), given.content)
  if ('issues' in checked) throw toErrorValue(invalidInput(checked.issues))
  return { ...decisionOf(given), input: checked.json }
}

/** @throws `invalid-option` for what is no answer */
function formAnswer(answer: unknown): FormAnswer {
  const { action, content } = isObject(answer) ? answer : {}
  if (action === 'decline' || action === 'cancel') return { action }
  if (action === 'accept' && isObject(content)) return { action, content: content as JsonObject }
  throw new ToolAgentError(
    'invalid-option',
    `answer: expected { action: 'accept', content }, { action: 'decline' } or { action: 'cancel' }, received ` +
      JSON.stringify(answer),
  )
}
