// What a turn with one call costs: its commits, the queries that it waits for, the copies that are made of its data, and
// the functions that it passes. `npx playwright test --project=node turn-cost` prints the numbers that the table in
// docs/life-of-a-turn.md has.
import { Session } from 'node:inspector/promises'
import type { AgentOptions } from '../../../src/page/options.js'
import { expect, test, type Bench, type Lab } from '../../support/lab/lab.js'

interface Cost {
  readonly commits: number
  readonly queries: string
  /** From the page to the host, and back. */
  readonly messages: string
  /** Messages that cross the port, and records that are written. */
  readonly clones: number
  /** Named functions of `src/` that ran, each counted once. */
  readonly stops: number
}

const queryTypes = /^post:(prepare|headers|before-model|check|execute|read|model|unsaved)$/

/** The cost of a warm turn: the session was opened and has had a turn before. */
async function costOf(lab: Lab, name: 'look' | 'write', options: AgentOptions = {}): Promise<Cost> {
  const script = [{ text: 'Hello' }, { calls: [{ name, arguments: {} }] }, { text: 'Done' }]
  const bench: Bench = await lab.start(script, options)
  const { agent, log, sent } = bench
  agent.registerTool([
    { name: 'look', description: 'Looks', annotations: { readOnlyHint: true }, execute: () => 'seen' },
    { name: 'write', description: 'Writes', execute: () => 'written' },
  ])
  await agent.send('Hello')
  const [logged, posted] = [log.length, sent.length]
  const stops = await functionsIn(() => agent.send('Go'))
  const lines = log.slice(logged)
  const received = lines.filter((line) => line.startsWith('post:')).length
  const commits = lines.filter((line) => line.startsWith('commit:'))
  const sentNow = sent.length - posted
  return {
    commits: commits.length,
    queries: lines.flatMap((line) => queryTypes.exec(line)?.[1] ?? []).join(' '),
    messages: `${sentNow} + ${received}`,
    clones: sentNow + received + commits.flatMap(recordsIn).length,
    stops,
  }
}

/** The records in a line of the log, such as `commit:head+messages(1,2)`. */
const recordsIn = (commit: string): string[] => commit.split(/[+,]/)

/** How many functions of `src/` run during the work. */
async function functionsIn(work: () => Promise<unknown>): Promise<number> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const own = result.filter(({ url }) => /\/src\/(core|host|page)\//.test(url)).flatMap(({ functions }) => functions)
  return own.filter(({ functionName: name, ranges }) => !isMade.test(name) && (ranges[0]?.count ?? 0) > 0).length
}

/** Functions without a name, and what the compiler of the tests adds for private members. */
const isMade = /^$|^_(assertClassBrand|checkPrivate|classPrivate|defineProperty|toProperty|toPrimitive)/

test('a turn with one call costs what the page of a turn says', { tag: '@R6.1' }, async ({ lab }) => {
  const table = {
    look: await costOf(lab, 'look'),
    write: await costOf(lab, 'write'),
    writeWithHeaders: await costOf(lab, 'write', { headers: async () => ({ authorization: 'Bearer key' }) }),
  }
  console.table(table)
  const { look, write, writeWithHeaders } = table
  expect(look).toMatchObject({ commits: 5, queries: 'read', messages: '4 + 13' })
  expect(write).toMatchObject({ commits: 6, queries: 'check execute prepare', messages: '4 + 15' })
  expect(writeWithHeaders).toMatchObject({ commits: 6, queries: 'check execute prepare headers', messages: '5 + 16' })
  expect([look.clones, write.clones, writeWithHeaders.clones]).toEqual([29, 33, 35])
})
