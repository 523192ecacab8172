// Chooses the language of the panel: that of the nearest [lang], or the browser's, or English. Languages other than
// English are loaded when they are needed.
import { words as en, type Words } from './en.js'

const loaders: ReadonlyMap<string, () => Promise<{ words: Words }>> = new Map([['de', () => import('./de.js')]])

/** The language tag of an element. Continues outside of shadow roots. */
function languageOf(element: Element): string {
  const marked = element.closest('[lang]')?.getAttribute('lang')
  if (marked !== null && marked !== undefined && marked !== '') return marked
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? languageOf(root.host) : navigator.language
}

/** The texts in the language of an element. Rejects if they cannot be loaded. */
export async function loadWords(element: Element): Promise<Words> {
  const load = loaders.get(languageOf(element).split('-')[0]?.toLowerCase() ?? '')
  return load === undefined ? en : (await load()).words
}
