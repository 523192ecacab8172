// What survives a reload in this tab: its id, the session it had open, and outcomes the host had not stored yet when
// the page was left; and, in every tab, the calls that began while nothing could be stored. Without sessionStorage
// (sandboxed frames, Node) nothing survives, and nothing fails.
import { isObject } from '../../core/data/json.js'
import type { ToolCall } from '../../core/data/message.js'
import { randomId } from '../random-id.js'
import type { ExecutionResult } from '../../core/data/protocol.js'

const memory = new Map<string, string>()

type Area = 'sessionStorage' | 'localStorage'

function read(key: string, area: Area = 'sessionStorage'): string | undefined {
  try {
    return globalThis[area].getItem(key) ?? undefined
  } catch {
    return memory.get(key) // Storage is denied or absent: the tab forgets at its end, as documented above.
  }
}

function write(key: string, value: string | undefined, area: Area = 'sessionStorage'): void {
  try {
    if (value === undefined) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    if (value === undefined) memory.delete(key)
    else memory.set(key, value)
  }
}

// One for the page, also where the script was loaded twice.
const ownTab = Symbol.for('tool-agent:tab')

/**
 * The same after a reload. A tab that was duplicated or opened by another begins with a copy of what that one noted: of
 * two living pages only one keeps the id, so that they do not both take a turn for their own.
 */
export function tabId(): Promise<string> {
  const page = globalThis as { [ownTab]?: Promise<string> }
  return (page[ownTab] ??= ownTabId())
}

async function ownTabId(): Promise<string> {
  const known = read('tool-agent:tab')
  if (known !== undefined && (await holdTab(known))) return known
  const id = randomId()
  // A frame shares the notes of the page around it, and leaves that page its id.
  if (known === undefined || globalThis.top === globalThis.self) write('tool-agent:tab', id)
  void holdTab(id)
  return id
}

/** How long the page before may take to be gone, in milliseconds. */
const reloadTime = 1_000

/**
 * Whether no other page lives under this id; then this one holds it until it is closed or enters the back/forward
 * cache. A page that is shown again requests its id again.
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
      .catch((thrown: Error) => resolve(thrown.name !== 'TimeoutError')) // Refused in a sandbox, which shares nothing.
  })
}

const sessionKey = (scope: string) => `tool-agent:session:${scope}`

/** Sessions this tab had open in a scope, one for each agent of a page, '' for none yet; a single one by its bare id. */
function notedSessions(scope: string): string[] {
  const text = read(sessionKey(scope))
  const list = text?.startsWith('["') ? listIn(text, (one) => typeof one === 'string') : []
  return list.length > 0 || text === undefined ? list : [text]
}

// Places that agents of this page have, by scope.
const places = new Map<string, Set<number>>()

/** An agent's place among the sessions of a tab: behind a reload the agents of the page find theirs again, in order. */
export interface SessionSlot {
  readonly scope: string
  noted(): string | undefined
  note(id: string): void
  leave(): void
}

/** The place of the session named, else the first that no agent of this page has and whose session none has open. */
export function claimSlot(scope: string, openHere: ReadonlySet<string>, named?: string): SessionSlot {
  const taken = places.get(scope) ?? new Set()
  places.set(scope, taken)
  const list = notedSessions(scope)
  let at = named === undefined ? -1 : list.indexOf(named)
  if (at < 0 || taken.has(at))
    for (at = 0; taken.has(at) || (openHere.has(list[at] ?? '') && list[at] !== named); at++);
  taken.add(at)
  return {
    scope,
    noted: () => notedSessions(scope)[at] || undefined,
    note(id) {
      const now = notedSessions(scope)
      const kept = Array.from({ length: Math.max(at + 1, now.length) }, (_, place) =>
        place === at ? id : now[place] === id && !taken.has(place) ? '' : (now[place] ?? ''),
      )
      write(sessionKey(scope), kept.length > 1 || id.startsWith('["') ? JSON.stringify(kept) : id)
    },
    leave: () => {
      taken.delete(at)
    },
  }
}

/** A page that is left may have finished a call whose result the host did not get to store: the next page hands it over. */
export function keepOutcomes(sessionId: string, outcomes: readonly ExecutionResult[]): void {
  write(`tool-agent:outcomes:${sessionId}`, outcomes.length > 0 ? JSON.stringify(outcomes) : undefined)
}

export function takeOutcomes(sessionId: string): ExecutionResult[] {
  const key = `tool-agent:outcomes:${sessionId}`
  const text = read(key)
  write(key, undefined)
  return listIn(text, isOutcome)
}

const unsavedKey = (sessionId: string) => `tool-agent:unsaved:${sessionId}`

/** Calls of a session that began while nothing could be stored. */
export function unsavedCalls(sessionId: string): ToolCall[] {
  const key = unsavedKey(sessionId)
  return listIn(read(key) ?? read(key, 'localStorage'), isCall)
}

/** Notes one more, or forgets all. This tab finds room for it though the disk is full, the other tabs perhaps. */
export function noteUnsaved(sessionId: string, call?: ToolCall): void {
  const key = unsavedKey(sessionId)
  // What it was called with is told to the model, if it is short.
  const text =
    call &&
    JSON.stringify([
      ...unsavedCalls(sessionId).filter(({ id }) => id !== call.id),
      JSON.stringify(call).length < 2_000 ? call : { ...call, input: {} },
    ])
  write(key, text)
  write(key, text, 'localStorage')
}

function listIn<T>(text: string | undefined, isOne: (value: unknown) => value is T): T[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? parsed.filter(isOne) : []
  } catch {
    return [] // Another script wrote there; a call is then settled as interrupted.
  }
}

/** An act that may lead to another page. `hides`: the query of that page’s address is not to be told. */
interface Act {
  readonly callId: string
  readonly from: string
  readonly hides: boolean
}

const actKey = (sessionId: string) => `tool-agent:act:${sessionId}`

/** A call is about to act on this page, which it may lead away from; undefined when it is over and the page is still here. */
export function rememberAction(sessionId: string, act: Act | undefined): void {
  write(actKey(sessionId), act && JSON.stringify([act]))
}

/** The act that was under way when the page before this one was left, for the page at `url`. */
export function takeAction(sessionId: string, url: string): { callId: string; from: string; to: string } | undefined {
  const [act] = listIn(read(actKey(sessionId)), isAct)
  rememberAction(sessionId, undefined)
  return act && { callId: act.callId, from: act.from, to: act.hides ? url.replace(/[?#].*/, '') : url }
}

const isAct = (value: unknown): value is Act =>
  isObject(value) && typeof value['callId'] === 'string' && typeof value['from'] === 'string'

function isCall(value: unknown): value is ToolCall {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string'
}

function isOutcome(value: unknown): value is ExecutionResult {
  return (
    isObject(value) &&
    typeof value['callId'] === 'string' &&
    typeof value['attempts'] === 'number' &&
    ('error' in value ? isObject(value['error']) : typeof value['text'] === 'string' && 'output' in value)
  )
}
