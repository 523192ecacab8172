// The page's look after its worker, with the clock in the test's hand: silence is told from sleep.
import { expect, test } from 'playwright/test'
import { Connection } from '../../../../src/page/link/connection.js'

const { now } = Date
const { setInterval: interval } = globalThis
test.afterEach(() => {
  Date.now = now
  globalThis.setInterval = interval
})

/** A connection to a worker that says what it is told to. `later` lets time pass, then the page looks at its worker. */
async function watched() {
  let time = 1_000_000
  let look = () => {}
  let every = Number.NaN
  let losses = 0
  Date.now = () => time
  globalThis.setInterval = ((work: () => void, ms: number) => {
    ;[look, every] = [work, ms]
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
      look()
    },
    says: () => {
      for (const listener of listeners) listener({ data: { type: 'ping' } })
    },
    losses: () => losses,
    every: () => every,
  }
}

test('a worker that is silent for 15 s is given up, and one that says anything is not', { tag: '@F15' }, async () => {
  const worker = await watched()
  for (let look = 0; look < 6; look++) {
    worker.later(5_000)
    if (look % 2 === 1) worker.says()
  }
  expect(worker.losses()).toBe(0)
  for (let look = 0; look < 3; look++) worker.later(5_000)
  expect(worker.losses()).toBe(0)
  worker.later(5_000)
  expect(worker.losses()).toBe(1)
})

test('it is looked after so often that its silence is noticed within 17 s', { tag: '@F15' }, async () => {
  const worker = await watched()
  let silent = 0
  for (; worker.losses() === 0; silent += worker.every()) worker.later(worker.every())
  expect(silent).toBeGreaterThan(15_000)
  expect(silent).toBeLessThanOrEqual(17_000)
})

test('a page that slept has heard nothing, and does not take its worker for dead', { tag: '@F15' }, async () => {
  const worker = await watched()
  worker.later(8 * 3_600_000)
  worker.later(5_000)
  worker.says()
  worker.later(5_000)
  expect(worker.losses()).toBe(0)
})
