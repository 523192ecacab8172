// The window of a sign-in, and the page to which it returns. Part of the entry, because a browser opens a window only
// in the press of the visitor, before anything is loaded. Neither window needs the other: a server may have cut them
// apart, so the answer comes over a channel whose name only this sign-in knows.
import { ToolAgentError } from '../core/data/errors.js'

/** A window that the visitor has opened for a sign-in. */
export interface SignInWindow {
  /** Leads it to an http or https address. */
  go(url: URL): void
  close(): void
}

/** Milliseconds that the page of the return waits for the page that began the sign-in. */
const receiptTime = 3_000

/** @throws ToolAgentError `unavailable` if the browser opens none, because no press of the visitor allows it */
export function openSignInWindow(): SignInWindow {
  const opened = globalThis.open('', '_blank', 'popup,width=520,height=720')
  if (!opened)
    throw new ToolAgentError(
      'unavailable',
      'The browser opened no window for the sign-in: call signIn() in the handler of a click, before any await.',
    )
  // The pages of the sign-in must not lead this page elsewhere.
  opened.opener = null
  return {
    go(url) {
      // The window still has the origin of this page, where such an address would run as a script.
      if (!/^https?:$/.test(url.protocol)) throw new Error(`The address of the sign-in is not allowed: ${url.protocol}`)
      opened.location.replace(url.href)
    },
    close: () => opened.close(),
  }
}

/** The channel of one sign-in. `state`: random, known to this page and to the authorization server. */
export function signInChannel(state: string): BroadcastChannel {
  return new BroadcastChannel(`tool-agent sign-in ${state}`)
}

/** What the page that waits for a sign-in answers to the page of the return. */
export const received = 'received'

/**
 * Ends a sign-in. Call it in the page at `redirectUrl`: it hands the answer of the authorization server to the page
 * that began the sign-in, removes it from the address, and closes the window. Resolves with false if no page waits for
 * it, because that page was closed or loaded again meanwhile; then the window stays open.
 */
export async function finishSignIn(): Promise<boolean> {
  const { location, history } = globalThis
  const answer = new URLSearchParams(location.search)
  const state = answer.get('state')
  // A code in the address would stay in the history.
  history.replaceState(null, '', location.pathname)
  if (!state) return false
  const channel = signInChannel(state)
  let timer: ReturnType<typeof setTimeout> | undefined
  const isReceived = await new Promise<boolean>((resolve) => {
    channel.onmessage = ({ data }) => {
      if (data === received) resolve(true)
    }
    timer = setTimeout(() => resolve(false), receiptTime)
    channel.postMessage(answer.toString())
  })
  clearTimeout(timer)
  channel.close()
  if (isReceived) globalThis.close()
  return isReceived
}
