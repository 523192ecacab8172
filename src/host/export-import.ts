// A session as a file: everything except what belongs to one browser (grants, a running turn). An import checks every
// field of the file and stores it as a new session.
import { ToolAgentError } from '../core/data/errors.js'
import { dropUndefined, isObject, isPrototypeKey, type JsonObject, type JsonValue } from '../core/data/json.js'
import { allToolCalls, isStoredBeside, type Message } from '../core/data/message.js'
import { failedResult } from '../core/prompt/compose-result.js'
import { reduce } from '../core/state/reduce.js'
import { emptySession, type Session } from '../core/data/session.js'
import { sessionHeadOf, type Store } from '../core/state/store.js'
import { isMessage, isTodo } from './store/records.js'

const format = 'tool-agent-session'
const version = 1

/** What `sessions.export` returns. */
export interface SessionFile {
  /** Marks the file. An import rejects any other value. */
  readonly format: typeof format
  /** Version of the file format, not of the package. */
  readonly version: number
  /** Title, times, messages, todos and tool context of the session. Its id and scope are not included. */
  readonly session: JsonObject
  /** Whole outputs of the results that the session holds shortened, by call id. */
  readonly results: Readonly<Record<string, JsonValue>>
  /** JSON texts of outputs that the session holds shortened, because the model reads another form, by call id. */
  readonly outputs: Readonly<Record<string, string>>
}

/** Makes a file of a session. Pass all of its messages (`start` is 0), or earlier ones are missing in the file. */
export async function exportSession(store: Store, session: Session): Promise<SessionFile> {
  const { id, title, createdAt, updatedAt, messages, todos, context } = session
  const results = new Map<string, JsonValue>()
  const outputs = new Map<string, string>()
  for (const {
    part: { call, result },
  } of allToolCalls(messages)) {
    const { value, output } = (isStoredBeside(result) && (await store.result(id, call.id))) || {}
    if (value !== undefined) results.set(call.id, value)
    if (output !== undefined) outputs.set(call.id, output)
  }
  return {
    format,
    version,
    session: dropUndefined({ title, createdAt, updatedAt, messages, todos, context }) as unknown as JsonObject,
    results: Object.fromEntries(results),
    outputs: Object.fromEntries(outputs),
  }
}

/** The session that an import creates. */
export interface ImportTarget {
  /** Id of the new session. */
  readonly id: string
  /** Scope of the new session. The file has none. */
  readonly scope: string
  /** Keep the tool context of the file. The author of the file chose its values, so the caller must trust them. */
  readonly toolContext: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Stores what `exportSession` returned, under a new id. Calls that were still open fail as `interrupted`.
 * @throws `invalid-option` with the path of the first wrong field; nothing is stored then.
 */
export async function importSession(
  store: Store,
  data: unknown,
  { id, scope, toolContext, now }: ImportTarget,
): Promise<void> {
  if (!isObject(data) || data['format'] !== format) return fail('file', 'a file from sessions.export', data)
  const given = data['version']
  if (typeof given !== 'number' || given > version) return fail('version', `at most ${version}`, given)
  const { session: fields, results = {}, outputs = {} } = data
  if (!isObject(fields)) return fail('session', 'an object', fields)
  const { messages, todos = [], context = {}, title = '', createdAt = now, updatedAt = now } = fields
  if (!Array.isArray(messages)) return fail('session.messages', 'an array', messages)
  for (const [index, message] of (messages as unknown[]).entries()) {
    const path = `session.messages[${index}]`
    if (!isMessage(message)) return fail(path, 'a message', message)
    if (message.role === 'summary' && !(message.upTo >= 0 && message.upTo <= messages.length))
      return fail(`${path}.upTo`, `an index up to ${messages.length}`, message.upTo)
  }
  const calls = allToolCalls(messages as Message[]).map(({ part }) => part.call)
  failOnRepeatedId('session.messages', messages as Message[])
  failOnRepeatedId('session.messages: tool calls', calls)
  if (!Array.isArray(todos) || !todos.every(isTodo)) return fail('session.todos', 'an array of todos', todos)
  if (!isObject(context)) return fail('session.context', 'an object', context)
  const forbidden = Object.keys(context).find(isPrototypeKey)
  if (forbidden !== undefined) return fail('session.context', 'another key', forbidden)
  if (typeof title !== 'string') return fail('session.title', 'a string', title)
  for (const [name, value] of Object.entries({ createdAt, updatedAt }))
    if (!Number.isFinite(value)) return fail(`session.${name}`, 'a number', value)
  if (!isObject(results)) return fail('results', 'an object', results)
  const unknown = Object.keys(results).find((callId) => !calls.some((call) => call.id === callId))
  if (unknown !== undefined) return fail('results', 'ids of calls in session.messages', unknown)
  if (!isObject(outputs)) return fail('outputs', 'an object', outputs)
  const wrong = Object.entries(outputs).find(([, output]) => typeof output !== 'string')
  if (wrong !== undefined) return fail(`outputs.${wrong[0]}`, 'a text', wrong[1])
  let session: Session = dropUndefined({
    ...emptySession(id, scope, Number(createdAt), toolContext ? (context as JsonObject) : {}),
    messages: messages as Message[],
    imported: messages.length,
    todos,
    updatedAt: now,
    title: title || undefined,
  })
  for (const {
    part: { call, result },
    path,
  } of allToolCalls(session.messages)) {
    if (result) continue
    const failure = { code: 'interrupted' as const, message: 'The session was exported before this call ended.' }
    session = reduce(
      session,
      { type: 'tool-result', at: now, callId: call.id, result: failedResult(failure, now) },
      path,
    )
  }
  const { epoch } = await store.claim(id, 0)
  const { imported: _none, ...empty } = { ...session, epoch, messages: [] }
  // The messages come last: a session that has them is whole, and an import that was cut can begin again.
  for (const { id: callId } of calls) {
    const value = Object.hasOwn(results, callId) ? (results[callId] as JsonValue) : undefined
    const output = Object.hasOwn(outputs, callId) ? (outputs[callId] as string) : undefined
    const result = dropUndefined({ callId, value, output })
    if (value !== undefined || output !== undefined)
      await store.commit(id, epoch, { head: sessionHeadOf(empty), result })
  }
  await store.commit(id, epoch, {
    head: sessionHeadOf({ ...session, epoch }),
    messages: session.messages.map((message, index) => ({ index, message })),
  })
}

function failOnRepeatedId(path: string, items: readonly { readonly id: string }[]): void {
  const ids = new Set<string>()
  for (const { id } of items) if (ids.size === ids.add(id).size) fail(path, 'unique ids', id)
}

/** The received value is cut to 80 characters. */
function fail(path: string, expected: string, value: unknown): never {
  const received = JSON.stringify(value)?.slice(0, 80)
  throw new ToolAgentError('invalid-option', `sessions.import: ${path}: expected ${expected}, received ${received}`)
}
