// Conversations that pages import: the pieces of each user until they are a whole, what the server makes of what it has
// read, and the new session. See docs/decisions/0027-what-a-page-may-say-to-a-server.md.
import { ToolAgentError, toErrorValue, type Failure } from '../../core/data/errors.js'
import { formatId } from '../../core/data/ids.js'
import { dropUndefined } from '../../core/data/json.js'
import type { Message, ModelOutput, ToolResult, UserPart } from '../../core/data/message.js'
import { labelFile } from '../../core/prompt/compose-result.js'
import { fenceUntrusted, takeFence, toOneLine } from '../../core/prompt/cut-and-fence.js'
import { failureText } from '../../core/prompt/failure-text.js'
import { importSession } from '../../host/export-import.js'
import type { GuestMessage } from '../protocol/guest-messages.js'
import type { ImportedFile } from '../protocol/imported-file.js'
import { parseImportedFile } from '../protocol/parse-guest.js'
import { attachedPart, nameOf, uploadTypes } from './sent-files.js'
import type { SessionPlace } from './served-session.js'

type Given = Extract<GuestMessage, { type: 'request'; what: 'import' }>['with']

/** An import whose last piece has not come. */
interface Arriving {
  readonly id: string
  readonly of: number
  readonly pieces: string[]
  length: number
  /** Drops it when nothing comes any more. */
  timer?: ReturnType<typeof setTimeout>
}

/** What arrives of all users together is at most so many times the limit, because it is in memory. */
const mostAtOnce = 16
/** A user may import so many times the limit … */
const mostInDay = 8
/** … in so many milliseconds. */
const day = 86_400_000

/** The imports of a server until they are read. */
export class Imports {
  readonly #most: number
  readonly #pieceTime: number
  readonly #arriving = new Map<string, Arriving>()
  // What users have imported, in characters, since a time.
  readonly #imported = new Map<string, { readonly since: number; readonly chars: number }>()

  /**
   * @param most characters of an import; 0: none is taken
   * @param pieceTime milliseconds in which the next piece must come
   */
  constructor(most: number, pieceTime = 60_000) {
    this.#most = most
    this.#pieceTime = pieceTime
  }

  /**
   * Takes a piece. Returns the conversation if it was the last one, else the number of characters that are here.
   * @throws {ToolAgentError} `request-too-large`, `limit`, or `invalid-option` for what cannot be read
   */
  take(user: string, given: Given): ImportedFile | number {
    const whole = 'data' in given ? given.data : this.#collect(user, given)
    if (typeof whole === 'number') return whole
    this.#count(user, 'data' in given ? JSON.stringify(given.data).length : given.of)
    const { value, error } = parseImportedFile(whole)
    if (error) throw toErrorValue(error)
    return value
  }

  /** The text, once all of it is here. */
  #collect(user: string, { id, at, of, text }: Extract<Given, { text: string }>): string | number {
    if (of > this.#most) throw tooLong(this.#most)
    const known = this.#arriving.get(user)
    if (known && known.id !== id) throw toErrorValue(oneAtATime)
    if (at !== (known?.length ?? 0) || at + text.length > of || text === '') return known?.length ?? 0
    const others = [...this.#arriving.values()].reduce((sum, { length }) => sum + length, 0)
    if (others + text.length > mostAtOnce * this.#most) throw toErrorValue(busy)
    const arriving: Arriving = known ?? { id, of, pieces: [], length: 0 }
    clearTimeout(arriving.timer)
    arriving.pieces.push(text)
    arriving.length += text.length
    this.#arriving.delete(user)
    if (arriving.length === of) return arriving.pieces.join('')
    arriving.timer = setTimeout(() => this.#arriving.delete(user), this.#pieceTime)
    this.#arriving.set(user, arriving)
    return arriving.length
  }

  #count(user: string, chars: number): void {
    if (chars > this.#most) throw tooLong(this.#most)
    const now = Date.now()
    for (const [one, { since }] of this.#imported) if (now - since > day) this.#imported.delete(one)
    const before = this.#imported.get(user) ?? { since: now, chars: 0 }
    if (before.chars + chars > mostInDay * this.#most) throw toErrorValue(tooMany)
    this.#imported.set(user, { since: before.since, chars: before.chars + chars })
  }

  /** Drops what has not arrived. */
  close(): void {
    for (const { timer } of this.#arriving.values()) clearTimeout(timer)
    this.#arriving.clear()
  }
}

/**
 * Stores a conversation as a new session of its user, and returns the id. One that is imported already stays as it is.
 * @param isOpen a page has the session open. @throws {ToolAgentError} `invalid-option` if it exists, or cannot be one
 */
export async function storeImport(place: SessionPlace, file: ImportedFile, isOpen: boolean): Promise<string> {
  const { id, user, store } = place
  const existing = await store.read(id, 0)
  if (existing?.imported !== undefined) return id
  // An import that was cut has left one without messages.
  if (isOpen || (existing?.start ?? 0) > 0)
    throw new ToolAgentError('invalid-option', 'request.import.id: there is such a session. Import it with another id.')
  const now = Date.now()
  await importSession(store, await trustedIn(place, file, now), { id, scope: user, toolContext: false, now })
  return id
}

const random = (): string => formatId(crypto.getRandomValues(new Uint8Array(16)))

/** What of a file the server stands for: its files are the user's, its results are fenced. */
async function trustedIn(place: SessionPlace, { session, ...file }: ImportedFile, now: number): Promise<object> {
  const { title = '', createdAt = now, messages, todos } = session
  const uploads = messages.flatMap((message) => (message.role === 'user' ? uploadsIn(message.parts) : []))
  const types = await uploadTypes(place, uploads)
  return {
    ...file,
    session: dropUndefined({
      title: toOneLine(title, 1_000),
      createdAt: Math.min(createdAt, now),
      messages: messages.map((message) => messageOf(message, types)),
      todos: todos?.map((todo) => ({ ...todo, id: toOneLine(todo.id, 100), text: toOneLine(todo.text, 1_000) })),
    }),
  }
}

const uploadsIn = (parts: readonly UserPart[]): string[] =>
  parts.flatMap((part) => (part.type === 'file' && part.upload !== undefined ? [part.upload] : []))

function messageOf(message: Message, types: ReadonlyMap<string, string>): Message {
  const id = `msg_${random()}`
  if (message.role === 'summary') return { ...message, id }
  if (message.role === 'user') return { ...message, id, parts: message.parts.map((part) => userPart(part, types)) }
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-call') return part
    const { result, child, ...call } = part
    const messages = child?.messages.map((one) => messageOf(one, types))
    return dropUndefined({ ...call, result: result && resultOf(result), child: messages && { messages } })
  })
  return { ...message, id, parts }
}

function userPart(part: UserPart, types: ReadonlyMap<string, string>): UserPart {
  const { name } = part
  if (part.type === 'text') return name === undefined ? part : attachedPart(name, part.text)
  const { upload = '' } = part
  return dropUndefined({ ...part, mediaType: types.get(upload) ?? '', name: name && nameOf(name) })
}

/** A result of which the model may believe no word, whatever tool it is said to be of. */
function resultOf(result: ToolResult): ToolResult {
  const { modelOutput = result.error ? failureText(result.error) : JSON.stringify(result.output) } = result
  return { ...result, modelOutput: fenced(modelOutput), untrusted: true }
}

function fenced(output: ModelOutput): ModelOutput {
  if (typeof output === 'string') {
    const { notes = '', text = output } = takeFence(output) ?? {}
    return fenceUntrusted([notes, text].filter(Boolean).join('\n'), random())
  }
  const value = output.value.map((part) =>
    part.type === 'file' ? labelFile(part, random()) : { ...part, text: fenced(part.text) as string },
  )
  return { type: 'content', value }
}

function tooLong(most: number): ToolAgentError {
  if (most === 0) return new ToolAgentError('request-too-large', 'This server imports no conversations.')
  return new ToolAgentError('request-too-large', `A conversation of more than ${most} characters is not imported.`)
}
const limit = (message: string): Failure => ({ code: 'limit', message })
const busy = limit('Many conversations are being imported. Import this one in a moment.')
const oneAtATime = limit('Another conversation of this user is being imported. Import this one in a moment.')
const tooMany = limit('This user has imported too much. Import this conversation tomorrow.')
