// What an act will do, worked out from the page as it is: shown in the question, and compared with the page once more
// at the moment of acting. A destination that changed meanwhile is another act.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ActionForecast, Preview } from '../../core/turn/action-preview.js'
import { fingerprint } from '../../core/data/json.js'
import type { JsonObject } from '../../core/data/json.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import type { ApprovalRun, ToolRun } from '../../page/tools/tool.js'
import { redactedUrl } from '../sensitive/redact-url.js'
import { ancestor, elementsUnder, isOffLimits, isTag, currentPage, viewOf } from '../dom/dom.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { redactSecrets } from '../dom/page-snapshot.js'
import { isDisabled, fieldValueOf } from '../dom/field-state.js'
import { normalizeText, normalizeLines, truncate } from '../dom/text.js'

export interface ActionPlan {
  readonly preview: Preview
  /** Where it goes, whole: what has to be the same when it is done. */
  readonly key: string
  readonly values: readonly { readonly members: readonly Element[]; readonly field: string; readonly value: string }[]
  /** What is sent and not shown, as hashes: hidden and private values, and the values of options. */
  readonly unseen: readonly { readonly element: Element; readonly hash: string }[]
  /** A form that writes into the address what nobody is to read. */
  readonly hides: boolean
}

type Way = Pick<Preview, 'url' | 'method' | 'site' | 'opens'> & { readonly whole?: string }

/** The origin of another site, or the scheme of an address that leaves the page's world; undefined for this one. */
export function siteOf(url: URL): string | undefined {
  if (/^(javascript|data|about):$/.test(url.protocol)) return undefined
  if (/^(https?|blob):$/.test(url.protocol)) return url.origin === location.origin ? undefined : url.origin
  return url.protocol
}

function parse(address: string, base: string): URL | undefined {
  try {
    return new URL(address, base)
  } catch {
    return undefined // No address: the browser goes nowhere with it.
  }
}

const shown = (url: URL): string =>
  /^(javascript|data):$/.test(url.protocol) ? url.protocol : truncate(normalizeText(url.href), 400)
const opens = (target: string | null | undefined): Pick<Preview, 'opens'> =>
  /^_blank$/i.test(target ?? '') ? { opens: 'tab' } : {}

/** The address of a link, in HTML and in SVG. */
function linkOf(element: Element): { element: Element; href: string } | undefined {
  const hrefOf = (one: Element): string | null =>
    one.localName === 'a' || isTag(one, 'area')
      ? (one.getAttribute('href') ?? one.getAttributeNS('http://www.w3.org/1999/xlink', 'href'))
      : null
  const link = ancestor(element, (above) => hrefOf(above) !== null)
  return link ? { element: link, href: hrefOf(link) ?? '' } : undefined
}

export const isSubmit = (element: Element): element is HTMLButtonElement | HTMLInputElement =>
  (isTag(element, 'button') && element.type === 'submit') ||
  (isTag(element, 'input') && (element.type === 'submit' || element.type === 'image'))

export interface ActionSender {
  readonly form: HTMLFormElement
  readonly button: HTMLElement | null
}

/** What a click acts upon itself, also inside a label: the label's control is left alone then. */
const interactive = (element: Element): boolean =>
  element.matches('button,input,select,textarea,details,summary') || linkOf(element)?.element === element

type Consequence = { readonly link: Element; readonly href: string } | ActionSender

/**
 * What a press on the element sets off by the markup alone. Scripts of the page may do anything; that cannot be told.
 */
export function consequenceOf(element: Element): Consequence | undefined {
  const nearest = ancestor(element, (above) => isTag(above, 'label') || interactive(above))
  if (!isTag(nearest, 'label') || !nearest.control) return consequenceUpFrom(element)
  // A label presses its control, and a button around the label is pressed as well. A link around it is not followed.
  const around = ancestor(nearest, isSubmit)
  return consequenceUpFrom(nearest.control) ?? (around ? consequenceUpFrom(around) : undefined)
}

/** Of a link and a button inside one another, browsers act on the inner one. */
function consequenceUpFrom(element: Element): Consequence | undefined {
  const link = linkOf(element)
  const button = ancestor(element, (above) => (isSubmit(above) && above.form !== null) || above === link?.element)
  if (button && isSubmit(button) && button.form) return { form: button.form, button }
  return link && { link: link.element, href: link.href }
}

export function linkDestination(link: Element, href: string): Way {
  const url = parse(href, link.baseURI)
  if (!url) return {}
  // A link may tell other sites that it was followed.
  const told = (link.getAttribute('ping') ?? '')
    .split(/\s+/)
    .flatMap((one) => (one === '' ? [] : [parse(one, link.baseURI)]))
    .find((one) => one && siteOf(one))
  const site = siteOf(url) ?? (told && siteOf(told))
  return {
    url: shown(url),
    whole: `${url.href} ${link.getAttribute('ping') ?? ''}`,
    ...(site ? { site } : {}),
    ...(link.hasAttribute('download') ? { opens: 'download' } : opens(link.getAttribute('target') ?? baseTarget(link))),
  }
}

const baseTarget = (element: Element): string | null | undefined =>
  unclobbered(element.ownerDocument).querySelector('base[target]')?.getAttribute('target')

/** Read from the markup: a control called "action" hides the property of that name. */
export function formDestination(form: HTMLFormElement, button: Element | null): Way {
  const said = (name: string): string | null => button?.getAttribute(`form${name}`) ?? form.getAttribute(name)
  const method = (said('method') ?? 'get').toUpperCase()
  if (method === 'DIALOG') return { method }
  const url = parse(said('action') || unclobbered(form.ownerDocument).URL, unclobbered(form).baseURI)
  if (!url) return {}
  const site = siteOf(url)
  return {
    url: shown(url),
    whole: url.href,
    method: method === 'POST' ? method : 'GET',
    ...(site ? { site } : {}),
    ...opens(said('target') ?? baseTarget(form)),
  }
}

const mostValues = 40

interface Sent extends Pick<ActionPlan, 'values' | 'unseen'> {
  readonly shown: NonNullable<Preview['values']>
  readonly more: number
}

// Hashes are compared within this page alone.
const salt = Math.random()

/** What the controls of a form send besides what is shown of them. */
function unseenOf({ form, button }: ActionSender, open: ReadonlySet<Element>): ActionPlan['unseen'] {
  return [...unclobbered(form).elements].flatMap((element) => {
    const isButton =
      isTag(element, 'button') || (isTag(element, 'input') && /^(submit|button|reset|image)$/.test(element.type))
    if (isButton ? element !== button : !isTag(element, 'input', 'select', 'textarea')) return []
    const control = element as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
    const isToggle = isTag(control, 'input') && /^(checkbox|radio)$/.test(control.type)
    const isOpen = open.has(control)
    // What is shown of an open control is compared by itself: its text, or which of its values is chosen.
    const held = [
      isOpen && !isButton && !isToggle ? '' : control.value,
      isToggle && !isOpen && (control as HTMLInputElement).checked,
      isTag(control, 'select') ? [...control.options].map(({ value, selected }) => [value, !isOpen && selected]) : [],
      isTag(control, 'input')
        ? [...(control.files ?? [])].map(({ name, size, lastModified }) => [name, size, lastModified])
        : [],
    ]
    return [{ element, hash: fingerprint(JSON.stringify([salt, control.name, control.matches(':disabled'), held])) }]
  })
}

/** What a form sends, as far as a person sees it; of what is private only whether it is there. */
function sentBy(sender: ActionSender, { fields, visibility }: PageSnapshot): Sent {
  const { form } = sender
  const own = fields().filter((field) => field.form === form && !field.members.every(isDisabled))
  const told = own.map((field) => {
    const value = fieldValueOf(field, visibility)
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    return {
      members: field.members,
      text,
      shown: {
        field: field.label,
        value: typeof value === 'boolean' ? value : truncate(normalizeLines(text), 300),
        ...(field.secret !== undefined || field.type === 'file' ? { private: true as const } : {}),
      },
    }
  })
  // Told by their number alone: nobody sees what a hidden field holds.
  const hidden = [...elementsUnder(unclobbered(form.ownerDocument).documentElement)].filter(
    (one) => isTag(one, 'input') && one.type === 'hidden' && one.form === form && one.name !== '' && !one.disabled,
  ).length
  return {
    values: told.map(({ members, text, shown: { field } }) => ({ members, field, value: text })),
    shown: told.slice(0, mostValues).map((one) => one.shown),
    more: hidden + Math.max(0, told.length - mostValues),
    unseen: unseenOf(
      sender,
      new Set(
        own.filter(({ secret, type }) => secret === undefined && type !== 'file').flatMap(({ members }) => members),
      ),
    ),
  }
}

/** Puts a plan together from where it goes and what it sends. */
export function planAction(
  does: Preview['does'],
  target: string | undefined,
  { whole, ...way }: Way,
  sender: ActionSender | undefined,
  snapshot: PageSnapshot,
): ActionPlan {
  const sent = sender && way.method !== 'DIALOG' ? sentBy(sender, snapshot) : undefined
  const preview = {
    does,
    ...(target ? { target } : {}),
    ...way,
    ...(sent ? { values: sent.shown } : {}),
    ...(sent?.more ? { more: sent.more } : {}),
  }
  return {
    preview: redactSecrets(preview as unknown as JsonObject, snapshot.fields()) as unknown as Preview,
    key: JSON.stringify([does, target, whole, way.method, way.site, way.opens]),
    values: sent?.values ?? [],
    unseen: sent?.unseen ?? [],
    hides: way.method === 'GET' && sent !== undefined && (sent.more > 0 || sent.shown.some((one) => one.private)),
  }
}

// Fields the user touched himself, and when: what he changes while he is asked is his own doing.
const touched = new WeakMap<EventTarget, number>()
let isWatching = false
export function watchTyping(): void {
  if (isWatching) return
  isWatching = true
  for (const type of ['input', 'change']) {
    currentPage().addEventListener(
      type,
      (event) => {
        if (event.isTrusted) for (const target of event.composedPath()) touched.set(target, performance.now())
      },
      { capture: true, passive: true },
    )
  }
}

const foreseen = new Map<string, { readonly plan: ActionPlan; readonly at: number }>()

/** Keeps the plan that the user is asked about. */
export function planWithPreview({ toolCallId }: Pick<ApprovalRun, 'toolCallId'>, plan: ActionPlan): ActionForecast {
  foreseen.delete(toolCallId)
  foreseen.set(toolCallId, { plan, at: performance.now() })
  for (const old of [...foreseen.keys()].slice(0, Math.max(0, foreseen.size - 50))) foreseen.delete(old)
  return {
    preview: plan.preview,
    always: plan.preview.site !== undefined,
    from: new URL(redactedUrl(location.href), location.href).href,
    hides: plan.hides,
  }
}

/** Throws where the act is no longer the one that was shown. Calls by hand were shown to nobody. */
export function checkPlanUnchanged(
  { toolCallId, approval }: Pick<ToolRun, 'toolCallId' | 'approval'>,
  now: ActionPlan,
): void {
  const known = foreseen.get(toolCallId)
  if (!known) return
  const { plan, at } = known
  if (approval?.edited) {
    // The user wrote these arguments, and has not seen yet where they lead.
    if (now.preview.site !== undefined && now.preview.site !== plan.preview.site)
      throw changed(`it now leads to another site, ${now.preview.site}`)
    return
  }
  if (now.key !== plan.key)
    throw changed(
      now.preview.url !== plan.preview.url ? `it now leads to ${now.preview.url ?? 'no page'}` : 'its target changed',
    )
  const isTouched = (element: Element): boolean => (touched.get(element) ?? -Infinity) >= at
  for (const { members, field, value } of now.values) {
    const before = plan.values.find((one) => one.field === field)
    if (before?.value !== value && !members.some(isTouched))
      throw changed(`the value of ${JSON.stringify(field)} changed`)
  }
  const hashes = ({ unseen }: ActionPlan): string =>
    unseen
      .filter(({ element }) => !isTouched(element))
      .map(({ hash }) => hash)
      .join()
  if (hashes(now) !== hashes(plan)) throw changed('a hidden value changed')
}

const changed = (how: string): ToolAgentError =>
  new ToolAgentError(
    'unavailable',
    `The action changed after it was checked: ${how}. Nothing was done. Call the tool again if it is still needed.`,
  )

/** The button that Enter would press: the first of the form. */
export function defaultButton(form: HTMLFormElement): HTMLButtonElement | HTMLInputElement | null {
  for (const element of elementsUnder(unclobbered(form.ownerDocument).documentElement))
    if (isSubmit(element) && element.form === form && !isOffLimits(element)) return element
  return null
}

/** The methods of a form, past controls that are called like them. */
export function requestSubmit(form: HTMLFormElement, button: HTMLElement | null): void {
  viewOf(form).HTMLFormElement.prototype.requestSubmit.call(form, button)
}
