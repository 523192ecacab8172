// What appears when the mouse is over something: buttons of a row that are transparent until then. No script can hover,
// but the style sheets say what would appear. Those of other sites cannot be read.
import { isTraversal, parse, SelectorType, stringify, type Selector } from 'css-what'
import { isElement, nativeProperty, rootOf, viewOf } from './dom.js'

/** A rule that needs a hover and makes something visible. */
interface HoverRule {
  /** Matches what appears, as if the mouse were there. */
  readonly selector: string
  readonly isOpaque: boolean
  /** The declarations that show a box: `display: flex;`. Empty if there are none. */
  readonly shows: string
}

/** The rules of a style sheet that make something visible on hover. */
interface Found {
  /** The number of rules, by which a sheet that has changed is noticed. */
  readonly count: number
  readonly rules: readonly HoverRule[]
}
const known = new WeakMap<CSSStyleSheet, Found>()

/** What a declaration makes of selectors with a hover. */
function rulesOf(written: string, style: CSSStyleDeclaration): HoverRule[] {
  const isOpaque = parseFloat(style.opacity) >= 0.1
  const shown = ['display', 'visibility'].filter(
    (name) => !/^(|none|hidden|collapse)$/.test(style.getPropertyValue(name)),
  )
  if (!isOpaque && shown.length === 0) return []
  const shows = shown.map((name) => {
    const important = style.getPropertyPriority(name) && ' !important'
    return `${name}: ${style.getPropertyValue(name)}${important};`
  })
  // What has no box cannot be hovered itself.
  return withoutHover(written).flatMap(({ selector, isOfItself }) =>
    isOfItself && !isOpaque ? [] : [{ selector, isOpaque, shows: isOfItself ? '' : shows.join(' ') }],
  )
}

/** Rules of a group that applies, such as a media query. `around`: the selector of the rule that they are nested in. */
function rulesIn(rules: CSSRuleList, view: Window & typeof globalThis, around?: string): HoverRule[] {
  return [...rules].flatMap((rule) => {
    if (rule instanceof view.CSSStyleRule) {
      const written = around === undefined ? rule.selectorText : nested(rule.selectorText, around)
      return [...rulesOf(written, rule.style), ...rulesIn(rule.cssRules, view, written)]
    }
    if (rule instanceof view.CSSMediaRule && !view.matchMedia(rule.media.mediaText).matches) return []
    // A declaration after a nested rule has a rule of its own, without a selector.
    const { style } = rule as Partial<CSSStyleRule>
    if (style !== undefined && around !== undefined && !('cssRules' in rule)) return rulesOf(around, style)
    return rule instanceof view.CSSGroupingRule ? rulesIn(rule.cssRules, view, around) : []
  })
}

const nested = (selector: string, around: string): string =>
  selector.includes('&') ? selector.replaceAll('&', `:is(${around})`) : `:is(${around}) ${selector}`

/** Matches wherever `:hover` may stand, and counts as much in the cascade. */
const [[anything]] = parse(':not(.tool-agent-unhovered)') as [[Selector]]

/** Those selectors of a list that need a hover, as they match while the mouse is there. */
function withoutHover(list: string): { readonly selector: string; readonly isOfItself: boolean }[] {
  if (!list.includes(':hover')) return []
  try {
    return parse(list).flatMap((selector) => {
      const { tokens, needs, denies } = replaceHover(selector)
      const last = selector.slice(selector.findLastIndex(isTraversal) + 1)
      const isOfItself = last.some((token) => token.type === SelectorType.Pseudo && token.name === 'hover')
      return needs && !denies ? [{ selector: stringify([tokens]), isOfItself }] : []
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

function rulesOfSheet(sheet: CSSStyleSheet, view: Window & typeof globalThis): readonly HoverRule[] {
  try {
    const { cssRules, disabled } = sheet
    if (disabled || !view.matchMedia(sheet.media.mediaText || 'all').matches) return []
    let found = known.get(sheet)
    if (found?.count !== cssRules.length)
      known.set(sheet, (found = { count: cssRules.length, rules: rulesIn(cssRules, view) }))
    return found.rules
  } catch {
    return [] // A sheet of another site.
  }
}

const hoverRulesOf = (root: Document | ShadowRoot, view: Window & typeof globalThis): HoverRule[] =>
  [...root.styleSheets, ...root.adoptedStyleSheets].flatMap((sheet) => rulesOfSheet(sheet, view))

/** Whether an element that is transparent now becomes opaque while the mouse is over it, or over what is around it. */
export function appearsOnHover(element: Element): boolean {
  return hoverRulesOf(rootOf(element), viewOf(element)).some(({ selector, isOpaque }) => {
    try {
      return isOpaque && element.matches(selector)
    } catch {
      return false // A selector that is valid only with its hover.
    }
  })
}

/** A selector and its declarations. */
type Rule = readonly [selector: string, declarations: string]

/** The elements of a tree that may have no box until the mouse is over something, and their rules. */
export function withoutBoxUntilHover(
  root: Document | ShadowRoot,
  view: Window & typeof globalThis,
): { readonly elements: ReadonlySet<Element>; readonly rules: readonly Rule[] } {
  const elements = new Set<Element>()
  const rules = hoverRulesOf(root, view).flatMap(({ selector, isOpaque, shows }): Rule[] => {
    try {
      if (shows !== '') for (const element of root.querySelectorAll(selector)) elements.add(element)
      return [[selector, `${shows} ${isOpaque ? 'opacity: 1' : ''}`]]
    } catch {
      return [] // A selector that is valid only with its hover.
    }
  })
  return { elements, rules }
}

/** Selects one element of a document or shadow root by its place. */
function pathTo(element: Element): string {
  const steps: string[] = []
  for (let node = element; ;) {
    const up = nativeProperty('Node', node, 'parentNode')
    if (isElement(up)) {
      steps.unshift(`:nth-child(${[...nativeProperty('Element', up, 'children')].indexOf(node) + 1})`)
      node = up
      continue
    }
    const isDocument = up?.nodeName === '#document'
    const place = isDocument ? 0 : [...(up as ShadowRoot).children].indexOf(node) + 1
    return [isDocument ? ':root' : `:host > :nth-child(${place})`, ...steps].join(' > ')
  }
}

/** The rules that show elements as the mouse would. `styles`: how each is displayed then. */
export const rulesShowing = (styles: ReadonlyMap<Element, { readonly display: string }>): Rule[] =>
  [...styles].map(([element, { display }]) => [
    pathTo(element),
    `display: ${display} !important; visibility: visible !important; opacity: 1 !important`,
  ])

/**
 * Applies rules to the document or shadow root of some elements, until the returned function is called. Neither starts
 * a transition, so that a person sees nothing if both happen in one task.
 */
export function applyRules(rules: readonly Rule[], elements: readonly Element[]): () => void {
  const [first] = elements
  if (!first) return () => {}
  const root = rootOf(first)
  const sheet = new (viewOf(first).CSSStyleSheet)()
  const still = rules.map(([selector]) => `${selector}, :is(${selector}) * { transition: none !important }`).join('\n')
  sheet.replaceSync(
    `${rules.map(([selector, declarations]) => `${selector} { ${declarations} }`).join('\n')}\n${still}`,
  )
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  return () => {
    sheet.replaceSync(still)
    // The styles must be computed while transitions are off.
    for (const element of elements) void viewOf(element).getComputedStyle(element).opacity
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}
