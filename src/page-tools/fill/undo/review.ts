// What the visitor is shown of the fields that calls have changed: marks, the value from before, and what is left for
// them. Nothing is written into a field for it: the page must not notice that somebody looks.
import type { FieldReview, ReviewedField } from '../../../page/tools/tool.js'
import type { Release } from '../../../page/tools/shown-on-page.js'
import { unclobbered } from '../../../core/data/dom-clobbering.js'
import { changesBy, type ChangedField } from '../../definitions/undo-store.js'
import { accessibleNameOf } from '../../dom/accessible-name.js'
import { ancestor, parentOf, propertyOf } from '../../dom/dom.js'
import { takeSnapshot, type RunLike } from '../../dom/page-snapshot.js'
import { scrollIntoReach } from '../../hands/scroll.js'
import type { Field } from '../../read/field.js'
import { fieldStateOf } from '../../read/field-values.js'
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

/** A part of a page that is about one thing. */
const parts = 'section, fieldset, article, dialog, [role=dialog], [role=group], [role=form], [role=region]'

/** What one fills as a whole: its form, or the part of the page around it. */
const wholeOf = ({ form, element }: Field): Element | null =>
  form ?? ancestor(parentOf(element), (above) => above.matches(parts))

/**
 * The private fields beside the changed ones that are empty, and the button that sends their form. Without a form, and
 * where it may be one of several, no button is named: that would be a guess.
 */
function leftFor(session: string, calls: readonly string[]): readonly string[] {
  const wholes = new Set(found(session, calls).flatMap(({ field }) => wholeOf(field) ?? []))
  if (wholes.size === 0) return []
  const snapshot = takeSnapshot({ sessionId: session, messages: [] })
  const secrets = snapshot
    .fields()
    .filter((field) => {
      const whole = field.secret ? wholeOf(field) : null
      return whole !== null && wholes.has(whole) && propertyOf(field.element, 'value') === ''
    })
    .map(({ ownLabel }) => ownLabel)
  const { visibility } = snapshot
  const buttons = [...wholes].flatMap((form) => {
    const [button, ...others] = sending(form).filter((one) => visibility.isShown(one))
    return button && others.length === 0 ? [accessibleNameOf(button, visibility)] : []
  })
  return [...new Set([...secrets, ...buttons])].filter((name) => name !== '')
}

/** The buttons that send a form. One that sends it unchecked, or closes its dialog, is not what it is filled in for. */
const sending = (form: Element): readonly Element[] =>
  [...unclobbered(form.ownerDocument).querySelectorAll('button, input')].filter(
    (one) =>
      propertyOf(one, 'form') === form &&
      /^(submit|image)$/.test(String(propertyOf(one, 'type'))) &&
      !one.matches('[formnovalidate], [formmethod=dialog i]'),
  )

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
