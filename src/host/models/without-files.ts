// Requests to models without vision: a note replaces each file, because the server refused a request with one.
import type { ModelContent } from '../../core/data/message.js'
import type { ModelRequest, PromptMessage } from '../../core/data/model.js'

/** What servers write about images, or about a content that is not a plain text. */
const refusal = new RegExp(
  [
    /\b(?:no|not|only|unknown|at most 0)\b.*\b(?:image|vision|multi-?modal)/,
    /image.*\b(?:not|only)\b/,
    /multi-?modal|must be a string/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)
/** An image that is broken or too large, not a model that takes none. */
const brokenImage = /too (?:large|big|many)|exceed|decod|base64|corrupt|download|could not process/i

/** Whether the message of an error says that the model takes no images. */
export function refusesFiles(message: string): boolean {
  return refusal.test(message) && !brokenImage.test(message)
}

/** Whether a request contains files. */
export function hasFiles({ messages }: ModelRequest): boolean {
  return messages.some(({ content }) =>
    content.some(
      (part) =>
        part.type === 'file' ||
        (part.type === 'tool-result' &&
          part.output.type === 'content' &&
          part.output.value.some((one) => one.type === 'file')),
    ),
  )
}

/** The request with a note in place of each file. */
export function withoutFiles(request: ModelRequest): ModelRequest {
  return { ...request, messages: request.messages.map(textMessage) }
}

function textMessage(message: PromptMessage): PromptMessage {
  if (message.role === 'user')
    return { ...message, content: message.content.map((part) => (part.type === 'file' ? note(part.filename) : part)) }
  if (message.role === 'assistant') return message
  return {
    ...message,
    content: message.content.map((result) => {
      if (result.output.type !== 'content') return result
      const value: ModelContent = result.output.value.map((part) => (part.type === 'file' ? note(part.name) : part))
      return { ...result, output: { type: 'content', value } }
    }),
  }
}

function note(name: string | undefined): { readonly type: 'text'; readonly text: string } {
  const which = name === undefined ? 'A file' : `The file ${JSON.stringify(name)}`
  return { type: 'text', text: `(${which} was left out, because this model cannot read it.)` }
}
