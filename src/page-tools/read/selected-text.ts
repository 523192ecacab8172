// Reads text that the user has selected, as the page tools read a page: only what is visible, and nothing that a model
// must not read.
import { ancestor, currentPage, isTag, parentOf } from '../dom/dom.js'
import { redactSecrets } from '../dom/page-snapshot.js'
import { isPrivateAmong } from './named-parts.js'
import { normalizeLines, truncate } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { fieldsUnder } from './form-fields.js'

/** Characters of one selection. */
const longest = 8_000
/** Texts of the page that are read at most, so that a selection of a whole large page does not block it. */
const mostTexts = 5_000

/**
 * The selected text, with one line per block. Leaves out what is hidden, private fields, elements of the agent, and
 * parts that the page marks with `data-tool-agent-ignore`. '' if nothing is left.
 */
export function selectedText(range: Range): string {
  const visibility = new Visibility()
  const fields = fieldsUnder(currentPage().documentElement, visibility)
  const isPrivate = isPrivateAmong(fields)
  const { commonAncestorContainer: root, startContainer, startOffset, endContainer, endOffset } = range
  const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT)
  const blockOf = (node: Node): Element | null => ancestor(node, visibility.isBlock)
  let text = ''
  let block: Element | null = null
  // A walker does not visit its root, and a selection inside one text has this text as its root.
  let node: Node | null = root.nodeType === Node.TEXT_NODE ? root : walker.nextNode()
  for (let count = 0; node && count < mostTexts && text.length <= longest; node = walker.nextNode()) {
    if (!range.intersectsNode(node)) continue
    count++
    const one = node as Text
    const parent = parentOf(one)
    const part = one.data.slice(
      one === startContainer ? startOffset : 0,
      one === endContainer ? endOffset : one.data.length,
    )
    if (part.trim() === '') {
      if (text !== '') text += ' '
      continue
    }
    if (!parent || isTag(parent, 'script', 'style', 'noscript', 'template') || visibility.isOffLimits(parent)) continue
    if (!visibility.isTextVisible(one) || ancestor(one, isPrivate)) continue
    const inside = blockOf(one)
    text += text === '' || inside === block ? part : `\n${part.trimStart()}`
    block = inside
  }
  const lines = normalizeLines(redactSecrets(text, fields)).replace(/ *\n[ \n]*/g, '\n')
  return truncate(lines.trim(), longest)
}
