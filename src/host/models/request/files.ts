// Files of users and of tool results, as all requests read them: the parts of a data URL, and the label of a file.
import { dropUndefined } from '../../../core/data/json.js'
import type { ModelContent } from '../../../core/data/message.js'

/** A file of a message or a result. `data`: base64, a data URL or an https URL. */
export interface PromptFile {
  readonly mediaType: string
  readonly data: string
  readonly filename?: string
  readonly name?: string
}

/** A file without the frame of its data URL. */
export interface FileContent {
  /** As the file says; from its data URL where it says nothing. */
  readonly mediaType: string
  readonly name?: string
  /** The data is an http or https URL. */
  readonly isRemote: boolean
  /** The data is in base64, otherwise percent-encoded. */
  readonly isBase64: boolean
  readonly data: string
}

/** The content of a file. */
export function fileContent(file: PromptFile): FileContent {
  const [, urlType = '', encoding = '', payload] = /^data:([^;,]*)([^,]*),([^]*)$/i.exec(file.data) ?? []
  return dropUndefined({
    mediaType: file.mediaType || urlType,
    name: file.filename ?? file.name,
    isRemote: /^https?:/i.test(file.data),
    isBase64: payload === undefined || /;base64$/i.test(encoding),
    data: payload ?? file.data,
  })
}

/** A media type in the form in which servers list what they read. */
export function plainType(mediaType: string): string {
  return mediaType.toLowerCase().split(';')[0]!.trim().replace('image/jpg', 'image/jpeg')
}

/**
 * The data of a file in base64. A percent-encoded content is decoded as browsers do: signs that are no escapes stay.
 * Must not throw: a request that cannot be built would end every later turn of the session.
 */
export function base64Of({ isBase64, data }: FileContent): string {
  if (isBase64) return data
  const bytesOf = (text: string): string =>
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  return btoa(
    data
      .replace(/\P{ASCII}+/gu, bytesOf)
      .replace(/%([\da-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  )
}

/** The text in place of a file that a server would refuse: a refused file would end every later request. */
export function leftOut({ name, mediaType }: FileContent, reason: string): string {
  const kind = `${name ? `${JSON.stringify(name)}, ` : ''}${mediaType || 'unknown type'}`
  return `[A file was left out (${kind}). ${reason}]`
}

/** The content with each file after its label, which marks untrusted content. */
export function labelled(content: ModelContent): ModelContent {
  return content.flatMap((part, index) => {
    if (part.type === 'text' || !part.label) return [part]
    const before = content[index - 1]
    const isLabelled = before?.type === 'text' && before.text === part.label
    return isLabelled ? [part] : [{ type: 'text', text: part.label }, part]
  })
}

/** The texts of a content, for a result without files. `isBelow`: its files follow later, and a note says so. */
export function textOf(content: ModelContent, isBelow = true): string {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const files = content.length - texts.length
  const note = files === 1 ? '(a file follows below)' : `(${files} files follow below)`
  return [...texts, ...(files > 0 && isBelow ? [note] : [])].join('\n')
}
