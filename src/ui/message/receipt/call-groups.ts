// What the calls of a turn add up to. Everything that only looked is one line; if something was changed, or the model
// keeps tasks, the other calls are the lines of one receipt. Each group is drawn once, where its first call is.
import { effects, isAbove, type Effect } from '../../../core/data/effect.js'
import { isObject } from '../../../core/data/json.js'
import { toolCallsOf, type AssistantPart, type Message, type ToolCallPart } from '../../../core/data/message.js'
import type { Draft, DraftPart } from '../../../core/data/session.js'
import { parseTodos, type Todo } from '../../../core/data/todo.js'
import { internals } from '../../../core/data/tool.js'
import { isByVisitor, isShown, type CallLike } from '../call/call-state.js'
import { pageTools, readTools } from '../call/page-tool-names.js'
import type { RenderContext, RenderState } from '../../panel/render-context.js'

/** A line of a receipt. */
export interface ReceiptLine {
  readonly part: CallLike
  /** The task that was in progress when the call was made. */
  readonly task: string | undefined
}

/** What a turn has changed, and how it goes. */
export interface ReceiptContent {
  readonly kind: 'receipt'
  readonly lines: readonly ReceiptLine[]
  /** The tasks that the model keeps, as it last wrote them. */
  readonly todos: readonly Todo[]
  readonly tally: Tally
  /** Its turn is running. */
  readonly active: boolean
}

/** Finished calls that only looked. */
interface Looks {
  readonly kind: 'looks'
  readonly parts: readonly ToolCallPart[]
}

/** What is drawn in place of a call; undefined for a call that is drawn in a group elsewhere. */
export type Group = ReceiptContent | Looks | undefined

/** What some calls have done. */
export interface Tally {
  readonly changes: number
  /** The calls that did more than change values, by the most serious effect. */
  readonly beyond: ReadonlyMap<Beyond, readonly ToolCallPart[]>
  /** It is known of each change that nothing was sent because of it. */
  readonly isSafe: boolean
}

/** What cannot be taken back. */
export type Beyond = 'send' | 'destroy' | 'outside'

type Part = AssistantPart | DraftPart

const isCall = (part: Part): part is CallLike => part.type === 'tool-call' || part.type === 'tool-input'

/** Tools that move the page, or wait for it. */
const stillTools: ReadonlySet<string> = new Set([...readTools, 'page_wait', 'page_scroll', 'todo_read'])

/** Whether a tool only looks. What a tool that the page or a server offers says of itself is a claim. */
function isLookTool(name: string, { toolOf }: RenderState): boolean {
  if (stillTools.has(name)) return true
  const tool = toolOf(name)?.tool
  return tool?.annotations?.readOnlyHint === true && tool[internals]?.isDiscovered !== true
}

/** A successful call that only looked, and that neither the page nor the answer shows in a way of its own. */
export function isLook(part: Part, renderState: RenderState): part is ToolCallPart {
  return (
    part.type === 'tool-call' &&
    part.result?.output !== undefined &&
    part.result.direct === undefined &&
    part.child === undefined &&
    !renderState.renderers.has(part.call.name) &&
    isLookTool(part.call.name, renderState)
  )
}

/** How many things a call has changed, and with which effect; undefined if it has changed nothing that is known. */
function changeOf(part: ToolCallPart, renderState: RenderState): { count: number; effect: Effect } | undefined {
  const { call, result, approval, undone } = part
  if (result === undefined || isLookTool(call.name, renderState)) return undefined
  const tool = renderState.toolOf(call.name)?.tool
  const effect = result.effect ?? approval?.preview?.effect
  const own = effects.find((one) => one === effect)
  if (result.error !== undefined) {
    const fields = renderState.valuesBefore(call.name, call.id).size
    return undone !== undefined || fields > 0 ? { count: fields || 1, effect: own ?? 'value' } : undefined
  }
  const { output } = result
  if (call.name === 'form_fill' || call.name === 'form_undo') {
    const entries = Array.isArray(output) ? output : []
    const done = entries.filter((entry) => isObject(entry) && entry['ok'] === true).length
    const isSaved = renderState.isSaved(call.name, call.id)
    return done > 0 ? { count: done, effect: own ?? (isSaved ? 'unknown' : 'value') } : undefined
  }
  if (pageTools.has(call.name) || tool?.[internals]?.mayAct) {
    const seen = isObject(output) ? output : {}
    // A press of unknown effect that opened a dialog is a step towards what is done there.
    const isStep = seen['changed'] === false || (own === 'unknown' && seen['onlyOpened'] === true)
    const isChange = own !== undefined && own !== 'view' && own !== 'go' && !isStep
    return isChange ? { count: 1, effect: own } : undefined
  }
  const { destructiveHint = false, openWorldHint = false } = tool?.annotations ?? {}
  if (destructiveHint) return { count: 1, effect: 'destroy' }
  const isUndoable = tool?.undo !== undefined && tool[internals]?.isDiscovered !== true
  if (isUndoable && !openWorldHint && approval === undefined) return { count: 1, effect: own ?? 'value' }
  const isChange = isUndoable || undone !== undefined || approval !== undefined || result.change !== undefined
  return isChange ? { count: 1, effect: own ?? 'unknown' } : undefined
}

/** Adds up what calls have done, those of agents included. */
export function tallyOf(parts: readonly CallLike[], renderState: RenderState): Tally {
  const beyond = new Map<Beyond, ToolCallPart[]>()
  let changes = 0
  let isSafe = true
  for (const part of parts) {
    if (part.type === 'tool-input') continue
    const inner = tallyOf(part.child?.messages.flatMap(toolCallsOf) ?? [], renderState)
    const own = part.child === undefined ? changeOf(part, renderState) : undefined
    changes += inner.changes + (own?.count ?? 0)
    for (const [effect, calls] of inner.beyond) beyond.set(effect, [...(beyond.get(effect) ?? []), ...calls])
    if (own && isAbove(own.effect, 'unknown')) {
      const effect = own.effect as Beyond
      beyond.set(effect, [...(beyond.get(effect) ?? []), part])
    }
    // Of a call that may have done anything, nothing is said.
    const isQuiet = own === undefined ? isHarmless(part, renderState) : !isAbove(own.effect, 'go')
    isSafe &&= inner.isSafe && isQuiet
  }
  return { changes, beyond, isSafe }
}

/** A call without a known change because of which nothing can have been sent: it did not run, or it only looks. */
function isHarmless(part: ToolCallPart, renderState: RenderState): boolean {
  const { call, result, started, child, approval } = part
  if (child !== undefined || isLookTool(call.name, renderState)) return true
  if (isByVisitor(part)) return !isAbove(approval?.preview?.effect ?? 'unknown', 'go')
  if (result?.startedAt === undefined && started === undefined) return true
  return result?.error === undefined && pageTools.has(call.name)
}

/** The calls of one turn, of which the user has replaced all or none. */
interface Turn {
  readonly parts: CallLike[]
  isNewest: boolean
}

function turnsOf(items: readonly (Message | Draft)[]): Turn[] {
  const turns: Turn[] = []
  let isReplaced = false
  let isNew = true
  for (const item of items) {
    if ('role' in item && item.role === 'user') isNew = true
    if ('role' in item && item.role !== 'assistant') continue
    const replaced = 'role' in item && item.replaced === true
    if (isNew || replaced !== isReplaced) turns.push({ parts: [], isNewest: false })
    isNew = false
    isReplaced = replaced
    turns.at(-1)?.parts.push(...item.parts.filter(isCall))
  }
  const last = turns.at(-1)
  // After a message of the user, the turns before it are over.
  if (last && !isNew) last.isNewest = true
  return turns
}

type Places = readonly (readonly [Part, Group])[]

/** What was drawn in place of the calls of a turn, by the first of them: nearly all turns are as they were before. */
const known = new WeakMap<CallLike, { readonly from: readonly unknown[]; readonly places: Places }>()

/** What is drawn in place of each call. `isInside`: the messages are of an agent inside a call. */
export function groupCalls(
  items: readonly (Message | Draft)[],
  view: RenderContext,
  isInside: boolean,
): ReadonlyMap<Part, Group> {
  const groups = new Map<Part, Group>()
  for (const turn of turnsOf(items)) {
    const [first] = turn.parts
    if (first === undefined) continue
    const from = [view.renderState, isInside, view.active && turn.isNewest, ...turn.parts]
    let places = known.get(first)
    if (places?.from.length !== from.length || !from.every((one, index) => one === places?.from[index]))
      known.set(first, (places = { from, places: placesOf(turn, view, isInside) }))
    for (const [part, group] of places.places) groups.set(part, group)
  }
  return groups
}

function placesOf(turn: Turn, view: RenderContext, isInside: boolean): Places {
  const looks = turn.parts.filter((part) => isLook(part, view.renderState))
  const receipt = isInside ? undefined : receiptOf(turn, view)
  const lines = new Set<Part>(receipt?.lines.map(({ part }) => part))
  const host = turn.parts.find((part) => lines.has(part) || tasksOf(part) !== undefined)
  return [
    ...(looks.length > 1 ? grouped(looks, { kind: 'looks', parts: looks }) : []),
    ...[...lines].map((part) => [part, undefined] as const),
    ...(host && receipt ? [[host, receipt] as const] : []),
  ]
}

/** The group in place of its first call. */
const grouped = (parts: readonly Part[], group: Group): Places =>
  parts.map((part, index) => [part, index === 0 ? group : undefined])

function receiptOf({ parts, isNewest }: Turn, { renderState, active }: RenderContext): ReceiptContent | undefined {
  const all: ReceiptLine[] = []
  let todos: readonly Todo[] = []
  for (const part of parts) {
    todos = tasksOf(part) ?? todos
    if (!isShown(part) || isLook(part, renderState)) continue
    all.push({ part, task: todos.find(({ status }) => status === 'in_progress')?.text })
  }
  const tally = tallyOf(
    all.map(({ part }) => part),
    renderState,
  )
  // What a component of the page draws stays where it is, with its state.
  const lines = all.filter(
    ({ part }) => !renderState.renderers.has(part.type === 'tool-call' ? part.call.name : part.name),
  )
  const undoable = renderState.undo?.lines ?? []
  const isUndoable = lines.some(({ part }) => part.type === 'tool-call' && undoable.some(isOf(part)))
  if (todos.length === 0 && (lines.length === 0 || (tally.changes === 0 && !isUndoable))) return undefined
  return { kind: 'receipt', lines, todos, tally, active: active && isNewest }
}

/** Finds what can be undone of a call. */
export const isOf =
  ({ call }: ToolCallPart) =>
  ({ callId }: { readonly callId: string }): boolean =>
    callId === call.id

/** The whole list that a call has written; undefined if it is no such call. */
function tasksOf(part: Part): readonly Todo[] | undefined {
  if (part.type !== 'tool-call' || part.call.name !== 'todo_write' || part.result?.output === undefined)
    return undefined
  return parseTodos(part.result.input ?? part.call.input).todos
}
