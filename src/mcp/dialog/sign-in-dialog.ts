// The dialog of `signInDialog`. The window opens in the press of its button, which is why it is a dialog of the page
// and no question of the panel: an answer there goes through the session first, and browsers open no window that late.
import { signInLabel, type SignInDialogTexts, type SignInQuestion } from '../client/sign-in.js'
import { create, createButton, createDialog, dialogTexts, readingTime } from './dialog-parts.js'

/** Shows the dialog, and resolves when the visitor has signed in, or does not want to. */
export function askToSignInByDialog(
  { server, signal, signIn, stop }: SignInQuestion,
  { signIn: label = signInLabel(), ...given }: SignInDialogTexts,
): Promise<void> {
  // The question may have been withdrawn while this file was loading. Then nothing would close the dialog.
  if (signal.aborted) return Promise.resolve()
  const texts = dialogTexts('signIn', given)
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
