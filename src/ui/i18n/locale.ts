// Which language the panel speaks: that of the nearest [lang], else the browser's, else English. Other languages than
// English are loaded when they are wanted.
import { words as en, type Words } from './en.js'

const loaders: ReadonlyMap<string, () => Promise<{ words: Words }>> = new Map([['de', () => import('./de.js')]])

/** The language of an element, across shadow roots. */
function languageOf(element: Element): string {
  const marked = element.closest('[lang]')?.getAttribute('lang')
  if (marked !== null && marked !== undefined && marked !== '') return marked
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? languageOf(root.host) : navigator.language
}

export async function loadWords(element: Element): Promise<Words> {
  const load = loaders.get(languageOf(element).split('-')[0]?.toLowerCase() ?? '')
  return load === undefined ? en : (await load()).words
}
