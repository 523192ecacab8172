// What appears when the mouse is over something: buttons of a row that are transparent until then. No script can hover,
// but the style sheets say what would appear. Those of other sites cannot be read.
import { rootOf, viewOf } from './dom.js'

/** The selectors of a style sheet whose rules make something opaque on hover, without the hover. */
interface Found {
  /** The number of rules, by which a sheet that has changed is noticed. */
  readonly count: number
  readonly selectors: readonly string[]
}
const known = new WeakMap<CSSStyleSheet, Found>()

const hover = /(?<!\\):hover\b/g
/** Commas between selectors, not those inside brackets. */
const commas = /,(?![^(]*\))/

/** Rules of a group that applies, such as a media query. `around`: the selector of the rule that they are nested in. */
function selectorsIn(rules: CSSRuleList, view: Window & typeof globalThis, around?: string): string[] {
  return [...rules].flatMap((rule) => {
    if (rule instanceof view.CSSStyleRule) {
      const written = around === undefined ? rule.selectorText : nested(rule.selectorText, around)
      const appears = parseFloat(rule.style.opacity) >= 0.1
      const own = appears ? written.split(commas).flatMap(withoutHover) : []
      return [...own, ...selectorsIn(rule.cssRules, view, written)]
    }
    if (rule instanceof view.CSSMediaRule && !view.matchMedia(rule.media.mediaText).matches) return []
    // A declaration after a nested rule has a rule of its own, without a selector.
    const { style } = rule as Partial<CSSStyleRule>
    if (style !== undefined && around !== undefined && !('cssRules' in rule))
      return parseFloat(style.opacity) >= 0.1 ? around.split(commas).flatMap(withoutHover) : []
    return rule instanceof view.CSSGroupingRule ? selectorsIn(rule.cssRules, view, around) : []
  })
}

const nested = (selector: string, around: string): string =>
  selector.includes('&') ? selector.replaceAll('&', `:is(${around})`) : `:is(${around}) ${selector}`

/** A selector as it would match while the mouse is there; none if it has no hover, or wants that there is none. */
function withoutHover(selector: string): string[] {
  if (selector.search(hover) < 0 || /:not\([^)]*(?<!\\):hover/.test(selector)) return []
  return [selector.replaceAll(hover, ':where(*)')]
}

function selectorsOf(sheet: CSSStyleSheet, view: Window & typeof globalThis): readonly string[] {
  try {
    const { cssRules, disabled } = sheet
    if (disabled || !view.matchMedia(sheet.media.mediaText || 'all').matches) return []
    let found = known.get(sheet)
    if (found?.count !== cssRules.length)
      known.set(sheet, (found = { count: cssRules.length, selectors: selectorsIn(cssRules, view) }))
    return found.selectors
  } catch {
    return [] // A sheet of another site.
  }
}

/** Whether an element that is transparent now becomes opaque while the mouse is over it, or over what is around it. */
export function appearsOnHover(element: Element): boolean {
  const root = rootOf(element)
  return [...root.styleSheets, ...root.adoptedStyleSheets].some((sheet) =>
    selectorsOf(sheet, viewOf(element)).some((selector) => {
      try {
        return element.matches(selector)
      } catch {
        return false // A selector that is valid only with its hover.
      }
    }),
  )
}
