// Parses what a store reads, because a record may be damaged or written by another version. A damaged head keeps its
// valid fields. A damaged message is replaced by an empty one at the same index, because other records count by index.
import { dropUndefined, isObject, type JsonObject } from '../../core/data/json.js'
import type { AssistantMessage, Message } from '../../core/data/message.js'
import type { Draft, Session, SessionStatus, SessionSummary, Turn, TurnEnd } from '../../core/data/session.js'
import type { SessionHead } from '../../core/state/store.js'
import type { Todo } from '../../core/data/todo.js'

/** The values of `Session.status`. */
export const statuses: ReadonlySet<unknown> = new Set<SessionStatus>([
  'idle',
  'running',
  'awaiting-approval',
  'interrupted',
])
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

/** The head in a record; undefined if the record does not say whose session it is. `length` is NaN if it was lost. */
export function parseHead(record: unknown): SessionHead | undefined {
  if (!isObject(record) || !hasStrings(record, 'id', 'scope')) return undefined
  const turn = isTurn(record['turn']) ? record['turn'] : undefined
  const status = statuses.has(record['status']) ? (record['status'] as SessionStatus) : 'idle'
  return dropUndefined({
    // Checked above.
    ...(record as { readonly id: string; readonly scope: string }),
    title: isText(record['title']) ? record['title'] : undefined,
    createdAt: timeOf(record['createdAt']),
    updatedAt: timeOf(record['updatedAt']),
    epoch: isIndex(record['epoch']) ? record['epoch'] : 1,
    length: isIndex(record['length']) ? record['length'] : Number.NaN,
    // A turn without its record cannot continue, whatever the status is.
    status: turn === undefined && status !== 'interrupted' ? 'idle' : status,
    todos: validItems(record['todos'], isTodo),
    context: isObject(record['context']) ? (record['context'] as JsonObject) : {},
    grants: validItems(
      record['grants'],
      (item): item is { tool: string; hash: string } => isObject(item) && hasStrings(item, 'tool', 'hash'),
    ),
    turn,
    end: isEnd(record['end']) ? record['end'] : undefined,
    note: isMessage(record['note']) && record['note'].role === 'summary' ? record['note'] : undefined,
    measured: isMeasured(record['measured']) ? record['measured'] : undefined,
  })
}

/** The message in a record, or an empty one if it is damaged or missing. */
export function parseMessage(record: unknown, index: number): Message {
  return isMessage(record) ? record : emptyMessage(index)
}

/** The draft in a record; undefined if any part of it is damaged. */
export function parseDraft(record: unknown): Draft | undefined {
  const isValid =
    isObject(record) &&
    hasStrings(record, 'id') &&
    typeof record['step'] === 'number' &&
    isListOf(
      record['parts'],
      (part) =>
        isObject(part) &&
        hasStrings(part, 'type', 'text') &&
        (part['type'] !== 'tool-input' || hasStrings(part, 'id', 'name')),
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

function emptyMessage(index: number): AssistantMessage {
  return { id: `unreadable_${index}`, role: 'assistant', parts: [], at: 0 }
}

/** Whether every field that is read later has the right type. */
export function isMessage(record: unknown): record is Message {
  if (!isObject(record) || !hasStrings(record, 'id') || typeof record['at'] !== 'number') return false
  const { role, parts, upTo } = record
  if (role === 'summary') return hasStrings(record, 'text') && typeof upTo === 'number'
  if (role === 'user') return isListOf(parts, (part) => isTextPart(part, 'text') || isFile(part))
  return (
    role === 'assistant' &&
    isListOf(parts, (part) => isTextPart(part, 'text') || isTextPart(part, 'reasoning') || isCall(part))
  )
}

function isTextPart(part: unknown, type: string): boolean {
  return isObject(part) && part['type'] === type && hasStrings(part, 'text')
}

function isFile(part: unknown): boolean {
  return isObject(part) && part['type'] === 'file' && hasStrings(part, 'mediaType', 'data')
}

/** Whether a value is a call part. */
export function isCall(part: unknown): boolean {
  if (!isObject(part) || part['type'] !== 'tool-call') return false
  const { call, result, child, approval, started } = part
  return (
    isObject(call) &&
    hasStrings(call, 'id', 'name') &&
    call['input'] !== undefined &&
    // The messages of an agent that runs as this call.
    isOptional(child, (value) => isObject(value) && isListOf(value['messages'], isMessage)) &&
    isOptional(approval, (value) => isObject(value) && hasStrings(value, 'hash', 'title') && 'input' in value) &&
    isOptional(started, (value) => isObject(value) && hasStrings(value, 'hash') && 'input' in value) &&
    isOptional(
      result,
      (value) =>
        isObject(value) &&
        isOptional(value['modelOutput'], isModelOutput) &&
        isOptional(value['summary'], isText) &&
        ('output' in value || isFailure(value['error'])),
    )
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
  return isObject(item) && hasStrings(item, 'id', 'text') && todoStatuses.has(item['status'])
}

/** Whether a value is the record of a turn. */
export function isTurn(value: unknown): value is Turn {
  return (
    isObject(value) &&
    hasStrings(value, 'id', 'tab', 'url', 'mode') &&
    Array.isArray(value['offered']) &&
    ['startedAt', 'first', 'resumes', 'lastAt', 'spent', 'counted'].every((name) => Number.isFinite(value[name])) &&
    isObject(value['options']) &&
    isObject(value['facts'])
  )
}

function isMeasured(value: unknown): value is NonNullable<Session['measured']> {
  return isObject(value) && Number(value['tokens']) > 0 && Number(value['chars']) > 0
}

/** Whether a value says how a turn ended. */
export function isEnd(value: unknown): value is TurnEnd {
  return isObject(value) && hasStrings(value, 'turn', 'reason') && typeof value['at'] === 'number'
}

/** Whether all named fields are strings. */
export function hasStrings(record: Fields, ...names: string[]): boolean {
  return names.every((name) => isText(record[name]))
}

function validItems<T>(value: unknown, isValid: (item: unknown) => item is T): T[] {
  return Array.isArray(value) ? value.filter(isValid) : []
}

function timeOf(value: unknown): number {
  return Number.isFinite(value) ? (value as number) : 0
}

/** Whether a value is an integer from 0. */
export function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0
}

/** Whether a value is a failure. */
export function isFailure(value: unknown): boolean {
  return isObject(value) && hasStrings(value, 'code', 'message')
}
