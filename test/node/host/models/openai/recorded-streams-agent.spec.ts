// Recorded streams that end too early, through a whole agent: after any event the turn ends with a reason, no call
// stays open, nothing is thrown, and no tool runs unless the finish arrived. The default run ends each recording at a
// few places.
import { isObject, type JsonObject } from '../../../../../src/core/data/json.js'
import { openToolCalls } from '../../../../../src/core/data/session.js'
import type { Agent } from '../../../../../src/page/agent.js'
import type { TurnResult } from '../../../../../src/core/data/turn-result.js'
import { missingCorpus } from '../../../../support/lab/corpora.js'
import type { Reply } from '../../../../support/lab/endpoint.js'
import { expect, test, type Bench, type Lab } from '../../../../support/lab/lab.js'
import { isLong } from '../../../../support/project/long.js'
import { bytesOf, finishAt, forms, plainReading, recordings, type Recording } from '../../../../support/lab/streams.js'

/**
 * Recordings up to this many events are cut after every event. Longer ones are cut near their start, calls and finish,
 * and at this many places between.
 */
const moderate = 200
const between = 40
const count = 4

if (recordings.length === 0) console.log(missingCorpus('streams', count))

test.describe('recorded chat completions that end too early', () => {
  test.skip(recordings.length === 0, missingCorpus('streams', count))
  test.setTimeout(120_000)

  test('ended after any event: each call runs once after a finish reason, none without', async ({ lab }) => {
    const tally = new Tally()
    for (const recording of recordings) {
      const bench = await Played.start(lab, recording)
      for (const end of endsOf(recording)) {
        const form = forms[end % forms.length]!
        const turn = await bench.play({ raw: [bytesOf(recording.events.slice(0, end + 1), form, false)] })
        const isWhole = end >= finishAt(recording)
        bench.expect(turn, isWhole, `${recording.name} behind event ${end}`)
        if (!isWhole) expect(turn.error?.code, `${recording.name} behind event ${end}`).toBe('stream-cut')
        tally.add(turn)
      }
    }
    tally.log('Ended behind an event')
  })

  test('reset after any event: each call runs once after a finish reason, none without', async ({ lab }) => {
    const tally = new Tally()
    for (const recording of recordings) {
      const bench = await Played.start(lab, recording)
      for (const end of endsOf(recording, 40)) {
        const turn = await bench.play({
          raw: [bytesOf(recording.events.slice(0, end + 1), forms[0]!, false)],
          end: 'reset',
        })
        // A reset may take with it what the client has not read yet.
        const isWhole = end >= finishAt(recording) && turn.error === undefined
        bench.expect(turn, isWhole, `${recording.name} behind event ${end}`)
        if (end < finishAt(recording))
          expect(turn.error?.code, `${recording.name} behind event ${end}`).toMatch(/^(stream-cut|network)$/)
        tally.add(turn)
      }
    }
    tally.log('Reset behind an event')
  })

  test('an error after any event: nothing runs, and the turn ends with that error', async ({ lab }) => {
    const tally = new Tally()
    const error = JSON.stringify({ error: { message: 'The engine was restarted', type: 'server_error', code: 503 } })
    for (const recording of recordings) {
      const bench = await Played.start(lab, recording)
      for (const end of endsOf(recording, 40).filter((place) => place < finishAt(recording))) {
        const turn = await bench.play({
          raw: [bytesOf([...recording.events.slice(0, end + 1), error], forms[end % forms.length]!)],
        })
        bench.expect(turn, false, `${recording.name} behind event ${end}`)
        expect(turn.error, `${recording.name} behind event ${end}`).toMatchObject({
          code: 'server',
          message: expect.stringContaining('The engine was restarted'),
        })
        tally.add(turn)
      }
    }
    tally.log('An error behind an event')
  })

  test('silent after any event of a short recording: the turn times out, and nothing runs', async ({ lab }) => {
    const tally = new Tally()
    for (const recording of recordings.filter(({ events }) => events.length <= 10)) {
      const bench = await Played.start(lab, recording, 50)
      for (let end = 0; end < finishAt(recording); end++) {
        const turn = await bench.play({
          raw: [bytesOf(recording.events.slice(0, end + 1), forms[end % forms.length]!, false)],
          end: 'hang',
        })
        bench.expect(turn, false, `${recording.name} behind event ${end}`)
        expect(turn.error?.code, `${recording.name} behind event ${end}`).toBe('model-timeout')
        tally.add(turn)
      }
    }
    tally.log('Silent behind an event')
  })
})

/**
 * The events after which a recording is cut: all, or those near its start, its calls and its finish, and some between.
 * A few in the default run.
 */
function endsOf({ events }: Recording, all = moderate): number[] {
  const says = (place: number): boolean => /"tool_calls":\s*\[|"finish_reason":\s*"/.test(events[place] ?? '')
  if (!isLong) {
    const marks = [...events.keys()].filter(says)
    const near = [marks[0], marks[1], marks.at(-2), marks.at(-1)].flatMap((place) =>
      place === undefined ? [] : [place - 1, place],
    )
    return [...new Set([0, ...near, Math.floor(events.length / 2), events.length - 1])]
      .filter((place) => place >= 0)
      .sort((one, other) => one - other)
  }
  const isNear = (place: number): boolean => [-2, -1, 0, 1, 2].some((step) => says(place + step))
  return [...events.keys()].filter(
    (place) => events.length <= all || place < 3 || place % Math.floor(events.length / between) === 0 || isNear(place),
  )
}

type End = Pick<TurnResult, 'reason' | 'text' | 'toolExecutions' | 'error'>

/** An agent that has the tools of a recording; each play is a session of its own. */
class Played {
  readonly #wanted
  #runs: string[] = []
  #reply: Reply = { text: '' }
  readonly #agent: Agent

  static async start(lab: Lab, recording: Recording, patience = 10_000): Promise<Played> {
    const played: { one?: Played } = {}
    const bench = await lab.start(
      (body) => {
        const last = Array.isArray(body['messages']) ? body['messages'].filter(isObject).at(-1) : undefined
        return last?.['role'] === 'tool' ? { text: 'Done' } : played.one!.#reply
      },
      { limits: { modelRetries: 0, firstPart: patience, betweenParts: patience } },
    )
    return (played.one = new Played(bench, recording))
  }

  private constructor({ agent }: Bench, recording: Recording) {
    this.#agent = agent
    this.#wanted = plainReading(recording.events)
    for (const name of new Set(this.#wanted.calls.map(([called]) => called))) {
      this.#agent.registerTool({
        name,
        description: 'Is called in the recording, and writes down that it ran',
        inputSchema: { type: 'object' },
        execute: (input: JsonObject) => {
          this.#runs.push(`${name} ${JSON.stringify(input)}`)
        },
      })
    }
  }

  async play(reply: Reply): Promise<End> {
    this.#reply = reply
    this.#runs = []
    await this.#agent.sessions.create()
    return this.#agent.send('Go').catch((error: { turn: TurnResult }) => error.turn)
  }

  /** Checks what holds for every end. Returns what ran. */
  expect(turn: End, isWhole: boolean, title: string): void {
    const { calls, text, finish } = this.#wanted
    const { session } = this.#agent
    expect(session && openToolCalls(session), title).toEqual([])
    expect(session?.status, title).toBe('idle')
    expect(this.#runs, title).toEqual(isWhole ? calls.map(([name, input]) => `${name} ${JSON.stringify(input)}`) : [])
    expect(turn.toolExecutions.length, title).toBe(isWhole ? calls.length : 0)
    if (!isWhole) {
      expect(turn.reason, title).toBe('error')
      expect(text.startsWith(turn.text ?? ''), title).toBe(true)
    } else {
      expect(turn.reason, title).toBe(finish === 'length' ? 'length' : 'stop')
      expect(turn.text, title).toBe(calls.length > 0 ? 'Done' : text)
    }
  }
}

/** What came of the plays, for the log. */
class Tally {
  #turns = 0
  #runs = 0
  readonly #reasons = new Map<string, number>()

  add(turn: End): void {
    this.#turns++
    this.#runs += turn.toolExecutions.length
    const reason = turn.error ? `${turn.reason} ${turn.error.code}` : turn.reason
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
  }

  log(what: string): void {
    console.log(
      `${what}: ${this.#turns} turns, ${this.#runs} executions; ${[...this.#reasons].map(([reason, turns]) => `${reason} ${turns}`).join(', ')}`,
    )
  }
}
