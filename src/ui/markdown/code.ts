// The text of a code block: plain while it is being written, and with colours when its last line was read and nothing
// in it is selected, so that no word changes its colour while the next one arrives. The code that finds the colours
// loads with the first such block; without it the text stays plain.
import { toFailure } from '../../core/data/errors.js'
import { loadExplained } from '../../core/loading/load-explained.js'
import { logError } from '../../page/log.js'
import type { Code } from './syntax-tree.js'
import { languages, type CodeLanguage } from './code-languages.js'
import { growingText } from './growing-text.js'

/** Characters. Longer code stays plain, because a text can be made to be slow for regular expressions. */
const longestCode = 10_000
/** A line that is too long, for the same reason. */
const longLine = /.{1001}/
/** Texts whose colours are kept, so that a message that is drawn again does not become plain first. */
const keptTexts = 100

/** Colours by language and text, the last used at the end. */
const known = new Map<string, Promise<unknown>>()

/** The name of the language as it was written, or ''. */
export function languageOf({ info }: Code): string {
  return /^[\w+#.-]{1,20}/.exec(info)?.[0] ?? ''
}

/** The text of a code block as Lit draws it. */
export function drawCode(code: Code): unknown {
  const { text, isClosed } = code
  const language = languages.get(languageOf(code).toLowerCase())
  if (!isClosed || language === undefined || text.length > longestCode || longLine.test(text)) return growingText(text)
  const key = `${language} ${text}`
  const words = known.get(key) ?? colour(text, language, key)
  known.delete(key)
  known.set(key, words)
  const [oldest] = known.size > keptTexts ? known.keys() : []
  if (oldest !== undefined) known.delete(oldest)
  return growingText(text, words)
}

async function colour(text: string, language: CodeLanguage, key: string): Promise<unknown> {
  try {
    const { highlight } = await loadExplained(globalThis, () => import('../highlight/highlight.js'))
    // Not in a frame that draws the rest of the answer, but soon on a page that is never idle.
    await new Promise<unknown>((resolve) => {
      if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 1_000 })
      else setTimeout(resolve)
    })
    return highlight(text, language)
  } catch (thrown) {
    logError(toFailure(thrown, 'network'), 'code-colours')
    // The next drawing tries again.
    known.delete(key)
    return text
  }
}
