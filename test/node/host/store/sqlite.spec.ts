// sqliteStore, each test in processes of its own: with node:sqlite, and in the long run with better-sqlite3 as well.
import { expect, test } from 'playwright/test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Choices } from '../../../../src/testing/store/support.js'
import { isLong, seeds } from '../../../support/project/long.js'
import type { DriverName } from '../../../support/sqlite/driver.js'
import { runnerOf, withFolder, type Runner, type Started } from '../../../support/sqlite/run.js'

const noHandle =
  'invalid-option: sqliteStore expects an open database: new Database(path) of better-sqlite3, or new DatabaseSync(path).'
const noUser = (received: string) => `invalid-option: sqliteStore expected the id of a user, received ${received}.`

/** What the scenarios of `test/support/sqlite/scenarios.ts` return. */
const scenarios = {
  userDeleted: {
    title: 'deletes everything of a user in one call, also from the bytes of the file, and nothing of others',
    expected: {
      left: [null, [], null],
      late: 'session-deleted',
      others: 1,
      bytes: [false, true],
      unknown: 'resolved',
      empty: 'invalid-option',
    },
  },
  diskFull: {
    title: 'a commit for which the disk is too full says so, and those beside it are stored',
    expected: {
      outcomes: ['stored', 'failed', 'stored'],
      failed: [
        {
          message: 'The disk of the server is full, so this conversation cannot be saved.',
          details: { name: 'QuotaExceededError' },
        },
      ],
      draft: { id: 'd', step: 0, parts: [] },
      results: [null, { value: 'short' }],
    },
  },
  durability: {
    title: 'commits that come together share a transaction, and a strict one waits for the disk',
    expected: {
      relaxed: ['BEGIN IMMEDIATE', 'COMMIT'],
      strict: ['PRAGMA main.synchronous = FULL', 'BEGIN IMMEDIATE', 'COMMIT'],
      // 1 is NORMAL, 2 is FULL.
      levels: [1, 2, 1, 2],
    },
  },
  versions: {
    title: 'an older release works with an expanded schema, and refuses one from which something was removed',
    expected: [
      { version: 2, oldest: 1 },
      { version: 3, oldest: 1 },
      'nothing',
      { version: 3, oldest: 1 },
      expect.stringMatching(/^(?:ERR_)?SQLITE_ERROR/),
      { version: 3, oldest: 1 },
      { version: 4, oldest: 3 },
      'storage: The database has version 4 of the conversations, which code of version 3 or newer can read; this is ' +
        'version 2. Install the newer tool-agent again, or restore a backup.',
      'storage',
      'nothing',
    ],
  },
  mistakes: {
    title: 'a forgotten user, a wrong handle, a second store and a closed one are refused in words',
    expected: {
      users: ['an empty text', 'undefined', 'null', '7', '[object Object]'].map(noUser),
      handles: [noHandle, noHandle, noHandle],
      sameHandle: 'storage: This handle has a sqliteStore already. Use that one, or close it first.',
      sameFile: expect.stringMatching(/^storage: Another process, or another handle of this one, uses .*mistakes\.db/),
      last: 'resolved',
      closed: ['ToolAgentError: The store was closed.', 'ToolAgentError: The store was closed.'],
      again: { id: 'd', step: 0, parts: [] },
      memory: 1,
    },
  },
  busy: {
    title: 'a database that another program writes to is waited for once, not once for each commit',
    expected: { outcomes: ['storage', 'storage', 'storage'], attempts: 1, after: 'resolved' },
  },
  backup: { title: 'another process may copy the database while the store writes', expected: [1, 2] },
}

for (const name of ['node:sqlite', 'better-sqlite3'] as const) {
  test.describe(name, { tag: name === 'better-sqlite3' ? '@long' : [] }, () => {
    test.setTimeout(600_000) // The first test installs the package.

    test('passes the conformance of stores', { tag: ['@R6.1', '@F24', '@F41'] }, async () => {
      const runner = await here(name)
      const results = await withFolder((folder) => runner.run('conformance', folder))
      expect(results.length).toBeGreaterThan(35)
      for (const { title, error } of results as { title: string; error: string }[]) expect.soft(error, title).toBe('')
    })

    test('keeps every commit that had resolved, and no half of another, when the process is killed', async () => {
      if (isLong) test.setTimeout(3_600_000)
      const runner = await here(name)
      await withFolder(async (folder) => {
        let [acked, most] = [-1, 0]
        for (const seed of name === 'node:sqlite' ? seeds(20, 1_000) : seeds(20, 20)) {
          // A new file from time to time, which the conversation would make large.
          const file = join(folder, `killed-${Math.floor(seed / 20)}.db`)
          if (seed % 20 === 0) {
            await rm(join(folder, `killed-${seed / 20 - 1}.db`), { force: true })
            acked = -1
          }
          const writer = runner.start('write', file, String(seed), String(acked))
          const kill = new Choices(seed).below(40) + 1
          let count = 0
          for await (const line of writer.lines as AsyncIterable<Line>) {
            expect(line.error, `seed ${seed}`).toBeUndefined()
            if (line.acked === undefined) continue
            acked = line.acked
            // It writes on until it is dead.
            if (++count === kill) writer.process.kill('SIGKILL')
          }
          most = Math.max(most, count - kill)
          const { errors } = await writer.ended
          expect([errors, count >= kill], `seed ${seed}`).toEqual(['', true])
        }
        // At least one was killed while commits were on their way.
        expect(most).toBeGreaterThan(0)
      })
    })

    test('one process may use a database: a second one refuses, until the first one has ended or was killed', async () => {
      const runner = await here(name)
      await withFolder(async (folder) => {
        const file = join(folder, 'held.db')
        const hold = async (): Promise<[Started, unknown]> => {
          const started = runner.start('hold', file)
          return [started, (await started.lines.next()).value]
        }
        const [first, said] = await hold()
        expect(said).toBe('held')
        const [second, refusal] = await hold()
        expect(refusal).toBe(
          `storage: Another process, or another handle of this one, uses ${file}. One store may use it at a time: ` +
            'close the other, or give this one a database of its own.',
        )
        await second.ended
        first.process.kill('SIGKILL')
        await first.ended
        const [third, again] = await hold()
        expect(again).toBe('held')
        third.process.kill('SIGTERM')
        await third.ended
      })
    })

    for (const [scenario, { title, expected }] of Object.entries(scenarios))
      test(title, async () => {
        const runner = await here(name)
        expect(await withFolder((folder) => runner.run(scenario, folder))).toEqual([expected])
      })
  })
}

interface Line {
  readonly error?: string
  readonly checked?: number
  readonly acked?: number
}

/** The driver. The test is skipped where it does not run. */
async function here(name: DriverName): Promise<Runner> {
  const runner = await runnerOf(name)
  test.skip(typeof runner === 'string', String(runner))
  return runner as Runner
}
