// The conformance of stores for sqliteStore, in a process of its own.
import { rmSync } from 'node:fs'
import { sqliteStore, type SqliteStore } from '../../../src/server.js'
import { storeConformance } from '../../../src/testing/store/conformance.js'
import type { Handle } from './driver.js'

interface Place {
  readonly file: string
  handle: Handle
  store: SqliteStore
}

/** Prints the title and the error of every case. */
export async function conformanceCommand(
  open: (file: string) => Handle,
  say: (result: { title: string; error: string }) => void,
  folder: string,
): Promise<void> {
  let count = 0
  const opened = (file: string): Place => {
    const handle = open(file)
    return { file, handle, store: sqliteStore(handle) }
  }
  const cases = storeConformance<Place>({
    create: () => opened(`${folder}/case-${count++}.db`),
    open: ({ store }) => store.forUser('somebody'),
    hasFiles: () => true,
    openAs: ({ store }, user) => store.forUser(user),
    crash(place) {
      place.handle.close()
      Object.assign(place, opened(place.file))
    },
    remove({ file, handle }) {
      handle.close()
      for (const ending of ['', '-wal', '-shm', '-lock']) rmSync(file + ending, { force: true })
    },
  })
  for (const { title, skip, run } of cases) {
    if (skip !== undefined) continue
    const error = await run().then(() => '', String)
    say({ title, error })
  }
}
