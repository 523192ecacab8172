// A turn with parallel calls, an approval, a todo write and an agent inside it. The host is killed directly before or
// after each event, with or without the page, with or without a second tab: I1 to I5 hold. One table per combination.
// The default run plays every third point of each table, so that each point is part of two or more of the eight tables.
import { callsWithAgent, killModel, plainCalls } from '../../support/faults/kill-model.js'
import { killed, Tools } from '../../support/faults/killed-turn.js'
import { expect, test, type Lab } from '../../support/lab/lab.js'
import { isLong } from '../../support/project/long.js'
import { hurry } from '../../support/lab/timers.js'

/** Facts of the undisturbed turn. */
async function factsOf(lab: Lab, calls: typeof plainCalls | typeof callsWithAgent): Promise<number> {
  const tools = new Tools()
  const { agent, log } = await lab.start(killModel(calls))
  tools.register(agent)
  await agent.send('Go')
  return log.filter((line) => line.startsWith('commit:head')).length
}

test.beforeEach(() => {
  console.error = () => undefined
})

let tables = 0
for (const calls of [plainCalls, callsWithAgent]) {
  const kind = calls === plainCalls ? 'parallel calls, an approval and a todo write' : 'an agent inside it as well'
  for (const dies of ['host', 'page'] as const) {
    for (const mirror of [false, true]) {
      const table = tables++
      const who = dies === 'host' ? 'the host alone dies, the page lives' : 'the whole page dies'
      test(
        `kill matrix: ${who}${mirror ? ', another tab mirrors' : ''}, at each event of a turn with ${kind}`,
        { tag: ['@F2', '@F15'] },
        async ({ lab }) => {
          test.setTimeout(120_000)
          const timers = hurry(600)
          try {
            const facts = await factsOf(lab, calls)
            expect(facts).toBeGreaterThanOrEqual(12)
            const points = Array.from({ length: facts }, (_, index) =>
              (['before', 'behind'] as const).map((when) => ({ when, fact: index + 1 })),
            )
              .flat()
              .filter((_, place) => isLong || place % 3 === table % 3)
            // Side by side: most of their time is waiting for locks.
            const rows = await Promise.all(
              points.map(({ when, fact }) => {
                const moment = when === 'before' ? { killBefore: fact } : { killAfter: fact }
                return killed(lab, killModel(calls), { dies, mirror, moment })
              }),
            )
            const lines = rows.map(({ end, runs, calls: results, broken }, place) => {
              const { when, fact } = points[place]!
              return `${when.padEnd(6)} ${String(fact).padStart(2)}  ${end.padEnd(14)}  runs ${runs}  ${results}  ${broken.length === 0 ? 'I1–I5 hold' : `BROKEN ${broken.join('; ')}`}`
            })
            console.log(
              `${who}${mirror ? ', another tab watches' : ''} (runs: read/write/pay/find/order/list)\n${lines.join('\n')}`,
            )
            expect(lines.filter((line) => line.includes('BROKEN'))).toEqual([])
          } finally {
            timers.stop()
          }
        },
      )
    }
  }
}
