// The snapshot that every tool call starts with: visibility, refs, fields and redaction of one moment. It is only valid
// until the caller yields, because the page may change then.
import type { DeclaredEffect } from '../../core/data/effect.js'
import type { JsonValue } from '../../core/data/json.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { isTag, currentPage } from './dom.js'
import { declaredSensitive, sensitiveKindOf } from '../sensitive/sensitive-fields.js'
import { redactEchoes } from '../sensitive/redact.js'
import { shownSecrets } from '../sensitive/shown-secrets.js'
import type { Steps } from './steps.js'
import { normalizeText } from './text.js'
import { isWithheld, type Field } from '../read/field.js'
import { fieldSteps, fieldsUnder } from '../read/form-fields.js'
import { mapTexts } from '../read/line.js'
import type { OutlineItem } from '../read/outline-item.js'
import type { Refs } from './element-refs.js'
import { refsFor } from './element-refs.js'
import { Visibility } from './visibility.js'

/** The page at one moment. Do not keep it across an `await`. */
export interface PageSnapshot {
  /** Answers what a person can see. Caches, so it must not be used after the page has changed. */
  readonly visibility: Visibility
  /** The refs of the session. They outlive the snapshot. */
  readonly refs: Refs
  /** All fields of the page, with labels that are unique on the page. Computed once. */
  fields(): readonly Field[]
  /** What the author of the page says about effects. */
  readonly declared: readonly DeclaredEffect[]
  /** Removes the values of private fields. Must be called before a text is compared with input of the model. */
  redact(text: string): string
}

/** The fields of a run that a snapshot needs. */
export type RunLike = Pick<ToolRun, 'sessionId' | 'messages' | 'effects'>

/** Takes a snapshot of the page. Fields and redaction are computed when they are first needed. */
export function takeSnapshot(run: RunLike): PageSnapshot {
  const visibility = new Visibility().showHovered()
  let all: readonly Field[] | undefined
  return snapshotWith(run, visibility, () => (all ??= fieldsUnder(currentPage().documentElement, visibility)))
}

/** Takes a snapshot of a page that may be large, with its fields. */
export function* snapshotSteps(run: RunLike): Steps<PageSnapshot> {
  const visibility = new Visibility().showHovered()
  const all = yield* fieldSteps(currentPage().documentElement, visibility)
  return snapshotWith(run, visibility, () => all)
}

function snapshotWith(run: RunLike, visibility: Visibility, fields: () => readonly Field[]): PageSnapshot {
  const refs = refsFor(run)
  let echoes: ((text: string) => string) | undefined
  const redact = (text: string): string => (echoes ??= redactEchoes(secretsHeld(fields())))(text)
  return { visibility, refs, fields, declared: run.effects ?? [], redact }
}

/**
 * A function that removes private values from texts about a page that is too large to read all its fields now: those of
 * inputs by their own words and `<label>` only, and what has the shape of a secret.
 */
export function quickRedaction(): (text: string) => string {
  const inputs = [...currentPage().querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input,textarea')]
  const secret = inputs.filter((one) => sensitiveKindOf(one, normalizeText(one.labels?.[0]?.textContent ?? '')))
  return redactEchoes([...valuesHeld([]), ...secret.filter(({ type }) => type !== 'hidden').flatMap(valuesOf)])
}

/** A snapshot of a part of the page. It has only the fields of the part, and also hides what those of the page hold. */
export function partSnapshot(
  part: Element,
  { visibility, refs, page }: Pick<PageSnapshot, 'visibility' | 'refs'> & { readonly page: readonly Field[] },
): PageSnapshot {
  const own = fieldsUnder(part, visibility)
  const echoes = redactEchoes([...secretsHeld(page), ...valuesHeld(own)])
  return { visibility, refs, fields: () => own, declared: [], redact: echoes }
}

/** The trimmed text of an argument; undefined for all else, because models send null or '' for omitted arguments. */
export const textArgument = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
/** An integer argument between the limits; `otherwise` if it is not a number. */
export const numberArgument = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, Math.floor(value))) : otherwise

/** The values of all private fields, the names of chosen files, and the secrets that the page shows. */
export const secretsHeld = (fields: readonly Field[]): string[] => [...valuesHeld(fields), ...shownSecrets(fields)]

/** The values of private fields and the names of chosen files. */
function valuesHeld(fields: readonly Field[]): string[] {
  // Fields that only the markup declares private also count: "show password" may hide the real field behind a second
  // one.
  const declared = [...currentPage().querySelectorAll('input')].filter(
    (input) => input.type !== 'hidden' && declaredSensitive(input) !== undefined,
  )
  // A card number or code may be split over several fields. The page may show it in one piece, so join the pieces.
  const joinedNumbers = fields
    .map(
      ({ element, secret }, index) =>
        (index > 0 && secret === fields[index - 1]?.secret ? '' : '|') +
        (secret && isTag(element, 'input') && /^\d{1,6}$/.test(element.value) ? element.value : '|'),
    )
    .join('')
    .split('|')
  return [
    ...joinedNumbers,
    ...[...declared, ...fields.filter(isWithheld).map(({ element }) => element)].flatMap(valuesOf),
  ]
}

/** What an element holds: the names of chosen files, a value, or a text. */
export function valuesOf(element: Element): string[] {
  if (isTag(element, 'input') && element.files) return [...element.files].map(({ name }) => name)
  if (isTag(element, 'input', 'textarea')) return [element.value]
  return isTag(element, 'select') ? [] : [normalizeText(element.textContent ?? '')]
}

/**
 * Replaces values of private fields by `[private]` in all strings of a result, wherever the page repeats them: a
 * message, an attribute. `before`: values that the fields held earlier, when the texts were read.
 */
export function redactSecrets<T extends JsonValue>(
  result: T,
  fields: readonly Field[],
  before: readonly string[] = [],
): T {
  const redact = redactEchoes([...before, ...secretsHeld(fields)])
  const hide = (value: JsonValue | undefined): JsonValue | undefined => {
    if (typeof value === 'string') return redact(value)
    if (Array.isArray(value)) return value.map((item: JsonValue) => hide(item) ?? null)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item)]))
    return value
  }
  return hide(result) as T
}

/** Redacts the lines of an outline. Must run before lines are filtered or truncated. */
export function redactItems(
  items: readonly OutlineItem[],
  fields: readonly Field[],
  before?: readonly string[],
): OutlineItem[] {
  const redact = redactEchoes([...(before ?? []), ...secretsHeld(fields)])
  return items.map((item) => ({ ...item, line: mapTexts(item.line, redact) }))
}
