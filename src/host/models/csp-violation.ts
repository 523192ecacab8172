// Whether a Content-Security-Policy refused a connection. `fetch` says no more than that it failed; an event says why, to
// the document or to the worker, in a task of its own.

/** Listens from now on. `refused` resolves once the event would have come; `end` lets go. */
export function watchCspViolations({ origin }: URL): { refused(): Promise<boolean>; end(): void } {
  let isRefused = false
  const hear = ({ effectiveDirective, disposition, blockedURI }: SecurityPolicyViolationEvent) => {
    isRefused ||= disposition === 'enforce' && effectiveDirective === 'connect-src' && blockedURI.startsWith(origin)
  }
  globalThis.addEventListener?.('securitypolicyviolation', hear)
  return {
    refused: () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(isRefused), 50)
      }),
    end: () => globalThis.removeEventListener?.('securitypolicyviolation', hear),
  }
}
