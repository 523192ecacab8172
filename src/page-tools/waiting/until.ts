// The one place that waits for the page: for what it draws, opens, loads, answers or moves. To add a wait, give it a
// name and a reason in `patience.ts`, and call `until` with it. A project rule refuses timers and loops that wait in
// other files of page-tools; a loop that does something in each round and then gives the page its turn is no wait.
//
// What holds for every wait, because pages are slow and tabs are hidden:
// - It looks first and waits then, so that what is there already costs no time. `waitsFirst` is for what cannot be seen
//   before the page has had a turn.
// - It looks once more after its last turn, so that a turn that took long is not the end of what it brought.
// - Between two looks the page gets two frames, in which frameworks draw. A hidden tab draws none and throttles its
//   timers, to a second and later to a minute: there, tasks take the place of the frames. A pause in milliseconds lasts
//   as long as the timers of such a tab; time limits stay right, as they are read from the clock.
// - It has a limit. Most limits are a time. What the page does in a number of frames is counted in turns instead: on a
//   busy machine the time would be over before the page had drawn.
// - It looks by polling. Styles, scroll positions and properties change without any event or mutation.
import { currentPage } from '../dom/dom.js'
import { patience } from './patience.js'
export { patience }

/** How long to wait: the limit of a wait, by its name in `patience.ts`. */
export type Patience = {
  /** How the page gets its turn between two looks: milliseconds or a step. @default two frames */
  readonly every?: number | (() => Promise<void>)
} & (
  | {
      /** Milliseconds; a function if the limit depends on what happens meanwhile. */
      readonly atMost: number | (() => number)
      /** Turns that the page gets even if the time is over: a busy machine may not have drawn anything yet. */
      readonly fewestTurns?: number
    }
  | {
      /** How many times the page gets its turn. */
      readonly turns: number
    }
)

/** What to wait for. */
export type Wait<T> = Patience & {
  /** Looks at the page. Anything that is truthy ends the wait. `passed`: the milliseconds since the wait began. */
  done(passed: () => number): T
  /** Whether the page gets two frames before the first look. They count for the time, and not as a turn. */
  readonly waitsFirst?: boolean
  /** Ends the wait by an error. A wait that ends without one when its call is stopped looks at the signal itself. */
  readonly signal?: AbortSignal
}

/**
 * Waits until something is done, or for as long as its patience lasts. Returns what the last look returned, so it is
 * falsy if the patience was over.
 * @throws the reason of the signal
 */
export async function until<T>(wait: Wait<T>): Promise<T> {
  const { every = waitForPageUpdates, waitsFirst = false, signal } = wait
  const passed = stopwatch()
  const isOver = (turns: number): boolean => {
    if ('turns' in wait) return turns >= wait.turns
    const { atMost, fewestTurns = 0 } = wait
    return passed() >= (typeof atMost === 'number' ? atMost : atMost()) && turns >= fewestTurns
  }
  const giveTurn = async (step: () => Promise<void>): Promise<void> => {
    signal?.throwIfAborted()
    await step()
    signal?.throwIfAborted()
  }
  if (waitsFirst) await giveTurn(waitForPageUpdates)
  for (let turns = 0; ; turns++) {
    const found = wait.done(passed)
    if (found || isOver(turns)) return found
    await giveTurn(typeof every === 'number' ? () => pause(every, signal) : every)
  }
}

/** Returns how to ask for the milliseconds since now. */
export function stopwatch(): () => number {
  const start = performance.now()
  return () => performance.now() - start
}

/** Tells whether a time is over. For work that goes on as long as it has time, which is no wait. */
export type Deadline = () => boolean

/** A deadline so many milliseconds from now. */
export function deadline(milliseconds: number): Deadline {
  const passed = stopwatch()
  return () => passed() >= milliseconds
}

/** Waits for one task, so that pages that render synchronously or in microtasks are up to date. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })

/** Waits some milliseconds, or until the signal is aborted. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })

/** Whether frames came in time when they were waited for last. */
let rendersFrames = true

/** Waits until the page has rendered so many frames. A hidden tab renders none: then waits for four tasks each. */
async function waitForFrames(count: number): Promise<void> {
  if (!currentPage().hidden) {
    await new Promise<void>((resolve) => {
      // A tab that is covered, a frame that is scrolled away, or a tab that becomes hidden now renders none either, or
      // one per second. Only the first wait takes it for a busy one.
      const { late, missing } = patience.frame
      const start = performance.now()
      const giveUp = (): void => {
        rendersFrames = false
        resolve()
      }
      const timer = setTimeout(giveUp, (rendersFrames ? late : missing) * count)
      const next = (left: number): void => {
        if (left > 0) requestAnimationFrame(() => next(left - 1))
        else {
          rendersFrames = performance.now() - start < (late / 2) * count
          clearTimeout(timer)
          resolve()
        }
      }
      next(count)
    })
    return
  }
  // Timers of a hidden tab may be throttled to a minute; messages are not.
  for (let turns = 0; turns < 4 * count; turns++) await nextTask()
}

/** Waits for two frames, so that the page has rendered its changes. */
export const waitForPageUpdates = (): Promise<void> => waitForFrames(2)

/**
 * Waits for a frame and a task after it. Then the page was told that it has been scrolled, and what it renders for a
 * press of a hand is there before the next one.
 */
export async function waitForFrame(): Promise<void> {
  await waitForFrames(1)
  await nextTask()
}

/** Whether the page says that it loads something. */
export const isBusy = (): boolean => currentPage().querySelector('[aria-busy=true]') !== null
