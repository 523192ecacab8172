// The dialog of `signInDialog`. The window opens in the press of its button, which is why it is a dialog of the page
// and no question of the panel: an answer there goes through the session first, and browsers open no window that late.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { pageLanguage, signInLabel, type SignInDialogTexts, type SignInQuestion } from '../client/sign-in.js'

/** Milliseconds in which no press counts, so that a key meant for the page does not answer. */
const readingTime = 500

/** Shows the dialog, and resolves when the visitor has signed in, or does not want to. */
export function askToSignInByDialog(
  { server, signal, signIn, stop }: SignInQuestion,
  { signIn: label = signInLabel(), ...given }: SignInDialogTexts,
): Promise<void> {
  // The question may have been withdrawn while this file was loading. Then nothing would close the dialog.
  if (signal.aborted) return Promise.resolve()
  const texts = dialogTexts(given)
  const form = create('form')
  form.method = 'dialog'
  const status = create('p')
  status.setAttribute('role', 'status')
  const buttons = create('p')
  form.append(create('p', texts.note), status, buttons)
  const { dialog, show, close } = createDialog(texts.title.replace('{server}', server), form)
  const shownAt = performance.now()
  return new Promise((resolve) => {
    let presses = 0
    const settle = () => {
      signal.removeEventListener('abort', settle)
      close()
      resolve()
    }
    signal.addEventListener('abort', settle, { once: true })
    dialog.addEventListener('close', settle)
    const end = createButton(texts.stop, () => {
      settle()
      stop()
    })
    end.className = 'stop'
    const open = createButton(label, (event) => {
      if (!event.isTrusted || performance.now() - shownAt < readingTime) return
      const press = ++presses
      status.textContent = texts.waiting
      signIn().then(settle, () => {
        // A second press ends the sign-in of the first one.
        if (press === presses) status.textContent = texts.failed
      })
    })
    buttons.append(end, createButton(texts.decline, settle), open)
    show()
  })
}

function create<K extends keyof HTMLElementTagNameMap>(tag: K, text = ''): HTMLElementTagNameMap[K] {
  const element = unclobbered(document).createElement(tag)
  if (text) element.textContent = text
  return element
}

/** A button that sends nothing. */
function createButton(text: string, click: (event: MouseEvent) => void): HTMLButtonElement {
  const button = create('button', text)
  button.type = 'button'
  button.addEventListener('click', click)
  return button
}

/** A modal dialog in a shadow root, whose heading has the focus. Page tools leave it out. */
function createDialog(title: string, form: HTMLFormElement) {
  const host = create('div')
  // Page tools leave this part of the page out, so that the model cannot answer.
  host.setAttribute('data-tool-agent-ignore', '')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [styleSheet()]
  const heading = create('h2', title)
  heading.id = 'title'
  heading.tabIndex = -1
  heading.autofocus = true
  form.prepend(heading)
  const dialog = create('dialog')
  dialog.setAttribute('aria-labelledby', heading.id)
  dialog.append(form)
  root.append(dialog)
  return {
    dialog,
    show() {
      unclobbered(document).body.append(host)
      dialog.showModal()
    },
    close: () => void host.parentNode?.removeChild(host),
  }
}

/** The texts of the dialog. */
interface DialogTexts {
  title: string
  note: string
  decline: string
  stop: string
  waiting: string
  failed: string
}

/** The texts of a dialog: those of the author, else in the language of the page, else of the browser. */
function dialogTexts(own: Partial<DialogTexts>): DialogTexts {
  const texts = languages.get(pageLanguage()) ?? english
  const given = Object.entries(own).filter(([, text]) => text !== undefined)
  return { ...texts, ...Object.fromEntries(given) }
}

const english: DialogTexts = {
  title: 'Sign in to {server}',
  note: 'Your request needs it. A window opens.',
  decline: 'Not now',
  stop: 'Stop',
  waiting: 'Continue in the window that opened.',
  failed: 'That did not work. Try again.',
}

const languages: ReadonlyMap<string, DialogTexts> = new Map([
  [
    'de',
    {
      title: 'Bei {server} anmelden',
      note: 'Ihre Anfrage braucht das. Ein Fenster öffnet sich.',
      decline: 'Nicht jetzt',
      stop: 'Anhalten',
      waiting: 'Fahren Sie in dem Fenster fort, das sich geöffnet hat.',
      failed: 'Das hat nicht funktioniert. Versuchen Sie es noch einmal.',
    },
  ],
  [
    'fr',
    {
      title: 'Se connecter à {server}',
      note: 'Votre demande en a besoin. Une fenêtre s’ouvre.',
      decline: 'Pas maintenant',
      stop: 'Arrêter',
      waiting: 'Continuez dans la fenêtre qui s’est ouverte.',
      failed: 'Cela n’a pas fonctionné. Réessayez.',
    },
  ],
  [
    'es',
    {
      title: 'Iniciar sesión en {server}',
      note: 'Su petición lo necesita. Se abre una ventana.',
      decline: 'Ahora no',
      stop: 'Detener',
      waiting: 'Continúe en la ventana que se ha abierto.',
      failed: 'No ha funcionado. Inténtelo de nuevo.',
    },
  ],
  [
    'ja',
    {
      title: '{server} にサインイン',
      note: 'ご依頼に必要です。ウィンドウが開きます。',
      decline: '今はしない',
      stop: '停止',
      waiting: '開いたウィンドウで続けてください。',
      failed: 'うまくいきませんでした。もう一度お試しください。',
    },
  ],
  [
    'zh',
    {
      title: '登录 {server}',
      note: '您的请求需要登录。将打开一个窗口。',
      decline: '暂不',
      stop: '停止',
      waiting: '请在打开的窗口中继续。',
      failed: '未能成功，请重试。',
    },
  ],
  [
    'ar',
    {
      title: 'تسجيل الدخول إلى {server}',
      note: 'يحتاج طلبك إلى ذلك. ستُفتح نافذة.',
      decline: 'ليس الآن',
      stop: 'إيقاف',
      waiting: 'تابع في النافذة التي فُتحت.',
      failed: 'لم ينجح ذلك. حاول مجددًا.',
    },
  ],
])

/** A constructed sheet, because a policy may forbid `<style>`. `medium` is the text size of the browser. */
function styleSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
    dialog { box-sizing: border-box; width: 28em; max-width: calc(100vw - 2em); padding: 1.25em;
      border: 1px solid #8886; border-radius: 12px; font: medium/1.45 system-ui, sans-serif;
      color: CanvasText; background: Canvas; color-scheme: light dark; }
    dialog::backdrop { background: #0006; }
    h2 { margin: 0; font-size: 1.05em; overflow-wrap: anywhere; outline: none; }
    p { margin: .6em 0; overflow-wrap: anywhere; white-space: pre-line; }
    p:last-child { display: flex; justify-content: flex-end; gap: .5em; margin: .6em 0 0;
      position: sticky; bottom: -1.25em; padding-block: .5em; background: Canvas; }
    .stop { margin-inline-end: auto; }
    button { font: inherit; padding: .4em 1em; }
  `)
  return sheet
}
