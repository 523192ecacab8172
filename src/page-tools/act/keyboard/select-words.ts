// Finds words in a field, in a rich text or on the page, and selects them as a mouse would. Words that occur several
// times are numbered, so that one of them can be named. Private text is never matched.
import { unclobbered } from '../../../core/data/dom-clobbering.js'
import { ToolAgentError } from '../../../core/data/errors.js'
import { ancestor, isElement, isTag, parentOf, rootOf } from '../../dom/dom.js'
import { isTextField } from '../../dom/field-state.js'
import { isUserTyping } from '../../dom/page-focus.js'
import type { PageSnapshot } from '../../dom/page-snapshot.js'
import { normalizeText, truncate } from '../../dom/text.js'
import type { KeyOutcome } from '../../hands/key-defaults.js'
import { selectRange, type TextPlace } from '../../hands/rich-text.js'
import { isPrivateAmong } from '../../read/named-parts.js'
import { describeControl, unavailable } from '../resolve-target.js'

/** Words that were found, in a text field or in texts of the page. */
export type FoundWords =
  | { readonly field: HTMLInputElement | HTMLTextAreaElement; readonly start: number; readonly end: number }
  | { readonly start: TextPlace; readonly end: TextPlace }

/** Characters around a match in the list of several. */
const aroundMatch = 25
/** So many matches are listed. */
const mostListed = 8

/** A text to search, and where its characters are. */
interface Searched {
  readonly text: string
  /** Where each text node begins, in order. */
  readonly nodes: readonly { readonly node: Text; readonly from: number }[]
}

/** Letters between two trees or documents, which no words contain. */
const border = '\u0000'

function textsUnder(root: Element, { visibility, fields }: PageSnapshot): Searched {
  const nodes: { node: Text; from: number }[] = []
  const isPrivate = isPrivateAmong(fields())
  let text = ''
  let tree: Node | undefined
  const visit = (element: Element): void => {
    if (isTag(element, 'input', 'textarea', 'select') || isPrivate(element)) return
    const gap = visibility.isApart(element) || isTag(element, 'br') ? '\n' : ''
    text += gap
    for (const child of visibility.children(element)) {
      if (isElement(child)) visit(child)
      else if (visibility.isTextVisible(child)) {
        const own = child.getRootNode()
        if (tree && own !== tree) text += border
        tree = own
        nodes.push({ node: child, from: text.length })
        text += child.data
      }
    }
    text += gap
  }
  visit(root)
  return { text, nodes }
}

function placeAt({ nodes }: Searched, index: number, isEnd: boolean): TextPlace {
  const { node, from } = nodes.findLast((one) => (isEnd ? one.from < index : one.from <= index)) ?? nodes[0]!
  return { node, at: Math.min(node.data.length, Math.max(0, index - from)) }
}

/** The words as they may stand on the page: with any spaces between them, and any form of quotation marks. */
function patternOf(words: string, flags: string): RegExp {
  const pattern = words
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/["'‘’“”]/g, '["\'‘’“”]'))
    .join('\\s+')
  return new RegExp(pattern, flags)
}

/** Where the words are in a text. The case counts, unless they are only found in another one. */
function matchesOf(words: string, text: string): readonly (readonly [number, number])[] {
  const find = (flags: string) =>
    [...text.matchAll(patternOf(words, flags))].map(({ index, 0: { length } }) => [index, index + length] as const)
  const exact = find('gu')
  return exact.length > 0 ? exact : find('giu')
}

/** The parts of a text that are private, by comparison with what is left of it. */
function privateParts(text: string, redacted: string): readonly (readonly [number, number])[] {
  if (text === redacted) return []
  const parts: [number, number][] = []
  let at = 0
  for (const open of redacted.split('[private]')) {
    const next = open === '' && at > 0 ? at : text.indexOf(open, at)
    if (next < 0) return [[0, text.length]]
    if (next > at) parts.push([at, next])
    at = next + open.length
  }
  if (at < text.length) parts.push([at, text.length])
  return parts
}

/**
 * The words under an element, or in a text field. `asked` may end with a number, such as `red (2 of 3)`.
 * @throws `invalid-input` if they are not there, or several times; `unavailable` if the field has no selection
 */
export function findWords(asked: string, root: Element, snapshot: PageSnapshot): FoundWords {
  const [, words = asked, number] = /^([^]+) \((\d+) of \d+\)\s*$/.exec(asked) ?? []
  const field = isTextField(root) ? root : undefined
  if (field && field.selectionStart === null)
    throw unavailable(describeControl(root, snapshot), 'has no selection', 'Write its whole value with form_fill.')
  const searched = field ? { text: field.value, nodes: [] } : textsUnder(root, snapshot)
  const { text } = searched
  const hidden = privateParts(text, snapshot.redact(text))
  const found = matchesOf(words, text).filter(([from, to]) => !hidden.some((part) => part[0] < to && from < part[1]))
  const only = found.length === 1 ? found[0] : undefined
  const chosen = number === undefined ? only : found[Number(number) - 1]
  const where = isTag(root, 'body') ? 'the page' : describeControl(root, snapshot)
  const shown = JSON.stringify(truncate(words, 80))
  if (found.length === 0)
    throw new ToolAgentError('invalid-input', `${where} does not show the words ${shown}. Read its text first.`)
  if (!chosen) {
    const lines = found.slice(0, mostListed).map(([from, to], index) => {
      const before = Math.max(from - aroundMatch, ...hidden.map((part) => (part[1] <= from ? part[1] : 0)), 0)
      const after = Math.min(to + aroundMatch, ...hidden.map((part) => (part[0] >= to ? part[0] : text.length)))
      const around = truncate(normalizeText(text.slice(before, after).replaceAll(border, ' ')), 120)
      return `- ${truncate(words, 80)} (${index + 1} of ${found.length}) in ${JSON.stringify(around)}`
    })
    throw new ToolAgentError(
      'invalid-input',
      `${where} has ${shown} ${found.length} times. Pass one of these as select:\n${lines.join('\n')}`,
    )
  }
  const [start, end] = chosen
  return field ? { field, start, end } : { start: placeAt(searched, start, false), end: placeAt(searched, end, true) }
}

/** The element that gets the keys after the words are selected: their field or editor, or else the page. */
export function holderOf(found: FoundWords): HTMLElement {
  if ('field' in found) return found.field
  const isHost = (above: Element): boolean =>
    (above as HTMLElement).isContentEditable && !(parentOf(above) as HTMLElement | null)?.isContentEditable
  const { node } = found.start
  return (ancestor(node, isHost) ?? unclobbered(node.ownerDocument ?? document).body) as HTMLElement
}

/** Selects the words. Their editor must have the focus. */
export function selectWords(found: FoundWords): KeyOutcome {
  if ('field' in found) {
    found.field.setSelectionRange(found.start, found.end)
    return 'selected'
  }
  const on = holderOf(found)
  // The selection of the page is also that of the field in which the user types.
  if (isUserTyping()) return 'kept-focus'
  if (on.isContentEditable && rootOf(on).activeElement !== on) on.focus({ preventScroll: true })
  selectRange(parentOf(found.start.node) ?? on, found.start, found.end)
  return 'selected'
}
