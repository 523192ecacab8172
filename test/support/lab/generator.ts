// Generates scripts of whole sessions from a seed: the model's answers, faults of the stream, the tools of the calls,
// what the user does, and the event after which each host is killed. Plain data, so a failing script can be printed,
// replayed and reduced. `play.ts` plays them.
import type { JsonObject } from '../../../src/core/data/json.js'

export interface ScriptCall {
  /** The model's id. May be missing or taken. */
  readonly id: string
  readonly name: string
  /** The argument text. */
  readonly args: string
}

export type ScriptReply =
  // The text `long` is longer than what a draft may hold without being stored.
  /** A complete answer. `hold`: ticks of pause in its middle. */
  | {
      readonly do: 'answer'
      readonly text: string
      readonly calls: readonly ScriptCall[]
      readonly finish?: string
      readonly hold: number
    }
  /** An answer that ends after this many events. */
  | {
      readonly do: 'cut'
      readonly text: string
      readonly calls: readonly ScriptCall[]
      readonly behind: number
      readonly end: 'close' | 'reset' | 'hang' | 'error'
    }
  | { readonly do: 'status'; readonly status: number }
  | { readonly do: 'refuse' | 'html' }

export interface ScriptSend {
  readonly text: string
  readonly whenBusy: 'queue' | 'interrupt'
  readonly toolChoice?: 'none' | 'required'
  readonly activeTools?: readonly string[]
  /** Offers this tool only. */
  readonly replaceBy?: string
}

/**
 * Something the user or the page does: at the nth point (event, request, start of a tool), this many ticks later.
 */
export type ScriptAct = { readonly at: number; readonly ticks: number } & (
  | { readonly do: 'stop' | 'drop' | 'continue' | 'kill' | 'close' }
  | { readonly do: 'send'; readonly sends: readonly ScriptSend[] }
  | { readonly do: 'unregister' | 'register' | 'redefine'; readonly tool: string }
  | { readonly do: 'remember'; readonly key: string }
)

export interface ScriptDecision {
  readonly ticks: number
  /** `leave`: the user sends another message instead. `stop`: the user stops the turn. */
  readonly do: 'approve' | 'always' | 'edit' | 'deny' | 'twice' | 'leave' | 'stop'
}

export interface Script {
  readonly seed: number
  readonly limits: {
    readonly concurrency: number
    readonly steps: number
    readonly callsPerStep: number
    readonly callsPerTool: number
    readonly toolCalls: number
    readonly modelRetries: number
    readonly formatErrors: number
  }
  readonly todo: boolean
  readonly resume: 'auto' | 'ask'
  readonly approval: 'hints' | 'always' | 'off'
  readonly turns: readonly ScriptSend[]
  /** By number of the request, across all turns. After the last one the model answers with text. */
  readonly replies: readonly ScriptReply[]
  readonly acts: readonly ScriptAct[]
  readonly decisions: readonly ScriptDecision[]
  /** Events after which each host is killed. The host after the last one is not killed. */
  readonly kills: readonly number[]
}

/** Tools that `play.ts` registers, and how often a call asks for each. */
const weights: readonly (readonly [string, number])[] = [
  ['look', 6],
  ['write', 6],
  ['idem', 3],
  ['alone', 3],
  ['alone_look', 2],
  ['boom', 2],
  ['odd', 1],
  ['endless', 2],
  ['endless_look', 1],
  ['late', 2],
  ['deaf', 2],
  ['stuck', 1],
  ['stuck_look', 1],
  ['pay', 4],
  ['danger', 2],
  ['buy', 2],
  ['direct', 2],
  ['direct_last', 2],
  ['keep', 4],
  ['talk', 2],
  ['big', 1],
  ['outside', 1],
  ['gone', 3],
  ['hidden', 1],
  ['todo_write', 3],
  ['todo_read', 1],
  ['read_result', 1],
  ['functions.write', 1],
  ['WRITE', 1],
  ['multi_tool_use.parallel', 1],
]

/** The names of the tools that take a number and some ticks. */
export const toolNames = weights
  .map(([name]) => name)
  .filter((name) => /^[a-z_]+$/.test(name) && !['todo_write', 'todo_read', 'read_result', 'hidden'].includes(name))

/** A small generator of numbers (mulberry32): the same for a seed on every machine. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
    this.next()
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from `low` to `high`. */
  from(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  one<T>(list: readonly T[]): T {
    const found = list[this.from(0, list.length - 1)]
    if (found === undefined) throw new Error('Nothing to choose from')
    return found
  }

  weighted<T>(list: readonly (readonly [T, number])[]): T {
    let place = this.next() * list.reduce((sum, [, weight]) => sum + weight, 0)
    return (list.find(([, weight]) => (place -= weight) < 0) ?? list[0]!)[0]
  }

  times<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make)
  }
}

export function scriptOf(seed: number): Script {
  const dice = new Dice(seed)
  const calls = new CallMaker(dice)
  const turns = dice.from(1, 5)
  let messages = 0
  const send = (): ScriptSend => {
    const tool = dice.one(['look', 'write', 'keep'])
    const base = {
      text: `message ${++messages}`,
      whenBusy: dice.chance(0.3) ? ('interrupt' as const) : ('queue' as const),
    }
    return dice.weighted<() => ScriptSend>([
      [() => base, 40],
      [() => ({ ...base, toolChoice: 'none' }), 1],
      [() => ({ ...base, toolChoice: 'required' }), 1],
      [() => ({ ...base, activeTools: dice.times(12, () => dice.one(toolNames)) }), 1],
      [() => ({ ...base, replaceBy: tool }), 1],
    ])()
  }
  const limits = (): Script['limits'] => {
    const [concurrency, steps] = [dice.from(1, 5), dice.from(2, 9)]
    const callsPerStep = dice.chance(0.2) ? 3 : 16
    // Few enough that a turn reaches them and calls again.
    const isLimited = dice.chance(0.3)
    return {
      concurrency,
      steps,
      callsPerStep,
      callsPerTool: isLimited ? 2 : 150,
      toolCalls: isLimited ? 5 : 150,
      modelRetries: dice.from(0, 1),
      formatErrors: dice.chance(0.3) ? 1 : 3,
    }
  }
  return {
    seed,
    limits: limits(),
    todo: dice.chance(0.7),
    resume: dice.weighted<Script['resume']>([
      ['auto', 6],
      ['ask', 2],
    ]),
    approval: dice.weighted<Script['approval']>([
      ['hints', 6],
      ['always', 1],
      ['off', 1],
    ]),
    turns: dice.times(turns, send),
    replies: dice.times(dice.from(turns, turns * 5), () => replyOf(dice, calls)),
    acts: dice.chance(0.3) ? [] : dice.times(dice.from(1, 5), () => actOf(dice, send, turns * 30)),
    decisions: dice.times(6, () => ({
      ticks: dice.from(0, 6),
      do: dice.weighted<ScriptDecision['do']>([
        ['approve', 6],
        ['always', 1],
        ['edit', 2],
        ['deny', 3],
        ['twice', 1],
        ['leave', 3],
        ['stop', 1],
      ]),
    })),
    kills: dice.chance(0.6) ? [] : dice.times(dice.from(1, 3), () => dice.from(1, 14)),
  }
}

function replyOf(dice: Dice, calls: CallMaker): ScriptReply {
  const text = dice.weighted([
    ['', 3],
    ['Some words. ', 4],
    ['A longer answer, with several words in it. ', 1],
    ['long', 0.5],
  ])
  const kind = dice.weighted([
    ['calls', 60],
    ['text', 14],
    ['empty', 2],
    ['odd finish', 4],
    ['cut', 10],
    ['status', 4],
    ['refuse', 1],
    ['html', 1],
  ])
  const some = (least: number) =>
    calls.make(
      dice.from(
        least,
        dice.weighted([
          [1, 3],
          [2, 3],
          [3, 2],
          [5, 1],
        ]),
      ),
    )
  const hold = dice.chance(0.15) ? dice.from(1, 12) : 0
  if (kind === 'calls') return { do: 'answer', text, calls: some(1), hold }
  if (kind === 'text') return { do: 'answer', text: text || 'Well.', calls: [], hold }
  if (kind === 'empty') return { do: 'answer', text: '', calls: [], hold }
  if (kind === 'odd finish')
    return {
      do: 'answer',
      text,
      calls: some(0),
      finish: dice.one(['length', 'content_filter', 'tool_calls', 'stop', 'error']),
      hold,
    }
  if (kind === 'cut')
    return {
      do: 'cut',
      text,
      calls: some(0),
      behind: dice.from(0, 14),
      end: dice.one(['close', 'close', 'reset', 'hang', 'error']),
    }
  return kind === 'status'
    ? { do: 'status', status: dice.one([500, 503, 429, 400]) }
    : { do: kind === 'html' ? 'html' : 'refuse' }
}

function actOf(dice: Dice, send: () => ScriptSend, points: number): ScriptAct {
  const when = { at: dice.from(1, points), ticks: dice.chance(0.5) ? 0 : dice.from(1, 8) }
  return dice.weighted<() => ScriptAct>([
    [() => ({ ...when, do: 'stop' }), 5],
    [
      () => ({
        ...when,
        do: 'send',
        sends: dice.times(
          dice.weighted([
            [1, 3],
            [2, 1],
            [3, 1],
          ]),
          send,
        ),
      }),
      6,
    ],
    [() => ({ ...when, do: 'drop' }), 2],
    [() => ({ ...when, do: 'continue' }), 1],
    [() => ({ ...when, do: 'unregister', tool: dice.one(['gone', 'gone', ...toolNames]) }), 2],
    [() => ({ ...when, do: 'register', tool: 'gone' }), 1],
    [() => ({ ...when, do: 'redefine', tool: dice.one(['gone', ...toolNames]) }), 1],
    [() => ({ ...when, do: 'remember', key: `user_${when.at}` }), 1],
    [() => ({ ...when, do: 'kill' }), 2],
    [() => ({ ...when, do: 'close' }), 1],
  ])()
}

/** Numbered calls, so a tool knows for which call it runs. */
class CallMaker {
  readonly #dice: Dice
  #made = 0
  #ids: string[] = []

  constructor(dice: Dice) {
    this.#dice = dice
  }

  make(count: number): ScriptCall[] {
    return this.#dice.times(count, () => this.#call())
  }

  #call(): ScriptCall {
    const dice = this.#dice
    const name = dice.weighted(weights)
    const fresh = `call_${String(this.#made + 1).padStart(8, '0')}x`
    const id = dice.weighted<() => string>([
      [() => fresh, 12],
      [() => '', 1],
      [() => 'call_0', 1],
      [() => (this.#ids.length > 0 ? dice.one(this.#ids) : fresh), 1],
    ])()
    if (id !== '') this.#ids.push(id)
    return { id, name, args: this.#args(name) }
  }

  #args(name: string): string {
    const dice = this.#dice
    if (name === 'todo_write')
      return JSON.stringify(
        dice.one<JsonObject>([
          { items: null },
          { items: [{ text: 'First', status: 'in_progress' }, { text: 'Second' }] },
          { items: [{ text: 'First', status: 'completed' }] },
          { items: [{ status: 'x' }] },
        ]),
      )
    if (name === 'read_result') return JSON.stringify({ call_id: this.#ids.at(-2) ?? 'none' })
    // Repeated identical calls have the number 0.
    const input = {
      n: dice.chance(0.06) ? 0 : ++this.#made,
      ticks: dice.from(0, dice.chance(0.2) ? 12 : 3),
      ...(dice.chance(0.04) ? { mode: dice.one(['refuse', 'forbid', 'change', 'fatal']) } : {}),
    }
    if (name === 'multi_tool_use.parallel') {
      const uses = dice.times(2, () => ({
        recipient_name: `functions.${dice.one(['look', 'write', 'keep'])}`,
        parameters: { n: ++this.#made, ticks: 1 },
      }))
      return JSON.stringify({ tool_uses: uses })
    }
    return dice.weighted<() => string>([
      [() => JSON.stringify(input), 40],
      [() => `{"n": ${input.n}, }`, 1],
      [() => '', 1],
      [() => '[1]', 1],
      [() => JSON.stringify({ n: 'many' }), 1],
      [() => JSON.stringify({ ...input, n: String(input.n) }), 1],
      [() => '{"__proto__": {"n": 1}}', 0.5],
    ])()
  }
}

/** Smaller scripts, largest reduction first. The first one that still fails replaces the failing one. */
export function* smaller(script: Script): Generator<Script> {
  for (const part of ['kills', 'acts', 'turns', 'replies', 'decisions'] as const) {
    const list: readonly unknown[] = script[part]
    const least = part === 'turns' || part === 'decisions' ? 1 : 0
    if (list.length > least + 1)
      yield { ...script, [part]: list.slice(0, Math.max(least, Math.floor(list.length / 2))) }
    for (const index of list.keys()) if (list.length > least) yield { ...script, [part]: list.toSpliced(index, 1) }
  }
  for (const [index, reply] of script.replies.entries()) {
    if (!('calls' in reply)) continue
    for (const place of reply.calls.keys())
      yield { ...script, replies: script.replies.with(index, { ...reply, calls: reply.calls.toSpliced(place, 1) }) }
  }
}

/** A script as text, one line per item. */
export function written(script: Script): string {
  const { seed, limits, todo, resume, approval, kills } = script
  const list = (name: string, values: readonly unknown[]): string[] =>
    values.map((value, index) => `  ${name} ${index}  ${JSON.stringify(value)}`)
  return [
    `  seed ${seed}  ${JSON.stringify({ limits, todo, resume, approval, kills })}`,
    ...list('turn', script.turns),
    ...list('reply', script.replies),
    ...list('act', script.acts),
    ...list('decision', script.decisions),
  ].join('\n')
}
