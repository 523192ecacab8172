// Evaluates a model's CSS selector against the public tree. `querySelectorAll` also matches hidden inputs, ignored
// parts and values, so a series of guesses could read them.
import { AttributeAction, parse, SelectorType } from 'css-what'
import type { AttributeSelector, PseudoSelector, Selector } from 'css-what'
import { ToolAgentError } from '../../core/data/errors.js'
import { withoutPrivateParameters, redactEchoes } from './redact.js'
import { isTag, isText, nativeProperty, currentPage } from '../dom/dom.js'
import { publicTree, tagOf } from './public-tree.js'
import type { TreePosition, PublicTree } from './public-tree.js'
import { secretsHeld } from '../dom/page-snapshot.js'
import { isPrivateAmong } from '../read/named-parts.js'
import { deadline, patience } from '../waiting/until.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'

/** A parsed selector list: alternatives, each a sequence of tokens. */
type List = readonly (readonly Selector[])[]
type Test = (element: Element) => boolean

const maxLength = 1000

/** Attributes whose values may be compared: names, roles and states. */
const comparable = new RegExp(
  `^(${[
    'id|name|class|type|role|href|for|lang|dir|alt|title|placeholder|rel|target|action|method|scope|headers|open',
    'disabled|required|readonly|multiple|checked|selected|hidden|autocomplete|tabindex|contenteditable|colspan|rowspan',
    'aria-(?!value)[a-z]+',
    'data-(testid|test|test-id|id|cy|qa|state|type|role|action|name|index|key|column|row)',
  ].join('|')})$`,
)
/** The attributes of a private field that a selector may test. All others may carry its value. */
const ofPrivate =
  /^(id|name|class|type|role|autocomplete|(aria-)?(required|disabled)|readonly|aria-(label|labelledby|invalid))$/
/** Comparable attributes whose values are case-insensitive in HTML. */
const caseless = /^(type|lang|dir|rel|target|method|scope|open|disabled|required|readonly|multiple|checked|selected)$/
const states = new Set([
  'any-link',
  'checked',
  'disabled',
  'enabled',
  'link',
  'optional',
  'read-only',
  'read-write',
  'required',
])

const allowed =
  'Supported: tags, #id, .class, attributes for names, roles and states, the combinators " ", ">", "+" and "~", ' +
  ':is(), :where(), :not(), :has(), :root, :empty, the :nth-child() family without "of", ' +
  `and ${[...states].map((name) => `:${name}`).join(', ')}.`
const refused = (what: string): ToolAgentError => new ToolAgentError('invalid-input', `${what}. ${allowed}`)

/**
 * Parses a CSS selector; undefined if the text is not one.
 * @throws `invalid-input` if the text is too long
 */
export function parseSelector(text: string): List | undefined {
  if (text.length > maxLength) throw refused(`A selector has at most ${maxLength} characters, received ${text.length}`)
  try {
    return parse(text)
  } catch {
    return undefined // The caller reports it, or uses the text as a name.
  }
}

/**
 * All matches in the document, open shadow roots and same-origin frames, in document order.
 * @throws `invalid-input` if the selector uses what could reveal private values, or takes too long
 */
export function selectElements(list: List, snapshot: PageSnapshot): Element[] {
  const fields = snapshot.fields()
  const tree = publicTree(isPrivateAmong(fields))
  const found = new Evaluation(tree, redactEchoes(secretsHeld(fields))).list(list)
  return [...tree.places.keys()].filter((element) => found.has(element))
}

/** A compound selector and the combinator before it. */
interface Part {
  readonly by: SelectorType | undefined
  readonly compound: readonly Selector[]
}

const combinators = new Set<SelectorType>([
  SelectorType.Descendant,
  SelectorType.Child,
  SelectorType.Adjacent,
  SelectorType.Sibling,
])

function partsOf(selector: readonly Selector[]): Part[] {
  const parts: { by: SelectorType | undefined; compound: Selector[] }[] = [{ by: undefined, compound: [] }]
  for (const token of selector) {
    const last = parts.at(-1)
    if (token.type === SelectorType.Parent || token.type === SelectorType.ColumnCombinator)
      throw refused('A selector cannot use this combinator')
    if (!combinators.has(token.type)) last?.compound.push(token)
    else if (parts.length === 1 && last?.compound.length === 0) parts[0] = { by: token.type, compound: [] }
    else parts.push({ by: token.type, compound: [] })
  }
  if (parts.some(({ compound }) => compound.length === 0)) throw refused('A selector cannot end with a combinator')
  return parts
}

/** Evaluates sets of elements instead of backtracking, so that the time is bounded for every selector. */
class Evaluation {
  readonly #tree: PublicTree
  readonly #redact: (text: string) => string
  readonly #isLate = deadline(patience.selector)

  constructor(tree: PublicTree, redact: (text: string) => string) {
    this.#tree = tree
    this.#redact = redact
  }

  /** The elements that match at least one of the selectors. */
  list(list: List, inHas = false): Set<Element> {
    return new Set(
      list.flatMap((selector) => {
        let found: Iterable<Element> = this.#tree.places.keys()
        partsOf(selector).forEach(({ by, compound }, index) => {
          if (by && index === 0) throw refused('A selector cannot begin with a combinator')
          found = this.#matching(by ? this.#after(new Set(found), by) : found, compound, inHas)
        })
        return [...found]
      }),
    )
  }

  /** The elements for which at least one of the relative selectors of a `:has()` matches. */
  #has(list: List): Set<Element> {
    return new Set(
      list.flatMap((selector) => {
        let found: Iterable<Element> = this.#tree.places.keys()
        for (const { by = SelectorType.Descendant, compound } of partsOf(selector).reverse()) {
          found = this.#before(this.#matching(found, compound, true), by)
        }
        return [...found]
      }),
    )
  }

  #matching(among: Iterable<Element>, compound: readonly Selector[], inHas: boolean): Set<Element> {
    const tests = compound.map((token) => this.#test(token, inHas))
    if (this.#isLate()) throw refused('The selector takes too long on this page')
    return new Set([...among].filter((element) => tests.every((test) => test(element))))
  }

  /** The elements that follow one of these by the combinator: descendants, children or later siblings. */
  #after(from: ReadonlySet<Element>, by: SelectorType): Set<Element> {
    const found = new Set<Element>()
    if (by === SelectorType.Adjacent || by === SelectorType.Sibling) {
      for (const list of this.#tree.siblings.values()) addFollowing(list, from, by, found)
    } else {
      for (const [element, { parent }] of this.#tree.places) {
        if (parent && (from.has(parent) || (by === SelectorType.Descendant && found.has(parent)))) found.add(element)
      }
    }
    return found
  }

  /** The elements that one of these follows by the combinator: ancestors, parents or earlier siblings. */
  #before(to: ReadonlySet<Element>, by: SelectorType): Set<Element> {
    const found = new Set<Element>()
    if (by === SelectorType.Adjacent || by === SelectorType.Sibling) {
      for (const list of this.#tree.siblings.values()) addFollowing([...list].reverse(), to, by, found)
    } else {
      for (const element of to) {
        let up = this.#parent(element)
        for (; up && !found.has(up); up = by === SelectorType.Descendant ? this.#parent(up) : null) found.add(up)
      }
    }
    return found
  }

  #parent(element: Element): Element | null {
    return this.#tree.places.get(element)?.parent ?? null
  }

  #test(token: Selector, inHas: boolean): Test {
    switch (token.type) {
      case SelectorType.Universal:
        return this.#inNamespace(token.namespace, () => true)
      case SelectorType.Tag:
        return this.#inNamespace(token.namespace, (element) => tagOf(element) === token.name.toLowerCase())
      case SelectorType.Attribute:
        return this.#attribute(token, inHas)
      case SelectorType.Pseudo:
        return this.#pseudo(token, inHas)
      case SelectorType.PseudoElement:
        throw refused(`A selector cannot use ::${token.name}`)
      default:
        throw refused(`A selector cannot use ${token.type}`)
    }
  }

  #inNamespace(namespace: string | null, test: Test): Test {
    if (namespace !== null && namespace !== '*') throw refused('A selector cannot use namespaces')
    return test
  }

  #attribute({ name, action, value, ignoreCase, namespace }: AttributeSelector, inHas: boolean): Test {
    if (action !== AttributeAction.Exists && !comparable.test(name)) {
      throw refused(`A selector cannot compare the attribute ${name}`)
    }
    if (inHas && /^(checked|selected)$/.test(name)) throw refusedChoice()
    const isCaseless =
      ignoreCase === 'quirks' ? currentPage().compatMode === 'BackCompat' : (ignoreCase ?? caseless.test(name))
    const fold = (text: string): string => (isCaseless ? text.toLowerCase() : text)
    const holds = comparison(action, fold(value))
    return this.#inNamespace(namespace, (element) => {
      if (this.#tree.places.get(element)?.isPrivate && !ofPrivate.test(name)) return false
      const text = Element.prototype.getAttribute.call(element, name)
      // Redacted first: a selector must not test what a result would not show.
      if (text === null) return false
      return holds(fold(this.#redact(/^(href|action)$/.test(name) ? withoutPrivateParameters(text) : text)))
    })
  }

  #pseudo({ name, data }: PseudoSelector, inHas: boolean): Test {
    const place = (element: Element): TreePosition | undefined => this.#tree.places.get(element)
    if (data === null) {
      if (inHas && name === 'checked') throw refusedChoice()
      if (states.has(name)) {
        return (element) =>
          !(name === 'checked' && place(element)?.isPrivate) && Element.prototype.matches.call(element, `:${name}`)
      }
      switch (name) {
        case 'root':
          return (element) => place(element)?.parent === null && isTag(element, 'html')
        case 'empty':
          return (element) =>
            !this.#tree.siblings.has(element) && (place(element)?.isPrivate === true || !holdsText(element))
        case 'first-child':
          return (element) => place(element)?.nth === 1
        case 'last-child':
          return (element) => fromEnd(place(element), false) === 1
        case 'only-child':
          return (element) => place(element)?.count === 1
        case 'first-of-type':
          return (element) => place(element)?.nthOfType === 1
        case 'last-of-type':
          return (element) => fromEnd(place(element), true) === 1
        case 'only-of-type':
          return (element) => place(element)?.countOfType === 1
      }
    } else if (typeof data === 'string') {
      const isAt = parseFormula(data)
      switch (isAt && name) {
        case 'nth-child':
          return (element) => isAt?.(place(element)?.nth ?? 0) === true
        case 'nth-last-child':
          return (element) => isAt?.(fromEnd(place(element), false)) === true
        case 'nth-of-type':
          return (element) => isAt?.(place(element)?.nthOfType ?? 0) === true
        case 'nth-last-of-type':
          return (element) => isAt?.(fromEnd(place(element), true)) === true
      }
    } else if (/^(is|where|not|has)$/.test(name)) {
      const found = name === 'has' ? this.#has(data) : this.list(data, inHas)
      return (element) => found.has(element) !== (name === 'not')
    }
    throw refused(`A selector cannot use :${name}${typeof data === 'string' ? `(${data})` : ''}`)
  }
}

const holdsText = (element: Element): boolean =>
  [...nativeProperty('Node', element, 'childNodes')].some((node) => isText(node) && node.data !== '')

const refusedChoice = (): ToolAgentError =>
  refused('A selector cannot test inside :has() what is checked or selected: use form_read')

/** Position from the end, from 1; 0 if the element is not in the tree. */
function fromEnd(place: TreePosition | undefined, ofType: boolean): number {
  if (!place) return 0
  return (ofType ? place.countOfType - place.nthOfType : place.count - place.nth) + 1
}

/** Adds the elements of the list that come directly (`+`) or anywhere (`~`) after one of these. */
function addFollowing(
  list: readonly Element[],
  from: ReadonlySet<Element>,
  by: SelectorType,
  found: Set<Element>,
): void {
  let follows = false
  for (const element of list) {
    if (follows) found.add(element)
    follows = from.has(element) || (follows && by === SelectorType.Sibling)
  }
}

function comparison(action: AttributeAction, wanted: string): (text: string) => boolean {
  switch (action) {
    case AttributeAction.Exists:
      return () => true
    case AttributeAction.Equals:
      return (text) => text === wanted
    case AttributeAction.Hyphen:
      return (text) => text === wanted || text.startsWith(`${wanted}-`)
    case AttributeAction.Element:
      return (text) => wanted !== '' && text.split(/[ \t\n\f\r]+/).includes(wanted)
    case AttributeAction.Start:
      return (text) => wanted !== '' && text.startsWith(wanted)
    case AttributeAction.End:
      return (text) => wanted !== '' && text.endsWith(wanted)
    case AttributeAction.Any:
      return (text) => wanted !== '' && text.includes(wanted)
    default:
      throw refused('A selector cannot use [name!=value]: write :not([name=value])')
  }
}

/** A test for a formula such as `2n+1`; undefined if the text is not a formula. */
function parseFormula(formula: string): ((nth: number) => boolean) | undefined {
  const text = formula
    .trim()
    .toLowerCase()
    .replace(/^odd$/, '2n+1')
    .replace(/^even$/, '2n')
  const found = /^(?:(?<factor>[+-]?\d*)n(?:\s*(?<sign>[+-])\s*(?<rest>\d+))?|(?<only>[+-]?\d+))$/.exec(text)
  if (!found?.groups) return undefined
  const { factor, sign, rest, only } = found.groups
  const step = factor === undefined ? 0 : Number(/\d/.test(factor) ? factor : `${factor}1`)
  const first = Number(only ?? `${sign ?? ''}${rest ?? 0}`)
  return (nth) => (step === 0 ? nth === first : (nth - first) % step === 0 && (nth - first) / step >= 0)
}
