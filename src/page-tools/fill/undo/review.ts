// What the visitor is shown of the fields that calls have changed: marks, the value from before, and what is left for
// them. Nothing is written into a field for it: the page must not notice that somebody looks.
import type { FieldReview, ReviewedField } from '../../../page/tools/tool.js'
import type { Release } from '../../../page/tools/page-stage.js'
import { unclobbered } from '../../../core/data/dom-clobbering.js'
import { changesBy, type ChangedField } from '../../definitions/undo-store.js'
import { accessibleNameOf } from '../../dom/accessible-name.js'
import { ancestor, currentPage, elementsUnder, isTag, isWithin, parentOf, propertyOf } from '../../dom/dom.js'
import { takeSnapshot, type PageSnapshot, type RunLike } from '../../dom/page-snapshot.js'
import { scrollIntoReach } from '../../hands/scroll.js'
import { money } from '../../read/amounts.js'
import type { Field } from '../../read/field.js'
import { fieldStateOf } from '../../read/field-values.js'
import { nameOfControl, controlRoleOf } from '../../read/places.js'
import { effectOfControlWords } from '../../effects/control-words.js'
import { placedOf } from '../../stage/asked.js'
import { shownPart } from '../../stage/rects.js'
import { clear, mark, ring } from '../../stage/stage.js'
import { veil } from '../../stage/veil.js'
import { noteSeen } from './note-changes.js'
import { liveField } from './undo-record.js'
import { patience, until } from '../../waiting/until.js'

/** Milliseconds that a field is outlined when the visitor was led to it. */
const ringTime = 2_500

/** What watches the marked fields for the visitor and the page. */
let watching: AbortController | undefined

/** The marked fields. */
const marked = new Set<Element>()

interface Found {
  readonly call: string
  readonly changed: ChangedField
  readonly field: Field
}

/** The fields of calls that are on the page, found as an undo finds them. */
function found(session: string, calls: readonly string[]): readonly Found[] {
  const run: RunLike = { sessionId: session, messages: [] }
  let all: readonly Field[] | undefined
  return calls.flatMap((call) =>
    (changesBy(session, call)?.fields ?? []).flatMap((changed) => {
      const live = liveField(session, call, changed)?.field
      if (live?.element.isConnected) return [{ call, changed, field: live }]
      all ??= takeSnapshot(run).fields()
      const field = all.find(({ label, type }) => label === changed.label && type === changed.type)
      return field && !field.secret ? [{ call, changed, field }] : []
    }),
  )
}

const isOpen = (session: string, call: string): boolean => {
  const changes = changesBy(session, call)
  return changes !== undefined && changes.isBack !== true && changes.isSeen !== true
}

/** Marks what still holds what a call has written, and removes the marks of everything else. */
function markChanged(session: string, calls: readonly string[]): void {
  const open = calls.filter((call) => isOpen(session, call))
  const fields = open.length === 0 ? [] : found(session, open)
  const elements = new Set(
    fields.filter(({ changed, field }) => fieldStateOf(field) === changed.after).map(({ field }) => field.element),
  )
  unmark([...marked].filter((element) => !elements.has(element)))
  for (const element of elements) {
    if (marked.has(element)) continue
    marked.add(element)
    mark(element)
  }
  if (marked.size > 0) watch()
}

/** The waiting of `markWhenDrawn`. */
let marking: AbortController | undefined

/** Marks the changed fields. After a reload, an application draws them and puts values back when it has loaded. */
async function markWhenDrawn(session: string, calls: readonly string[]): Promise<void> {
  marking?.abort()
  const { signal } = (marking = new AbortController())
  const isMarked = (): boolean => {
    markChanged(session, calls)
    const open = calls.filter((call) => isOpen(session, call))
    return marked.size >= open.flatMap((call) => changesBy(session, call)?.fields ?? []).length
  }
  await until({ done: isMarked, ...patience.redrawn, signal }).catch((thrown: unknown) => {
    if (!signal.aborted) throw thrown
  })
}

function unmark(elements: readonly Element[]): void {
  clear(elements)
  for (const element of elements) marked.delete(element)
  if (marked.size > 0) return
  watching?.abort()
  watching = undefined
}

/** A mark goes when the visitor edits its field, and with the form that is sent. */
function watch(): void {
  if (watching) return
  watching = new AbortController()
  const options = { capture: true, passive: true, signal: watching.signal }
  addEventListener(
    'input',
    (event) => {
      if (!event.isTrusted) return
      const path = event.composedPath()
      unmark([...marked].filter((element) => path.includes(element)))
    },
    options,
  )
  addEventListener(
    'submit',
    ({ target }) => {
      unmark([...marked].filter((element) => target instanceof Node && target.contains(element)))
    },
    options,
  )
}

function reviewed({ call, changed, field }: Found): ReviewedField {
  const { element } = field
  return {
    call,
    label: changed.label,
    was: changed.was,
    placed: placedOf(shownPart(element)),
    isChanged: () => element.isConnected && fieldStateOf(field) === changed.after,
    show(isKept) {
      scrollIntoReach(element)
      const release: Release = ring(element, { level: 'fill' })
      if (!isKept) setTimeout(release, ringTime)
      return release
    },
    cover: (text) => veil(element, text),
  }
}

/** The private fields beside the changed ones that are empty, and the button that sends them. */
function leftFor(session: string, calls: readonly string[]): readonly string[] {
  const changed = found(session, calls).flatMap(({ field }) => (field.element.isConnected ? [field] : []))
  if (changed.length === 0) return []
  const snapshot = takeSnapshot({ sessionId: session, messages: [] })
  const all = snapshot.fields()
  const forms = new Set(changed.flatMap(({ form }) => form ?? []))
  const alone = changed.filter(({ form }) => form === null)
  const box = alone.length === 0 ? undefined : boxOf(alone, all, snapshot)
  const isBeside = ({ form, element }: Field): boolean =>
    form ? forms.has(form) : box !== undefined && isWithin(element, box.element)
  const secrets = all
    .filter((field) => field.secret && isBeside(field) && propertyOf(field.element, 'value') === '')
    .map(({ ownLabel }) => ownLabel)
  const buttons = [...forms].flatMap((form) => {
    const button = [...unclobbered(form.ownerDocument).querySelectorAll('button, input[type=submit]')].find(
      (one) => propertyOf(one, 'form') === form && isSubmit(one),
    )
    return button && snapshot.visibility.isShown(button) ? [accessibleNameOf(button, snapshot.visibility)] : []
  })
  return [...new Set([...secrets, ...buttons, box?.button ?? ''])].filter((name) => name !== '')
}

const isSubmit = (element: Element): boolean =>
  isTag(element, 'button', 'input') && propertyOf(element, 'type') === 'submit'

/** The part of the page that holds fields without a form, and the name of the button that sends them. */
interface Sent {
  readonly element: Element
  readonly button?: string
}

/**
 * Without a form, the words of a button say that it sends, and it belongs to the fields in the smallest box around it
 * that has some. If one saves and one deletes, what saves is meant. A word alone may mean both paying and deleting, so
 * beside such a button there must be an amount or a private field that is empty.
 */
function boxOf(changed: readonly Field[], all: readonly Field[], snapshot: PageSnapshot): Sent {
  const { visibility } = snapshot
  const holds = (box: Element, { element }: Field): boolean => isWithin(element, box)
  const hasAmount = (box: Element): boolean => visibility.visibleText(box, undefined, mostText).search(money) >= 0
  const senders: (Sent & { readonly said: 'send' | 'destroy' })[] = []
  for (const one of elementsUnder(currentPage().body, visibility.children)) {
    if (!/^(?:button|clickable)$/.test(controlRoleOf(one, visibility)) || !visibility.isShown(one)) continue
    if (propertyOf(one, 'form')) continue
    const said = effectOfControlWords(one, snapshot)
    if (said === undefined) continue
    const element = ancestor(parentOf(one), (above) => all.some((field) => holds(above, field)))
    if (element === null || !changed.some((field) => holds(element, field))) continue
    const isPaid = hasAmount(element) || all.some((field) => field.secret && holds(element, field))
    if (said === 'send' || isPaid)
      senders.push({ element, said, button: snapshot.redact(nameOfControl(one, visibility)) })
  }
  const [first] = changed
  const alone = ancestor(parentOf(first!.element), (above) => above.matches(parts)) ?? currentPage().body
  return senders.find(({ said }) => said === 'send') ?? senders.at(-1) ?? { element: alone }
}

/** Characters of a box in which an amount is looked for. */
const mostText = 4_000
/** A part of a page that may be about one thing. */
const parts = 'section,fieldset,article,dialog,main,[role=dialog],[role=group],[role=form],[role=region]'

/** For the panel. */
export const fieldReview: FieldReview = {
  mark: (session, calls) => void markWhenDrawn(session, calls),
  fields: (session, calls) => found(session, calls).map(reviewed),
  confirm(session, calls) {
    for (const call of calls) noteSeen(session, call)
    unmark([...marked])
  },
  left: leftFor,
}
