// The watchdog of the connection, with a clock that the test controls.
import { expect, test } from 'playwright/test'
import { Connection } from '../../../../src/page/client/connection.js'

const { now } = Date
const { setInterval: interval } = globalThis
test.afterEach(() => {
  Date.now = now
  globalThis.setInterval = interval
})

/** A connection to a worker that the test controls. `later` advances the clock and runs the watchdog once. */
async function startWatched() {
  let time = 1_000_000
  let check = () => {}
  let every = Number.NaN
  let losses = 0
  Date.now = () => time
  globalThis.setInterval = ((work: () => void, ms: number) => {
    ;[check, every] = [work, ms]
  }) as unknown as typeof setInterval
  const listeners = new Set<(event: { data: unknown }) => void>()
  const port = {
    postMessage: () => undefined,
    addEventListener: (_type: 'message', listener: (event: { data: unknown }) => void) => {
      listeners.add(listener)
    },
    removeEventListener: (_type: 'message', listener: (event: { data: unknown }) => void) => {
      listeners.delete(listener)
    },
  }
  const connection = new Connection({
    receive: () => undefined,
    spawn: async () => ({ kind: 'worker', port, terminate: () => undefined }),
    onLost: () => {
      losses++
    },
  })
  await connection.start()
  return {
    later: (ms: number) => {
      time += ms
      check()
    },
    sends: () => {
      for (const listener of listeners) listener({ data: { type: 'ping' } })
    },
    losses: () => losses,
    every: () => every,
  }
}

test('a worker without messages for 15 s is lost; any message resets the time', { tag: '@F15' }, async () => {
  const worker = await startWatched()
  for (let checks = 0; checks < 6; checks++) {
    worker.later(5_000)
    if (checks % 2 === 1) worker.sends()
  }
  expect(worker.losses()).toBe(0)
  for (let checks = 0; checks < 3; checks++) worker.later(5_000)
  expect(worker.losses()).toBe(0)
  worker.later(5_000)
  expect(worker.losses()).toBe(1)
})

test('a lost worker is detected within 17 s', { tag: '@F15' }, async () => {
  const worker = await startWatched()
  let silent = 0
  for (; worker.losses() === 0; silent += worker.every()) worker.later(worker.every())
  expect(silent).toBeGreaterThan(15_000)
  expect(silent).toBeLessThanOrEqual(17_000)
})

test('missed heartbeats do not count while the page was suspended', { tag: '@F15' }, async () => {
  const worker = await startWatched()
  worker.later(8 * 3_600_000)
  worker.later(5_000)
  worker.sends()
  worker.later(5_000)
  expect(worker.losses()).toBe(0)
})
