// The run of a call, as the registry would make it, for tests that execute a tool of the page without an agent.

declare global {
  interface Window {
    /** A run, with other fields where `more` says so. `installToolRun` adds this to a page. */
    toolRun(more?: object): { readonly signal: AbortSignal }
  }
}

/** Runs in the page: give it to `evaluate`. */
export function installToolRun(): void {
  window.toolRun = (more = {}) => ({
    signal: new AbortController().signal,
    toolContext: {},
    sessionId: 'session',
    toolCallId: 'call',
    messages: [],
    shared: new Map(),
    remember() {},
    report() {},
    ask: () => Promise.reject(new Error('Nobody can be asked')),
    ...more,
  })
}
