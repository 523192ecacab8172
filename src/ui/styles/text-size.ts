// The unit of all lengths in the styles of the SDK: `--_rem`, the text size that the visitor has chosen in the browser,
// which is 16 pixels unless they changed it. Not `rem`: that is the size of the page's root element, which many pages
// set to 62.5 % or to a size of their own, so it says nothing about the visitor, and the panel must not shrink with it.
import { unclobbered } from '../../core/data/dom-clobbering.js'

const sheets = new WeakMap<ShadowRoot, CSSStyleSheet>()

/** Sets `--_rem` in a shadow root. Call it whenever its host is connected: another document may have another size. */
export function adoptTextSize(root: ShadowRoot): void {
  // The DOM of unit tests (jsdom) has none, and draws nothing.
  if (!('adoptedStyleSheets' in root)) return
  const sheet = sheets.get(root) ?? new CSSStyleSheet()
  if (!sheets.has(root)) root.adoptedStyleSheets.push(sheet)
  sheets.set(root, sheet)
  sheet.replaceSync(`:host { --_rem: ${textSizeIn(root)} }`)
}

/** The computed size of `medium`, the initial font size of every document. */
function textSizeIn(root: ShadowRoot): string {
  const probe = unclobbered(document).createElement('span')
  // By the object model, because a policy may forbid the attribute.
  probe.style.setProperty('all', 'initial')
  root.appendChild(probe)
  const { fontSize } = getComputedStyle(probe)
  root.removeChild(probe)
  // Empty in a frame that is not drawn.
  return fontSize || '16px'
}
