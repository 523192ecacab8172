// Selectors that a model writes. A condition on a value would read it, one guess at a time, so attribute conditions
// are for names and states alone; what comes back is what a person could see, wherever it stands.
import { ToolAgentError } from '../../core/errors.js'
import { elementsUnder } from '../dom.js'

const allowed = /^(id|name|class|type|role|href|for|lang|dir|alt|title|placeholder|rel|target|action|method|scope|headers|open|disabled|required|readonly|multiple|checked|selected|hidden|autocomplete|tabindex|contenteditable|colspan|rowspan|aria-(?!value)[a-z]+|data-(testid|test|test-id|id|cy|qa|state|type|role|action|name|index|key|column|row))$/

const refused = (message: string, cause?: unknown): ToolAgentError => new ToolAgentError('invalid-input', message, { cause })

const most = 1000
/** Longer than this no selector is tried on a page, element by element. */
const longest = 3000

function check(selector: string): void {
  if (selector.length > most) throw refused(`A selector has at most ${most} characters`)
  const plainText = selector.replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)))
    .replace(/\\(.)/g, '$1')
  // What is chosen inside a private list would be told by the box around it.
  if (/:has\b/i.test(plainText) && /:(checked|default)\b|\bselected\b/i.test(plainText)) throw refused('A selector cannot ask inside :has() what is chosen: read the form')
  for (const [, name] of plainText.matchAll(/\[\s*(?:[\w*-]*\|)?\s*([^\s~|^$*=\]]+)\s*[~|^$*]?=/g)) {
    if (!allowed.test((name ?? '').toLowerCase())) throw refused(`A selector cannot compare the attribute ${name}: ask for names, roles and states, or read the page`)
  }
}

/** Every match in the document, open shadow roots and same-origin frames, in order. */
export function select(selector: string, root: Element = document.documentElement): Element[] {
  check(selector)
  try {
    const found = new Set<Element>()
    const start = performance.now()
    for (const element of elementsUnder(root)) {
      if (element.matches(selector)) found.add(element)
      if (performance.now() - start > longest) throw refused('The selector takes too long on this page')
    }
    return [...found]
  } catch (cause) {
    if (cause instanceof ToolAgentError) throw cause
    throw refused(`Not a CSS selector: ${selector}`, cause)
  }
}
