// The languages of the panel besides English, the name of the button of a closed panel in each of them, and texts that
// the page replaces. Loaded for a page in another language than English, and for the property `words`.
import { isObject } from '../../../core/data/json.js'
import type { Words } from '../en.js'

/** An object of texts in which every text may be missing, also those of the objects inside. */
type Partially<T> = T extends (...values: never[]) => string
  ? T
  : T extends object
    ? { readonly [Name in keyof T]?: Partially<T[Name]> | undefined }
    : T

/** Texts of the panel that a page replaces. A missing text stays as it is in the panel's language. */
export type PanelWords = Partially<Omit<Words, 'language'>> & {
  /** The name of the button that opens the panel. */
  readonly launcher?: string
}

/** A language of the panel. */
interface Language {
  /** The name of the button that opens the panel. */
  readonly launcher: string
  /** The panel cannot be loaded, so its texts are not there. */
  readonly unloaded: string
  /** Imports the texts. */
  load(): Promise<{ readonly words: Words }>
}

/** The languages by their tag without a region. */
export const languages: ReadonlyMap<string, Language> = new Map([
  [
    'ar',
    {
      launcher: 'فتح المساعد',
      unloaded: 'لا يمكن تحميل المساعد. تحقق من اتصالك وحاول مجددًا.',
      load: () => import('./ar.js'),
    },
  ],
  [
    'de',
    {
      launcher: 'Assistenten öffnen',
      unloaded: 'Der Assistent kann nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
      load: () => import('./de.js'),
    },
  ],
  [
    'es',
    {
      launcher: 'Abrir el asistente',
      unloaded: 'No se puede cargar el asistente. Compruebe su conexión e inténtelo de nuevo.',
      load: () => import('./es.js'),
    },
  ],
  [
    'fr',
    {
      launcher: 'Ouvrir l’assistant',
      unloaded: 'L’assistant ne peut pas être chargé. Vérifiez votre connexion et réessayez.',
      load: () => import('./fr.js'),
    },
  ],
  [
    'ja',
    {
      launcher: 'アシスタントを開く',
      unloaded: 'アシスタントを読み込めません。接続を確認して、もう一度お試しください。',
      load: () => import('./ja.js'),
    },
  ],
  [
    'zh',
    {
      launcher: '打开助手',
      unloaded: '无法加载助手。请检查网络连接，然后重试。',
      load: () => import('./zh.js'),
    },
  ],
])

/** The words with the texts of a page, by the texts; kept so that the same arguments give the same object. */
const merged = new WeakMap<PanelWords, { readonly own: Words; readonly words: Words }>()

/** The texts in a language; `english` if there are none. See `loadWords` in locale.ts. */
export async function loadLanguage(language: string, english: Words, replaced?: PanelWords): Promise<Words> {
  const own = (await languages.get(language)?.load())?.words ?? english
  if (replaced === undefined) return own
  const known = merged.get(replaced)
  if (known?.own === own) return known.words
  const words = replaceWords(own, replaced)
  merged.set(replaced, { own, words })
  return words
}

/** The texts with some of them replaced, also those of the objects inside. */
function replaceWords<T extends object>(words: T, replaced: object): T {
  const all = new Map<string, unknown>(Object.entries(words))
  for (const [name, text] of Object.entries(replaced)) {
    const before = all.get(name)
    if (text !== undefined) all.set(name, isObject(before) && isObject(text) ? replaceWords(before, text) : text)
  }
  return Object.fromEntries(all) as T
}
