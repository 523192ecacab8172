// What the dialogs of this folder share: elements, the style, and texts in the language of the page.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { pageLanguage } from '../client/sign-in.js'

/** Milliseconds in which no press counts, so that a key meant for the page does not answer. */
export const readingTime = 500

export function create<K extends keyof HTMLElementTagNameMap>(tag: K, text = ''): HTMLElementTagNameMap[K] {
  const element = unclobbered(document).createElement(tag)
  if (text) element.textContent = text
  return element
}

/** A button that sends nothing. */
export function createButton(text: string, click: (event: MouseEvent) => void): HTMLButtonElement {
  const button = create('button', text)
  button.type = 'button'
  button.addEventListener('click', click)
  return button
}

/** A modal dialog in a shadow root, whose heading has the focus. Page tools leave it out. */
export function createDialog(title: string, form: HTMLFormElement) {
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

/** The texts of both dialogs. */
interface DialogTexts {
  readonly question: { title: string; note: string; send: string; decline: string; stop: string }
  readonly signIn: {
    title: string
    note: string
    decline: string
    stop: string
    waiting: string
    failed: string
  }
}

/** The texts of a dialog: those of the author, else in the language of the page, else of the browser. */
export function dialogTexts<K extends keyof DialogTexts>(of: K, own: Partial<DialogTexts[K]>): DialogTexts[K] {
  const texts = languages.get(pageLanguage()) ?? english
  const given = Object.entries(own).filter(([, text]) => text !== undefined)
  return { ...texts[of], ...Object.fromEntries(given) }
}

const english: DialogTexts = {
  question: {
    title: '{server} asks you',
    note: 'Your answer is sent to this server.',
    send: 'Send',
    decline: 'Decline',
    stop: 'Stop',
  },
  signIn: {
    title: 'Sign in to {server}',
    note: 'Your request needs it. A window opens.',
    decline: 'Not now',
    stop: 'Stop',
    waiting: 'Continue in the window that opened.',
    failed: 'That did not work. Try again.',
  },
}

const languages: ReadonlyMap<string, DialogTexts> = new Map([
  [
    'de',
    {
      question: {
        title: '{server} fragt Sie',
        note: 'Ihre Antwort wird an diesen Server gesendet.',
        send: 'Senden',
        decline: 'Ablehnen',
        stop: 'Anhalten',
      },
      signIn: {
        title: 'Bei {server} anmelden',
        note: 'Ihre Anfrage braucht das. Ein Fenster öffnet sich.',
        decline: 'Nicht jetzt',
        stop: 'Anhalten',
        waiting: 'Fahren Sie in dem Fenster fort, das sich geöffnet hat.',
        failed: 'Das hat nicht funktioniert. Versuchen Sie es noch einmal.',
      },
    },
  ],
  [
    'fr',
    {
      question: {
        title: '{server} vous pose une question',
        note: 'Votre réponse est envoyée à ce serveur.',
        send: 'Envoyer',
        decline: 'Refuser',
        stop: 'Arrêter',
      },
      signIn: {
        title: 'Se connecter à {server}',
        note: 'Votre demande en a besoin. Une fenêtre s’ouvre.',
        decline: 'Pas maintenant',
        stop: 'Arrêter',
        waiting: 'Continuez dans la fenêtre qui s’est ouverte.',
        failed: 'Cela n’a pas fonctionné. Réessayez.',
      },
    },
  ],
  [
    'es',
    {
      question: {
        title: '{server} le pregunta',
        note: 'Su respuesta se envía a este servidor.',
        send: 'Enviar',
        decline: 'Rechazar',
        stop: 'Detener',
      },
      signIn: {
        title: 'Iniciar sesión en {server}',
        note: 'Su petición lo necesita. Se abre una ventana.',
        decline: 'Ahora no',
        stop: 'Detener',
        waiting: 'Continúe en la ventana que se ha abierto.',
        failed: 'No ha funcionado. Inténtelo de nuevo.',
      },
    },
  ],
  [
    'ja',
    {
      question: {
        title: '{server} からの質問',
        note: '回答はこのサーバーに送信されます。',
        send: '送信',
        decline: '断る',
        stop: '停止',
      },
      signIn: {
        title: '{server} にサインイン',
        note: 'ご依頼に必要です。ウィンドウが開きます。',
        decline: '今はしない',
        stop: '停止',
        waiting: '開いたウィンドウで続けてください。',
        failed: 'うまくいきませんでした。もう一度お試しください。',
      },
    },
  ],
  [
    'zh',
    {
      question: {
        title: '{server} 向您提问',
        note: '您的回答将发送到此服务器。',
        send: '发送',
        decline: '拒绝',
        stop: '停止',
      },
      signIn: {
        title: '登录 {server}',
        note: '您的请求需要登录。将打开一个窗口。',
        decline: '暂不',
        stop: '停止',
        waiting: '请在打开的窗口中继续。',
        failed: '未能成功，请重试。',
      },
    },
  ],
  [
    'ar',
    {
      question: {
        title: '‏{server} يسألك',
        note: 'سيُرسل جوابك إلى هذا الخادم.',
        send: 'إرسال',
        decline: 'رفض',
        stop: 'إيقاف',
      },
      signIn: {
        title: 'تسجيل الدخول إلى {server}',
        note: 'يحتاج طلبك إلى ذلك. ستُفتح نافذة.',
        decline: 'ليس الآن',
        stop: 'إيقاف',
        waiting: 'تابع في النافذة التي فُتحت.',
        failed: 'لم ينجح ذلك. حاول مجددًا.',
      },
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
    form > div { margin: .7em 0; }
    small { display: block; opacity: .75; }
    small:empty { display: none; }
    .problem { color: light-dark(#b3261e, #ff9a90); opacity: 1; }
    input:not([type=checkbox]), select { display: block; box-sizing: border-box; width: 100%; }
    input:not([type=checkbox]), select { margin-top: .2em; padding: .4em; font: inherit; }
    input[type=checkbox] { margin-inline-start: .5em; }
    p:last-child { display: flex; justify-content: flex-end; gap: .5em; margin: .6em 0 0;
      position: sticky; bottom: -1.25em; padding-block: .5em; background: Canvas; }
    .stop { margin-inline-end: auto; }
    button { font: inherit; padding: .4em 1em; }
  `)
  return sheet
}
