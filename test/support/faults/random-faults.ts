// Generates session scripts with random faults from a seed: the model's answers, what the user does in which of two
// tabs, and what fails meanwhile: worker, page, tab, disk, network. Plain data, so a failing script can be printed,
// replayed and reduced. `fault-world.ts` plays them.
import { Dice } from '../lab/generator.js'

export interface FaultReply {
  /** Tools it calls, each call with a number of its own. */
  readonly calls: readonly string[]
  readonly text: string
  /** Ticks of pause in its middle. */
  readonly hold: number
  /** `cut`: it ends after its text. `overflow`: the endpoint reports that the request is too long. */
  readonly fault?: 'cut' | 'reset' | 'status' | 'overflow'
}

export interface FaultTurn {
  readonly do: 'send' | 'step' | 'continue'
  readonly tab: number
  readonly whenBusy: 'queue' | 'interrupt'
  /** What the caller of a stepped turn does about each step. */
  readonly steps: readonly ('execute' | 'each' | 'settle' | 'leave')[]
}

/** At the nth point (an event, a request, a tool, before and after each write), this many ticks later. */
export type FaultAct = { readonly at: number; readonly ticks: number } &
  /** `tab`: where the user acts. Other actions happen to the driving tab. */
  (
    | {
        readonly do:
          | 'kill-host'
          | 'reload'
          | 'crash'
          | 'stop'
          | 'other-sends'
          | 'other-continues'
          | 'other-takes-over'
          | 'other-stops'
          | 'other-deletes'
          | 'other-reloads'
          | 'export'
          | 'remember'
      }
    | { readonly do: 'offline'; readonly requests: number }
    /** Number of points until the fault ends. */
    | { readonly do: 'store'; readonly fault: StoreFault; readonly points: number }
  )

/** One write fails; no room for any; neither read nor write; the browser emptied it. */
export type StoreFault = 'once' | 'full' | 'lost' | 'cleared'

export type FaultDecision =
  | 'approve'
  | 'deny'
  | 'elsewhere'
  | 'move-on'
  | 'stop'
  | 'reload'
  | 'crash'
  | 'kill-host'
  | 'take-over'

export interface FaultScript {
  readonly seed: number
  readonly tabs: 1 | 2
  readonly textProtocol: boolean
  /** `contextWindow.tokens`. */
  readonly tokens: number | undefined
  readonly resume: 'auto' | 'ask'
  readonly concurrency: number
  readonly turns: readonly FaultTurn[]
  /** By number of the request, across all turns. After the last one the model answers with text. */
  readonly replies: readonly FaultReply[]
  readonly decisions: readonly { readonly do: FaultDecision; readonly ticks: number }[]
  readonly acts: readonly FaultAct[]
}

const tools = [
  ['look', 5],
  ['write', 8],
  ['slow', 6],
  ['slow_look', 3],
  ['alone', 2],
  ['keep', 3],
  ['pay', 6],
  ['research', 4],
  ['todo_write', 2],
  ['big', 2],
] as const

export function faultScriptOf(seed: number): FaultScript {
  const dice = new Dice(seed)
  const tabs = dice.chance(0.6) ? 2 : 1
  const count = dice.from(1, 4)
  const tab = () => (tabs === 2 && dice.chance(0.25) ? 1 : 0)
  const turn = (): FaultTurn => ({
    do: dice.weighted([
      ['send', 12],
      ['step', 3],
      ['continue', 1],
    ] as const),
    tab: tab(),
    whenBusy: dice.chance(0.3) ? 'interrupt' : 'queue',
    steps: dice.times(4, () =>
      dice.weighted([
        ['execute', 5],
        ['each', 2],
        ['settle', 2],
        ['leave', 1],
      ] as const),
    ),
  })
  const reply = (): FaultReply => {
    const calls = dice.times(
      dice.weighted([
        [0, 2],
        [1, 4],
        [2, 4],
        [3, 3],
        [5, 1],
      ] as const),
      () => dice.weighted<string>(tools),
    )
    const text =
      dice.weighted([
        ['', 2],
        ['Some words. ', 3],
        ['long', 1],
      ] as const) || (calls.length > 0 ? '' : 'Well.')
    const fault = dice.weighted([
      [undefined, 16],
      ['cut', 1],
      ['reset', 1],
      ['status', 1],
      ['overflow', 1],
    ] as const)
    return { calls, text, hold: dice.chance(0.4) ? dice.from(1, 8) : 0, ...(fault ? { fault } : {}) }
  }
  return {
    seed,
    tabs,
    textProtocol: dice.chance(0.15),
    tokens: dice.chance(0.25) ? dice.one([300, 600, 1_200]) : undefined,
    resume: dice.weighted([
      ['auto', 6],
      ['ask', 2],
    ] as const),
    concurrency: dice.one([1, 2, 5]),
    turns: dice.times(count, turn),
    replies: dice.times(dice.from(count, count * 4), reply),
    decisions: dice.times(5, () => ({
      ticks: dice.from(0, 5),
      do: dice.weighted<FaultDecision>([
        ['approve', 8],
        ['deny', 2],
        ['elsewhere', 3],
        ['move-on', 2],
        ['stop', 1],
        ['reload', 2],
        ['crash', 1],
        ['kill-host', 2],
        ['take-over', 1],
      ]),
    })),
    acts: dice.times(dice.from(1, 4), () => actsOf(dice, count * 24)).flat(),
  }
}

function actsOf(dice: Dice, points: number): FaultAct[] {
  const at = dice.from(1, points)
  const ticks = dice.chance(0.6) ? 0 : dice.from(1, 6)
  const when = { at, ticks }
  const soon = () => ({ at: at + dice.from(0, 12), ticks: dice.from(0, 4) })
  return dice.weighted<() => FaultAct[]>([
    [() => [{ ...when, do: 'kill-host' }], 6],
    [() => [{ ...when, do: 'reload' }], 3],
    [() => [{ ...when, do: 'crash' }], 3],
    [() => [{ ...when, do: 'stop' }], 2],
    [() => [{ ...when, do: 'other-sends' }], 2],
    [() => [{ ...when, do: 'other-continues' }], 1],
    [() => [{ ...when, do: 'other-takes-over' }], 3],
    [() => [{ ...when, do: 'other-stops' }], 1],
    [() => [{ ...when, do: 'other-deletes' }], 1.5],
    [() => [{ ...when, do: 'other-reloads' }], 1],
    [() => [{ ...when, do: 'export' }], 1],
    [() => [{ ...when, do: 'remember' }], 1],
    [() => [{ ...when, do: 'offline', requests: dice.from(1, 4) }], 2],
    [
      () => {
        const fault = dice.weighted<StoreFault>([
          ['once', 3],
          ['full', 5],
          ['lost', 2],
          ['cleared', 2],
        ])
        const more = dice.weighted<() => FaultAct[]>([
          [() => [], 4],
          [() => [{ ...soon(), do: 'reload' }], 3],
          [() => [{ ...soon(), do: 'crash' }], 2],
          [() => [{ ...soon(), do: 'kill-host' }], 2],
          [() => [{ ...soon(), do: 'other-takes-over' }], 2],
        ])()
        return [{ ...when, do: 'store', fault, points: dice.chance(0.3) ? 100_000 : dice.from(1, 30) }, ...more]
      },
      7,
    ],
  ])()
}

/** Smaller scripts. The first one that still fails replaces the failing one. */
export function* smallerFaults(script: FaultScript): Generator<FaultScript> {
  for (const part of ['acts', 'turns', 'replies'] as const) {
    const list: readonly unknown[] = script[part]
    for (const index of list.keys())
      if (list.length > (part === 'turns' ? 1 : 0)) yield { ...script, [part]: list.toSpliced(index, 1) }
  }
  for (const [index, reply] of script.replies.entries()) {
    for (const place of reply.calls.keys())
      yield {
        ...script,
        replies: script.replies.with(index, {
          ...reply,
          text: reply.text || 'Well.',
          calls: reply.calls.toSpliced(place, 1),
        }),
      }
  }
}

/** A script as text, one line per item. */
export function faultsWritten({ seed, turns, replies, decisions, acts, ...rest }: FaultScript): string {
  const list = (name: string, values: readonly unknown[]): string[] =>
    values.map((value, index) => `  ${name} ${index}  ${JSON.stringify(value)}`)
  return [
    `  seed ${seed}  ${JSON.stringify(rest)}`,
    ...list('turn', turns),
    ...list('reply', replies),
    ...list('decision', decisions),
    ...list('act', acts),
  ].join('\n')
}
