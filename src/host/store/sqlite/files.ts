// The files of one user: found by the user, and once a session has them, by that session alone.
import type { FileStore, TextRange, UploadedFile } from '../../../core/state/store.js'
import type { SqliteConnection } from './connection.js'
import { keyOf, noRoomForFile, textIn } from '../sql-values.js'

export class UserFiles implements FileStore {
  readonly #now: <T>(work: (connection: SqliteConnection) => T) => T
  readonly #user: string

  /** @param now runs `work` after every commit that was added before */
  constructor(now: <T>(work: (connection: SqliteConnection) => T) => T, user: string) {
    this.#now = now
    this.#user = user
  }

  async add({ id, mediaType, data }: UploadedFile, bounds: Parameters<FileStore['add']>[1]): Promise<void> {
    this.#now((connection) =>
      connection.transact(false, () => {
        connection.run('DELETE FROM tool_agent_files WHERE session IS NULL AND added < ?', bounds.before)
        const sum = 'SELECT coalesce(sum(size), 0) AS chars FROM tool_agent_files WHERE user = ?'
        if (Number(connection.row(sum, this.#user)?.['chars']) + data.length > bounds.most) throw noRoomForFile()
        connection.run(
          'INSERT INTO tool_agent_files (user, id, added, type, size, content) VALUES (?, ?, ?, ?, ?, ?)',
          this.#user,
          keyOf(id),
          Date.now(),
          mediaType,
          data.length,
          data,
        )
      }),
    )
  }

  async types(session: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const select = 'SELECT type FROM tool_agent_files WHERE user = ? AND id = ? AND (session IS NULL OR session = ?)'
    return this.#now((connection) => {
      const found = ids.flatMap((id): [string, string][] => {
        const row = connection.row(select, this.#user, keyOf(id), keyOf(session))
        return row === undefined ? [] : [[id, textIn(row, 'type')]]
      })
      return new Map(found)
    })
  }

  async read(session: string, id: string, range?: TextRange): Promise<string | undefined> {
    const [content, values] = range
      ? ['substr(content, ?, ?) AS content', [range.from + 1, Math.max(0, range.to - range.from)]]
      : ['content', []]
    const select = `SELECT ${content} FROM tool_agent_files WHERE user = ? AND id = ? AND session = ?`
    return this.#now((connection) => {
      const row = connection.row(select, ...values, this.#user, keyOf(id), keyOf(session))
      return row && textIn(row, 'content')
    })
  }
}
