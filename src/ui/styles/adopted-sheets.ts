// The style sheets of shadow roots. A constructed sheet belongs to one document, and browsers take it away from a root
// that moves to another one, such as that of a frame. So sheets are made from their texts, for the document in which
// the root is.
import { unclobbered } from '../../core/data/dom-clobbering.js'

/** The texts that a root has. */
const adopted = new WeakMap<ShadowRoot, Set<string>>()

/** Adds styles to a shadow root, if they are not there yet. */
export function adoptSheets(root: ShadowRoot, ...texts: readonly string[]): void {
  const known = adopted.get(root) ?? new Set()
  adopted.set(root, known)
  for (const text of texts) {
    if (!known.has(text)) adoptSheet(root, text)
    known.add(text)
  }
}

/** Adds the same styles after the root has moved to another document. Others are gone. */
export function adoptSheetsAgain(root: ShadowRoot): void {
  if ('adoptedStyleSheets' in root) root.adoptedStyleSheets = []
  for (const text of adopted.get(root) ?? []) adoptSheet(root, text)
}

/**
 * Adds one style sheet. Undefined where nothing is drawn: in the document of a template, and in the DOM of unit tests
 * (jsdom), which has no such sheets.
 */
export function adoptSheet(root: ShadowRoot, text: string): CSSStyleSheet | undefined {
  const view = unclobbered(root.ownerDocument).defaultView
  if (!view || !('adoptedStyleSheets' in root)) return undefined
  const sheet = new view.CSSStyleSheet()
  sheet.replaceSync(text)
  root.adoptedStyleSheets.push(sheet)
  return sheet
}
