// The tables of PostgreSQL. Processes that start together migrate one after another, because an advisory lock of the
// transaction keeps the others waiting. Such a lock works behind a pooler, too.
import { ToolAgentError } from '../../../core/data/errors.js'
import { missingMigrations, type Migration } from '../sql-migrations.js'
import type { Row } from '../sql-values.js'
import { transactOn, type PostgresPool, type PostgresQueries } from './pool.js'

// A row of another table names its session by `key`, so that a message is reached by the user of its session alone, and
// goes with it. No index has a column that a commit changes, so that a commit changes no index: only that of a message
// with files changes the session of these, once. The collation "C" compares bytes, which no update of the system
// changes.
const migrations: readonly Migration[] = [
  {
    oldest: 1,
    sql: `
      CREATE TABLE tool_agent_sessions (
        key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        scope text COLLATE "C" NOT NULL,
        updated double precision NOT NULL,
        epoch bigint NOT NULL,
        revision bigint NOT NULL,
        length integer,
        head text NOT NULL,
        UNIQUE (user_id, id)
      ) WITH (fillfactor = 80);
      CREATE TABLE tool_agent_messages (
        session bigint NOT NULL REFERENCES tool_agent_sessions ON DELETE CASCADE,
        place integer NOT NULL,
        role text NOT NULL,
        message text NOT NULL,
        PRIMARY KEY (session, place)
      );
      CREATE TABLE tool_agent_results (
        session bigint NOT NULL REFERENCES tool_agent_sessions ON DELETE CASCADE,
        call text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        part integer NOT NULL,
        content text NOT NULL,
        PRIMARY KEY (session, call, kind, part)
      );
      CREATE TABLE tool_agent_drafts (
        session bigint PRIMARY KEY REFERENCES tool_agent_sessions ON DELETE CASCADE,
        draft text NOT NULL
      );
      CREATE TABLE tool_agent_files (
        user_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        session bigint REFERENCES tool_agent_sessions ON DELETE CASCADE,
        added double precision NOT NULL,
        type text NOT NULL,
        size integer NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (user_id, id)
      );
      ALTER TABLE tool_agent_files ALTER COLUMN content SET STORAGE EXTERNAL;
      CREATE INDEX tool_agent_files_by_session ON tool_agent_files (session);
      CREATE INDEX tool_agent_files_unsent ON tool_agent_files (added) WHERE session IS NULL;
      CREATE TABLE tool_agent_processes (
        process text COLLATE "C" PRIMARY KEY,
        until timestamptz NOT NULL
      ) WITH (fillfactor = 50);
      CREATE TABLE tool_agent_leases (
        user_id text COLLATE "C" NOT NULL,
        session text COLLATE "C" NOT NULL,
        process text COLLATE "C" REFERENCES tool_agent_processes ON DELETE SET NULL,
        PRIMARY KEY (user_id, session)
      );
      CREATE INDEX tool_agent_leases_by_process ON tool_agent_leases (process);
      CREATE UNLOGGED TABLE tool_agent_mail (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        process text COLLATE "C" NOT NULL,
        version integer NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        body text NOT NULL
      );
      CREATE INDEX tool_agent_mail_by_process ON tool_agent_mail (process, id);
      -- Since version 15 its sequence would begin anew after a crash, and a look begins behind what it has seen.
      DO $$ BEGIN
        IF current_setting('server_version_num')::integer >= 150000 THEN
          EXECUTE 'ALTER SEQUENCE tool_agent_mail_id_seq SET LOGGED';
        END IF;
      END $$;
    `,
  },
]

/** The advisory lock of migrations: any two numbers that nobody else uses. */
const lock = 'SELECT pg_advisory_xact_lock(1952411753, 1701733996)'

/**
 * Brings the tables to the version of this code, in one transaction. A database that has it is only read.
 * @throws `storage` if a newer version has removed what this code needs, or the database cannot keep every text
 */
export async function migrate(pool: PostgresPool, all: readonly Migration[] = migrations): Promise<void> {
  const encoding = await rowOf(pool, "SELECT current_setting('server_encoding') AS encoding")
  if (encoding?.['encoding'] !== 'UTF8')
    throw new ToolAgentError(
      'storage',
      `The database has the encoding ${String(encoding?.['encoding'])}, expected UTF8. Create it with ENCODING 'UTF8'.`,
    )
  if (missingMigrations(await schemaOf(pool), all).length === 0) return
  await transactOn(pool, async (db) => {
    await db.query(lock)
    await migrateIn(db, all)
  })
}

/** Another process may have migrated while this one waited. This connection may not know yet that the table exists. */
async function migrateIn(db: PostgresQueries, all: readonly Migration[]): Promise<void> {
  await db.query('CREATE TABLE IF NOT EXISTS tool_agent_schema (version integer NOT NULL, oldest integer NOT NULL)')
  const missing = missingMigrations(await rowOf(db, versionSql), all)
  if (missing.length === 0) return
  for (const { sql } of missing) await db.query(sql)
  await db.query('DELETE FROM tool_agent_schema')
  await db.query('INSERT INTO tool_agent_schema VALUES ($1, $2)', [all.length, missing.at(-1)?.oldest ?? 1])
}

const versionSql = 'SELECT version, oldest FROM tool_agent_schema'

/** The version of the tables; undefined if there are none. */
async function schemaOf(db: PostgresQueries): Promise<Row | undefined> {
  const found = await rowOf(db, "SELECT to_regclass('tool_agent_schema')::text AS name")
  return found?.['name'] == null ? undefined : rowOf(db, versionSql)
}

async function rowOf(db: PostgresQueries, sql: string): Promise<Row | undefined> {
  return (await db.query(sql)).rows[0] as Row | undefined
}
