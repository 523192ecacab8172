// What a page leaves for the next page of its tab, in sessionStorage: the id of the tab, results that the host had not
// stored, and the action that may have led to the next page. Calls that started while nothing could be stored are in
// localStorage too, for other tabs. A new note is a pair of functions here that write and take it.
import { isObject, stringify } from '../../core/data/json.js'
import type { ToolCall } from '../../core/data/message.js'
import { randomId } from '../random-id.js'
import type { ExecutionResult } from '../../core/data/protocol.js'
import { readItem, readList, storageKey, writeItem } from './storage.js'

// A global symbol, so that two copies of this script in one page share the id.
const ownTab = Symbol.for('tool-agent:tab')

/**
 * The id of this tab; the same after a reload. A duplicated tab, and one that was opened by another, starts with a copy
 * of the other tab's sessionStorage. Only one of the two keeps the id, so that they do not both continue the same turn.
 */
export function tabId(): Promise<string> {
  const page = globalThis as { [ownTab]?: Promise<string> }
  return (page[ownTab] ??= ownTabId())
}

async function ownTabId(): Promise<string> {
  const known = readItem('tool-agent:tab')
  if (known !== undefined && (await holdTab(known))) return known
  const id = randomId()
  // A frame shares sessionStorage with the page around it, and must not replace the id of that page.
  if (known === undefined || globalThis.top === globalThis.self) writeItem('tool-agent:tab', id)
  void holdTab(id)
  return id
}

/** How long the previous page may hold its lock during a reload, in milliseconds. */
const reloadTime = 1_000

/**
 * Takes the lock of a tab id. Resolves with false if another page holds it. This page holds it until it is closed or
 * enters the back/forward cache; when it is shown again, it requests its id again.
 */
function holdTab(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (typeof document !== 'object' || !('locks' in navigator)) return resolve(true)
    navigator.locks
      .request(`tool-agent-tab:${id}`, { signal: AbortSignal.timeout(reloadTime) }, () => {
        resolve(true)
        return new Promise<void>((release) =>
          addEventListener(
            'pagehide',
            () => {
              delete (globalThis as { [ownTab]?: unknown })[ownTab]
              release()
            },
            { once: true },
          ),
        )
      })
      // A sandboxed frame has no locks, and shares no storage.
      .catch((thrown: Error) => resolve(thrown.name !== 'TimeoutError'))
  })
}

/** Saves results that the host may not have stored before the page is closed. The next page hands them over. */
export function keepOutcomes(sessionId: string, outcomes: readonly ExecutionResult[]): void {
  writeItem(storageKey('outcomes', sessionId), outcomes.length > 0 ? stringify(outcomes) : undefined)
}

/** Returns and removes what `keepOutcomes` saved. */
export function takeOutcomes(sessionId: string): ExecutionResult[] {
  const outcomes = readList(readItem(storageKey('outcomes', sessionId)), isOutcome)
  writeItem(storageKey('outcomes', sessionId), undefined)
  return outcomes
}

/**
 * The calls of a session that started while nothing could be stored, in this tab or in another one. Both lists count:
 * that of this tab may be of a turn that another tab has ended.
 */
export function unsavedCalls(sessionId: string): ToolCall[] {
  const key = storageKey('unsaved', sessionId)
  const texts = [readItem(key), readItem(key, 'localStorage')]
  const calls = texts.flatMap((text) => readList(text, isCall))
  return [...new Map(calls.map((call) => [call.id, call])).values()]
}

/**
 * Adds a call to the unsaved calls of a session, or without a call removes all of them. On a full disk, sessionStorage
 * usually still has room; localStorage may not.
 */
export function noteUnsaved(sessionId: string, call?: ToolCall): void {
  const key = storageKey('unsaved', sessionId)
  // The model is shown the input later, so keep it if it is short.
  const text =
    call &&
    stringify([
      ...unsavedCalls(sessionId).filter(({ id }) => id !== call.id),
      stringify(call).length < 2_000 ? call : { ...call, input: {} },
    ])
  writeItem(key, text)
  writeItem(key, text, 'localStorage')
}

/** A call that may lead to another page. */
export interface PendingAction {
  readonly callId: string
  /** The address of the page that it leaves, as the model may read it. */
  readonly from: string
  /** Whether the query of the next page's address must not reach the model. */
  readonly hides: boolean
  /** Whether the next page may answer the call. @default false */
  readonly answers?: boolean | undefined
  /** What it held was allowed, and is on its way. @default false */
  readonly isAllowed?: boolean | undefined
}

/** Saves the action that is about to happen. Undefined removes it: the action is over and the page is still here. */
export function rememberAction(sessionId: string, action: PendingAction | undefined): void {
  writeItem(storageKey('act', sessionId), action && stringify([action]))
}

/** Returns and removes the action during which the previous page was closed. */
export function takeAction(sessionId: string): PendingAction | undefined {
  const [action] = readList(readItem(storageKey('act', sessionId)), isAction)
  rememberAction(sessionId, undefined)
  return action
}

const hasTexts = (value: unknown, ...keys: readonly string[]): value is Record<string, unknown> =>
  isObject(value) && keys.every((key) => typeof value[key] === 'string')

const isAction = (value: unknown): value is PendingAction => hasTexts(value, 'callId', 'from')

const isCall = (value: unknown): value is ToolCall => hasTexts(value, 'id', 'name')

const isOutcome = (value: unknown): value is ExecutionResult =>
  hasTexts(value, 'callId') &&
  typeof value['attempts'] === 'number' &&
  ('error' in value ? isObject(value['error']) : hasTexts(value, 'text') && 'output' in value)
