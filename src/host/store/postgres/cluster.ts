// Several processes on one database: who is alive, who works on a session, and their mail. A lease says who should
// work, the epoch who may write: taking over raises the epoch in the same transaction, so that what the process before
// still writes is refused. Only the clock of the database counts. A statement that waited has the time at which it
// began, which is the safe side: no process lasts longer than it counts itself from before it asked.
import type { Arrived, Cluster, LeasedSession } from '../../../core/state/cluster.js'
import { keyOf, textIn, textOf, type Row } from '../sql-values.js'
import type { PostgresConnection } from './connection.js'
import type { PostgresQueries, PostgresPool } from './pool.js'
import { durable, relaxed } from './writes.js'

/** How processes share a database. */
export interface ClusterOptions {
  /** Where each process listens, on one connection. */
  readonly listenOn: PostgresPool
  readonly leaseTime: number
}

/** Rows of mail that one statement reads. */
const mostMail = 100

/** Milliseconds in which a database answers its own notification, if it does. */
const echoTime = 2_000

// One that does not wait for others: two processes that clear away would wait for each other.
const endSql = `
  DELETE FROM tool_agent_processes WHERE process IN (
    SELECT process FROM tool_agent_processes WHERE until <= now() FOR UPDATE SKIP LOCKED)`

// Mail to a process that is over. One that is alive reads within seconds.
const clearSql = `DELETE FROM tool_agent_mail WHERE at < now() - interval '1 minute'`

// A session that a process has left unfinished has a lease of nobody. Neither part holds a row that it does not take:
// ending a process changes all its leases.
const takeSql = `
  WITH new AS (
    INSERT INTO tool_agent_leases (user_id, session, process) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1),
  free AS (
    UPDATE tool_agent_leases SET process = $3 WHERE user_id = $1 AND session = $2 AND process IS NULL RETURNING 1)
  SELECT ${durable} FROM (SELECT FROM new UNION ALL SELECT FROM free) AS taken`

// It may renew at this moment, or somebody else may end it. Then this waits, and says nothing of what it was before.
const endOneSql = `
  WITH ended AS (DELETE FROM tool_agent_processes WHERE process = $1 AND until <= now())
  SELECT FROM tool_agent_processes WHERE process = $1 AND until > now()`

const postSql = `
  WITH posted AS (INSERT INTO tool_agent_mail (process, version, body) VALUES ($1, $2, $3))
  SELECT pg_notify('tool_agent_' || $1, ''), ${relaxed}`

const collectSql = `
  WITH gone AS (DELETE FROM tool_agent_mail WHERE id = ANY ($3::bigint[]))
  SELECT m.id::text, m.body, ${relaxed} FROM tool_agent_mail m
  WHERE m.process = $1 AND m.version <= $2 AND m.id <> ALL ($3::bigint[]) ORDER BY m.id LIMIT ${mostMail}`

/** The processes of a database. */
export function postgresCluster(connection: PostgresConnection, { listenOn, leaseTime }: ClusterOptions): Cluster {
  const until = `now() + interval '${leaseTime} milliseconds'`
  return {
    leaseTime,
    async join(process) {
      await connection.rows(
        `INSERT INTO tool_agent_processes (process, until) VALUES ($1, ${until})
        ON CONFLICT (process) DO UPDATE SET until = excluded.until RETURNING ${durable}`,
        [process],
      )
    },
    async renew(process) {
      await connection.rows(endSql, [])
      const renewed = await connection.rows(
        `UPDATE tool_agent_processes SET until = ${until} WHERE process = $1 AND until > now() RETURNING process`,
        [process],
      )
      if (renewed.length === 0) return undefined
      await connection.rows(clearSql, [])
      const alive = await connection.rows('SELECT process FROM tool_agent_processes WHERE until > now()', [])
      return alive.map((row) => textIn(row, 'process'))
    },
    async leave(process) {
      await connection.rows(
        `WITH gone AS (DELETE FROM tool_agent_processes WHERE process = $1),
        unread AS (DELETE FROM tool_agent_mail WHERE process = $1) SELECT ${durable}`,
        [process],
      )
    },
    async lease(session, process) {
      for (;;) {
        const holder = await connection.transact((db) => take(db, session, process))
        if (holder === process) return process
        if ((await connection.rows(endOneSql, [holder])).length > 0) return holder
      }
    },
    async release(session, process, isUnfinished) {
      const sql = isUnfinished ? 'UPDATE tool_agent_leases SET process = NULL' : 'DELETE FROM tool_agent_leases'
      await connection.rows(`${sql} WHERE user_id = $1 AND session = $2 AND process = $3`, [
        ...namesOf(session),
        process,
      ])
    },
    adopt: (process, most) => connection.transact((db) => adopt(db, process, most)),
    async post({ to, version, body }) {
      await connection.rows(postSql, [to, version, body])
    },
    async collect(process, version, read) {
      const rows = await connection.rows(collectSql, [process, version, read])
      return rows.map((row): Arrived => ({ id: textIn(row, 'id'), body: textIn(row, 'body') }))
    },
    listen: (process, wake, lost) => listen(listenOn, `tool_agent_${process}`, wake, lost),
  }
}

const namesOf = ({ user, session }: LeasedSession): [string, string] => [keyOf(user), keyOf(session)]

/** Takes a lease that is free. Returns the process that has it now. */
async function take(db: PostgresQueries, session: LeasedSession, process: string): Promise<string> {
  const names = namesOf(session)
  if ((await db.query(takeSql, [...names, process])).rows.length > 0) {
    await raise(db, [session])
    return process
  }
  const found = await db.query('SELECT process FROM tool_agent_leases WHERE user_id = $1 AND session = $2', names)
  return textIn(found.rows[0] as Row | undefined, 'process')
}

async function adopt(db: PostgresQueries, process: string, most: number): Promise<LeasedSession[]> {
  const { rows } = await db.query(
    `UPDATE tool_agent_leases SET process = $1 WHERE (user_id, session) IN (
      SELECT user_id, session FROM tool_agent_leases WHERE process IS NULL LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING user_id, session, ${durable}`,
    [process, most],
  )
  const adopted = (rows as Row[]).map((row) => ({ user: textOf(row, 'user_id'), session: textOf(row, 'session') }))
  if (adopted.length > 0) await raise(db, adopted)
  return adopted
}

/** Whoever has written these sessions until now must not any more. */
async function raise(db: PostgresQueries, sessions: readonly LeasedSession[]): Promise<void> {
  const names = sessions.map(namesOf)
  await db.query(
    `UPDATE tool_agent_sessions s SET epoch = epoch + 1 FROM unnest($1::text[], $2::text[]) AS n (user_id, id)
    WHERE s.user_id = n.user_id AND s.id = n.id`,
    [names.map(([user]) => user), names.map(([, id]) => id)],
  )
}

/**
 * Listens on a connection of its own. A pooler in transaction mode takes the statement, and tells nothing later: so
 * what is told counts only when an echo has arrived.
 */
async function listen(
  pool: PostgresPool,
  channel: string,
  wake: () => void,
  lost: () => void,
): Promise<(() => void) | undefined> {
  const client = await pool.connect()
  if (client.on === undefined) {
    client.release()
    return undefined
  }
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    // It listens, so nobody else may get it.
    client.release(true)
  }
  client.on('error', () => {
    if (!isOver) lost()
    end()
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const echo = new Promise<boolean>((resolve) => {
    client.on?.('notification', () => {
      resolve(true)
      wake()
    })
    timer = setTimeout(() => resolve(false), echoTime)
  })
  try {
    await client.query(`LISTEN ${channel}`)
    await pool.query('SELECT pg_notify($1, $2)', [channel, ''])
    if (await echo) return end
    end()
    return undefined
  } catch (error) {
    end()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
