// What every tool call starts with: one sight, the session's refs, and the part of the page it is about.
import { ToolAgentError } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'
import type { ToolRun } from '../../page/tool.js'
import { isTag } from '../dom.js'
import { declaredSecret } from '../secrets.js'
import { withoutEchoes } from '../echoes.js'
import { clean, plain, short } from '../text.js'
import type { Field } from './fields.js'
import { fieldsUnder } from './fields.js'
import { nameOf, roleOf } from './names.js'
import type { Item } from './outline.js'
import { fieldLine, outline } from './outline.js'
import type { Refs } from './refs.js'
import { isRef, refsOf, resolve } from './refs.js'
import { select } from './selectors.js'
import { createSight } from './sight.js'
import type { Sight } from './sight.js'

export interface Reading {
  readonly sight: Sight
  readonly refs: Refs
  /** All fields of the page; labels are unique over all of them. */
  fields(): readonly Field[]
  /** The element of a ref, or `stale-ref`. */
  element(ref: string): Element
  /** A ref, a selector, or the name of a part: landmark, form, dialog, table, group. */
  part(scope: string): Element
  /** Controls and headings that are there now, for an error that has to say so. */
  fresh(): string
}

export type RunLike = Pick<ToolRun, 'sessionId' | 'messages'>

export function startReading(run: RunLike): Reading {
  const sight = createSight()
  const refs = refsOf(run)
  let all: readonly Field[] | undefined
  const fields = (): readonly Field[] => all ??= fieldsUnder(document.documentElement, sight)
  const hide = (text: string): string => withoutSecrets(text, fields())
  /** It goes into errors, which nothing looks through afterwards. */
  const fresh = (): string => {
    const { items } = outline({ root: document.body, sight, refs, fields: fields() })
    return hide(items.filter((item) => item.kind === 'control' || item.kind === 'heading').slice(0, 25).map((item) => short(item.line, 200)).join('\n'))
  }
  const element = (ref: string): Element => resolve(ref, refs, sight, fresh, hide)

  function part(scope: string): Element {
    if (isRef(scope)) return element(scope)
    const wanted = plain(scope)
    const named = select('main,nav,header,footer,aside,section,form,dialog,table,fieldset,[role]').filter((candidate) => sight.hasBox(candidate))
    const exact = wanted === '' ? undefined : named.find((candidate) => plain(nameOf(candidate, sight)) === wanted) ?? named.find((candidate) => roleOf(candidate) === scope)
    if (exact) return exact
    let found: Element[]
    try {
      found = select(scope)
    } catch (cause) {
      if (!(cause instanceof ToolAgentError) || !cause.message.startsWith('Not a CSS')) throw cause
      found = []
    }
    const visible = found.find((candidate) => sight.hasBox(candidate))
    if (visible) return visible
    throw new ToolAgentError('invalid-input', `Nothing on the page fits the scope ${JSON.stringify(short(scope, 80))}. Give a ref, a CSS selector, or the name of a part. What is there:\n${fresh()}`)
  }

  return { sight, refs, fields, element, part, fresh }
}

/** An argument as text; models send null for what they leave out. */
export const textArgument = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)
export const numberArgument = (value: unknown, least: number, most: number, otherwise: number): number =>
  (typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, Math.floor(value))) : otherwise)

/** What private fields hold now, and the names of files. */
export function secretsHeld(fields: readonly Field[]): string[] {
  // A page that shows a password in a second box keeps the first one out of sight: what the markup declares counts, too.
  const twins = [...document.querySelectorAll('input')].filter((input) => input.type !== 'hidden' && declaredSecret(input) !== undefined)
  // Each of several boxes holds a part of a number, which the page shows as one.
  const numbers = fields.map(({ element, secret }, index) => (index > 0 && secret === fields[index - 1]?.secret ? '' : '|') + (secret && isTag(element, 'input') && /^\d{1,6}$/.test(element.value) ? element.value : '|')).join('').split('|')
  return [...numbers, ...[...twins, ...fields.flatMap(({ element, secret, type }) => (secret || type === 'file' ? [element] : []))]
    .flatMap((element) => (isTag(element, 'input') && element.files ? [...element.files].map(({ name }) => name) : isTag(element, 'input', 'textarea') ? [element.value] : isTag(element, 'select') ? [] : [clean(element.textContent ?? '')]))]
}

/** Takes the values of private fields out of whatever a page repeats elsewhere: an echo, an attribute, a message. `before`: what they held when a line was read. */
export function withoutSecrets<T extends JsonValue>(result: T, fields: readonly Field[], before: readonly string[] = []): T {
  const told = withoutEchoes([...before, ...secretsHeld(fields)])
  if (!told) return result
  const hide = (value: JsonValue | undefined): JsonValue | undefined => {
    if (typeof value === 'string') return told(value)
    if (Array.isArray(value)) return value.map((item: JsonValue) => hide(item) ?? null)
    if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item)]))
    return value
  }
  return hide(result) as T
}

/** The same for the lines of an outline, before anything is cut or looked for in them. */
export function itemsWithoutSecrets(items: readonly Item[], fields: readonly Field[], before?: readonly string[]): Item[] {
  const lines = withoutSecrets(items.map(({ line }) => line), fields, before)
  return items.map((item, index) => ({ ...item, line: lines[index] ?? '' }))
}

export { fieldLine }
