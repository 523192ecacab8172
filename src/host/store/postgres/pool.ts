// What the store needs of the pool that the author opened, such as a `Pool` of `pg`, which is not imported.
import { errorMessage, ToolAgentError } from '../../../core/data/errors.js'
import { isObject } from '../../../core/data/json.js'

/** Runs statements with the values of `$1`, `$2`, … */
export interface PostgresQueries {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** One connection to PostgreSQL, for a transaction. */
export interface PostgresClient extends PostgresQueries {
  /** Gives it back to the pool. `true`: it must not be used again. */
  release(isBroken?: boolean): void
  /** An error between two statements, which ends the process if nobody listens. */
  on?(event: 'error', listener: (error: Error) => void): unknown
  /** What `LISTEN` was sent for. */
  on?(event: 'notification', listener: () => void): unknown
  off?(event: 'error', listener: (error: Error) => void): unknown
}

/** A pool of connections to PostgreSQL: a `Pool` of `pg`. */
export interface PostgresPool extends PostgresQueries {
  connect(): Promise<PostgresClient>
}

/**
 * SQLSTATE of errors after which a statement may succeed if it runs again: the connection broke or its transaction was
 * silent, the server ends or starts or is still a standby, a deadlock, and a conflict if the author has chosen another
 * isolation.
 */
const transient = /^(?:08...|57P0[1-5]|25P03|53300|25006|40001|40P01)$/

/**
 * Begins a transaction. The database ends it if its process says nothing any more, as one that was stopped, or whose
 * network broke: others wait for what it has locked. What the author has set is left as it is.
 */
const begin = `BEGIN ISOLATION LEVEL READ COMMITTED;
  SELECT set_config('idle_in_transaction_session_timeout', '30s', true)
  WHERE current_setting('idle_in_transaction_session_timeout') = '0'`

/** Runs `work` in a transaction on a connection of its own. An error of it undoes the transaction. */
export async function transactOn<T>(pool: PostgresPool, work: (db: PostgresQueries) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // The statement that runs fails with the same error.
  const ignore = () => undefined
  client.on?.('error', ignore)
  let isBroken = true
  try {
    await client.query(begin)
    const value = await work(client)
    await client.query('COMMIT')
    isBroken = false
    return value
  } finally {
    client.off?.('error', ignore)
    // A transaction that failed ends with its connection.
    client.release(isBroken)
  }
}

/** The SQLSTATE of an error of the database; undefined for one of the connection, or of the program. */
function stateOf(error: unknown): string | undefined {
  const code = isObject(error) ? error['code'] : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code) ? code : undefined
}

/** Whether the same statement may succeed a moment later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ToolAgentError || error instanceof TypeError || error instanceof RangeError) return false
  const state = stateOf(error)
  return state === undefined || transient.test(state)
}

/** An error of PostgreSQL as a `ToolAgentError`. It may reach a page, so it says nothing of the server. */
export function postgresError(error: unknown): ToolAgentError {
  if (error instanceof ToolAgentError) return error
  if (error instanceof TypeError || error instanceof RangeError)
    return new ToolAgentError('storage', `The conversation could not be stored: ${errorMessage(error)}`, {
      cause: error,
    })
  const state = stateOf(error)
  if (state === '53100')
    return new ToolAgentError('storage', 'The disk of the server is full, so this conversation cannot be saved.', {
      cause: error,
      details: { name: 'QuotaExceededError' },
    })
  const what = state === undefined ? 'The database cannot be reached.' : `The database failed (SQLSTATE ${state}).`
  return new ToolAgentError('storage', what, { cause: error })
}
