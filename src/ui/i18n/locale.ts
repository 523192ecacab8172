// Chooses the words of the panel by its language. Languages other than English are loaded when they are needed.
import { words as en, type Words } from './en.js'

const loaders: ReadonlyMap<string, () => Promise<{ words: Words }>> = new Map([['de', () => import('./de.js')]])

/** The texts in a language, such as `de`; in English if there are none. Rejects if they cannot be loaded. */
export async function loadWords(language: string): Promise<Words> {
  const load = loaders.get(language)
  return load === undefined ? en : (await load()).words
}
