// What every tool call starts with: one sight, the session's refs, and the part of the page it is about.
import { ToolAgentError } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { ancestor, elementsUnder, isTag, currentPage, parentOf } from './dom.js'
import { declaredSensitive, holdsTyping, sensitiveKindOf } from '../sensitive/sensitive-fields.js'
import { redactEchoes } from '../sensitive/redact.js'
import { normalizeText, toComparable, truncate } from './text.js'
import type { Field } from '../read/form-fields.js'
import { fieldsUnder } from '../read/form-fields.js'
import { accessibleNameOf, roleOf } from './accessible-name.js'
import type { OutlineItem } from '../read/outline.js'
import { outline } from '../read/outline.js'
import type { Refs } from './element-refs.js'
import { isRef, refsFor, resolveRef } from './element-refs.js'
import { createVisibility } from './visibility.js'
import type { Visibility } from './visibility.js'

export interface PageSnapshot {
  readonly sight: Visibility
  readonly refs: Refs
  /** All fields of the page; labels are unique over all of them. */
  fields(): readonly Field[]
  /** The element of a ref, or `stale-ref`. */
  element(ref: string): Element
  /** A text without what private fields hold. Must be asked before a text is compared with words of the model. */
  told(text: string): string
  /** Whether the element is a part of what a private field holds: an option, something inside an editor. */
  isPart(element: Element): boolean
  /** The part with this ref, name or role: landmark, form, dialog, table, group. */
  named(scope: string): Element | undefined
  /** Controls and headings that are there now, for an error that has to say so. */
  fresh(): string
}

const partsOfPages = 'main,nav,header,footer,aside,section,form,dialog,table,fieldset,[role]'

export type RunLike = Pick<ToolRun, 'sessionId' | 'messages'>

export function takeSnapshot(run: RunLike): PageSnapshot {
  const sight = createVisibility()
  const refs = refsFor(run)
  let all: readonly Field[] | undefined
  const fields = (): readonly Field[] => (all ??= fieldsUnder(currentPage().documentElement, sight))
  let echoes: ((text: string) => string) | undefined
  const told = (text: string): string => (echoes ??= redactEchoes(secretsHeld(fields())) ?? String)(text)
  let isPrivate: ((element: Element) => boolean) | undefined
  const isPart = (element: Element): boolean =>
    ancestor(parentOf(element), (isPrivate ??= isPrivateAmong(fields()))) !== null
  /** It goes into errors, which nothing looks through afterwards. */
  const fresh = (): string => {
    const { items } = outline({ root: currentPage().body, sight, refs, fields: fields() })
    return told(
      items
        .filter((item) => item.kind === 'control' || item.kind === 'heading')
        .slice(0, 25)
        .map((item) => truncate(item.line, 200))
        .join('\n'),
    )
  }
  const element = (ref: string): Element => resolveRef(ref, refs, sight, fresh, told)

  function named(scope: string): Element | undefined {
    if (isRef(scope)) return element(scope)
    const wanted = toComparable(scope)
    const parts = [...elementsUnder(currentPage().documentElement)].filter(
      (one) => Element.prototype.matches.call(one, partsOfPages) && sight.hasBox(one) && !isPart(one),
    )
    if (wanted === '') return undefined
    return (
      parts.find((one) => toComparable(told(accessibleNameOf(one, sight))) === wanted) ??
      parts.find((one) => roleOf(one) === scope)
    )
  }

  return { sight, refs, fields, element, told, isPart, named, fresh }
}

/** A part of the page by ref, name, role or selector, and the reading it was found in. */
export async function takePartialSnapshot(
  run: RunLike,
  scope: string,
): Promise<{ reading: PageSnapshot; part: Element }> {
  const first = takeSnapshot(run)
  const named = first.named(scope)
  if (named) return { reading: first, part: named }
  const { parseSelector, selectElements } = await import('../sensitive/selectors.js')
  // The page may have changed while the code was loading.
  const reading = takeSnapshot(run)
  const list = parseSelector(scope)
  const part = list && selectElements(list, reading).find((one) => reading.sight.hasBox(one))
  if (part) return { reading, part }
  throw new ToolAgentError(
    'invalid-input',
    `Nothing on the page fits the scope ${JSON.stringify(truncate(scope, 80))}. Give a ref, a CSS selector, or the name of a part. What is there:\n${reading.fresh()}`,
  )
}

/** An argument as text; models send null for what they leave out. */
export const textArgument = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
export const numberArgument = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, Math.floor(value))) : otherwise

/** Tells which elements are private fields, also where nobody sees them. */
export function isPrivateAmong(fields: readonly Field[]): (element: Element) => boolean {
  const known = new Map<Element, boolean>()
  for (const { element, members, secret } of fields)
    for (const one of [element, ...members]) known.set(one, secret !== undefined)
  return (element) =>
    known.get(element) ??
    (holdsTyping(element)
      ? sensitiveKindOf(element, '') !== undefined
      : isTag(element, 'select') && declaredSensitive(element) !== undefined)
}

/** What private fields hold now, and the names of files. */
export function secretsHeld(fields: readonly Field[]): string[] {
  // A page that shows a password in a second box keeps the first one out of sight: what the markup declares counts, too.
  const twins = [...currentPage().querySelectorAll('input')].filter(
    (input) => input.type !== 'hidden' && declaredSensitive(input) !== undefined,
  )
  // Each of several boxes holds a part of a number, which the page shows as one.
  const numbers = fields
    .map(
      ({ element, secret }, index) =>
        (index > 0 && secret === fields[index - 1]?.secret ? '' : '|') +
        (secret && isTag(element, 'input') && /^\d{1,6}$/.test(element.value) ? element.value : '|'),
    )
    .join('')
    .split('|')
  return [
    ...numbers,
    ...[
      ...twins,
      ...fields.flatMap(({ element, secret, type }) => (secret || type === 'file' ? [element] : [])),
    ].flatMap((element) =>
      isTag(element, 'input') && element.files
        ? [...element.files].map(({ name }) => name)
        : isTag(element, 'input', 'textarea')
          ? [element.value]
          : isTag(element, 'select')
            ? []
            : [normalizeText(element.textContent ?? '')],
    ),
  ]
}

/** Takes the values of private fields out of whatever a page repeats elsewhere: an echo, an attribute, a message. `before`: what they held when a line was read. */
export function redactSecrets<T extends JsonValue>(
  result: T,
  fields: readonly Field[],
  before: readonly string[] = [],
): T {
  const told = redactEchoes([...before, ...secretsHeld(fields)])
  if (!told) return result
  const hide = (value: JsonValue | undefined): JsonValue | undefined => {
    if (typeof value === 'string') return told(value)
    if (Array.isArray(value)) return value.map((item: JsonValue) => hide(item) ?? null)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item)]))
    return value
  }
  return hide(result) as T
}

/** The same for the lines of an outline, before anything is cut or looked for in them. */
export function redactItems(
  items: readonly OutlineItem[],
  fields: readonly Field[],
  before?: readonly string[],
): OutlineItem[] {
  const lines = redactSecrets(
    items.map(({ line }) => line),
    fields,
    before,
  )
  return items.map((item, index) => ({ ...item, line: lines[index] ?? '' }))
}
