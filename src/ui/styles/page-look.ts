// What the styles of the SDK take from the page and its visitor.
//
// `--_rem`, the unit of all lengths, is the text size that the visitor has chosen in the browser, which is 16 pixels
// unless they changed it. Not `rem`: that is the size of the page's root element, which many pages set to 62.5 % or to
// a size of their own, so it says nothing about the visitor, and the panel must not shrink with it.
//
// `--_accent` is `--tool-agent-accent`, else the colour of the page: that of the attribute `accent`, else the
// `accent-color` of the root element, else that of the first `<meta name="theme-color">`, else blue. Its hue stays.
// Lightness and chroma are limited so that white text on it in the light scheme, dark text in the dark one, and links
// have a contrast of more than 4.5:1.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { adoptSheet } from './adopted-sheets.js'

const sheets = new WeakMap<ShadowRoot, CSSStyleSheet>()

/**
 * Sets `--_rem` and `--_accent` in a shadow root. Call it whenever its host is connected: another document may have
 * others. `accent`: a CSS colour that wins over those of the page.
 */
export function adoptPageLook(root: ShadowRoot, accent?: string): void {
  const known = sheets.get(root)
  const sheet = known && root.adoptedStyleSheets.includes(known) ? known : adoptSheet(root, '')
  if (!sheet) return
  sheets.set(root, sheet)
  const probe = unclobbered(document).createElement('span')
  // By the object model, because a policy may forbid the attribute.
  probe.style.setProperty('all', 'initial')
  root.appendChild(probe)
  // The computed size of `medium`, the initial font size of every document. Empty in a frame that is not drawn.
  const size = getComputedStyle(probe).fontSize || '16px'
  const color = pageColor(probe, accent)
  root.removeChild(probe)
  const colors = color
    ? `oklch(from ${color} min(l, .47) min(c, .15) h), oklch(from ${color} max(l, .76) min(c, .15) h)`
    : '#2f5bd0, #8fb0ff'
  sheet.replaceSync(`:host { --_rem: ${size}; --_accent: var(--tool-agent-accent, light-dark(${colors})) }`)
}

/** The colour of the page as the browser writes it; undefined if it has none. */
function pageColor(probe: HTMLElement, accent: string | undefined): string | undefined {
  const page = unclobbered(document)
  const { accentColor } = getComputedStyle(page.documentElement)
  if (!accent && accentColor && accentColor !== 'auto') return accentColor
  probe.style.color = accent || (page.querySelector<HTMLMetaElement>('meta[name=theme-color]')?.content ?? '')
  // Black if it is no colour.
  const { color } = getComputedStyle(probe)
  // Many pages name the white or grey of their background, which is nobody's accent.
  const channels = color.startsWith('rgb') ? color.match(/\d+/g)!.slice(0, 3).map(Number) : [0, 255]
  return accent || Math.max(...channels) - Math.min(...channels) > 32 ? color : undefined
}
