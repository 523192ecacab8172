// What a tab remembers across a reload, in sessionStorage: its id, the sessions its agents had open, results that the
// host had not stored when the page was closed, and the action that may have led to the next page. Calls that started
// while nothing could be stored are in localStorage too, for other tabs. Without storage (sandboxed frames, Node) all
// of it is kept in memory.
import { isObject, parseJson } from '../../core/data/json.js'
import type { ToolCall } from '../../core/data/message.js'
import { randomId } from '../random-id.js'
import type { ExecutionResult } from '../../core/data/protocol.js'

/** Used if the browser denies access to storage. */
const memory = new Map<string, string>()

type Area = 'sessionStorage' | 'localStorage'

function read(key: string, area: Area = 'sessionStorage'): string | undefined {
  try {
    return globalThis[area].getItem(key) ?? undefined
  } catch {
    return memory.get(key) // Storage is denied or absent.
  }
}

/** `id`: a scope for `session`, else the id of a session. */
const storageKey = (kind: 'session' | 'outcomes' | 'unsaved' | 'act', id: string) => `tool-agent:${kind}:${id}`

/** Writes a value; undefined removes it. */
function write(key: string, value: string | undefined, area: Area = 'sessionStorage'): void {
  try {
    if (value === undefined) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    if (value === undefined) memory.delete(key)
    else memory.set(key, value)
  }
}

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
  const known = read('tool-agent:tab')
  if (known !== undefined && (await holdTab(known))) return known
  const id = randomId()
  // A frame shares sessionStorage with the page around it, and must not replace the id of that page.
  if (known === undefined || globalThis.top === globalThis.self) write('tool-agent:tab', id)
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

/** The ids of the sessions that this tab had open in a scope, by slot; '' for a slot without a session. */
const storedSlots = (scope: string): string[] =>
  readList(read(storageKey('session', scope)), (value): value is string => typeof value === 'string')

/** The slots that agents of this page hold, by scope. */
const heldSlots = new Map<string, Set<number>>()

/**
 * An agent's place in the list of sessions of its tab. After a reload the agents get the same slots, in the same order.
 */
export interface SessionSlot {
  /** The scope of the agent; each scope has its own list of slots. */
  readonly scope: string
  /** The id of the session that was saved here; undefined if there is none. */
  saved(): string | undefined
  /** Saves the id of the session that is open. */
  save(id: string): void
  /** Frees the slot for other agents of this page. What was saved stays. */
  release(): void
}

/**
 * Claims the slot in which the session `named` is saved. Otherwise the first one that no agent of this page holds, and
 * whose session is not among `openHere`.
 */
export function claimSlot(scope: string, openHere: ReadonlySet<string>, named?: string): SessionSlot {
  const held = heldSlots.get(scope) ?? new Set()
  heldSlots.set(scope, held)
  const ids = storedSlots(scope)
  const isTaken = (slot: number) => held.has(slot) || (openHere.has(ids[slot] ?? '') && ids[slot] !== named)
  let index = named === undefined ? -1 : ids.indexOf(named)
  if (index < 0 || held.has(index)) index = 0
  while (isTaken(index)) index++
  held.add(index)
  return {
    scope,
    saved: () => storedSlots(scope)[index] || undefined,
    save(id) {
      const now = storedSlots(scope)
      // No other free slot may keep the same session.
      const next = Array.from({ length: Math.max(index + 1, now.length) }, (_, slot) =>
        now[slot] === id && !held.has(slot) ? '' : (now[slot] ?? ''),
      )
      next[index] = id
      write(storageKey('session', scope), JSON.stringify(next))
    },
    release: () => {
      held.delete(index)
    },
  }
}

/** Saves results that the host may not have stored before the page is closed. The next page hands them over. */
export function keepOutcomes(sessionId: string, outcomes: readonly ExecutionResult[]): void {
  write(storageKey('outcomes', sessionId), outcomes.length > 0 ? JSON.stringify(outcomes) : undefined)
}

/** Returns and removes what `keepOutcomes` saved. */
export function takeOutcomes(sessionId: string): ExecutionResult[] {
  const outcomes = readList(read(storageKey('outcomes', sessionId)), isOutcome)
  write(storageKey('outcomes', sessionId), undefined)
  return outcomes
}

/** The calls of a session that started while nothing could be stored. */
export function unsavedCalls(sessionId: string): ToolCall[] {
  const key = storageKey('unsaved', sessionId)
  return readList(read(key) ?? read(key, 'localStorage'), isCall)
}

/**
 * Adds a call to those, or without a call removes all. On a full disk, sessionStorage usually still has room;
 * localStorage may not.
 */
export function noteUnsaved(sessionId: string, call?: ToolCall): void {
  const key = storageKey('unsaved', sessionId)
  // The model is shown the input later, so keep it if it is short.
  const text =
    call &&
    JSON.stringify([
      ...unsavedCalls(sessionId).filter(({ id }) => id !== call.id),
      JSON.stringify(call).length < 2_000 ? call : { ...call, input: {} },
    ])
  write(key, text)
  write(key, text, 'localStorage')
}

/** Parses a JSON array, and drops items that are not valid: any script of the page can write to storage. */
function readList<T>(text: string | undefined, isItem: (value: unknown) => value is T): T[] {
  const parsed = parseJson(text ?? '')
  return Array.isArray(parsed) ? parsed.filter(isItem) : []
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
}

/** Saves the action that is about to happen. Undefined removes it: the action is over and the page is still here. */
export function rememberAction(sessionId: string, action: PendingAction | undefined): void {
  write(storageKey('act', sessionId), action && JSON.stringify([action]))
}

/** Returns and removes the action during which the previous page was closed. */
export function takeAction(sessionId: string): PendingAction | undefined {
  const [action] = readList(read(storageKey('act', sessionId)), isAction)
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
