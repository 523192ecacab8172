// Parses what a store reads, because a record may be damaged or written by another version. A damaged head keeps its
// valid fields. A damaged message is replaced by an empty one at the same index, because other records count by index.
import { isEffect, isTaskGrant, isTaskScope } from '../../core/data/effect.js'
import { isStoppedEffect } from '../../core/data/stopped-effect.js'
import { dropUndefined, isObject, type JsonObject } from '../../core/data/json.js'
import type { Message, SummaryMessage, Undone } from '../../core/data/message.js'
import type {
  Draft,
  Session,
  SessionStatus,
  SessionSummary,
  Turn,
  TurnEnd,
  TurnOptions,
} from '../../core/data/session.js'
import type { SessionHead } from '../../core/state/store.js'
import type { Todo } from '../../core/data/todo.js'

const statuses: ReadonlySet<unknown> = new Set<SessionStatus>(['idle', 'running', 'awaiting-approval', 'interrupted'])
const todoStatuses: ReadonlySet<unknown> = new Set<Todo['status']>(['pending', 'in_progress', 'completed'])

/** The fields of a record. */
export type Fields = Record<string, unknown>

/** Whether a value is missing or valid. */
export const isOptional = (value: unknown, isValid: (value: unknown) => boolean): boolean =>
  value === undefined || isValid(value)
/** Whether a value is an array of valid items. */
export const isListOf = (value: unknown, isValid: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isValid)
/** Whether a value is a string. */
export const isText = (value: unknown): value is string => typeof value === 'string'
/** Whether a value is a status of a session. */
export const isStatus = (value: unknown): value is SessionStatus => statuses.has(value)

/** The head in a record; undefined if the record does not say whose session it is. `length` is NaN if it was lost. */
export function parseHead(record: unknown): SessionHead | undefined {
  if (!hasStrings(record, 'id', 'scope')) return undefined
  const turn = withKnownOptions(validOf(withValidGrants(record['turn']), isTurn))
  const status = validOf(record['status'], isStatus) ?? 'idle'
  return dropUndefined({
    // Checked above.
    ...(record as { readonly id: string; readonly scope: string }),
    title: validOf(record['title'], isText),
    createdAt: validOf(record['createdAt'], isFiniteNumber) ?? 0,
    updatedAt: validOf(record['updatedAt'], isFiniteNumber) ?? 0,
    epoch: validOf(record['epoch'], isIndex) ?? 1,
    length: validOf(record['length'], isIndex) ?? Number.NaN,
    // A turn without its record cannot continue, whatever the status is.
    status: turn === undefined && status !== 'interrupted' ? 'idle' : status,
    todos: validItems(record['todos'], isTodo),
    context: (validOf(record['context'], isObject) as JsonObject | undefined) ?? {},
    grants: validItems(record['grants'], isGrant),
    turn,
    end: withKnownOptions(validOf(record['end'], isEnd)),
    waiting: validOf(record['waiting'], isWaiting),
    note: validOf(record['note'], isSummary),
    toolSearch: record['toolSearch'] === true || undefined,
    clearedTo: validOf(record['clearedTo'], isIndex),
    imported: validOf(record['imported'], isIndex),
    rejected: validOf(record['rejected'], isFiniteNumber),
    measured: validOf(record['measured'], isMeasured),
    usage: validOf(record['usage'], isUsage),
  })
}

/**
 * A turn, or its end, with options that this build knows. Older builds stored `toolsMode: 'replace'`: only the tools of
 * the `send` were offered. A reload loses those, and none of the registered ones may take their place.
 */
function withKnownOptions<T extends Turn | TurnEnd>(record: T | undefined): T | undefined {
  const options: (TurnOptions & { readonly toolsMode?: unknown }) | undefined = record?.options
  if (record === undefined || options?.toolsMode !== 'replace') return record
  return { ...record, options: { ...options, activeTools: [] } }
}

/** A stored turn with the valid ones of its grants. Nothing is allowed by a damaged one. */
function withValidGrants(turn: unknown): unknown {
  if (!isObject(turn) || turn['taskGrants'] === undefined) return turn
  return { ...turn, taskGrants: validItems(turn['taskGrants'], isTaskGrant) }
}

/** The message in a record, or an empty one if it is damaged or missing. */
export function parseMessage(record: unknown, index: number): Message {
  return isMessage(record) ? record : { id: `unreadable_${index}`, role: 'assistant', parts: [], at: 0 }
}

/** The draft in a record; undefined if any part of it is damaged. */
export function parseDraft(record: unknown): Draft | undefined {
  const isValid =
    hasStrings(record, 'id') &&
    typeof record['step'] === 'number' &&
    isListOf(
      record['parts'],
      (part) => hasStrings(part, 'type', 'text') && (part['type'] !== 'tool-input' || hasStrings(part, 'id', 'name')),
    )
  return isValid ? (record as unknown as Draft) : undefined
}

/** A session from its records. `messages[0]` has the absolute index `start`. */
export function sessionOf(
  head: SessionHead,
  start: number,
  messages: readonly Message[],
  draft: Draft | undefined,
): Session {
  const { length: _length, ...rest } = head
  return dropUndefined({ ...rest, start, messages, draft })
}

/** What a list of sessions shows of one. */
export function sessionSummaryOf(head: SessionHead): SessionSummary {
  const { id, scope, title, createdAt, updatedAt, length } = head
  return dropUndefined({ id, scope, title, createdAt, updatedAt, messages: length || 0 })
}

/** Whether every field that is read later has the right type. */
export function isMessage(record: unknown): record is Message {
  if (!hasStrings(record, 'id') || typeof record['at'] !== 'number') return false
  const { role, parts, upTo } = record
  if (role === 'summary') return hasStrings(record, 'text') && typeof upTo === 'number'
  if (role === 'user')
    return isOptional(record['facts'], isFacts) && isListOf(parts, (part) => isTextPart(part, 'text') || isFile(part))
  return (
    role === 'assistant' &&
    isOptional(record['added'], isRequestAddition) &&
    isListOf(parts, (part) => isTextPart(part, 'text') || isTextPart(part, 'reasoning') || isCall(part))
  )
}

function isFacts(value: unknown): boolean {
  return isListOf(value, (fact) => hasStrings(fact, 'name', 'text'))
}

function isRequestAddition(value: unknown): boolean {
  return (
    isObject(value) &&
    isOptional(value['reminder'], isText) &&
    isOptional(value['text'], isText) &&
    isOptional(value['facts'], isFacts)
  )
}

function isTextPart(part: unknown, type: string): boolean {
  return hasStrings(part, 'text') && part['type'] === type
}

function isFile(part: unknown): boolean {
  return hasStrings(part, 'mediaType', 'data') && part['type'] === 'file'
}

const undoStates: ReadonlySet<unknown> = new Set<Undone['state']>(['begun', 'done', 'failed'])

/** Whether a value says how an undo stands. */
export function isUndone(value: unknown): value is Undone {
  return (
    isObject(value) &&
    undoStates.has(value['state']) &&
    isFiniteNumber(value['at']) &&
    isOptional(value['kept'], (labels) => isListOf(labels, isText))
  )
}

/** Whether a value is a call part. */
export function isCall(part: unknown): boolean {
  if (!isObject(part) || part['type'] !== 'tool-call') return false
  const { call, via, result, child, approval, started, held, answers, undone } = part
  return (
    hasStrings(call, 'id', 'name') &&
    call['input'] !== undefined &&
    isOptional(via, (value) => hasStrings(value, 'name') && value['input'] !== undefined) &&
    // The messages of an agent that runs as this call.
    isOptional(child, (value) => isObject(value) && isListOf(value['messages'], isMessage)) &&
    isOptional(
      approval,
      (value) =>
        hasStrings(value, 'hash', 'title') &&
        'input' in value &&
        isOptional(value['preview'], isPreview) &&
        isOptional(value['asks'], (asks) => hasStrings(asks, 'message') && isObject(asks['schema'])),
    ) &&
    isOptional(started, (value) => hasStrings(value, 'hash') && 'input' in value) &&
    isOptional(held, (value) => value === true) &&
    isOptional(answers, Array.isArray) &&
    isOptional(undone, isUndone) &&
    isOptional(
      result,
      (value) =>
        isObject(value) &&
        isOptional(value['modelOutput'], isModelOutput) &&
        isOptional(value['summary'], isText) &&
        isOptional(value['effect'], isEffect) &&
        ('output' in value || isFailure(value['error'])),
    )
  )
}

/** Whether the fields of a preview that decide something are valid. */
function isPreview(value: unknown): boolean {
  return (
    isObject(value) &&
    isOptional(value['effect'], isEffect) &&
    isOptional(value['in'], isText) &&
    isOptional(value['stopped'], (stopped) => isListOf(stopped, isStoppedEffect)) &&
    isOptional(value['task'], isTaskScope)
  )
}

function isModelOutput(value: unknown): boolean {
  return (
    isText(value) ||
    (isObject(value) &&
      value['type'] === 'content' &&
      isListOf(value['value'], (part) => isTextPart(part, 'text') || isFile(part)))
  )
}

/** Whether a value is a todo with a known status. */
export function isTodo(item: unknown): item is Todo {
  return hasStrings(item, 'id', 'text') && todoStatuses.has(item['status'])
}

function isGrant(item: unknown): item is Session['grants'][number] {
  return hasStrings(item, 'tool', 'hash')
}

function isSummary(value: unknown): value is SummaryMessage {
  return isMessage(value) && value.role === 'summary'
}

/** Whether a value is the record of a turn. */
export function isTurn(value: unknown): value is Turn {
  return (
    hasStrings(value, 'id', 'tab', 'url', 'mode') &&
    Array.isArray(value['offered']) &&
    ['startedAt', 'first', 'resumes', 'lastAt', 'spent', 'counted'].every((name) => isFiniteNumber(value[name])) &&
    isObject(value['options']) &&
    isObject(value['facts']) &&
    isOptional(value['taskGrants'], (grants) => isListOf(grants, isTaskGrant))
  )
}

/** Whether a value has nothing but counts. */
export function isUsage(value: unknown): value is NonNullable<Session['usage']> {
  return isObject(value) && Object.values(value).every(isFiniteNumber)
}

function isWaiting(value: unknown): value is NonNullable<Session['waiting']> {
  return isListOf(
    value,
    (one) =>
      hasStrings(one, 'turn', 'messageId') &&
      isListOf(one['input'], (part) => isTextPart(part, 'text') || isFile(part)) &&
      isObject(one['options']) &&
      hasStrings(one['options']['facts'], 'url', 'title', 'lang', 'timeZone'),
  )
}

function isMeasured(value: unknown): value is NonNullable<Session['measured']> {
  return isObject(value) && Number(value['tokens']) > 0 && Number(value['chars']) > 0
}

/** Whether a value says how a turn ended. */
export function isEnd(value: unknown): value is TurnEnd {
  return hasStrings(value, 'turn', 'reason') && typeof value['at'] === 'number'
}

/** Whether a value is an object whose named fields are strings. */
export function hasStrings(value: unknown, ...names: string[]): value is Fields {
  return isObject(value) && names.every((name) => isText(value[name]))
}

function validOf<T>(value: unknown, isValid: (value: unknown) => value is T): T | undefined {
  return isValid(value) ? value : undefined
}

function validItems<T>(value: unknown, isValid: (item: unknown) => item is T): T[] {
  return Array.isArray(value) ? value.filter(isValid) : []
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

/** Whether a value is an integer from 0. */
export function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0
}

/** Whether a value is a failure. */
export function isFailure(value: unknown): boolean {
  return hasStrings(value, 'code', 'message')
}
