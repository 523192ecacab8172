// The texts of the panel with those of the messages.
import type { MessageWords } from '../i18n/en.js'
import type { Words } from '../i18n/en.js'

/** The texts that the messages use. */
export type Texts = Words & MessageWords

const known = new WeakMap<Words, Texts>()

/** The texts of a language, those of the messages included. The same object for the same words. */
export function textsOf(words: Words): Texts {
  const texts = known.get(words) ?? { ...words, ...words.messages }
  known.set(words, texts)
  return texts
}
