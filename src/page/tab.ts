// What survives a reload in this tab: its id, the session it had open, and outcomes the host had not stored yet when
// the page was left. Without sessionStorage (sandboxed frames, Node) nothing survives, and nothing fails.
import { isObject } from '../core/json.js'
import { randomId } from './random-id.js'
import type { Outcome } from '../core/protocol.js'

const memory = new Map<string, string>()

function read(key: string): string | undefined {
  try {
    return globalThis.sessionStorage.getItem(key) ?? undefined
  } catch {
    return memory.get(key) // Storage is denied or absent: the tab forgets at its end, as documented above.
  }
}

function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) globalThis.sessionStorage.removeItem(key)
    else globalThis.sessionStorage.setItem(key, value)
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
  return page[ownTab] ??= ownTabId()
}

async function ownTabId(): Promise<string> {
  const known = read('tool-agent:tab')
  if (known !== undefined && await holdTab(known)) return known
  const id = randomId()
  // A frame shares the notes of the page around it, and leaves that page its id.
  if (known === undefined || globalThis.top === globalThis.self) write('tool-agent:tab', id)
  void holdTab(id)
  return id
}

/** How long the page before may take to be gone, in milliseconds. */
const reloadTime = 1_000

/** Whether no other page lives under this id; then this one holds it for its life. */
function holdTab(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (typeof document !== 'object' || !('locks' in navigator)) return resolve(true)
    navigator.locks.request(`tool-agent-tab:${id}`, { signal: AbortSignal.timeout(reloadTime) }, () => {
      resolve(true)
      return new Promise(() => undefined)
    }).catch((thrown: Error) => resolve(thrown.name !== 'TimeoutError')) // Refused in a sandbox, which shares nothing.
  })
}

export function notedSession(scope: string): string | undefined {
  return read(`tool-agent:session:${scope}`)
}

export function noteSession(scope: string, id: string): void {
  write(`tool-agent:session:${scope}`, id)
}

/** A page that is left may have finished a call whose result the host did not get to store: the next page hands it over. */
export function keepOutcomes(sessionId: string, outcomes: readonly Outcome[]): void {
  write(`tool-agent:outcomes:${sessionId}`, outcomes.length > 0 ? JSON.stringify(outcomes) : undefined)
}

export function takeOutcomes(sessionId: string): Outcome[] {
  const key = `tool-agent:outcomes:${sessionId}`
  const text = read(key)
  write(key, undefined)
  if (text === undefined) return []
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.filter(isOutcome) : []
  } catch {
    return [] // Another script wrote there; the call is then settled as interrupted.
  }
}

function isOutcome(value: unknown): value is Outcome {
  return isObject(value) && typeof value['callId'] === 'string' && typeof value['attempts'] === 'number' &&
    ('error' in value ? isObject(value['error']) : typeof value['text'] === 'string' && 'output' in value)
}
