// What a page has attached to a message, as parts of it, and the content of uploads where a request to the model needs
// it. Messages name uploads by id, so neither commits, nor snapshots for pages, nor open sessions contain a file.
import { ToolAgentError, toFailure } from '../../core/data/errors.js'
import { formatId } from '../../core/data/ids.js'
import { dropUndefined } from '../../core/data/json.js'
import type { UserPart } from '../../core/data/message.js'
import type { ModelAdapter, ModelRequest, PromptMessage, PromptUserPart } from '../../core/data/model.js'
import { attachedText, isFenced, toOneLine } from '../../core/prompt/cut-and-fence.js'
import type { FileStore, Store } from '../../core/state/store.js'
import { fileContent, leftOut } from '../../host/models/request/files.js'
import { soon } from '../../host/soon.js'
import * as log from '../../page/log.js'
import type { GuestMessage } from '../protocol/guest-messages.js'
import { filePiece, type FilePiece } from '../protocol/server-messages.js'

type Sent = Pick<Extract<GuestMessage, { type: 'send' }>, 'text' | 'files'>

/** Characters of base64 in one request. Older files are left out of it, as providers refuse more. */
const mostInRequest = 32_000_000

/** The name of a file, for people. */
export const nameOf = (name: string): string => toOneLine(name, 120) || 'file'

/** The session that files belong to. */
interface FilesPlace {
  readonly id: string
  readonly store: Store
}

/**
 * The media types of uploads by their ids.
 * @throws {ToolAgentError} `invalid-option` for an upload that the user does not have, or of another session, and for
 * one that is named twice
 */
export async function uploadTypes(
  { id, store }: FilesPlace,
  uploads: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uploads.length > 0 && store.files === undefined)
    throw new ToolAgentError('invalid-option', 'files: this server takes no files. Send the message without them.')
  if (new Set(uploads).size < uploads.length)
    throw new ToolAgentError('invalid-option', 'files: the same upload is named twice. Name it once.')
  const types = (await store.files?.types(id, uploads)) ?? new Map<string, string>()
  if (uploads.some((upload) => !types.has(upload)))
    throw new ToolAgentError('invalid-option', 'files: an upload is not known, or has expired. Upload the file again.')
  return types
}

/** The parts of a message. @throws as `uploadTypes` */
export async function inputOf(place: FilesPlace, { text, files }: Sent): Promise<UserPart[]> {
  const types = await uploadTypes(
    place,
    files.flatMap((file) => ('upload' in file ? [file.upload] : [])),
  )
  const attached = files.map((file): UserPart => {
    if (!('upload' in file)) return attachedPart(file.name, file.text)
    const { upload, name } = file
    return dropUndefined({
      type: 'file',
      mediaType: types.get(upload) ?? '',
      data: '',
      name: name && nameOf(name),
      upload,
    })
  })
  return [...(text === '' && attached.length > 0 ? [] : [{ type: 'text' as const, text }]), ...attached]
}

/** A text file or a quote. A page fences what it attaches. What it did not fence would count as words of the user. */
export function attachedPart(name: string, text: string): UserPart {
  const boundary = formatId(crypto.getRandomValues(new Uint8Array(8)))
  return {
    type: 'text',
    text: isFenced(text) ? text : attachedText(nameOf(name), text, boundary),
    name: nameOf(name),
  }
}

/** What a page gets of a file of a session, from a character of its base64 on; null if it is not stored. */
export async function pieceOf(
  { id, store }: { readonly id: string; readonly store: Store },
  { upload, from }: { readonly upload: string; readonly from: number },
): Promise<FilePiece | null> {
  const data = await store.files?.read(id, upload, { from, to: from + filePiece })
  return data === undefined ? null : { data, isLast: data.length < filePiece }
}

/** A model that gets the content of uploads, which is read for each request and kept nowhere. */
export function withUploads(model: ModelAdapter, files: FileStore, session: string): ModelAdapter {
  return dropUndefined({
    supportsResponseFormat: model.supportsResponseFormat,
    async *stream(request: ModelRequest, signal: AbortSignal) {
      let messages: PromptMessage[]
      try {
        messages = await filled(request.messages, files, session)
      } catch (thrown) {
        // It may name what only the server knows.
        log.logError(toFailure(thrown, 'storage'))
        throw new ToolAgentError('server', 'The files of this conversation cannot be read now.')
      }
      yield* model.stream({ ...request, messages }, signal)
    },
  })
}

/** The messages with their files. The newest ones come first, because older ones may find no room. */
async function filled(messages: readonly PromptMessage[], files: FileStore, session: string): Promise<PromptMessage[]> {
  const contents = new Map<string, string | undefined>()
  const read = async (upload: string): Promise<string | undefined> => {
    if (contents.has(upload)) return contents.get(upload)
    // A database may answer at once, and many large files would keep all other users waiting.
    await new Promise<void>((resolve) => void soon(resolve))
    const data = await files.read(session, upload)
    contents.set(upload, data)
    return data
  }
  let [room, isFull] = [mostInRequest, false]
  const backwards: PromptMessage[] = []
  for (const message of messages.toReversed()) {
    const has = message.role === 'user' && message.content.some((part) => part.type === 'file' && part.upload)
    if (!has) {
      backwards.push(message)
      continue
    }
    const content: PromptUserPart[] = []
    for (const part of message.content) {
      if (part.type === 'text' || part.upload === undefined) {
        content.push(part)
        continue
      }
      const { upload, ...file } = part
      // After the first one that does not fit, none is read.
      const data = isFull ? '' : await read(upload)
      isFull ||= data !== undefined && data.length > room
      const fits = data !== undefined && !isFull
      if (fits) room -= data.length
      const why = data === undefined ? 'It is not stored any more.' : 'There are newer ones, and no room for all.'
      content.push(fits ? { ...file, data } : { type: 'text', text: leftOut(fileContent(file), why) })
    }
    backwards.push({ role: 'user', content })
  }
  return backwards.toReversed()
}
