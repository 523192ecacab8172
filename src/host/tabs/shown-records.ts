// Checks what another tab posted, before a mirror shows it: any script of the origin can post to the channel.
import { isTaskGrant } from '../../core/data/effect.js'
import type { AgentEvent } from '../../core/data/event.js'
import { isObject } from '../../core/data/json.js'
import type { Session } from '../../core/data/session.js'
import {
  hasStrings,
  isCall,
  isEnd,
  isFailure,
  isIndex,
  isListOf,
  isMessage,
  isOptional,
  isStatus,
  isText,
  isTodo,
  isTurn,
  isUndone,
  isUsage,
  parseDraft,
  type Fields,
} from '../store/records.js'

/** Whether a message to a mirror has the fields of its type. `session` and `event` are any objects: check them, too. */
export function isFromDriver(message: Fields): boolean {
  switch (message['type']) {
    case 'kept':
      return hasStrings(message, 'callId')
    case 'snapshot':
      return isObject(message['session']) && Number.isInteger(message['seq'])
    case 'event':
      return (
        Number.isInteger(message['epoch']) &&
        Number.isInteger(message['seq']) &&
        isListOf(message['path'], isText) &&
        isObject(message['event'])
      )
    default:
      return true
  }
}

/** Whether a session that another tab posted can be shown. */
export function isShownSession(value: unknown, id: string): value is Session {
  return (
    isObject(value) &&
    value['id'] === id &&
    isIndex(value['start']) &&
    isIndex(value['epoch']) &&
    isListOf(value['messages'], isMessage) &&
    isListOf(value['todos'], isTodo) &&
    isStatus(value['status']) &&
    isObject(value['context']) &&
    Array.isArray(value['grants']) &&
    isOptional(value['draft'], (draft) => parseDraft(draft) !== undefined) &&
    isOptional(value['turn'], isTurn) &&
    isOptional(value['end'], isEnd) &&
    isOptional(value['usage'], isUsage)
  )
}

/** The fields of an event that `reduce` and the panel read, by type. They read no field of any other type. */
const shownFields: Readonly<Record<string, (event: Fields) => boolean>> = {
  'turn-start': ({ turn, message }) => isTurn(turn) && isOptional(message, isMessage),
  'step-start': (event) => hasStrings(event, 'id'),
  'text-delta': (event) => hasStrings(event, 'delta'),
  'text-retract': ({ length }) => isIndex(length),
  'reasoning-delta': (event) => hasStrings(event, 'delta'),
  'tool-input-start': (event) => hasStrings(event, 'id', 'name'),
  'tool-input-delta': (event) => hasStrings(event, 'id', 'delta'),
  'step-end': ({ message, offered }) =>
    isMessage(message) && message.role === 'assistant' && isOptional(message.usage, isUsage) && Array.isArray(offered),
  'approval-request': ({ callId, approval }) => isObject(approval) && isCallWith(callId, { approval }),
  'tool-start': (event) =>
    hasStrings(event, 'callId', 'hash') &&
    'input' in event &&
    isOptional(event['grant'], isObject) &&
    isOptional(event['taskGrant'], isTaskGrant),
  'grants-end': ({ all, page }) => isOptional(page, isText) && isOptional(all, (value) => value === true),
  'tool-progress': (event) => hasStrings(event, 'callId'),
  'tool-result': ({ callId, result, todos, context }) =>
    isObject(result) &&
    isCallWith(callId, { result }) &&
    isOptional(todos, (list) => isListOf(list, isTodo)) &&
    isOptional(context, isContextChange),
  'tool-undo': ({ callId, undone }) => isText(callId) && isOptional(undone, isUndone),
  'context-change': ({ context }) => isContextChange(context),
  'todos-change': ({ todos }) => isListOf(todos, isTodo),
  compact: (event) => hasStrings(event, 'id', 'note') && isIndex(event['upTo']) && isOptional(event['usage'], isUsage),
  'turn-replaced': ({ from, message, end }) =>
    isEnd(end) && isIndex(from) && isOptional(message, (value) => isMessage(value) && value.role === 'user'),
  'turn-end': (event) => hasStrings(event, 'turn', 'reason') && isOptional(event['error'], isFailure),
  'step-retry': ({ delay, error }) => Number.isFinite(delay) && isFailure(error),
  'session-change': ({ title }) => isOptional(title, isText),
  'storage-change': ({ storage, error }) =>
    (storage === 'indexeddb' || storage === 'memory') && isOptional(error, isFailure),
}

/** Whether an event that another tab posted can be shown. Unknown types can. */
export function isShownEvent(value: unknown): value is AgentEvent {
  if (!isObject(value) || typeof value['type'] !== 'string') return false
  return Object.hasOwn(shownFields, value['type']) ? shownFields[value['type']]?.(value) === true : true
}

function isCallWith(id: unknown, fields: Fields): boolean {
  return isCall({ type: 'tool-call', call: { id, name: '', input: {} }, ...fields })
}

function isContextChange(value: unknown): boolean {
  return isListOf(value, (item) => hasStrings(item, 'key'))
}
