// Questions that older builds have stored. They say in one text what an action acts on, and some have no effect. Such
// a text is read nowhere else: a question of this build has the same as data.
import type { NamedTarget, Preview } from '../../core/data/action.js'
import type { Effect } from '../../core/data/effect.js'

/** The parts of `Escape on dialog "Help"`, `span "Reply" in clickable "Reply all"`, `form "Order" by button "Pay"`. */
export function targetInOlder(target: unknown): NamedTarget | undefined {
  if (typeof target !== 'string' || target === '') return undefined
  const [, forPage] = /^(\S+) on the page$/.exec(target) ?? []
  if (forPage !== undefined) return { on: { role: 'page', name: '' }, key: forPage }
  const text = /"(?:[^"\\]|\\.)*"/.source
  const found = new RegExp(`^(?:(\\S+) on )?(\\S+) (${text})(?: (in|by) (\\S+) (${text}))?`).exec(target)
  const [, key, role = '', quoted, relation, otherRole = '', otherQuoted] = found ?? []
  if (quoted === undefined) return { on: { role: '', name: target } }
  const on = { role, name: unquoted(quoted) }
  if (otherQuoted === undefined) return { on, key }
  const other = { role: otherRole, name: unquoted(otherQuoted) }
  return relation === 'by' ? { on, key, by: other } : { on: { ...on, place: other }, key }
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text.slice(1, -1)
  }
}

const effectsByDeed: Partial<Record<string, Effect>> = { submit: 'send', go: 'go' }

/** The effect of a question that has none; undefined if it is about no action. */
export function effectInOlder({ effect, does, site }: Preview): Effect | undefined {
  if (effect === undefined && typeof site === 'string') return 'outside'
  return typeof does === 'string' ? (effectsByDeed[does] ?? 'unknown') : undefined
}
