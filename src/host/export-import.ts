// A session as a file: everything of it but what belongs to this browser alone (who was allowed what, what still runs).
// What comes in is looked at piece by piece, and is a new session.
import { ToolAgentError } from '../core/data/errors.js'
import { dropUndefined, isObject, isPrototypeKey, type JsonObject, type JsonValue } from '../core/data/json.js'
import { allToolCalls, type Message } from '../core/data/message.js'
import { failedResult } from '../core/prompt/tool-result.js'
import { reduce } from '../core/state/reduce.js'
import { emptySession, type Session } from '../core/data/session.js'
import { sessionHeadOf, type Store } from '../core/data/store.js'
import { isMessage, isTodo } from './store/records.js'

const format = 'tool-agent-session'
const version = 1

export interface SessionFile {
  readonly format: typeof format
  readonly version: number
  readonly session: JsonObject
  /** Whole texts of results that were cut, by call id. */
  readonly results: Readonly<Record<string, JsonValue>>
}

/** The whole session. */
export async function exportSession(store: Store, session: Session): Promise<SessionFile> {
  const { id, title, createdAt, updatedAt, messages, todos, context } = session
  const results = new Map<string, JsonValue>()
  for (const {
    part: { call, result },
  } of allToolCalls(messages)) {
    const whole = result?.cut ? await store.result(id, call.id) : undefined
    if (whole !== undefined) results.set(call.id, whole)
  }
  return {
    format,
    version,
    session: dropUndefined({ title, createdAt, updatedAt, messages, todos, context }) as unknown as JsonObject,
    results: Object.fromEntries(results),
  }
}

/** Where an imported session goes. `toolContext`: keep the tool context of the file, whose values its author chose. */
export interface ImportTarget {
  readonly id: string
  readonly scope: string
  readonly toolContext: boolean
  readonly now: number
}

/** Stores what `exportSession` gave, under a new id. Throws `invalid-option` that says what is wrong with it; nothing is stored then. */
export async function importSession(
  store: Store,
  data: unknown,
  { id, scope, toolContext, now }: ImportTarget,
): Promise<void> {
  const fail = (why: string): never => {
    throw new ToolAgentError('invalid-option', `sessions.import: ${why}`)
  }
  if (!isObject(data) || data['format'] !== format) return fail('this is not a session that sessions.export gave')
  if (typeof data['version'] !== 'number') return fail('version must be a number')
  if (data['version'] > version) return fail(`it was written by a newer version (${data['version']})`)
  const given = isObject(data['session']) ? data['session'] : fail('it holds no session')
  const { messages, todos = [], context = {}, title = '', createdAt = now, updatedAt = now } = given
  const { results = {} } = data
  if (!Array.isArray(messages)) return fail('session.messages must be an array')
  const wrong = messages.findIndex((message) => !isMessage(message))
  if (wrong >= 0) return fail(`session.messages[${wrong}] is not a message`)
  const far = messages.findIndex(
    (message: Message) => message.role === 'summary' && !(message.upTo >= 0 && message.upTo <= messages.length),
  )
  if (far >= 0) return fail(`session.messages[${far}] is a note on messages that there are not`)
  if (new Set(messages.map(({ id }: Message) => id)).size !== messages.length)
    return fail('two messages have the same id')
  const ids = allToolCalls(messages as Message[]).map(({ part }) => part.call.id)
  if (new Set(ids).size !== ids.length) return fail('two calls have the same id')
  if (!Array.isArray(todos) || !todos.every(isTodo)) return fail('session.todos must be a list of todos')
  if (!isObject(context)) return fail('session.context must be an object')
  const reaching = Object.keys(context).find(isPrototypeKey)
  if (reaching !== undefined) return fail(`session.context has the key ${reaching}, which is not allowed`)
  if (typeof title !== 'string') return fail('session.title must be a string')
  if (!Number.isFinite(createdAt) || !Number.isFinite(updatedAt))
    return fail('session.createdAt and session.updatedAt must be numbers')
  if (!isObject(results)) return fail('results must be an object')
  const loose = Object.keys(results).find((callId) => !ids.includes(callId))
  if (loose !== undefined) return fail(`results.${loose} is of no call of the session`)
  let session: Session = dropUndefined({
    ...emptySession(id, scope, Number(createdAt), toolContext ? (context as JsonObject) : {}),
    messages: messages as Message[],
    todos,
    updatedAt: now,
    title: title || undefined,
  })
  for (const {
    part: { call, result },
    path,
  } of allToolCalls(session.messages)) {
    if (result) continue
    const failure = { code: 'interrupted' as const, message: 'It was still open when the session was exported.' }
    session = reduce(
      session,
      { type: 'tool-result', at: now, callId: call.id, result: failedResult(failure, now) },
      path,
    )
  }
  const { epoch } = await store.claim(id, 0)
  await store.commit(id, epoch, {
    head: sessionHeadOf({ ...session, epoch }),
    messages: session.messages.map((message, index) => ({ index, message })),
  })
  for (const callId of ids) {
    const value = Object.hasOwn(results, callId) ? results[callId] : undefined
    if (value !== undefined) await store.commit(id, epoch, { result: { callId, value: value as JsonValue } })
  }
}
