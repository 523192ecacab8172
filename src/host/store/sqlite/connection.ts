// The one connection to the database: its lock, its statements, and the transactions. SQLite answers at once, so all
// calls run in the order in which they came. Commits wait until the event loop has read what arrived together, and then
// share a transaction, because the disk is waited for once for each transaction, not for each commit.
import { errorMessage, ToolAgentError } from '../../../core/data/errors.js'
import { soon } from '../../soon.js'
import { textIn, type Row } from '../sql-values.js'
import { sqliteError, type SqliteHandle, type SqliteStatement, type SqliteValue } from './handle.js'
import { migrate } from './schema.js'

/** A commit that waits for the next transaction. */
export interface PendingCommit {
  /** Wait until the data is on the disk. */
  readonly strict: boolean
  /** Checks whether it may write. What it throws refuses this commit alone. */
  check(): void
  /** Writes. Returns whether the transaction must end here, because the checks of later commits need to know of it. */
  write(): boolean
  /** Runs after the transaction. */
  settled(error?: ToolAgentError): void
}

/** The name under which the file of the lock is attached. */
const lockName = 'tool_agent_lock'

export class SqliteConnection {
  readonly #db: SqliteHandle
  readonly #statements = new Map<string, SqliteStatement>()
  readonly #hasLock: boolean
  #queue: PendingCommit[] = []
  #isStrict: boolean | undefined
  #isClosed = false

  /** @throws `storage` if another process uses the database, or a newer version has written it. */
  constructor(db: SqliteHandle) {
    this.#db = db
    const file = textIn(
      this.#rows('PRAGMA database_list').find((row) => row['name'] === 'main'),
      'file',
    )
    this.#hasLock = file !== '' && takeLock(db, file)
    try {
      const mode = textIn(this.#rows('PRAGMA journal_mode = WAL')[0], 'journal_mode')
      if (file !== '' && mode !== 'wal')
        throw new ToolAgentError('storage', `The database has journal_mode ${mode}, expected wal. Open it for writing.`)
      // What is deleted or replaced is overwritten with zeros.
      db.exec('PRAGMA secure_delete = ON')
      this.transact(true, () => migrate(db))
    } catch (error) {
      if (this.#hasLock) releaseLock(db)
      throw sqliteError(error)
    }
  }

  /** The first row of a statement. */
  row(sql: string, ...values: SqliteValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined
  }

  /** All rows of a statement. */
  rows(sql: string, ...values: SqliteValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[]
  }

  /** Runs a statement without rows. */
  run(sql: string, ...values: SqliteValue[]): void {
    this.#statement(sql).run(...values)
  }

  /** Adds a commit to the next transaction. */
  add(commit: PendingCommit): void {
    this.#checkOpen()
    if (this.#queue.push(commit) === 1) soon(() => this.#flush())
  }

  /** Runs `work` after every commit that was added before. @throws `storage` for an error of SQLite. */
  now<T>(work: () => T): T {
    this.#checkOpen()
    this.#flush()
    try {
      return work()
    } catch (error) {
      throw sqliteError(error)
    }
  }

  /** Runs `work` in a transaction, which an error of it undoes. `strict`: returns when it is on the disk. */
  transact<T>(strict: boolean, work: () => T): T {
    // Every other transaction is in the file, which survives the end of the process, but not that of the machine.
    if (this.#isStrict !== strict) this.#db.exec(`PRAGMA main.synchronous = ${strict ? 'FULL' : 'NORMAL'}`)
    this.#isStrict = strict
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      this.#db.exec('COMMIT')
      return value
    } catch (error) {
      try {
        this.#db.exec('ROLLBACK')
      } catch {
        // SQLite has undone it by itself, as it does on a full disk.
      }
      throw error
    }
  }

  /** Moves the log into the database, so that it holds no older contents. */
  checkpoint(): void {
    this.#rows('PRAGMA main.wal_checkpoint(TRUNCATE)')
  }

  /** Writes what waits, and lets another process use the database. The handle stays open. */
  close(): void {
    if (this.#isClosed) return
    this.#flush()
    this.#isClosed = true
    if (this.#hasLock) releaseLock(this.#db)
  }

  #flush(): void {
    while (this.#queue.length > 0) {
      const batch = this.#queue
      this.#queue = []
      // One of them could not be written, so each one gets a transaction of its own: the others may be possible.
      if (!this.#write(batch)) for (const commit of batch) this.#write([commit])
    }
  }

  /** Writes commits in one transaction, and puts back those behind one that ends it. False: none of them is written. */
  #write(batch: readonly PendingCommit[]): boolean {
    const refused = new Map<PendingCommit, ToolAgentError>()
    let done = batch
    let hasBegun = false
    try {
      this.transact(
        batch.some(({ strict }) => strict),
        () => {
          hasBegun = true
          for (const [at, commit] of batch.entries()) {
            try {
              commit.check()
            } catch (error) {
              refused.set(commit, sqliteError(error))
              continue
            }
            if (!commit.write()) continue
            done = batch.slice(0, at + 1)
            break
          }
        },
      )
    } catch (error) {
      // Without a transaction no commit is at fault: something else writes to the database.
      if (hasBegun && batch.length > 1) return false
      for (const commit of batch) commit.settled(sqliteError(error))
      return true
    }
    this.#queue = [...batch.slice(done.length), ...this.#queue]
    for (const commit of done) commit.settled(refused.get(commit))
    return true
  }

  #statement(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) this.#statements.set(sql, (statement = this.#db.prepare(sql)))
    return statement
  }

  /** The rows of a statement that runs rarely. */
  #rows(sql: string): Row[] {
    return this.#db.prepare(sql).all() as Row[]
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new ToolAgentError('storage', 'The store was closed.')
  }
}

/**
 * Locks a file beside the database as long as the process lives. The system releases it when the process ends, however
 * that happens. The database itself is not locked, so that backups and `sqlite3` can read it.
 * @throws `storage` if another process has it.
 */
function takeLock(db: SqliteHandle, file: string): true {
  try {
    db.prepare(`ATTACH ? AS ${lockName}`).run(`${file}-lock`)
    db.exec(`PRAGMA ${lockName}.journal_mode = MEMORY`)
    db.exec(`PRAGMA ${lockName}.locking_mode = EXCLUSIVE`)
    // The first write takes the lock, and this mode keeps it.
    db.exec(`PRAGMA ${lockName}.user_version = 1`)
    return true
  } catch (error) {
    const reason = errorMessage(error)
    if (/already in use/.test(reason))
      throw new ToolAgentError('storage', 'This handle has a sqliteStore already. Use that one, or close it first.')
    releaseLock(db)
    if (!/locked|busy/.test(reason)) throw sqliteError(error)
    const message =
      `Another process, or another handle of this one, uses ${file}. One store may use it at a time: ` +
      'close the other, or give this one a database of its own.'
    throw new ToolAgentError('storage', message, { cause: error })
  }
}

function releaseLock(db: SqliteHandle): void {
  try {
    db.exec(`DETACH ${lockName}`)
  } catch {
    // It was not attached, or the author has closed the handle before.
  }
}
