// The words of the panel. English ones are part of it; other languages, and texts that the page replaces, are loaded
// when they are needed.
import { loadExplained } from '../../core/loading/load-explained.js'
import { words as en, type Words } from './en.js'
import type { PanelWords } from './languages/languages.js'

/**
 * The texts in a language, such as `de`; in English if there are none. The same object again for the same arguments.
 * Rejects if they cannot be loaded.
 * @param replaced Texts of the page in place of those of the language.
 */
export async function loadWords(language: string, replaced?: PanelWords): Promise<Words> {
  return language === 'en' && replaced === undefined
    ? en
    : (await loadExplained(globalThis, () => import('./languages/languages.js'))).loadLanguage(language, en, replaced)
}
