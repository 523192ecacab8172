// What happens in one world, made from a seed: what two devices of a user and one of another user send, and what fails
// when. Plain data, so that it can be printed.
import { Dice } from '../../lab/generator.js'

export type DeviceName = 'laptop' | 'phone' | 'foreign'

export const deviceNames: readonly DeviceName[] = ['laptop', 'phone', 'foreign']
/** Whose device it is. */
export const userOf = (device: DeviceName): 'anna' | 'ben' => (device === 'foreign' ? 'ben' : 'anna')
/** The user whose messages a page of this user must never get. */
export const otherThan = (user: string): string => (user === 'anna' ? 'ben' : 'anna')
/** How a page that is not the client opens the conversation. */
export const openMessage = (sessionId: string, page: string) =>
  JSON.stringify({ type: 'open', protocol: 1, session: sessionId, tab: page, page, running: [], outcomes: [] })

/** A message. Its text says what the model answers: steps of calls, divided by `|`, their tools by `,`. */
export interface PlannedSend {
  readonly at: number
  readonly device: DeviceName
  readonly steps: string
  readonly whenBusy: 'queue' | 'interrupt'
}

export type Act =
  | 'cut'
  | 'kill-server'
  | 'close-server'
  | 'crash'
  | 'reload'
  | 'leave'
  | 'duplicate'
  | 'stop'
  | 'continue'
  | 'sign-out'
  | 'full-disk'
  | 'hostile'

export interface PlannedAct {
  /** Milliseconds from the beginning. */
  readonly at: number
  /** Instead: with this message of any socket, or this run of a tool, if there are so many in time. */
  readonly message: number | undefined
  readonly run: number | undefined
  readonly device: DeviceName
  readonly do: Act
  /** Milliseconds that it lasts, where it lasts. */
  readonly ms: number
}

export interface Plan {
  readonly seed: number
  /** When faults end, in milliseconds. */
  readonly horizon: number
  readonly pageWait: number
  readonly sends: readonly PlannedSend[]
  readonly acts: readonly PlannedAct[]
}

const tools = [
  ['look', 3],
  ['set', 1],
  ['buy', 5],
  ['slow', 4],
  ['pay', 5],
] as const

/** The plan of a seed. */
export function planOf(seed: number): Plan {
  const dice = new Dice(seed * 2 + 1)
  const horizon = dice.one([4_000, 15_000, 60_000])
  const device = (): DeviceName =>
    dice.weighted([
      ['laptop', 4],
      ['phone', 3],
      ['foreign', 1],
    ] as const)
  const steps = () =>
    dice
      .times(
        dice.weighted([
          [0, 1],
          [1, 4],
          [2, 3],
          [3, 1],
        ] as const),
        () =>
          dice
            .times(
              dice.weighted([
                [1, 5],
                [2, 2],
              ] as const),
              () => dice.weighted<string>(tools),
            )
            .join(','),
      )
      .join('|')
  const sends = dice.times(dice.from(1, 5), () => ({
    at: dice.from(0, horizon),
    device: device(),
    steps: steps(),
    whenBusy: dice.chance(0.15) ? ('interrupt' as const) : ('queue' as const),
  }))
  const acts = dice.times(dice.from(1, 9), () => ({
    at: dice.from(0, horizon),
    ...dice.weighted([
      [{ message: undefined, run: undefined }, 3],
      [{ message: dice.from(1, 10 + sends.length * 40), run: undefined }, 5],
      [{ message: undefined, run: dice.from(1, sends.length * 2) }, 3],
    ] as const),
    device: device(),
    do: dice.weighted<Act>([
      ['cut', 14],
      ['kill-server', 7],
      ['close-server', 2],
      ['crash', 4],
      ['reload', 4],
      ['leave', 1],
      ['duplicate', 2],
      ['stop', 1],
      ['continue', 1],
      ['sign-out', 1],
      ['full-disk', 1],
      ['hostile', 2],
    ]),
    ms: dice.one([0, 50, 800, 6_000, 40_000]),
  }))
  const byTime = (one: { at: number }, other: { at: number }) => one.at - other.at
  return {
    seed,
    horizon,
    pageWait: dice.one([0, 2_000, 30_000]),
    sends: sends.sort(byTime),
    acts: acts.sort(byTime),
  }
}

/** Whose turns run while servers are replaced. */
export const deployDevices = ['laptop', 'foreign'] as const

/** Two long turns without a fault: each call of them must run. The first one asks nobody. */
export function deployPlanOf(seed: number): Plan {
  const dice = new Dice(seed * 2 + 1)
  const step = () => dice.times(dice.from(1, 2), () => dice.weighted<string>(tools)).join(',')
  const steps = () => ['buy', ...dice.times(11, step)].join('|')
  const sends = deployDevices.map((device) => ({ at: 0, device, steps: steps(), whenBusy: 'queue' as const }))
  return { seed, horizon: 1, pageWait: 0, sends, acts: [] }
}

/** A plan as text, a line for each thing that happens. */
export function planWritten({ sends, acts, ...rest }: Plan): string {
  const all = [...sends, ...acts].sort((one, other) => one.at - other.at)
  return [JSON.stringify(rest), ...all.map((one) => JSON.stringify(one))].join('\n')
}
