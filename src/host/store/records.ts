// What a store reads is parsed before it is believed: a record may be damaged, or written by another version. A damaged
// head keeps what is sound of it; a damaged message gives up its words and keeps its place, because everything else
// counts by absolute index.
import { dropUndefined, isObject, type JsonObject } from '../../core/data/json.js'
import type { AgentEvent } from '../../core/data/event.js'
import type { AssistantMessage, Message } from '../../core/data/message.js'
import type { Draft, Session, SessionStatus, SessionSummary, Turn, TurnEnd } from '../../core/data/session.js'
import type { SessionHead } from '../../core/data/store.js'
import type { Todo } from '../../core/data/todo.js'

const statuses: ReadonlySet<unknown> = new Set<SessionStatus>(['idle', 'running', 'awaiting-approval', 'interrupted'])
const todoStatuses: ReadonlySet<unknown> = new Set<Todo['status']>(['pending', 'in_progress', 'completed'])

/** Undefined where it cannot even be told whose session it is. `length` is NaN where it was lost. */
export function parseHead(record: unknown): SessionHead | undefined {
  if (!isObject(record) || !hasStrings(record, 'id', 'scope')) return undefined
  const turn = isTurn(record['turn']) ? record['turn'] : undefined
  const status = statuses.has(record['status']) ? (record['status'] as SessionStatus) : 'idle'
  return dropUndefined({
    ...record,
    id: String(record['id']),
    scope: String(record['scope']),
    title: typeof record['title'] === 'string' ? record['title'] : undefined,
    createdAt: numberOr(record['createdAt'], 0),
    updatedAt: numberOr(record['updatedAt'], 0),
    epoch: isIndex(record['epoch']) ? record['epoch'] : 1,
    length: isIndex(record['length']) ? record['length'] : Number.NaN,
    // Without its record a turn cannot go on, whatever the status says.
    status: turn === undefined && status !== 'interrupted' ? 'idle' : status,
    todos: listOf(record['todos'], isTodo),
    context: isObject(record['context']) ? (record['context'] as JsonObject) : {},
    grants: listOf(
      record['grants'],
      (item): item is { tool: string; hash: string } => isObject(item) && hasStrings(item, 'tool', 'hash'),
    ),
    turn,
    end: isEnd(record['end']) ? record['end'] : undefined,
    note: isMessage(record['note']) && record['note'].role === 'summary' ? record['note'] : undefined,
    measured: isMeasured(record['measured']) ? record['measured'] : undefined,
  })
}

/** The message of a place, or one without parts where what stands there cannot be read. */
export function parseMessage(record: unknown, index: number): Message {
  return isMessage(record) ? record : unreadable(index)
}

export function parseDraft(record: unknown): Draft | undefined {
  if (
    !isObject(record) ||
    !hasStrings(record, 'id') ||
    typeof record['step'] !== 'number' ||
    !Array.isArray(record['parts'])
  )
    return undefined
  const sound = record['parts'].every(
    (part) =>
      isObject(part) &&
      hasStrings(part, 'type', 'text') &&
      (part['type'] !== 'tool-input' || hasStrings(part, 'id', 'name')),
  )
  return sound ? (record as unknown as Draft) : undefined
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

export function sessionSummaryOf(head: SessionHead): SessionSummary {
  const { id, scope, title, createdAt, updatedAt, length } = head
  return dropUndefined({ id, scope, title, createdAt, updatedAt, messages: length || 0 })
}

function unreadable(index: number): AssistantMessage {
  return { id: `unreadable_${index}`, role: 'assistant', parts: [], at: 0 }
}

export function isMessage(record: unknown): record is Message {
  if (!isObject(record) || !hasStrings(record, 'id') || typeof record['at'] !== 'number') return false
  if (record['role'] === 'summary') return hasStrings(record, 'text') && typeof record['upTo'] === 'number'
  if (!Array.isArray(record['parts'])) return false
  if (record['role'] === 'user') return record['parts'].every((part) => isText(part, 'text') || isFile(part))
  return (
    record['role'] === 'assistant' &&
    record['parts'].every((part) => isText(part, 'text') || isText(part, 'reasoning') || isCall(part))
  )
}

function isText(part: unknown, type: string): boolean {
  return isObject(part) && part['type'] === type && hasStrings(part, 'text')
}

function isFile(part: unknown): boolean {
  return isObject(part) && part['type'] === 'file' && hasStrings(part, 'mediaType', 'data')
}

function isCall(part: unknown): boolean {
  if (!isObject(part) || part['type'] !== 'tool-call') return false
  const { call, result } = part
  if (!isObject(call) || !hasStrings(call, 'id', 'name') || call['input'] === undefined) return false
  // What an agent inside the call said is shown like the rest.
  if (
    part['child'] !== undefined &&
    !(isObject(part['child']) && Array.isArray(part['child']['messages']) && part['child']['messages'].every(isMessage))
  )
    return false
  if (
    part['approval'] !== undefined &&
    !(isObject(part['approval']) && hasStrings(part['approval'], 'hash', 'title') && 'input' in part['approval'])
  )
    return false
  if (
    part['started'] !== undefined &&
    !(isObject(part['started']) && typeof part['started']['hash'] === 'string' && 'input' in part['started'])
  )
    return false
  return (
    result === undefined ||
    (isObject(result) &&
      isModelOutput(result['modelOutput']) &&
      ('output' in result || (isObject(result['error']) && hasStrings(result['error'], 'code', 'message'))))
  )
}

function isModelOutput(value: unknown): boolean {
  if (value === undefined || typeof value === 'string') return true
  return (
    isObject(value) &&
    value['type'] === 'content' &&
    Array.isArray(value['value']) &&
    value['value'].every((part) => isText(part, 'text') || isFile(part))
  )
}

export function isTodo(item: unknown): item is Todo {
  return isObject(item) && hasStrings(item, 'id', 'text') && todoStatuses.has(item['status'])
}

function isTurn(value: unknown): value is Turn {
  if (!isObject(value) || !hasStrings(value, 'id', 'tab', 'url', 'mode') || !Array.isArray(value['offered']))
    return false
  const numbers = ['startedAt', 'first', 'resumes', 'lastAt', 'spent', 'counted'].every((name) =>
    Number.isFinite(value[name]),
  )
  return numbers && isObject(value['options']) && isObject(value['facts'])
}

function isMeasured(value: unknown): value is NonNullable<Session['measured']> {
  return isObject(value) && Number(value['tokens']) > 0 && Number(value['chars']) > 0
}

function isEnd(value: unknown): value is TurnEnd {
  return isObject(value) && hasStrings(value, 'turn', 'reason') && typeof value['at'] === 'number'
}

function hasStrings(record: Record<string, unknown>, ...names: string[]): boolean {
  return names.every((name) => typeof record[name] === 'string')
}

function listOf<T>(value: unknown, is: (item: unknown) => item is T): T[] {
  return Array.isArray(value) ? value.filter(is) : []
}

function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : other
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0
}

/** A session that another tab sent to be shown. */
export function isShownSession(value: unknown, id: string): value is Session {
  if (!isObject(value) || value['id'] !== id || !isIndex(value['start']) || !isIndex(value['epoch'])) return false
  const { messages, todos, draft, turn, end, status } = value
  return (
    Array.isArray(messages) &&
    messages.every(isMessage) &&
    Array.isArray(todos) &&
    todos.every(isTodo) &&
    statuses.has(status) &&
    isObject(value['context']) &&
    Array.isArray(value['grants']) &&
    (draft === undefined || parseDraft(draft) !== undefined) &&
    (turn === undefined || isTurn(turn)) &&
    (end === undefined || isEnd(end))
  )
}

/** Fields that `reduce` and the panel read of an event, by its type; of a type that is not here they read none. */
const shown: Readonly<Record<string, (event: Record<string, unknown>) => boolean>> = {
  'turn-start': ({ turn, message }) => isTurn(turn) && (message === undefined || isMessage(message)),
  'step-start': (event) => hasStrings(event, 'id'),
  'text-delta': (event) => hasStrings(event, 'delta'),
  'reasoning-delta': (event) => hasStrings(event, 'delta'),
  'tool-input-start': (event) => hasStrings(event, 'id', 'name'),
  'tool-input-delta': (event) => hasStrings(event, 'id', 'delta'),
  'step-end': ({ message, offered }) => isMessage(message) && message.role === 'assistant' && Array.isArray(offered),
  'approval-request': ({ callId, approval }) =>
    isCall({ type: 'tool-call', call: { id: callId, name: '', input: {} }, approval }) && isObject(approval),
  'tool-start': (event) =>
    hasStrings(event, 'callId', 'hash') &&
    'input' in event &&
    (event['grant'] === undefined || isObject(event['grant'])),
  'tool-progress': (event) => hasStrings(event, 'callId'),
  'tool-result': ({ callId, result, todos, context }) =>
    isCall({ type: 'tool-call', call: { id: callId, name: '', input: {} }, result }) &&
    isObject(result) &&
    (todos === undefined || (Array.isArray(todos) && todos.every(isTodo))) &&
    (context === undefined || isChange(context)),
  'context-change': ({ context }) => isChange(context),
  'todos-change': ({ todos }) => Array.isArray(todos) && todos.every(isTodo),
  compact: (event) => hasStrings(event, 'id', 'note') && isIndex(event['upTo']),
  'turn-end': (event) =>
    hasStrings(event, 'turn', 'reason') && (event['error'] === undefined || isFailure(event['error'])),
  'step-retry': ({ delay, error }) => Number.isFinite(delay) && isFailure(error),
  'session-change': ({ title }) => title === undefined || typeof title === 'string',
  'storage-change': ({ storage, error }) =>
    (storage === 'indexeddb' || storage === 'memory') && (error === undefined || isFailure(error)),
}

/** An event that another tab sent to be shown. */
export function isShownEvent(value: unknown): value is AgentEvent {
  if (!isObject(value) || typeof value['type'] !== 'string') return false
  return Object.hasOwn(shown, value['type']) ? shown[value['type']]?.(value) === true : true
}

function isFailure(value: unknown): boolean {
  return isObject(value) && hasStrings(value, 'code', 'message')
}

function isChange(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isObject(one) && typeof one['key'] === 'string')
}
