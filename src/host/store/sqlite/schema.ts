// The tables of SQLite.
import { missingMigrations, type Migration } from '../sql-migrations.js'
import type { Row } from '../sql-values.js'
import type { SqliteHandle } from './handle.js'

// A row of another table names its session by `key`, so that a message is reached by the user of its session alone.
const migrations: readonly Migration[] = [
  {
    oldest: 1,
    sql: `
      CREATE TABLE tool_agent_sessions (
        key INTEGER PRIMARY KEY,
        user TEXT NOT NULL,
        id TEXT NOT NULL,
        scope TEXT NOT NULL,
        updated REAL NOT NULL,
        epoch INTEGER NOT NULL,
        head TEXT NOT NULL,
        UNIQUE (user, id)
      ) STRICT;
      CREATE INDEX tool_agent_sessions_by_scope ON tool_agent_sessions (user, scope, updated, id);
      CREATE TABLE tool_agent_messages (
        session INTEGER NOT NULL,
        place INTEGER NOT NULL,
        role TEXT NOT NULL,
        message TEXT NOT NULL,
        UNIQUE (session, place)
      ) STRICT;
      CREATE TABLE tool_agent_results (
        session INTEGER NOT NULL,
        call TEXT NOT NULL,
        kind TEXT NOT NULL,
        part INTEGER NOT NULL,
        content TEXT NOT NULL,
        UNIQUE (session, call, kind, part)
      ) STRICT;
      CREATE TABLE tool_agent_drafts (session INTEGER PRIMARY KEY, draft TEXT NOT NULL) STRICT;
    `,
  },
  {
    oldest: 1,
    // A file is there before the row of its session, so it names that by its id. The trigger deletes files also where
    // the code of the version before deletes their session.
    sql: `
      CREATE TABLE tool_agent_files (
        user TEXT NOT NULL,
        id TEXT NOT NULL,
        session TEXT,
        added REAL NOT NULL,
        type TEXT NOT NULL,
        size INTEGER NOT NULL,
        content TEXT NOT NULL,
        UNIQUE (user, id)
      ) STRICT;
      CREATE INDEX tool_agent_files_by_session ON tool_agent_files (user, session);
      CREATE INDEX tool_agent_files_unsent ON tool_agent_files (added) WHERE session IS NULL;
      CREATE TRIGGER tool_agent_files_deleted AFTER DELETE ON tool_agent_sessions BEGIN
        DELETE FROM tool_agent_files WHERE user = OLD.user AND session = OLD.id;
      END;
    `,
  },
]

/**
 * Brings the tables to the version of this code, inside the transaction of the caller.
 * @throws `storage` if a newer version has removed what this code needs.
 */
export function migrate(db: SqliteHandle, all: readonly Migration[] = migrations): void {
  db.exec('CREATE TABLE IF NOT EXISTS tool_agent_schema (version INTEGER NOT NULL, oldest INTEGER NOT NULL) STRICT')
  const row = db.prepare('SELECT version, oldest FROM tool_agent_schema').get() as Row | undefined
  const missing = missingMigrations(row, all)
  for (const { sql } of missing) db.exec(sql)
  if (missing.length === 0) return
  db.exec('DELETE FROM tool_agent_schema')
  db.prepare('INSERT INTO tool_agent_schema VALUES (?, ?)').run(all.length, missing.at(-1)?.oldest ?? 1)
}
