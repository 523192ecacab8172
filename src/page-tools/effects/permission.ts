// What an action may do, and whether something that the page is about to do is part of it.
import { isAbove, type Effect, type TaskScope } from '../../core/data/effect.js'
import type { ActionPermission } from '../../core/data/action.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { mayContainRefused } from './refused-deeds.js'

/** What an action may do. */
export interface Permission extends Pick<ActionPermission, 'effect' | 'by'> {
  /** The other site that the user has approved. */
  readonly site?: string | undefined
  /** What a grant for the task covers, if it allowed the action. */
  readonly scope?: TaskScope | undefined
  /** The control that acts. */
  readonly control?: Element | undefined
  /** Its role, name and place before it did. */
  readonly known?: string | undefined
  /** It must not leave the page, because input would be lost. */
  readonly stays?: true | undefined
}

/** The most serious effect on this site that a permission covers. */
export function limitOf({ effect, by }: Permission): Effect {
  if (by === 'off') return 'destroy'
  if (effect === 'outside') return 'go'
  // The user has allowed a press whose effect nobody knows: it may send, but neither destroy nor leave the site.
  return effect === 'unknown' && by === 'user' ? 'send' : effect
}

/** Whether a permission covers this. */
export function covers(permission: Permission, what: StoppedEffect): boolean {
  const { effect, site, stays } = permission
  if (stays && what.effect === 'go' && what.does !== 'open') return false
  // An allowed visit of one site is none of another. Without a site both are downloads of this one.
  if (what.effect === 'outside') return effect === 'outside' && what.site === site
  return !isAbove(what.effect, limitOf(permission)) && isInScope(permission, what)
}

/** A grant for the task covers one method, address and operation. */
function isInScope({ scope, by }: Permission, { effect, method, url = '', operation }: StoppedEffect): boolean {
  if (effect === 'send' && by === 'task' && mayContainRefused()) return false
  if (effect !== 'send' || scope?.covers !== 'send') return true
  return method === scope.method && url.replace(/[?#].*/s, '') === scope.url && operation === scope.operation
}

/**
 * What an action may do after these effects of it were allowed. Its further requests to this site belong to them,
 * unless they delete, pay or leave it. A visit alone allows none.
 */
export function extended(
  { stays: _left, ...permission }: Permission,
  allowed: readonly StoppedEffect[],
  by: ActionPermission['by'],
): Permission {
  const { control, known } = permission
  if (by === 'off') return { effect: 'destroy', by, control, known }
  const isSend = allowed.some(({ effect }) => effect === 'send' || effect === 'destroy')
  return isSend ? { effect: 'send', by, control, known } : permission
}
