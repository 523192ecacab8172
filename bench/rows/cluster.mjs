// What several server processes on one PostgreSQL add: 2,000 sockets at two of them, half of which are linked: their
// sessions are open in the other process, as after a load balancer without sticky sessions. 200 of them have a turn at
// once, half of those linked. The turns are those of the row `server`. Model and servers are processes of their own.
import { setTimeout as pause } from 'node:timers/promises'
import { cpuOf } from '../support/postgres.mjs'
import {
  addErrors,
  addFailures,
  leave,
  newFigures,
  percentile,
  playTurns,
  startCluster,
} from '../support/server-load.mjs'

/** Milliseconds in which an idle cluster is watched. */
const idleTime = 10_000
/** Requests to the model in each turn. */
const steps = 3

/** @param {Pick<import('../support/lab.mjs').Lab, 'isQuick' | 'log'>} lab */
export async function run({ isQuick, log }) {
  const [sockets, turns, rounds] = isQuick ? [200, 20, 2] : [2_000, 200, 3]
  const cluster = await startCluster()
  const { database, model, servers, pagesOf } = cluster
  const { figures, add } = newFigures()
  try {
    const memory = () => Promise.all(servers.map((server) => server.ask('memory')))

    // A wave that is not counted: code is compiled, and what a process keeps for its busiest moment is there.
    const warm = await pagesOf('warm', sockets)
    await playTurns(servers, 'warm', chosen(warm, turns))
    await leave(warm.all)
    const before = await memory()
    const grown = async (/** @type {string} */ what) => {
      const now = await memory()
      const kib = (/** @type {'heapUsed' | 'rss'} */ kind) =>
        now.reduce((sum, one, at) => sum + one[kind] - before[at][kind], 0) / 1024 / sockets
      add(`${what}: heap, each`, 'cluster', kib('heapUsed'), 'KiB')
      add(`${what}: memory, each`, 'cluster', kib('rss'), 'KiB')
    }
    const pages = await pagesOf('user', sockets)
    await grown('idle sockets')
    for (const server of servers) await server.ask('begin')
    await pause(idleTime)
    for (const server of servers) {
      /** @type {import('../support/server-load.mjs').Measured} */
      const { statements, cpu } = await server.ask('end')
      add('statements per second of an idle process', 'cluster', sum(statements) / (idleTime / 1000), 'per s')
      add('CPU per second of an idle process', 'cluster', cpu / (idleTime / 1000), 'ms')
    }
    await model.ask('gaps')
    for (let round = 0; round < rounds; round++) {
      const players = chosen(pages, turns)
      const [begun, at] = [cpuOf(database.folder), performance.now()]
      const played = await playTurns(servers, `round${round}`, players)
      const [cpu, seconds] = [cpuOf(database.folder), (performance.now() - at) / 1000]
      /** @type {import('../support/server-load.mjs').Gap[]} */
      const gaps = await model.ask('gaps')
      const isLinked = new Set(played.ids.filter((_, player) => player >= turns / 2))
      for (const kind of /** @type {const} */ (['page', 'server']))
        for (const part of /** @type {const} */ ([50, 99]))
          for (const product of ['local', 'linked']) {
            const own = gaps.filter((gap) => gap.kind === kind && isLinked.has(gap.turn) === (product === 'linked'))
            const times = own.map(({ time }) => time)
            add(`step with a tool of the ${kind}, p${part}`, product, percentile(times, part), 'ms')
          }
      const { 'mail that is sent': mails = 0, ...others } = total(played.measured.map(({ statements }) => statements))
      add('rows of mail per turn', 'linked', mails / (turns / 2), ' ')
      for (const [kind, count] of Object.entries({ ...others, 'mail that is sent': mails }))
        add(`statements per step: ${kind}`, 'cluster', count / turns / steps, ' ')
      add('statements per step', 'cluster', (sum(others) + mails) / turns / steps, ' ')
      add('CPU per turn', 'cluster', played.measured.reduce((all, one) => all + one.cpu, 0) / turns, 'ms')
      if (cpu !== undefined && begun !== undefined) add('CPU per turn', 'PostgreSQL', (cpu - begun) / turns, 'ms')
      add('time of all turns', 'cluster', seconds, 's')
      for (const { delay } of played.measured)
        for (const part of /** @type {const} */ (['p50', 'p99', 'max']))
          add(`event loop delay, ${part}`, 'cluster', delay[part], 'ms')
      addFailures({ add }, 'cluster', played, log)
    }
    addErrors({ add }, 'cluster', pages.all, log)
    await leave(pages.all)
    await grown('when all have gone')
  } finally {
    await cluster.stop()
  }
  return figures
}

/**
 * Pages of which half are linked.
 * @template T @param {{ readonly local: readonly T[], readonly linked: readonly T[] }} pages @param {number} count
 */
function chosen({ local, linked }, count) {
  return [...local.slice(0, count / 2), ...linked.slice(0, count / 2)]
}

/** @param {Readonly<Record<string, number>>} counts */
const sum = (counts) => Object.values(counts).reduce((all, one) => all + one, 0)

/** @param {readonly Readonly<Record<string, number>>[]} all @returns {Record<string, number>} */
function total(all) {
  const names = new Set(all.flatMap((counts) => Object.keys(counts)))
  return Object.fromEntries(
    [...names].map((name) => [name, all.reduce((count, counts) => count + (counts[name] ?? 0), 0)]),
  )
}
