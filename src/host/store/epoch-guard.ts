// Decides whether a store may commit. A session is created by its first commit, not by its claim, so that a visitor who
// never writes leaves no record. Each claim of a session without a record therefore begins at a random epoch: of two
// tabs the first to commit has it, and a host of a deleted session cannot write into the next one of its name.
import { toErrorValue, ToolAgentError, type Failure } from '../../core/data/errors.js'

/** The failure of a host whose session was deleted, in another tab or on another device. */
export const deletedElsewhere: Failure = {
  code: 'session-deleted',
  message: 'This session was deleted elsewhere. Start a new one.',
}
/** The failure of a host whose session is written by another one. */
export const drivenElsewhere: Failure = {
  code: 'lost-session',
  message: 'This session is open elsewhere. Continue there, or start a new one.',
}

/** The epoch of a session without a record. Each later claim adds one, which stays far below the largest integer. */
export function firstEpoch(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return (high % 2 ** 16) * 2 ** 32 + low + 1
}

/** What one store object knows about the sessions that were claimed through it. */
export interface EpochGuard {
  /** Must be called by each claim. `stored`: the epoch of the record. Returns the epoch that the claim gives. */
  claimed(id: string, stored: number | undefined): number
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

/** Claims that a guard knows. A session without a record whose claim is older counts as deleted. */
const maxClaims = 10_000

/** Creates a guard without any claim. */
export function createEpochGuard(): EpochGuard {
  // A number: the epoch of the newest claim of a session without a record.
  const states = new Map<string, number | 'stored' | 'cleared'>()
  return {
    claimed: (id, stored) => {
      const epoch = stored === undefined ? firstEpoch() : stored + 1
      // A server keeps a guard while any page of the user is there, which may open one session after another.
      const [oldest] = states.size >= maxClaims ? states.keys() : []
      if (oldest !== undefined) states.delete(oldest)
      // The newest claim is the last one.
      states.delete(id)
      states.set(id, stored === undefined ? epoch : 'stored')
      return epoch
    },
    check(id, epoch, stored, isWhole = false) {
      const state = states.get(id)
      if (stored !== undefined) {
        // A number that is another one: a tab has stored the session after this one claimed it.
        if (stored === epoch && (typeof state !== 'number' || state === epoch)) return
        throw toErrorValue(drivenElsewhere)
      }
      if (state === epoch || (isWhole && (typeof state === 'number' || state === 'cleared'))) return
      // The user did not delete it, so it is written again.
      if (state === 'cleared') throw new ToolAgentError('storage', 'The browser cleared the stored conversations.')
      throw toErrorValue(deletedElsewhere)
    },
    committed: (id) => {
      states.set(id, 'stored')
    },
    cleared: () => {
      for (const [id, state] of states) if (state === 'stored') states.set(id, 'cleared')
    },
  }
}
