// Uploaded files in memory, for servers of tests: Node 20 has no SQLite. It passes the same conformance as sqliteStore.
import { ToolAgentError } from '../../../src/core/data/errors.js'
import { uploadsOf, type FileStore, type Store, type UploadedFile } from '../../../src/core/state/store.js'

interface Kept extends UploadedFile {
  readonly added: number
  session?: string
}

/** The files of all users, by user. */
export type KeptFiles = Map<string, Map<string, Kept>>

/** The store with the files of a user. */
export function withFiles(store: Store, all: KeptFiles, user: string): Store {
  const own = all.get(user) ?? new Map<string, Kept>()
  all.set(user, own)
  const files: FileStore = {
    async add(file, { most, before }) {
      for (const of of all.values())
        for (const [id, { session, added }] of of) if (session === undefined && added < before) of.delete(id)
      const chars = [...own.values()].reduce((sum, { data }) => sum + data.length, file.data.length)
      if (chars > most) throw new ToolAgentError('request-too-large', 'The files of this user leave no room.')
      own.set(file.id, { ...file, added: Date.now() })
    },
    async types(session, ids) {
      const found = ids.flatMap((id): [string, string][] => {
        const file = own.get(id)
        return file && (file.session ?? session) === session ? [[id, file.mediaType]] : []
      })
      return new Map(found)
    },
    async read(session, id, range) {
      const file = own.get(id)
      return file?.session === session ? file.data.slice(range?.from, range?.to) : undefined
    },
  }
  return {
    ...store,
    files,
    async commit(id, epoch, change) {
      await store.commit(id, epoch, change)
      for (const upload of uploadsOf(change)) {
        const file = own.get(upload)
        if (file) file.session ??= id
      }
    },
    async delete(id) {
      await store.delete(id)
      for (const [upload, { session }] of own) if (session === id) own.delete(upload)
    },
  }
}
