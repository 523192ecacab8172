// Asking the visitor to sign in to a server, by the handler of the page.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { errorMessage } from '../../core/data/errors.js'
import * as log from '../../page/log.js'

/** A request of the visitor needs a server that they have to sign in to. */
export interface SignInQuestion {
  /** The origin of the server, such as `https://mcp.shop.example`. Show it to the visitor. */
  readonly server: string
  /** Aborted when the sign-in is no longer needed: the call was stopped. */
  readonly signal: AbortSignal
  /**
   * Opens the window and resolves when the visitor has signed in. Call it in the handler of a press, before any
   * `await`, and again for each press. Rejects with `unavailable` if the browser opens no window, or the sign-in fails.
   */
  signIn(): Promise<void>
  /** Stops the turn, as the Stop button of the panel does. The question is withdrawn then. */
  stop(): void
}

/** Asks the visitor. It ends when the visitor has signed in or does not want to. */
export type SignInHandler = (question: SignInQuestion) => void | Promise<void>

/** The texts of `signInDialog`. Default of each: in the language of the page, or in English. */
export interface SignInDialogTexts {
  /** The heading, with the server's origin in place of `{server}`. In English: `Sign in to {server}`. */
  readonly title?: string
  /** The note below it. In English: `Your request needs it. A window opens.` */
  readonly note?: string
  /** The button that opens the window. In English: `Sign in`. */
  readonly signIn?: string
  /** The button that refuses. In English: `Not now`. */
  readonly decline?: string
  /** The button that stops the turn. In English: `Stop`. */
  readonly stop?: string
  /** While the window is open. In English: `Continue in the window that opened.` */
  readonly waiting?: string
  /** After a failure. In English: `That did not work. Try again.` */
  readonly failed?: string
}

/** Resolves with whether the visitor has signed in. Never rejects. */
export async function askToSignIn(handler: SignInHandler, { signIn, ...question }: SignInQuestion): Promise<boolean> {
  const { server, signal } = question
  if (signal.aborted) return false
  let isSignedIn = false
  const remembered = async () => {
    await signIn()
    isSignedIn = true
  }
  const withdrawn = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    await Promise.race([handler({ ...question, signIn: remembered }), withdrawn])
  } catch (thrown) {
    log.logWarning(`onSignIn failed for the server ${server}: ${errorMessage(thrown)}`)
  }
  return isSignedIn
}

const labels: ReadonlyMap<string, string> = new Map([
  ['ar', 'تسجيل الدخول'],
  ['de', 'Anmelden'],
  ['es', 'Iniciar sesión'],
  ['fr', 'Se connecter'],
  ['ja', 'サインイン'],
  ['zh', '登录'],
])

/** What the visitor does: on the card of the call, and on the button of the dialog. */
export function signInLabel(): string {
  return labels.get(pageLanguage()) ?? 'Sign in'
}

/** The language of the page, else of the browser, such as `de`. Traditional Chinese is a language of its own. */
export function pageLanguage(): string {
  if (typeof document === 'undefined') return 'en'
  const { lang } = unclobbered(document).documentElement
  return /^(?:zh-(?:hant|hk|mo|tw)|\w*)/.exec((lang || navigator.language).toLowerCase())![0]
}
