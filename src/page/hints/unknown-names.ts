// Finds names of a page author that do not exist, and the name that was meant: by spelling, or because another library
// calls it so. The compiler compares the lists of the names that exist with the types.
import { times } from '../../core/data/lists.js'
import type { ToolAnnotations } from '../../core/data/tool.js'
import type { Hooks } from '../options.js'
import type { Tool } from '../tools/tool.js'
import { approvalNames, otherAnnotations, otherHooks, otherToolFields, type OtherNames } from './other-libraries.js'

/** The fields of a tool. */
export const toolFields = {
  name: true,
  title: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
  annotations: true,
  timeout: true,
  maxRetries: true,
  exclusive: true,
  alwaysOffered: true,
  needsApproval: true,
  question: true,
  returnDirect: true,
  toModelOutput: true,
  summary: true,
  undo: true,
  contextSchema: true,
  execute: true,
  agent: true,
} satisfies Record<Extract<keyof Tool, string>, true>

/** The annotations of a tool. */
export const annotationFields = {
  readOnlyHint: true,
  destructiveHint: true,
  idempotentHint: true,
  untrustedContentHint: true,
  consequentialHint: true,
  title: true,
  openWorldHint: true,
} satisfies Record<keyof ToolAnnotations, true>

/** The hooks that are called. */
export const hookFields = {
  beforeModel: true,
  beforeTool: true,
  afterTool: true,
  signIn: true,
} satisfies Record<keyof Hooks, true>

/** Whether a field belongs to the author: it has no effect, and that is no mistake. */
export const isFreeName = (name: string): boolean => name === '_meta' || /^x-/i.test(name)

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/**
 * The known name that was meant: the same letters, at most two typing errors (one in a name of up to five letters), or
 * the name of another library. Undefined if it resembles none.
 */
export function meantName(name: string, known: readonly string[], others: OtherNames = {}): string | undefined {
  const given = plain(name)
  if (given === '') return undefined
  const forms = [given, given.replace(/^(?:on|is|has)(?=.{4})/, '')]
  const same = known.find((one) => forms.includes(plain(one)) || forms.includes(plain(one).replace(/hint$/, '')))
  if (same !== undefined) return same
  const other = Object.entries(others).find(([, names = '']) => names.split(' ').includes(given))
  if (other !== undefined) return other[0]
  let best: string | undefined
  let fewest = 3
  for (const one of known) {
    const right = plain(one)
    for (const form of [right, right.replace(/hint$/, '')]) {
      const errors = typingErrors(given, form)
      if (errors < fewest && errors <= (form.length < 6 ? 1 : 2)) [best, fewest] = [one, errors]
    }
  }
  return best
}

/** The names of other libraries in a table of options. */
export const othersOf = (table: Readonly<Record<string, { readonly others?: string }>>): OtherNames =>
  Object.fromEntries(Object.entries(table).map(([name, { others = '' }]) => [name, others]))

/** Whether a name is another one with typing errors. `input_schema` and the names of other libraries are none. */
function isMistypedName(name: string, meant: string, others: OtherNames): boolean {
  const isOther = Object.values(others).some((names) => names?.split(' ').includes(plain(name)))
  return !isOther && plain(name) !== plain(meant) && typingErrors(plain(name), plain(meant)) < 3
}

/** How many letters are wrong, missing, added, or exchanged with their neighbour. */
function typingErrors(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3
  let [before, last] = [[] as number[], times(other.length + 1, (index) => index)]
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isEqual = one[row - 1] === other[column - 1]
      let errors = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isEqual ? 0 : 1),
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        errors = Math.min(errors, (before[column - 2] ?? 0) + 1)
      next.push(errors)
    }
    ;[before, last] = [last, next]
  }
  return last[other.length] ?? 3
}

/** A name that does not exist. */
export interface UnknownName {
  /** What the author wrote. */
  readonly name: string
  /** The name to use: of a field, `annotations.…` for a hint. Undefined: it resembles none. */
  readonly meant: string | undefined
  /** Whether something would run without the question or the guard that the author asked for. */
  readonly isProtection: boolean
  /** Whether the name is a mistake also beside the one that was meant: no name of another library. */
  readonly isMistyped: boolean
}

/** What makes the visitor be asked, or a text be fenced. The other annotations only allow more. */
const protectingHints: ReadonlySet<string> = new Set(['destructiveHint', 'consequentialHint', 'untrustedContentHint'])
const asksForApproval = /approv|confirm|(?:need|requir|ask|request)\w*(?:consent|permission)/

/** The fields of a tool that do not exist. */
export function unknownToolFields(tool: object): UnknownName[] {
  return namesIn(tool, toolFields).map((name) => {
    const hint = meantName(
      name,
      Object.keys(annotationFields).filter((one) => one !== 'title'),
      otherAnnotations,
    )
    const field = asksForApproval.test(plain(name))
      ? 'needsApproval'
      : meantName(name, Object.keys(toolFields), otherToolFields)
    const isHint = field === undefined && hint !== undefined
    const isProtection = isHint ? protectingHints.has(hint) : field === 'needsApproval' || field === 'annotations'
    const isMistyped = field !== undefined && isMistypedName(name, field, otherToolFields)
    return { name, meant: isHint ? `annotations.${hint}` : field, isProtection, isMistyped }
  })
}

/** The annotations that do not exist. */
export function unknownAnnotations(annotations: object): UnknownName[] {
  return namesIn(annotations, annotationFields).map((name) => {
    const isApproval = asksForApproval.test(plain(name)) || approvalNames.split(' ').includes(plain(name))
    const hint = isApproval ? undefined : meantName(name, Object.keys(annotationFields), otherAnnotations)
    const isProtection = isApproval || (hint !== undefined && protectingHints.has(hint))
    const isMistyped = hint !== undefined && isMistypedName(name, hint, otherAnnotations)
    return { name, meant: isApproval ? 'needsApproval' : hint && `annotations.${hint}`, isProtection, isMistyped }
  })
}

/** The hooks that do not exist. Only `beforeTool` can refuse a call. */
export function unknownHooks(hooks: object): UnknownName[] {
  return namesIn(hooks, hookFields).map((name) => {
    const meant = meantName(name, Object.keys(hookFields), otherHooks)
    const isMistyped = meant !== undefined && isMistypedName(name, meant, otherHooks)
    return { name, meant, isProtection: meant === 'beforeTool', isMistyped }
  })
}

/** The names that an object has and that are not known. */
function namesIn(object: object, known: object): string[] {
  const names: string[] = []
  for (const name in object)
    if (!Object.hasOwn(known, name) && !isFreeName(name) && Reflect.get(object, name) !== undefined) names.push(name)
  return names
}
