// The languages of the panel besides English, the name of the button of a closed panel in each of them, and texts that
// the page replaces. Loaded for a page in another language than English, and for the property `words`.
import { isObject } from '../../../core/data/json.js'
import type { Translation, Words } from '../en.js'
import type { LoadProblem } from '../unloaded.js'

/** An object of texts in which every text may be missing, also those of the objects inside. */
type Partially<T> = T extends ((...values: never[]) => string) | readonly string[]
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
  /** Why the panel, or a part of it, cannot be loaded. The other texts may not be there then. */
  readonly unloaded: Readonly<Record<LoadProblem, string>>
  /** Imports the texts. */
  load(): Promise<{ readonly words: Translation }>
}

/** The languages by their tag without a region. */
export const languages: ReadonlyMap<string, Language> = new Map([
  [
    'ar',
    {
      launcher: 'فتح المساعد',
      unloaded: {
        offline: 'لا يمكن تحميل المساعد لأنك غير متصل بالإنترنت. حاول مجددًا عند عودة الاتصال.',
        network: 'لا يمكن تحميل المساعد. تحقق من اتصالك وحاول مجددًا.',
        unavailable: 'لا يمكن تحميل المساعد في هذه الصفحة. أعد تحميل الصفحة. إذا لم يفد ذلك، فأخبر مالكها.',
      },
      load: () => import('./ar.js'),
    },
  ],
  [
    'de',
    {
      launcher: 'Assistenten öffnen',
      unloaded: {
        offline: 'Der Assistent kann nicht geladen werden: Sie sind offline. Versuchen Sie es verbunden noch einmal.',
        network:
          'Der Assistent kann nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
        unavailable:
          'Der Assistent kann auf dieser Seite nicht geladen werden. Laden Sie sie neu, oder fragen Sie den Betreiber.',
      },
      load: () => import('./de.js'),
    },
  ],
  [
    'es',
    {
      launcher: 'Abrir el asistente',
      unloaded: {
        offline: 'No se puede cargar el asistente porque no tiene conexión. Inténtelo de nuevo cuando esté conectado.',
        network: 'No se puede cargar el asistente. Compruebe su conexión e inténtelo de nuevo.',
        unavailable:
          'No se puede cargar el asistente en esta página. Vuelva a cargarla. Si no sirve, avise a su responsable.',
      },
      load: () => import('./es.js'),
    },
  ],
  [
    'fr',
    {
      launcher: 'Ouvrir l’assistant',
      unloaded: {
        offline: 'L’assistant ne peut pas être chargé, car vous êtes hors ligne. Réessayez une fois connecté.',
        network: 'L’assistant ne peut pas être chargé. Vérifiez votre connexion et réessayez.',
        unavailable: 'L’assistant ne peut pas être chargé sur cette page. Rechargez-la, ou prévenez son propriétaire.',
      },
      load: () => import('./fr.js'),
    },
  ],
  [
    'ja',
    {
      launcher: 'アシスタントを開く',
      unloaded: {
        offline: 'オフラインのため、アシスタントを読み込めません。接続してから、もう一度お試しください。',
        network: 'アシスタントを読み込めません。接続を確認して、もう一度お試しください。',
        unavailable:
          'このページではアシスタントを読み込めません。ページを再読み込みしてください。解決しない場合は、運営者にお知らせください。',
      },
      load: () => import('./ja.js'),
    },
  ],
  [
    'zh',
    {
      launcher: '打开助手',
      unloaded: {
        offline: '您已离线，无法加载助手。请在联网后重试。',
        network: '无法加载助手。请检查网络连接，然后重试。',
        unavailable: '此页面无法加载助手。请重新加载页面。如果仍然无效，请告知网站所有者。',
      },
      load: () => import('./zh.js'),
    },
  ],
])

/** The whole texts of each language. */
const complete = new Map<Language, Words>()
/** The words with the texts of a page, by the texts; kept so that the same arguments give the same object. */
const merged = new WeakMap<PanelWords, { readonly own: Words; readonly words: Words }>()

/** The texts in a language; `english` if there are none. See `loadWords` in locale.ts. */
export async function loadLanguage(language: string, english: Words, replaced?: PanelWords): Promise<Words> {
  const translated = languages.get(language)
  const own = translated === undefined ? english : await completeWords(translated)
  if (replaced === undefined) return own
  const known = merged.get(replaced)
  if (known?.own === own) return known.words
  const words = replaceWords(own, replaced)
  merged.set(replaced, { own, words })
  return words
}

async function completeWords(language: Language): Promise<Words> {
  const { words } = await language.load()
  const known = complete.get(language) ?? { ...words, unloaded: language.unloaded.unavailable }
  complete.set(language, known)
  return known
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
