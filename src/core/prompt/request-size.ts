// Measures requests.
import { isObject } from '../data/json.js'
import type { ModelRequest, PromptMessage } from '../data/model.js'
import { memoize } from '../state/memoize.js'

/** The characters of a request without the bytes of its files, as `Session.measured` counts them. */
export const countChars = memoize(({ system, messages, tools }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + charsOf(message), JSON.stringify([system, tools]).length),
)
const charsOf = memoize((message: PromptMessage) => withoutFiles(message).length)

/** A request as text, without the bytes of its files. */
export function requestText({ system, messages, tools }: ModelRequest): string {
  return withoutFiles([system, messages, tools])
}

/** The characters of the files of a request: as Base64, or of their ids if a server has not loaded them. */
export function countFileChars(request: ModelRequest): number {
  return JSON.stringify(request.messages).length - withoutFiles(request.messages).length
}

function withoutFiles(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    // A server loads the content later: until then its id stands for it.
    isObject(inner) && inner['type'] === 'file' ? { ...inner, data: '', upload: undefined } : inner,
  )
}
