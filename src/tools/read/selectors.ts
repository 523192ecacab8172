// Selectors that a model writes. A condition on a value would read it, one guess at a time, so attribute conditions
// are for names and states alone; what comes back is what a person could see, wherever it stands.
import { ToolAgentError } from '../../core/errors.js'
import { elementsUnder, frameDocument } from '../dom.js'

const allowed = /^(id|name|class|type|role|href|for|lang|dir|alt|title|placeholder|rel|target|action|method|scope|headers|open|disabled|required|readonly|multiple|checked|selected|hidden|autocomplete|tabindex|contenteditable|colspan|rowspan|aria-(?!value)[a-z]+|data-(testid|test|test-id|id|cy|qa|state|type|role|action|name|index|key|column|row))$/

function check(selector: string): void {
  const plainText = selector.replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)))
    .replace(/\\(.)/g, '$1')
  for (const [, name] of plainText.matchAll(/\[\s*(?:[\w*-]*\|)?\s*([^\s~|^$*=\]]+)\s*[~|^$*]?=/g)) {
    if (!allowed.test((name ?? '').toLowerCase())) throw new ToolAgentError('invalid-input', `A selector cannot compare the attribute ${name}: ask for names, roles and states, or read the page.`)
  }
}

/** Every match in the document, open shadow roots and same-origin frames, in order. */
export function select(selector: string, root: Element = document.documentElement): Element[] {
  check(selector)
  try {
    const found = new Set<Element>()
    for (const element of elementsUnder(root)) {
      if (element.matches(selector)) found.add(element)
      frameDocument(element)
    }
    return [...found]
  } catch (cause) {
    throw new ToolAgentError('invalid-input', `Not a CSS selector: ${selector}`, { cause })
  }
}
