// Whole agents against the server of another project with random faults. A seed selects the fault of each request, and
// its headers request it, so the expected end of each turn is known. To play more seeds:
// `CHAOS_SEEDS=200 npx playwright test endpoint-chaos`.
import { LLMock } from '@copilotkit/aimock'
import type { JsonObject } from '../../../../src/core/data/json.js'
import { toolCallsOf, textOf } from '../../../../src/core/data/message.js'
import { historyFaults } from '../../../support/lab/history.js'
import { expect, test, type Lab } from '../../../support/lab/lab.js'
import { isLong } from '../../../support/project/long.js'
import { hurry } from '../../../support/lab/timers.js'

const seeds = Number(process.env['CHAOS_SEEDS'] ?? (isLong ? 40 : 12))
const batch = Math.min(seeds, 20)
const turns = 6
const faults = ['none', 'none', 'none', 'none', 'drop', 'ratelimit', 'disconnect', 'malformed', 'latency'] as const
type Fault = (typeof faults)[number]
/** How a turn ends if its last attempt gets this fault. */
const codes: Partial<Record<Fault, string>> = {
  drop: 'server',
  ratelimit: 'rate-limited',
  disconnect: 'network',
  malformed: 'bad-response',
}

const table = new Map<string, number>()
const seen = new Set<Fault>()
test.afterAll(() => {
  const total = [...table.values()].reduce((sum, count) => sum + count, 0)
  console.log(
    [
      `Faults that the requests of ${total} turns met, the last of each → how the turn ended`,
      ...[...table]
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([line, count]) => `${line.padEnd(60)} ${count}`),
    ].join('\n'),
  )
})

const inputSchema = { type: 'object', properties: { for: { type: 'string' } } }

/** mulberry32: the same numbers for the same seed, everywhere. */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function play(lab: Lab, mock: LLMock, seed: number): Promise<void> {
  const next = numbersOf(seed)
  const met: Fault[] = []
  let isOn = true
  const runs = new Map<string, number>()
  const failed: string[] = []
  const unheard = (reason: unknown) => {
    failed.push(String(reason))
  }
  process.on('unhandledRejection', unheard)
  const options = {
    endpoint: `${mock.url}/v1`,
    headers: (): Record<string, string> => {
      const fault = isOn ? (faults[Math.floor(next() * faults.length)] ?? 'none') : 'none'
      met.push(fault)
      return fault === 'none' ? {} : { [`x-aimock-chaos-${fault}`]: fault === 'latency' ? '5' : '1' }
    },
  }
  const begin = async (more: object = {}) => {
    const bench = await lab.start([], { ...options, ...more })
    bench.agent.registerTool([
      {
        name: 'buy',
        description: 'Buys what was asked for, once',
        inputSchema,
        execute: (_: unknown, run) => {
          runs.set(run.toolCallId, (runs.get(run.toolCallId) ?? 0) + 1)
          return 'bought'
        },
      },
      {
        name: 'look',
        description: 'Looks at what is there',
        inputSchema,
        annotations: { readOnlyHint: true },
        execute: () => 'seen',
      },
    ])
    return bench
  }
  let bench = await begin()
  for (let turn = 0; turn < turns; turn++) {
    const { agent } = bench
    const isCut = next() < 0.2
    met.length = 0
    const saved = agent.messages
    const ran = runs.size
    const how = await agent.send(`${isCut ? 'cut' : 'whole'} ${seed}-${turn}`).then(
      ({ reason }) => reason,
      ({ code }: { code: string }) => code,
    )
    const where = `seed ${seed}, turn ${turn}: ${met.join(', ')}`
    const line = `${isCut ? 'a stream that is cut, ' : ''}${met.slice(0, -1).some((fault) => codes[fault]) ? 'faults before, ' : ''}${met.at(-1)} → ${how}`
    for (const fault of met) seen.add(fault)
    table.set(line, (table.get(line) ?? 0) + 1)
    // It is over, for the reason that the last request gave.
    expect(agent.status, where).toBe('idle')
    expect(agent.session?.end, where).toBeDefined()
    if (isCut) expect([...Object.values(codes), 'stream-cut'], where).toContain(how)
    else expect(how, where).toBe(codes[met.at(-1) ?? 'none'] ?? 'stop')
    // A request is retried twice after a fault that allows it. Then the expected answer follows.
    if (!isCut && how === 'stop') expect(textOf(agent.messages.at(-1)), where).toBe(`All well with ${seed}-${turn}.`)
    expect(agent.messages.slice(0, saved.length), where).toEqual(saved)
    for (const [id, count] of runs) expect([id, count], where).toEqual([id, 1])
    const settled = agent.messages
      .slice(saved.length)
      .flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message) : []))
    expect(runs.size - ran, where).toBe(settled.filter(({ call }) => call.name === 'buy').length)
    if (next() < 0.3) {
      // Now and then the page is loaded again.
      const { store } = bench
      const { messages, session } = agent
      void agent.close()
      bench = await begin({ store, sessionId: session?.id })
      await bench.agent.connect()
      expect(bench.agent.messages, where).toEqual(messages)
    }
  }
  isOn = false
  expect(await bench.agent.send(`whole ${seed}-last`).then(({ reason }) => reason)).toBe('stop')
  await new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })
  process.off('unhandledRejection', unheard)
  expect(failed).toEqual([])
}

for (let first = 1; first <= seeds; first += batch) {
  test(
    `every turn ends with its reason against a faulty third-party server, seeds ${first} to ${first + batch - 1}`,
    { tag: ['@F45', '@F46', '@F50', '@F51', '@F52', '@F59'] },
    async ({ lab }) => {
      test.setTimeout(180_000)
      const mock = new LLMock({ port: 0, host: '127.0.0.1', strict: true, chunkSize: 5, logLevel: 'silent' })
      let calls = 0
      const answers = (request: { messages: readonly { role: string; content: unknown }[] }) => {
        const text =
          String(request.messages.findLast(({ role }) => role === 'user')?.content)
            .split(' ')
            .at(-1) ?? ''
        if (request.messages.at(-1)?.role === 'tool') return { content: `All well with ${text}.` }
        return {
          content: 'I buy and look.',
          toolCalls: ['buy', 'look', 'buy'].map((name) => ({
            id: `call_${++calls}`,
            name,
            arguments: `{"for":"${text}-${calls}"}`,
          })),
        }
      }
      mock.on({ userMessage: 'cut' }, answers, { truncateAfterChunks: 4, latency: 3 })
      mock.on({ userMessage: 'whole' }, answers)
      await mock.start()
      // The waits between two tries: what a server asks for, and ours with the least of chance.
      const { random } = Math
      Math.random = () => 0
      const clock = hurry(250, 500, 1_000)
      try {
        for (let seed = first; seed < first + batch; seed++) await play(lab, mock, seed)
        for (const { body } of mock.getRequests()) expect(historyFaults(body as unknown as JsonObject)).toEqual([])
      } finally {
        clock.stop()
        Math.random = random
        await mock.stop()
      }
    },
  )
}

test('the seeds cover every fault and every cut stream', () => {
  const total = [...table.values()].reduce((sum, count) => sum + count, 0)
  // A seed that failed took the worker with it, and its sums.
  test.skip(total < seeds * turns, `${total} of ${seeds * turns} turns were summed up`)
  expect([...seen].sort()).toEqual([...new Set(faults)].sort())
  expect([...table.keys()]).toContain('a stream that is cut, none → stream-cut')
})
