// `node bench/sessions.mjs`: prints how long the store takes with large sessions, in a real browser. How many records it
// reads does not depend on the machine and is tested in test/browser/host/storage-faults.spec.ts.
import { chromium } from 'playwright'
import { createServer } from 'vite'
import { candidates, launchSettings } from '../scripts/browsers.mjs'

const server = await createServer({
  logLevel: 'error',
  server: { host: '127.0.0.1', port: 0, hmr: false, ws: false, watch: null },
})
await server.listen()
const [found] = candidates('chromium')
const browser = await chromium.launch(found ? launchSettings(found).launchOptions : {})
try {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/test/pages/session/blank.html`)
  console.table(
    await page.evaluate(async () => {
      const { openIdbStore } = await import('/src/host/store/indexed-db.ts')
      const { emptySession } = await import('/src/core/data/session.ts')
      const { sessionHeadOf } = await import('/src/core/state/store.ts')
      const store = await openIdbStore({ name: 'bench' })
      const message = (at) =>
        at % 2
          ? { id: `m${at}`, role: 'assistant', parts: [{ type: 'text', text: `answer ${at}` }], at, reason: 'stop' }
          : { id: `m${at}`, role: 'user', parts: [{ type: 'text', text: `question ${at}` }], at }
      const create = async (id, length) => {
        const messages = Array.from({ length }, (_, at) => message(at))
        const { epoch } = await store.claim(id, 0)
        await store.commit(id, epoch, {
          head: sessionHeadOf({ ...emptySession(id, 'me', 1), epoch, messages }),
          messages: messages.map((one, index) => ({ index, message: one })),
        })
      }
      await create('big', 10_000)
      for (let number = 0; number < 1_000; number++) await create(`s${number}`, 2)
      const rows = []
      const measure = async (what, work) => {
        const times = []
        for (let round = 0; round < 9; round++) {
          const begun = performance.now()
          await work(round)
          times.push(performance.now() - begun)
        }
        rows.push({
          what,
          'median ms': Number(times.sort((one, other) => one - other)[4].toFixed(2)),
          'worst ms': Number(times[8].toFixed(2)),
        })
      }
      await measure('open a session of 10,000 messages (reads the last 200)', () => store.claim('big', 200))
      await measure('load 50 older messages', (round) => store.messages('big', 9_800 - 50 * round, 50))
      await measure('list 1,001 sessions', () => store.list('me'))
      const { epoch, session } = await store.claim('big', 200)
      await measure('append one message', (round) =>
        store.commit('big', epoch, {
          head: { ...sessionHeadOf(session), length: 10_001 + round },
          messages: [{ index: 10_000 + round, message: message(10_000 + round) }],
        }),
      )
      await measure('read the whole session for an export', () => store.read('big', Infinity))
      await measure('delete a session', (round) => store.delete(`s${round}`))
      return rows
    }),
  )
} finally {
  await browser.close()
  await server.close()
}
