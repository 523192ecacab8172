// Work that lets the event loop go on first.

/** Runs when the event loop has handled the messages that arrived together. Node alone has `setImmediate`. */
export const soon: (run: () => void) => unknown =
  (globalThis as { setImmediate?: (run: () => void) => unknown }).setImmediate ?? ((run) => setTimeout(run))
