// What stood around a thinking that a model wrote into its text. It is stored with the reasoning, because some models
// require their thinking back as they wrote it.
import { isObject } from './json.js'
import type { Metadata } from './message.js'

const key = 'inText'

/** The metadata of the reasoning. `before`, `after`: the tags, with the space around them. */
export function thinkingMarks(before: string, after: string): Metadata {
  return { [key]: { before, after } }
}

/** A reasoning as its model wrote it into the text; '' for any other reasoning. */
export function thinkingAsWritten(text: string, metadata: Metadata | undefined): string {
  const marks = metadata?.[key]
  if (!isObject(marks)) return ''
  const { before, after } = marks
  return typeof before === 'string' && typeof after === 'string' ? before + text + after : ''
}
