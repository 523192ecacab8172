// What one store object knows of the sessions it was asked for, beside their epochs. A session is created by its first
// commit, not by its claim (a visitor who never writes leaves nothing behind), so two tabs may both have claimed it at
// epoch 1: the first to commit wins, and this memory is how the other notices.
import { ToolAgentError } from '../../core/data/errors.js'

export interface EpochGuard {
  /** A claim found the session stored, or did not. */
  claimed(id: string, stored: boolean): void
  /** Throws where a commit at `epoch` may not happen. `stored`: the epoch of the record, undefined without one. */
  check(id: string, epoch: number, stored: number | undefined): void
  committed(id: string): void
  /** The browser emptied the database behind our back. */
  cleared(): void
}

export function createEpochGuard(): EpochGuard {
  const states = new Map<string, 'new' | 'stored' | 'cleared'>()
  return {
    claimed: (id, stored) => {
      states.set(id, stored ? 'stored' : 'new')
    },
    check(id, epoch, stored) {
      const state = states.get(id)
      if (stored !== undefined) {
        if (stored === epoch && state !== 'new') return
        throw new ToolAgentError('lost-session', 'Another tab has taken this session over.')
      }
      // Nobody deleted it, so nobody wants it stopped: it goes on as if there were no storage.
      if (state === 'cleared') throw new ToolAgentError('storage', 'The browser cleared the stored conversations.')
      if (state === 'stored' || epoch !== 1)
        throw new ToolAgentError('session-deleted', 'This session was deleted in another tab.')
    },
    committed: (id) => {
      states.set(id, 'stored')
    },
    cleared: () => {
      for (const [id, state] of states) if (state === 'stored') states.set(id, 'cleared')
    },
  }
}
