// From a model request to messages of the Prompt API. Calls and results are text already: the text protocol has written
// them into the messages.
import type { ModelRequest, PromptMessage } from '../../core/data/model.js'
import type { LanguageModelContent, LanguageModelMessage } from './prompt-api.js'

/** A message, and a key that is equal for equal messages. */
export interface KeyedMessage {
  /** Contains the role and the content. */
  readonly key: string
  /** Whether it contains an image. */
  readonly hasImage: boolean
  /** `takesImages`: false replaces images by a note. */
  toMessage(takesImages: boolean): LanguageModelMessage
}

/**
 * The key of an answer. Without white space, because a call is sent back in the format of the protocol, whatever white
 * space the model wrote around and inside of it.
 */
export function answerKey(text: string): string {
  return `assistant ${text.replace(/\s+/g, '')}`
}

/** The system text, if there is one, and the messages. */
export function keyedMessages({ system, messages }: ModelRequest): KeyedMessage[] {
  const all = messages.flatMap(keyedMessage)
  if (system === '') return all
  return [{ key: `system ${system}`, hasImage: false, toMessage: () => ({ role: 'system', content: system }) }, ...all]
}

function keyedMessage(message: PromptMessage): KeyedMessage[] {
  if (message.role === 'tool') {
    // Only with `textProtocol: false`: results of calls that another model made.
    const text = message.content
      .map(({ toolName, output }) => {
        const value =
          output.type === 'content'
            ? output.value.map((part) => (part.type === 'text' ? part.text : '(a file)')).join('\n')
            : output.value
        return `Result of ${toolName}:\n${value}`
      })
      .join('\n\n')
    return [{ key: `user ${text}`, hasImage: false, toMessage: () => ({ role: 'user', content: text }) }]
  }
  if (message.role === 'assistant') {
    const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (text === '') return []
    return [{ key: answerKey(text), hasImage: false, toMessage: () => ({ role: 'assistant', content: text }) }]
  }
  const { content } = message
  return [
    {
      key: `user ${JSON.stringify(content)}`,
      hasImage: content.some((part) => part.type === 'file' && isImage(part)),
      toMessage: (takesImages) => {
        const parts = content.map((part): LanguageModelContent => {
          if (part.type === 'text') return { type: 'text', value: part.text }
          if (isImage(part) && takesImages) return { type: 'image', value: blobOf(part) }
          const { filename, mediaType } = part
          if (mediaType.startsWith('text/'))
            return { type: 'text', value: `${filename ?? 'File'}:\n${textOf(part).toWellFormed()}` }
          return {
            type: 'text',
            value: `(The file ${JSON.stringify(filename ?? mediaType)} was left out: this model cannot read it.)`,
          }
        })
        return parts.every((part) => part.type === 'text')
          ? { role: 'user', content: parts.map(({ value }) => value).join('\n\n') }
          : { role: 'user', content: parts }
      },
    },
  ]
}

type File = { readonly mediaType: string; readonly data: string }

function isImage({ mediaType, data }: File): boolean {
  return mediaType.startsWith('image/') && !/^https?:/i.test(data)
}

function blobOf(file: File): Blob {
  return new Blob([bytesOf(file)], { type: file.mediaType })
}

function textOf(file: File): string {
  return /^https?:/i.test(file.data) ? file.data : new TextDecoder().decode(bytesOf(file))
}

/** The content of a file: base64, or a data URL with base64. */
function bytesOf({ data }: File): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data.replace(/^data:[^,]*,/, '')), (char) => char.charCodeAt(0))
}
