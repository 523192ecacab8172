// What a turn with one call costs: its commits, the queries that it waits for, and the messages over the port. The
// table in docs/life-of-a-turn.md has these numbers: `npx playwright test --project=node turn-cost` prints them.
import { expect, test, type Bench, type Lab } from '../../support/lab/lab.js'

interface Cost {
  readonly commits: number
  readonly queries: string
  /** From the page to the host, and back. */
  readonly messages: string
}

const queryTypes = /^post:(prepare|headers|before-model|check|execute|read|model|unsaved)$/

/** The cost of a warm turn: the session was opened and has had a turn before. */
async function costOf(lab: Lab, name: 'look' | 'write'): Promise<Cost> {
  const bench: Bench = await lab.start([{ text: 'Hello' }, { calls: [{ name, arguments: {} }] }, { text: 'Done' }])
  const { agent, log, sent } = bench
  agent.registerTool([
    { name: 'look', description: 'Looks', annotations: { readOnlyHint: true }, execute: () => 'seen' },
    { name: 'write', description: 'Writes', execute: () => 'written' },
  ])
  await agent.send('Hello')
  const [logged, posted] = [log.length, sent.length]
  await agent.send('Go')
  const lines = log.slice(logged)
  const received = lines.filter((line) => line.startsWith('post:'))
  const cost = {
    commits: lines.filter((line) => line.startsWith('commit:')).length,
    queries: received.flatMap((line) => queryTypes.exec(line)?.[1] ?? []).join(' '),
    messages: `${sent.length - posted} + ${received.length}`,
  }
  console.log(`${name}: ${cost.commits} commits; queries ${cost.queries}; messages ${cost.messages}`)
  return cost
}

test('a turn with one call costs what the page of a turn says', { tag: '@R6.1' }, async ({ lab }) => {
  expect(await costOf(lab, 'look')).toEqual({ commits: 5, queries: 'read', messages: '4 + 13' })
  const write = { commits: 6, queries: 'check execute prepare', messages: '4 + 15' }
  expect(await costOf(lab, 'write')).toEqual(write)
})
