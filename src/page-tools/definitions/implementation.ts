// The border between the definitions of the page tools, which are loaded when they are registered, and their code,
// which is loaded with the first message or call.

/** Loads the code of the page tools. Rejects if it cannot be loaded; the next call tries again. */
export const implementation = (): Promise<typeof import('../implementation.js')> => import('../implementation.js')
