// Who works on a session, if several processes serve one database. A lease says who should work, the epoch who may
// write: taking over raises the epoch in the same transaction, so that what the process before still writes is refused.
// Only the clock of the database counts. A statement that waited has the time at which it began, which is the safe
// side: a lease is never taken too early, and none lasts longer than its holder counts from before it asked.
import { keyOf, textOf, type Row } from '../sql-values.js'
import type { PostgresConnection } from './connection.js'
import { durable } from './writes.js'

/** Milliseconds that a lease lasts. */
export const leaseTime = 15_000

/** Milliseconds between two renewals. */
export const renewalTime = 5_000

/** The answer to who should work on a session. */
export type Lease =
  /** This process. `isNew`: it did not hold the lease before. */
  | { readonly isHeld: true; readonly isNew: boolean }
  /** Another one, for so many milliseconds unless it renews its lease. */
  | { readonly isHeld: false; readonly process: string; readonly ms: number }

/** A session of a user. */
export interface LeasedSession {
  readonly user: string
  readonly session: string
}

/** The leases of one database. `process` is a random id that each start of a process makes for itself. */
export interface Leases {
  /** Takes a lease that is free or over, or that this process holds already. */
  lease(user: string, session: string, process: string): Promise<Lease>
  /** Renews every lease of a process that is not over yet, in one statement. What is not returned is lost. */
  renew(process: string): Promise<LeasedSession[]>
  /** Gives a lease back, if this process holds it. */
  release(user: string, session: string, process: string): Promise<void>
}

const end = `now() + interval '${leaseTime} milliseconds'`

const takeSql = `
  INSERT INTO tool_agent_leases AS l (user_id, session, process, since, until) VALUES ($1, $2, $3, now(), ${end})
  ON CONFLICT (user_id, session) DO UPDATE SET process = excluded.process, until = excluded.until,
    since = CASE WHEN l.until > now() THEN l.since ELSE now() END
  WHERE l.process = excluded.process OR l.until <= now()
  RETURNING (since = now())::integer AS is_new, ${durable}`

/** The leases in the database of a connection. */
export function postgresLeases(connection: PostgresConnection): Leases {
  return {
    async lease(user, session, process) {
      const names = [keyOf(user), keyOf(session)]
      let isAgain = false
      // Two statements: the second one sees a session whose first commit the first one waited for.
      const row = await connection.transact(
        async (db) => {
          const { rows } = await db.query(takeSql, [...names, process])
          const [taken] = rows as Row[]
          if (taken && Number(taken['is_new']) === 1)
            await db.query('UPDATE tool_agent_sessions SET epoch = epoch + 1 WHERE user_id = $1 AND id = $2', names)
          return taken
        },
        () => (isAgain = true),
      )
      // An answer that was lost may have been that it is new.
      if (row) return { isHeld: true, isNew: isAgain || Number(row['is_new']) === 1 }
      return other(connection, user, session)
    },
    async renew(process) {
      const rows = await connection.rows(
        `UPDATE tool_agent_leases SET until = ${end} WHERE process = $1 AND until > now() RETURNING user_id, session`,
        [process],
      )
      return rows.map((row) => ({ user: textOf(row, 'user_id'), session: textOf(row, 'session') }))
    },
    async release(user, session, process) {
      await connection.rows('DELETE FROM tool_agent_leases WHERE user_id = $1 AND session = $2 AND process = $3', [
        keyOf(user),
        keyOf(session),
        process,
      ])
    },
  }
}

/** The holder of a lease that could not be taken. It may have ended meanwhile: then it is over now. */
async function other(connection: PostgresConnection, user: string, session: string): Promise<Lease> {
  const [row] = await connection.rows(
    `SELECT process, greatest(0, extract(epoch FROM until - now()) * 1000)::float8 AS ms FROM tool_agent_leases
    WHERE user_id = $1 AND session = $2`,
    [keyOf(user), keyOf(session)],
  )
  return { isHeld: false, process: String(row?.['process'] ?? ''), ms: Number(row?.['ms'] ?? 0) }
}
