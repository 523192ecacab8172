// What visitors read about each error code, in every language of the panel. The texts are read from their sources, and
// the state of a failed call from the function that the cards use.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const languages = join(root, 'src/ui/i18n/languages')

/** @typedef {import('../src/ui/i18n/en.ts').Words} Words */
/** @typedef {import('../src/core/data/failure.ts').ErrorCode} ErrorCode */
/** @typedef {(code: ErrorCode, isOfCall: boolean) => string} Sentence */

/** @template T @param {string} path @returns {Promise<T>} */
async function load(path) {
  const { module } = await runnerImport(path, { root, configFile: false, logLevel: 'error' })
  return /** @type {T} */ (module)
}

/**
 * The sentences of each language, by its tag; English first. `isOfCall`: on the card of a call that failed; otherwise in
 * a notice.
 * @returns {Promise<Map<string, Sentence>>}
 */
export async function errorWords() {
  /** @type {typeof import('../src/ui/i18n/error-text.ts')} */
  const { errorText } = await load(join(root, 'src/ui/i18n/error-text.ts'))
  /** @type {typeof import('../src/ui/message/call/call-state.ts')} */
  const { callState } = await load(join(root, 'src/ui/message/call/call-state.ts'))
  const others = readdirSync(languages)
    .filter((name) => /^\w\w\.ts$/.test(name))
    .sort()
  /** @type {Map<string, Sentence>} */
  const sentences = new Map()
  for (const path of [join(root, 'src/ui/i18n/en.ts'), ...others.map((name) => join(languages, name))]) {
    const { words } = /** @type {{ words: Words }} */ (await load(path))
    sentences.set(words.language, (code, isOfCall) => {
      const error = { code, message: '' }
      if (!isOfCall) return errorText(error, words)
      const call = { id: 'call_1', name: 'find', input: {} }
      const result = { error, endedAt: 0, attempts: 1 }
      return words.body.problems[callState({ type: 'tool-call', call, result }, true)] ?? ''
    })
  }
  return sentences
}
