// What appears when the mouse is over something: buttons of a row that are transparent until then. No script can hover,
// but the style sheets say what would appear. Those of other sites cannot be read.
import { parse, SelectorType, stringify, type Selector } from 'css-what'
import { rootOf, viewOf } from './dom.js'

/** The selectors of a style sheet whose rules make something opaque on hover, without the hover. */
interface Found {
  /** The number of rules, by which a sheet that has changed is noticed. */
  readonly count: number
  readonly selectors: readonly string[]
}
const known = new WeakMap<CSSStyleSheet, Found>()

/** Rules of a group that applies, such as a media query. `around`: the selector of the rule that they are nested in. */
function selectorsIn(rules: CSSRuleList, view: Window & typeof globalThis, around?: string): string[] {
  return [...rules].flatMap((rule) => {
    if (rule instanceof view.CSSStyleRule) {
      const written = around === undefined ? rule.selectorText : nested(rule.selectorText, around)
      const appears = parseFloat(rule.style.opacity) >= 0.1
      const own = appears ? withoutHover(written) : []
      return [...own, ...selectorsIn(rule.cssRules, view, written)]
    }
    if (rule instanceof view.CSSMediaRule && !view.matchMedia(rule.media.mediaText).matches) return []
    // A declaration after a nested rule has a rule of its own, without a selector.
    const { style } = rule as Partial<CSSStyleRule>
    if (style !== undefined && around !== undefined && !('cssRules' in rule))
      return parseFloat(style.opacity) >= 0.1 ? withoutHover(around) : []
    return rule instanceof view.CSSGroupingRule ? selectorsIn(rule.cssRules, view, around) : []
  })
}

const nested = (selector: string, around: string): string =>
  selector.includes('&') ? selector.replaceAll('&', `:is(${around})`) : `:is(${around}) ${selector}`

/** `:where(*)`, which matches wherever `:hover` may stand. */
const anything: Selector = {
  type: SelectorType.Pseudo,
  name: 'where',
  data: [[{ type: SelectorType.Universal, namespace: null }]],
}

/** Those selectors of a list that need a hover, as they match while the mouse is there. */
function withoutHover(list: string): string[] {
  if (!list.includes(':hover')) return []
  try {
    return parse(list).flatMap((selector) => {
      const { tokens, needs, denies } = replaceHover(selector)
      return needs && !denies ? [stringify([tokens])] : []
    })
  } catch {
    return [] // Newer syntax than the parser knows.
  }
}

/** A selector without its hovers. `needs`: it has one; `denies`: one must not be. */
function replaceHover(selector: readonly Selector[]): { tokens: Selector[]; needs: boolean; denies: boolean } {
  let [needs, denies] = [false, false]
  const tokens = selector.map((token): Selector => {
    if (token.type !== SelectorType.Pseudo) return token
    if (token.name === 'hover') {
      needs = true
      return anything
    }
    if (!Array.isArray(token.data)) return token
    const inner = token.data.map(replaceHover)
    if (inner.some((one) => one.denies || (one.needs && token.name === 'not'))) denies = true
    if (inner.some((one) => one.needs)) needs = true
    return { ...token, data: inner.map((one) => one.tokens) }
  })
  return { tokens, needs, denies }
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
