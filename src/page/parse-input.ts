// Checks the message of one send.
import { ToolAgentError } from '../core/data/errors.js'
import { isObject } from '../core/data/json.js'
import type { UserPart } from '../core/data/message.js'
import { fail, isText } from './checks.js'

/** The fields of each part of a message that must be strings, by the part's type. */
const partFields = new Map<unknown, readonly string[]>([
  ['text', ['text']],
  ['file', ['mediaType', 'data']],
])

/** A message as parts, and its text with the names of its files. */
export interface ParsedInput {
  readonly parts: readonly UserPart[]
  readonly text: string
}

/** Checks a message. @throws `invalid-option` if it is neither a text nor an array of parts, or empty. */
export function parseInput(input: unknown): ParsedInput {
  const parts = parseParts(input)
  const text = parts.map((part) => (part.type === 'text' && !part.name ? part.text : ` ${part.name ?? ''}`)).join('')
  if (text.trim() === '' && !parts.some((part) => part.type === 'file'))
    throw new ToolAgentError('invalid-option', 'send: the message is empty. Add text or a file')
  return { parts, text }
}

function parseParts(input: unknown): readonly UserPart[] {
  if (typeof input === 'string') return [{ type: 'text', text: input }]
  const isPart = (part: unknown) =>
    isObject(part) && partFields.get(part['type'])?.every((field) => isText(part[field]))
  if (!Array.isArray(input) || !input.every(isPart))
    fail(
      'send',
      "a text, or an array of { type: 'text', text } and { type: 'file', mediaType, data }",
      Array.isArray(input) ? input.find((part) => !isPart(part)) : input,
    )
  return input as UserPart[]
}
