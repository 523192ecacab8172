// Decides whether a store may commit. A session is created by its first commit, not by its claim, so that a visitor who
// never writes leaves no record. Two tabs may therefore claim it at epoch 1; the first commit wins, and the guard of
// the other tab rejects.
import { toErrorValue, ToolAgentError, type Failure } from '../../core/data/errors.js'

/** The failure of a host whose session another tab deleted. */
export const deletedElsewhere: Failure = {
  code: 'session-deleted',
  message: 'This session was deleted in another tab. Start a new one.',
}
/** The failure of a host whose session another tab drives. */
export const drivenElsewhere: Failure = {
  code: 'lost-session',
  message: 'This session is open in another tab. Continue there, or start a new one.',
}

/** What one store object knows about the sessions that were claimed through it. */
export interface EpochGuard {
  /** Must be called by each claim. `stored`: whether the session has a record. */
  claimed(id: string, stored: boolean): void
  /**
   * Checks a commit. `stored` is the epoch of the record, undefined without one. `isWhole`: see `StoreChange.whole`.
   * @throws `lost-session`, `session-deleted`, or `storage` if the browser cleared the database and the commit is not
   * the whole session.
   */
  check(id: string, epoch: number, stored: number | undefined, isWhole?: boolean): void
  /** Must be called after each commit. */
  committed(id: string): void
  /** Must be called when the database may have been deleted: missing records were then not deleted by a user. */
  cleared(): void
}

/** Creates a guard without any claim. */
export function createEpochGuard(): EpochGuard {
  const states = new Map<string, 'new' | 'stored' | 'cleared'>()
  return {
    claimed: (id, stored) => {
      states.set(id, stored ? 'stored' : 'new')
    },
    check(id, epoch, stored, isWhole = false) {
      const state = states.get(id)
      if (stored !== undefined) {
        if (stored === epoch && state !== 'new') return
        throw toErrorValue(drivenElsewhere)
      }
      if (isWhole && (state === 'new' || state === 'cleared')) return
      // The user did not delete it, so it is written again.
      if (state === 'cleared') throw new ToolAgentError('storage', 'The browser cleared the stored conversations.')
      if (state === 'stored' || epoch !== 1) throw toErrorValue(deletedElsewhere)
    },
    committed: (id) => {
      states.set(id, 'stored')
    },
    cleared: () => {
      for (const [id, state] of states) if (state === 'stored') states.set(id, 'cleared')
    },
  }
}
