// Finds out whether a Content-Security-Policy blocked a request. `fetch` fails without a reason; the document or the
// worker gets an event with the reason in a later task.

/** Milliseconds to wait for the event after a failed request. */
const eventDelay = 50

/** Watches for blocked requests to the origin of a URL. */
export interface CspWatch {
  /** Whether a request was blocked. Resolves when the event of a failed request would have arrived. */
  isBlocked(): Promise<boolean>
  /** Removes the listener. Must be called. */
  end(): void
}

/** Starts to listen. Call it before the request. */
export function watchCspViolations({ origin }: URL): CspWatch {
  let isBlocked = false
  const listen = ({ effectiveDirective, disposition, blockedURI }: SecurityPolicyViolationEvent) => {
    isBlocked ||= disposition === 'enforce' && effectiveDirective === 'connect-src' && blockedURI.startsWith(origin)
  }
  globalThis.addEventListener?.('securitypolicyviolation', listen)
  return {
    isBlocked: () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(isBlocked), eventDelay)
      }),
    end: () => globalThis.removeEventListener?.('securitypolicyviolation', listen),
  }
}
