// Secrets that a page shows as text: what stands beside a label that names a secret, if it is written like one. The
// label may be the name of a row, a column, a list or a term, a heading, or the beginning of the same text.
import { memoize } from '../../core/state/memoize.js'
import { currentPage, elementsUnder, isElement, isTag, isText, nativeProperty } from '../dom/dom.js'
import { normalizeText, toComparable } from '../dom/text.js'
import type { Field } from '../read/field.js'
import { wordMark } from './redact.js'
import { folded } from './secret-compounds.js'
import { sensitiveKindIn } from './sensitive-kind.js'
import { termIn } from './sensitive-terms.js'

/** How near a label is: in the same text or row, or a heading above of which not every word is a value. */
type Nearness = 'beside' | 'below'

/** A longer text is a sentence, not a label. */
const longestLabel = 60
/** Values of one label and of a page: a pattern is made of them. */
const mostValues = { label: 60, page: 400 }
/** Elements that are looked at below one label. */
const mostElements = 400

/** A code for a booking is confirmed too, and visitors ask for it. */
const confirming = new RegExp(
  folded(
    'confirm|conferm|bestätig|bevestig|potwierd|potvr|подтвержд|确认|確認|확인|تاكيد|bekræft|bekreft|bekräft|onay',
  ),
  'u',
)

const knownLabels = new Map<string, boolean>()
/** Whether a text names a secret that pages show. Rows of a list differ by numbers, so these do not count. */
function namesSecret(text: string): boolean {
  if (text.length > longestLabel || !/\p{L}/u.test(text)) return false
  const key = text.replace(/\d+/g, '6')
  const known = knownLabels.get(key)
  if (known !== undefined) return known
  const comparable = toComparable(text)
  const kind = termIn(comparable) === undefined ? undefined : sensitiveKindIn(text)
  const isNamed = kind === 'password' || (kind === 'one-time-code' && !confirming.test(comparable))
  if (knownLabels.size >= 5_000) knownLabels.clear()
  knownLabels.set(key, isNamed)
  return isNamed
}

/** Words that name a secret only if what stands beside them is random. */
const weakLabel = new RegExp(
  `^(?:(?:your|my|the|ihr|dein|votre|su|tu|il tuo|uw) )?${folded(
    'key|token|secret|schlüssel|clé|clave|chiave|chave|sleutel|klucz|ключ|キー|鍵|密钥|مفتاح|키|nyckel|nøgle|nøkkel|' +
      'anahtar|klíč|avain|jeton|トークン|令牌|токен',
  )}$`,
  'u',
)

/** Whether a string has no meaning: long, of one piece, and its letters and digits change often. */
const isRandom = (text: string): boolean =>
  /^[\w+/=.-]{20,}$/.test(text) && (text.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)|[a-z](?=[A-Z])/g)?.length ?? 0) >= 4

const masked = /[•●∗＊…]|\*{2}|\.{3}|^[xX]+$/
/** What has digits and signs, and is no secret: addresses, dates, times, versions, sizes, paths. */
const ordinaryValue = new RegExp(
  '^(?:https?:|mailto:|www\\.|/)|@[\\w-]+\\.\\w|^\\d{1,4}[-./]\\d{1,2}[-./]\\d{1,4}|^\\d{1,2}:\\d\\d|' +
    '^v?\\d+(?:\\.\\d+)+$|' +
    '^[\\d.,]+\\s?(?:%|px|em|ms|s|d|h|min|kb|mb|gb|€|\\$)$|^[$€£¥]|^[a-z]+\\(|^\\[',
  'i',
)
/** States of a secret, where its value could stand. */
const states = new RegExp(
  `^(?:${
    'required|optional|missing|invalid|incorrect|wrong|expired|weak|strong|medium|good|fair|empty|filled|' +
    'private|hidden|unset|none|unknown|changed?|change|active|inactive|enabled|disabled|revoked|created|' +
    'deleted|saved|updated|needed|necessary|failed|accepted|verified|pending|protected|reset|show|copied|' +
    'unchanged|erforderlich|notwendig|falsch|abgelaufen|schwach|stark|gesetzt|obligatoire|requis|' +
    'incorrecte?|invalide|expire|faible|facultatif|obligatorio|requerido|incorrecta?|caducad[ao]|debil|' +
    'fuerte|opcional|obbligatori[ao]|richiest[ao]|errat[ao]|scadut[ao]|debole|obrigatori[ao]|' +
    'incorret[ao]|fraca|forte|verplicht|vereist|onjuist|verlopen|zwak|sterk|wymagane|nieprawidlowe|' +
    'wygaslo'
  })$`,
)

const mixed = /^(?=.*\d)(?=.*\p{L})\S+$/u
const signed = /^(?=.*\p{L})(?=.*[-_.+=@#$%^&*!~?/\\])[\x21-\x7e]+$/u
const groups = /^(?=.*\d)[A-Za-z\d]{3,8}(?:[ -][A-Za-z\d]{3,8}){1,7}$/
/** Groups of one length, such as `8H2K 9QPL`. "Step2 done" is text. */
const isGrouped = (text: string): boolean =>
  groups.test(text) && new Set(text.split(/[ -]/).map(({ length }) => length)).size === 1

/** Whether a text is written like a secret. `isCode`: it is set as code, so a plain word counts as well. */
function isValue(text: string, nearness: Nearness, isCode: boolean): boolean {
  if (text.length < 4 || text.length > 300 || masked.test(text) || ordinaryValue.test(text)) return false
  if (isPhrase(text)) return true
  if (isGrouped(text)) return text.length >= 7
  if (/\s/.test(text)) return false
  if (/^\d+$/.test(text)) return nearness === 'beside' ? text.length <= 12 : isCode || text.length >= 6
  const least = nearness === 'beside' || isCode ? 5 : 8
  if (mixed.test(text)) return text.length >= least
  if (signed.test(text) && /[^-./\\]/.test(text)) return text.length >= 8 && (isCode || nearness === 'beside')
  return isCode && /^[A-Za-z]{6,}$/.test(text) && !states.test(text.toLowerCase())
}

/** Twelve to 24 words, as the phrase of a wallet has, also numbered. */
const isPhrase = (text: string): boolean => /^(?:(?:\d{1,2}[.):]? ?)?\p{Ll}{3,12}(?:[ ,;]+|$)){12,24}$/u.test(text)

const code = new Set(['code', 'kbd', 'samp', 'pre', 'tt', 'var', 'output', 'data'])
/** What is pressed, explains itself, or holds what the visitor types. */
const passedOver = new Set(['button', 'a', 'select', 'option', 'svg', 'summary', 'nav'])
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'legend', 'caption', 'summary', 'dt', 'figcaption'])

const nameOf = (element: Element): string => nativeProperty('Element', element, 'localName').toLowerCase()
const partsOf = (element: Element): Node[] => [...nativeProperty('Node', element, 'childNodes')]
const isHeading = (element: Element): boolean =>
  headings.has(nameOf(element)) || element.getAttribute('role') === 'heading'
const cell = 'td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]'

/** Without the number of an item, quotes, and the stop of a sentence. */
const bare = (text: string): string =>
  normalizeText(text)
    .replace(/^(?:#?\d{1,2}[.):]\s|[-–•·:：=]\s?)/, '')
    .replace(/^["'“”„«»`‘’]+|["'“”„«»`‘’]+$/g, '')

/** The values in a part of the page that belongs to a label. */
class Values {
  readonly found: string[] = []
  readonly #words: string[] = []
  #left = mostElements

  /** Adds what is written like a secret in the node. */
  add(node: Node, nearness: Nearness, isWeak = false, isCode = false): void {
    if (--this.#left < 0 || this.found.length >= mostValues.label) return
    if (isText(node)) {
      for (const line of node.data.split('\n')) this.#addText(bare(line), nearness, isWeak, isCode)
      return
    }
    if (!isElement(node)) return
    const name = nameOf(node)
    if (isTag(node, 'input', 'textarea')) {
      if (node.readOnly || node.disabled) this.#addText(node.value.trim(), 'beside', isWeak, true)
      return
    }
    if (passedOver.has(name) || /^(?:button|link|tab|menu)$/.test(node.getAttribute('role') ?? '')) return
    const isSet = isCode || code.has(name)
    const whole = bare(nativeProperty('Node', node, 'textContent') ?? '')
    // A phrase or a code whose pieces are elements of their own.
    if (whole.length <= 300 && (isPhrase(whole) || isGrouped(whole)) && !isWeak) this.found.push(whole)
    for (const part of partsOf(node)) this.add(part, nearness, isWeak, isSet)
  }

  #addText(text: string, nearness: Nearness, isWeak: boolean, isCode: boolean): void {
    const word = text.replace(/^\d{1,2}\s?/, '')
    if (/^\p{Ll}{3,12}$/u.test(word)) this.#words.push(word)
    if (isWeak ? isRandom(text) : isValue(text, nearness, isCode)) this.found.push(text)
  }

  /** All, with the words of a phrase that are in elements of their own. */
  all(): string[] {
    const words = this.#words.length >= 12 && this.#words.length <= 24 ? this.#words : []
    return [...this.found, ...words.map((word) => `${wordMark}${word}`)]
  }
}
/** The siblings of a node that come after it. */
function following(node: Node): Node[] {
  const parent = nativeProperty('Node', node, 'parentNode')
  if (!parent) return []
  const all = [...nativeProperty('Node', parent, 'childNodes')]
  return all.slice(all.indexOf(node as ChildNode) + 1)
}

/** The other cells of a row whose first cell is the label, or those of a column whose head it is. */
function addCells(label: Element, values: Values, isWeak: boolean): void {
  const row = label.closest('tr,[role=row]')
  const table = label.closest('table,[role=table],[role=grid],[role=treegrid]')
  if (!row || !table) return
  const cellsOf = (one: Element): Element[] => [...one.querySelectorAll(`:scope > :is(${cell})`)]
  const own = cellsOf(row)
  const at = own.indexOf(label)
  const isHead = own.length > 1 && own.every((one) => isTag(one, 'th') || one.getAttribute('role') === 'columnheader')
  if (!isHead) {
    for (const one of own.slice(at + 1)) values.add(one, 'beside', isWeak)
    return
  }
  for (const other of table.querySelectorAll('tr,[role=row]')) {
    const one = other === row ? undefined : cellsOf(other)[at]
    if (one) values.add(one, 'beside', isWeak)
  }
}

/** Where a label is not followed by its value, a box around it may be. */
const mostLevels = 4

/** Adds what belongs to the label that this text is. */
function addBeside(label: Text, values: Values, isWeak: boolean): void {
  let node: Node = label
  let isAbove = false
  let nearness: Nearness = 'beside'
  for (let level = 0; level < mostLevels; level++) {
    let kind: string | undefined
    for (const next of following(node)) {
      if (isBlank(next)) continue
      if (isAbove && isElement(next) && isHeading(next)) return
      // The label names a field, which is private by itself.
      if (!isAbove && isElement(next) && takesInput(next)) return
      const before = values.found.length
      values.add(next, nearness, isWeak)
      if (isAbove || (isElement(next) && passedOver.has(nameOf(next)))) continue
      // Beside a label is what follows it directly, after its buttons, and others of the same kind.
      if (values.found.length === before || (kind ??= next.nodeName) !== next.nodeName) break
    }
    if (values.all().length > 0) return
    const parent: Node | null = nativeProperty('Node', node, 'parentNode')
    if (!isElement(parent) || /^(?:body|main|section|article|form|ul|ol|table|tr|dl)$/.test(nameOf(parent))) return
    if (parent.matches(cell)) return addCells(parent, values, isWeak)
    isAbove ||= isHeading(parent)
    if (isHeading(parent) && nameOf(parent) !== 'dt' && !/[:：]\s*$/.test(label.data)) nearness = 'below'
    // Only the label, and buttons, may be in the box that is left.
    const rest = normalizeText(nativeProperty('Node', parent, 'textContent') ?? '')
    if (!isAbove && rest.length > label.data.length + 24) return
    node = parent
  }
}

/** Whether the visitor can type into an element, or into one inside. */
function takesInput(element: Element): boolean {
  const fields =
    'input:not([type=hidden],[type=checkbox],[readonly],[disabled]),textarea:not([readonly],[disabled]),select'
  return (
    Element.prototype.matches.call(element, fields) || Element.prototype.querySelector.call(element, fields) !== null
  )
}

/** Whether nothing can be read of a node: a line break, a colon. */
function isBlank(node: Node): boolean {
  if (isText(node)) return /^[\s:：=–—-]*$/.test(node.data)
  if (!isElement(node) || isTag(node, 'input', 'textarea')) return !isElement(node)
  return (
    (nativeProperty('Node', node, 'textContent') ?? '').trim() === '' &&
    nativeProperty('Element', node, 'shadowRoot') === null &&
    Element.prototype.querySelector.call(node, 'input,textarea') === null
  )
}

const verbs = 'is|ist|lautet|est|es|è|é|jest|to|er|är'
/** "Password: x", "Your code is x". The value is the rest of a line or sentence. */
const inOneText = new RegExp(
  `([^.,;:!?\\n=：]{2,60}?)(?:["']?\\s?[:：=]\\s?|\\s[–—-]\\s|\\s(?:${verbs})\\s(?:now\\s)?:?\\s?|[は是为為])` +
    '["\'“„«`‘]?([\\x21-\\x7e]{4,128}?)["\'”“»`’]?(?=[.,;:!?)]?(?:\\s|$))',
  'gu',
)
const saysOf = new RegExp(`[:：=は是为為]|\\s(?:[–—-]|${verbs})\\s`, 'u')
/** What a label ends with when its value follows in an element of its own. */
const labelEnd = new RegExp(`(?:\\s+(?:${verbs})|[は是为為])$|[\\s:：=–-]+$`, 'gu')

/** Adds what a text says after a label in itself. */
function addOfText(text: string, found: string[]): void {
  if (text.length > 2_000) return
  for (const [, label = '', value = '', end] of [...text.matchAll(inOneText)].map(
    (match) => [...match, match.index + match[0].length] as [string, string, string, number],
  )) {
    const isWeak = weakLabel.test(toComparable(label))
    if (isWeak && isRandom(value)) found.push(value)
    if (isWeak || !namesSecret(label.trim())) continue
    const isLast = /^[.!]?\s*(?:\n|$)/.test(text.slice(end))
    const isWord = isLast && /^[A-Za-z]{5,}$/.test(value) && !states.test(toComparable(value))
    if (isWord || isValue(value, 'beside', false)) found.push(value)
  }
}

const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/

/** The secrets that the page shows now: see the head of this file. `fields` are those of the page. */
export const shownSecrets = memoize((fields: readonly Field[]): readonly string[] => {
  const found: string[] = fields.flatMap(({ element, ownLabel }) => {
    const isFixed = isTag(element, 'input', 'textarea') && (element.readOnly || element.disabled)
    return isFixed && weakLabel.test(toComparable(ownLabel)) && isRandom(element.value.trim()) ? [element.value] : []
  })
  for (const element of elementsUnder(currentPage().documentElement)) {
    if (found.length >= mostValues.page) break
    const name = nameOf(element)
    if (name === 'textarea' || name === 'option' || name === 'button') continue
    for (const node of partsOf(element)) {
      if (!isText(node) || node.data.length < 2) continue
      const text = node.data
      if (saysOf.test(text)) addOfText(text, found)
      if (privateKey.test(text)) found.push(...linesAround(element))
      if (text.length > 200) continue
      const label = normalizeText(text).replace(labelEnd, '').replace(labelEnd, '')
      const isWeak = weakLabel.test(toComparable(label))
      if (!isWeak && !namesSecret(label)) continue
      const values = new Values()
      addBeside(node, values, isWeak)
      found.push(...values.all())
    }
  }
  return found.slice(0, mostValues.page)
})

/** The lines of a private key, which may be elements of their own. */
function linesAround(element: Element): string[] {
  const block = element.closest('pre,code,textarea') ?? element.parentElement ?? element
  return (nativeProperty('Node', block, 'textContent') ?? '').split(/\s+/).filter((line) => /^[\w+/=]{16,}$/.test(line))
}
