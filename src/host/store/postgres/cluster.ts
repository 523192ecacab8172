// Several processes on one database: who is alive, who works on a session, and their mail. A lease says who should
// work, the epoch who may write: taking over raises the epoch in the same transaction, so that what the process before
// still writes is refused. Only the clock of the database counts. A statement that waited has the time at which it
// began, which is the safe side: no process lasts longer than it counts itself from before it asked.
import type { Arrived, Cluster, LeasedSession } from '../../../core/state/cluster.js'
import { keyOf, textIn, textOf, type Row } from '../sql-values.js'
import type { PostgresConnection } from './connection.js'
import type { PostgresPool, PostgresQueries } from './pool.js'
import { durable, relaxed } from './writes.js'

/** How processes share a database. */
export interface ClusterOptions {
  /** Where each process listens, on one connection. */
  readonly listenOn: PostgresPool
  /** Whether that one may renew as well: it has the same tables. */
  readonly mayRenewThere: boolean
  readonly leaseTime: number
}

/** Rows of mail that one statement reads. */
const mostMail = 100

/** Milliseconds in which a database answers its own notification, if it does. */
const echoTime = 2_000

// No part waits for another process that clears away, because both would. Mail goes that was sent to a process that is
// over: one that is alive reads within seconds. What is still there is not in what was ended, because that is over.
const renewSql = (until: string): string => `
  WITH renewed AS (
    UPDATE tool_agent_processes SET until = ${until} WHERE process = $1 AND until > now() RETURNING 1),
  ended AS (
    DELETE FROM tool_agent_processes WHERE process IN (
      SELECT process FROM tool_agent_processes WHERE until <= now() FOR UPDATE SKIP LOCKED)),
  cleared AS (
    DELETE FROM tool_agent_mail WHERE id IN (
      SELECT id FROM tool_agent_mail WHERE at < now() - interval '1 minute' FOR UPDATE SKIP LOCKED))
  SELECT process, ${durable} FROM tool_agent_processes WHERE until > now() AND EXISTS (SELECT FROM renewed)`

// Whoever has written a session until now must not any more.
const raiseSql = (taken: string): string => `
  raised AS (
    UPDATE tool_agent_sessions s SET epoch = epoch + 1 FROM ${taken} t
    WHERE s.user_id = t.user_id AND s.id = t.session)`

// A session that a process has left unfinished has a lease of nobody. Neither part holds a row that it does not take:
// ending a process changes all its leases. No row: somebody was faster, which this does not see yet.
const takeSql = `
  WITH new AS (
    INSERT INTO tool_agent_leases (user_id, session, process) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
    RETURNING user_id, session),
  free AS (
    UPDATE tool_agent_leases SET process = $3 WHERE user_id = $1 AND session = $2 AND process IS NULL
    RETURNING user_id, session),
  taken AS (SELECT * FROM new UNION ALL SELECT * FROM free),
  ${raiseSql('taken')}
  SELECT $3 AS process, ${durable} FROM taken
  UNION ALL SELECT process, '' FROM tool_agent_leases
    WHERE user_id = $1 AND session = $2 AND process IS NOT NULL AND NOT EXISTS (SELECT FROM taken)`

const adoptSql = `
  WITH free AS (
    SELECT user_id, session FROM tool_agent_leases WHERE process IS NULL LIMIT $2 FOR UPDATE SKIP LOCKED),
  adopted AS (
    UPDATE tool_agent_leases l SET process = $1 FROM free f WHERE l.user_id = f.user_id AND l.session = f.session
    RETURNING l.user_id, l.session),
  ${raiseSql('adopted')}
  SELECT user_id, session, ${durable} FROM adopted`

// It may renew at this moment, or somebody else may end it. Then this waits, and says nothing of what it was before.
const endOneSql = `
  WITH ended AS (DELETE FROM tool_agent_processes WHERE process = $1 AND until <= now())
  SELECT FROM tool_agent_processes WHERE process = $1 AND until > now()`

const postSql = `
  WITH posted AS (INSERT INTO tool_agent_mail (process, version, body) VALUES ($1, $2, $3))
  SELECT pg_notify('tool_agent_' || $1, ''), ${relaxed}`

// Behind an id, because the rows of what was read before stay as long as a backup runs, and each look would visit them.
const collectSql = `
  WITH gone AS (DELETE FROM tool_agent_mail WHERE id = ANY ($3::bigint[]))
  SELECT m.id::text, m.body, ${relaxed} FROM tool_agent_mail m
  WHERE m.process = $1 AND m.id > $4 AND m.version <= $2 AND m.id <> ALL ($3::bigint[]) ORDER BY m.id LIMIT ${mostMail}`

/** The processes of a database. */
export function postgresCluster(
  connection: PostgresConnection,
  { listenOn, mayRenewThere, leaseTime }: ClusterOptions,
): Cluster {
  const listening = new Map<string, PostgresQueries>()
  const looks = new Map<string, Looks>()
  const until = `now() + interval '${leaseTime} milliseconds'`
  return {
    leaseTime,
    mostMail,
    async join(process) {
      await connection.rows(
        `INSERT INTO tool_agent_processes (process, until) VALUES ($1, ${until})
        ON CONFLICT (process) DO UPDATE SET until = excluded.until RETURNING ${durable}`,
        [process],
      )
    },
    async renew(process) {
      // Not behind what waits for a connection: a process that has much to do would be over, with all its work.
      const told = listening.get(process)?.query(renewSql(until), [process])
      const soon = told?.then(({ rows }) => rows as Row[]).catch(() => undefined)
      const alive = (await soon) ?? (await connection.rows(renewSql(until), [process]))
      const { newest = 0, before = 0 } = looks.get(process) ?? {}
      looks.delete(process)
      if (alive.length === 0) return undefined
      looks.set(process, { newest, before: newest, after: before })
      return processesIn(alive)
    },
    alive: async () =>
      processesIn(await connection.rows('SELECT process FROM tool_agent_processes WHERE until > now()', [])),
    async leave(process) {
      looks.delete(process)
      await connection.rows(
        `WITH gone AS (DELETE FROM tool_agent_processes WHERE process = $1),
        unread AS (DELETE FROM tool_agent_mail WHERE process = $1) SELECT ${durable}`,
        [process],
      )
    },
    async lease(session, process) {
      for (;;) {
        const [row] = await connection.rows(takeSql, [...namesOf(session), process])
        const holder = row && textIn(row, 'process')
        if (holder === process) return process
        if (holder !== undefined && (await connection.rows(endOneSql, [holder])).length > 0) return holder
      }
    },
    async release(session, process, isUnfinished) {
      const sql = isUnfinished ? 'UPDATE tool_agent_leases SET process = NULL' : 'DELETE FROM tool_agent_leases'
      await connection.rows(`${sql} WHERE user_id = $1 AND session = $2 AND process = $3`, [
        ...namesOf(session),
        process,
      ])
    },
    async adopt(process, most) {
      let isAgain = false
      const adopted = await connection.rows(adoptSql, [process, most], () => (isAgain = true))
      // What it has adopted when the answer was lost is among all that it has.
      const all = 'SELECT user_id, session FROM tool_agent_leases WHERE process = $1'
      const rows = isAgain ? await connection.rows(all, [process]) : adopted
      return rows.map((row) => ({ user: textOf(row, 'user_id'), session: textOf(row, 'session') }))
    },
    async post({ to, version, body }) {
      await connection.rows(postSql, [to, version, body])
    },
    async collect(process, version, read) {
      const look = looks.get(process)
      const rows = await connection.rows(collectSql, [process, version, read, look?.after ?? 0])
      if (look) look.newest = rows.reduce((newest, row) => Math.max(newest, Number(row['id'])), look.newest)
      return rows.map((row): Arrived => ({ id: textIn(row, 'id'), body: textIn(row, 'body') }))
    },
    async listen(process, wake, lost) {
      const told = await listen(listenOn, `tool_agent_${process}`, {
        wake,
        lost() {
          listening.delete(process)
          lost()
        },
      })
      if (told && mayRenewThere) listening.set(process, told.client)
      return (
        told &&
        (() => {
          listening.delete(process)
          told.end()
        })
      )
    },
  }
}

/** What a process has looked at: the newest mail of now, at its last renewal, and at the one before. */
interface Looks {
  newest: number
  readonly before: number
  readonly after: number
}

const processesIn = (rows: readonly Row[]): string[] => rows.map((row) => textIn(row, 'process'))

const namesOf = ({ user, session }: LeasedSession): [string, string] => [keyOf(user), keyOf(session)]

/**
 * Listens on a connection of its own. A pooler in transaction mode takes the statement, and tells nothing later: so
 * what is told counts only when an echo has arrived.
 */
async function listen(
  pool: PostgresPool,
  channel: string,
  { wake, lost }: { readonly wake: () => void; readonly lost: () => void },
): Promise<{ readonly client: PostgresQueries; readonly end: () => void } | undefined> {
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
    // A pool of one connection does not answer: this one has it.
    if (await Promise.race([echo, pool.query('SELECT pg_notify($1, $2)', [channel, '']).then(() => echo)]))
      return isOver ? undefined : { client, end }
    end()
    return undefined
  } catch (error) {
    end()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
