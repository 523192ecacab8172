// Everything that a control says about what it does: what a person reads (name, title, description, symbol), what its
// markup calls it (the names of actions, of tests and of handlers), and the look of danger.
import { byIds, isTag, propertyOf } from '../dom/dom.js'
import { nameOrText, roleOf } from '../dom/accessible-name.js'
import { normalizeText, saysNothing } from '../dom/text.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { hint, iconNames, textAttributes } from '../read/icons.js'
import { closesDialog, effectOfCodeName, effectOfIconName, effectOfSymbol, effectOfWords } from './match-vocabulary.js'

type Said = 'send' | 'destroy' | undefined
/** What reads the texts of a control. */
type Reader = Pick<PageSnapshot, 'visibility' | 'redact'>

/** Longer texts explain; they are no commands. */
const longestText = 80
/** A command has few words: of "Login fails on Safari", which is content, nobody knows the effect. */
const mostWords = 4

/** Attributes in which pages name what a control does. */
const codeAttributes = [
  'data-action',
  'data-command',
  'data-cmd',
  'data-event',
  'data-operation',
  'data-testid',
  'data-test-id',
  'data-test',
  'data-cy',
  'data-qa',
  'data-method',
  'data-turbo-method',
  'data-icon',
]
/** Attributes whose value is a call: `onclick="removeRow(5)"`, `wire:click`, `x-on:click.prevent`, `@click`. */
const isHandler = (name: string): boolean => /^(?:on|.*[:@(-])(?:click|submit|change)(?:[.)].*)?$/.test(name)
/** Attributes that send a request: `hx-delete="/rows/5"`. */
const requestAttribute = /^(?:hx|data-hx|ic|up|fx)-(delete|post|put|patch)(?:-to)?$/

/** The name of the function that a handler calls first. */
const calledBy = (code: string): string => /(?:^|[\s;!(])(?:[\w$]+\.)*([\w$-]+)\s*(?:\(|$)/.exec(code.trim())?.[1] ?? ''

/** Names in the markup of a control. */
function codeNames(control: Element): string[] {
  return [...control.attributes].flatMap(({ name, value }) => {
    if (codeAttributes.includes(name)) return [value.slice(0, 60)]
    if (isHandler(name)) return [calledBy(value)]
    const [, method = ''] = requestAttribute.exec(name) ?? []
    if (method !== '') return [method, ...value.split(/[/?]/).slice(-2)]
    return []
  })
}

const isButton = (control: Element): boolean =>
  isTag(control, 'button') ||
  (isTag(control, 'input') && /^(?:button|submit|image|reset)$/.test(control.type)) ||
  /^(?:button|menuitem)$/.test(roleOf(control) ?? '')

/** Names of a button that are no commands by their form, but often by their words: `btn-delete`. */
const ownNames = (control: Element): string[] =>
  isButton(control) ? ['id', 'name', 'value'].map((name) => control.getAttribute(name)?.slice(0, 60) ?? '') : []

/**
 * What the symbols and icons of a control stand for, and what its markup calls it. Without words any icon speaks, and
 * beside words only a bin does.
 */
function signsOf(control: Element, { visibility }: Reader): Said[] {
  const name = nameOrText(control, visibility)
  const icons = iconNames(control, visibility)
  // The word of a ligature is drawn as an icon.
  const isAlone = !/[\p{L}\p{N}]/u.test(name) || icons.includes(name.replaceAll('_', ' '))
  const drawn = isButton(control) || isAlone ? icons.map(effectOfIconName) : []
  const called = [...codeNames(control), ...ownNames(control)].map(effectOfIconName)
  const own = isAlone ? drawn : drawn.filter((one) => one === 'bin')
  // Some sets of icons have words for classes: `<i class="trash alternate icon">`.
  if (isAlone) own.push(effectOfIconName(hint(control, visibility)))
  const all = [effectOfSymbol(name), ...own, ...called.filter((one) => one !== 'send')]
  return all.map((one) => (one === 'bin' ? 'destroy' : one))
}

/** Words of a class that mark what is dangerous, in the style libraries of the web. */
const danger = /(?:^|[-_])(?:danger|destructive|critical)(?:$|[-_])/i
const looksDangerous = (control: Element): boolean =>
  isButton(control) && (control.getAttribute('class') ?? '').split(/\s+/).some((one) => danger.test(one))

/** The texts of a control that a person reads or hears, its name first. */
function textsOf(control: Element, { visibility, redact }: Reader): string[] {
  const name = nameOrText(control, visibility)
  const texts = [
    name,
    ...textAttributes.map((attribute) => control.getAttribute(attribute) ?? ''),
    control.getAttribute('aria-description') ?? '',
    ...byIds(control, 'aria-describedby').map((one) => visibility.visibleText(one, undefined, longestText + 1)),
  ]
  // A name of signs alone says nothing; its icon, its class or the title around it may.
  if (saysNothing(name) || !/[\p{L}\p{N}]/u.test(name)) texts.push(hint(control, visibility))
  return texts.map((text) => redact(normalizeText(text))).filter((text) => text !== '' && text.length <= longestText)
}

/** The words of a text; scripts that do not separate them have about five letters in one. */
const countWords = (text: string): number =>
  text.split(/\s+/).length + Math.floor((text.match(/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/gu)?.length ?? 0) / 5)

const effectOfText = (text: string): Said => {
  const effect = effectOfWords(text)
  return effect === 'send' && countWords(text) > mostWords ? undefined : effect
}

/** The effect that a control announces; undefined if it announces none. */
export function effectOfControlWords(control: Element, snapshot: Reader): Said {
  const texts = textsOf(control, snapshot)
  const [name = ''] = texts
  // What only closes is often red, and in a component named after what it cancels.
  if (closesDialog(name)) return undefined
  const said = [...texts.map(effectOfText), ...signsOf(control, snapshot)]
  if (said.includes('destroy') || looksDangerous(control)) return 'destroy'
  const codes = codeNames(control).map(effectOfCodeName)
  if (codes.includes('destroy')) return 'destroy'
  return said.includes('send') || (!/[\p{L}]/u.test(name) && codes.includes('send')) ? 'send' : undefined
}

/** Whether a control is one of several in a list of alike rows: its name is what the row holds, not what it does. */
function namesContent(control: Element): boolean {
  const row = control.closest('li,tr,[role=listitem],[role=row]')
  const role = roleOf(control)
  const hasTwin = (one: Element): boolean =>
    one !== row &&
    one.localName === row?.localName &&
    [...one.querySelectorAll('*')].some((inner) => roleOf(inner) === role)
  return [...(row?.parentElement?.children ?? [])].some(hasTwin)
}

/** Whether a choice is sent with a form by a button of its own, whose press asks: it only holds a value until then. */
export function isSentLater(choice: Element): boolean {
  const form = propertyOf(choice as HTMLInputElement, 'form')
  const senders = 'button:not([type=button],[type=reset]),input:is([type=submit],[type=image])'
  return form != null && Element.prototype.querySelector.call(form, senders) !== null
}

/**
 * Whether a box, a switch or an option says that it deletes or pays: "Pay the open invoice". Words of a row of a list,
 * such as a list of tasks, do not count.
 */
export function choiceDestroys(control: Element, snapshot: Reader): boolean {
  if (namesContent(control) || isSentLater(control)) return false
  const labels = [...((propertyOf(control, 'labels') as NodeListOf<Element> | null | undefined) ?? [])]
  const texts = [
    ...textsOf(control, snapshot),
    ...labels.map((label) => snapshot.redact(snapshot.visibility.visibleText(label, undefined, longestText + 1))),
  ]
  return texts.some((text) => text.length <= longestText && effectOfWords(text) === 'destroy')
}
