// What holds for every wait for the page, as the front file of src/page-tools/waiting says it.
import { expect, test } from '../../../support/page/one-page.js'

type Waiting = typeof import('../../../../src/page-tools/waiting/until.js')
const path = '/src/page-tools/waiting/until.ts'

test.beforeEach(async ({ page, site }) => {
  await page.goto(`${site}/test/pages/session/blank.html`)
})

test('a wait looks first, and once more after its last turn', async ({ page }) => {
  const counts = await page.evaluate(async (path) => {
    const { until } = (await import(path)) as Waiting
    let [looks, turns] = [0, 0]
    const every = async (): Promise<void> => void turns++
    const count = async (wait: { readonly turns: number; readonly atLook: number }): Promise<unknown[]> => {
      ;[looks, turns] = [0, 0]
      const done = (): string | undefined => (++looks === wait.atLook ? 'found' : undefined)
      return [await until({ done, every, turns: wait.turns }), looks, turns]
    }
    const fewest = { atMost: 0, fewestTurns: 3 }
    return {
      atOnce: await count({ turns: 3, atLook: 1 }),
      atLast: await count({ turns: 3, atLook: 4 }),
      never: await count({ turns: 3, atLook: 5 }),
      // The time is over from the beginning: a machine that is too busy to draw.
      late: [await until({ done: () => ++looks < 0, every, ...fewest }), looks, turns],
    }
  }, path)
  expect(counts).toEqual({
    atOnce: ['found', 1, 0],
    atLast: ['found', 4, 3],
    never: [undefined, 4, 3],
    late: [false, 8, 6],
  })
})

test('a turn of the page is two frames, also before the first look of a wait that begins with one', async ({
  page,
}) => {
  const seen = await page.evaluate(async (path) => {
    const { until } = (await import(path)) as Waiting
    let frames = 0
    const count = (): void => {
      frames++
      requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
    const seen: number[] = []
    const done = (): boolean => seen.push(frames) === 2
    const { setTimeout: timer } = window
    try {
      // A slow machine may not draw before the time for a covered tab is over.
      window.setTimeout = (() => 0) as unknown as typeof setTimeout
      await until({ done, turns: 9, waitsFirst: true })
    } finally {
      window.setTimeout = timer
    }
    return { first: seen[0]! >= 2, second: seen[1]! >= seen[0]! + 2 }
  }, path)
  expect(seen).toEqual({ first: true, second: true })
})

test('a busy page gets its late frames; a hidden tab waits in tasks, a covered one for no frames that never come', async ({
  page,
}) => {
  const ended = await page.evaluate(async (path) => {
    const { until, waitForFrame } = (await import(path)) as Waiting
    const { requestAnimationFrame: frame, setTimeout: timer } = window
    let looks = 0
    const done = (): boolean => ++looks < 0
    try {
      let frames = 0
      window.requestAnimationFrame = (run) => timer(() => (frames++, run(0)), 100)
      await until({ done: () => false, turns: 1 })
      const late = frames
      window.requestAnimationFrame = () => 0
      await until({ done, turns: 2 })
      const covered = looks
      window.setTimeout = (() => 0) as unknown as typeof setTimeout
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
      await until({ done, turns: 2, waitsFirst: true })
      await waitForFrame()
      return { late, covered, hidden: looks - covered }
    } finally {
      Object.assign(window, { requestAnimationFrame: frame, setTimeout: timer })
    }
  }, path)
  expect(ended).toEqual({ late: 2, covered: 3, hidden: 3 })
})

test('an abort ends a pause at once, with its reason; a wait that is over at once throws nothing', async ({ page }) => {
  const outcomes = await page.evaluate(async (path) => {
    const { until } = (await import(path)) as Waiting
    const outcome = (wait: Promise<unknown>): Promise<unknown> => wait.catch((error: unknown) => error)
    const stopping = new AbortController()
    const { signal } = stopping
    const long = { atMost: Infinity, every: 600_000, signal }
    const paused = outcome(until({ done: () => false, ...long }))
    stopping.abort('stopped')
    return {
      paused: await paused,
      late: await outcome(until({ done: () => false, ...long })),
      over: await outcome(until({ done: () => 'there', ...long })),
    }
  }, path)
  expect(outcomes).toEqual({ paused: 'stopped', late: 'stopped', over: 'there' })
})
