// The texts of the panel with those of the messages, which are loaded later.
import { messageWords, type MessageWords } from '../i18n/en-messages.js'
import type { Words } from '../i18n/en.js'

/** The texts that the messages use. */
export type Texts = Words & MessageWords

const known = new WeakMap<Words, Texts>()

/** The texts of a language, those of the messages included. The same object for the same words. */
export function textsOf(words: Words): Texts {
  const texts = known.get(words) ?? {
    ...words,
    ...messageWords,
    ...words.messages,
    states: { ...messageWords.states, ...words.messages?.states },
    endings: { ...messageWords.endings, ...words.messages?.endings },
  }
  known.set(words, texts)
  return texts
}
