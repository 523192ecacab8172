// What a server of conversations holds and adds: 1,000 sockets with a conversation each on one real server process with
// SQLite in a file, and 200 turns at once among them. Each turn calls a tool of its page, then one of the server, and
// streams an answer. Beside it the same turns in hosts of one process with a store in memory, which have no network,
// no database and no page. Model, server and those hosts are processes of their own; the pages are sockets of this one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../support/child.mjs'
import {
  addErrors,
  addFailures,
  inGroups,
  leave,
  newFigures,
  openGuests,
  percentile,
  playTurns,
} from '../support/server-load.mjs'
import { installSqlite } from '../support/sqlite.mjs'

/** @param {Pick<import('../support/lab.mjs').Lab, 'isQuick' | 'log'>} lab */
export async function run({ isQuick, log }) {
  const [sockets, turns, rounds] = isQuick ? [100, 20, 2] : [1_000, 200, 3]
  installSqlite()
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-bench-server-'))
  /** @type {Awaited<ReturnType<typeof startChild>>[]} */
  const children = []
  const start = async (/** @type {string[]} */ ...args) => {
    const child = await startChild('server-process.mjs', args, { execArgv: ['--expose-gc'] })
    children.push(child)
    return child
  }
  const { figures, add } = newFigures()
  try {
    const model = await start('model')
    const server = await start('server', model.first, JSON.stringify({ folder }))
    const local = await start('in-process', model.first)
    const host = `127.0.0.1:${server.first}`
    const guestsOf = (/** @type {string} */ name) => openGuests(name, sockets, () => host)
    const where = await local.ask({ open: turns })
    if (where !== 'page memory') throw new Error(`Expected page memory, received ${where}`)

    const inProcess = async (/** @type {string} */ name, /** @type {number} */ count) => {
      const ids = Array.from({ length: count }, (_, at) => `${name}-${at}`)
      await local.ask('begin')
      /** @type {import('../support/server-load.mjs').End[]} */
      const ends = await local.ask({ turns: ids })
      /** @type {import('../support/server-load.mjs').Measured} */
      const measured = await local.ask('end')
      return { ids, ends, measured: [measured], runs: [measured.runs] }
    }

    // A wave that is not counted: code is compiled, and what a process keeps for its busiest moment is there.
    const first = await guestsOf('warm')
    await playTurns([server], 'warm', first.slice(0, turns))
    await inProcess('warm-local', turns)
    await leave(first)
    const before = await server.ask('memory')
    const grown = async (/** @type {string} */ what) => {
      const now = await server.ask('memory')
      add(`${what}: heap, each`, 'server', (now.heapUsed - before.heapUsed) / 1024 / sockets, 'KiB')
      add(`${what}: memory, each`, 'server', (now.rss - before.rss) / 1024 / sockets, 'KiB')
    }
    const guests = await guestsOf('user')
    await grown('idle sockets')
    await inGroups(guests, (guest, at) => guest.send(`hello-${at}`, 'How are you?'))
    await grown('idle sockets, after a question')

    const trips = []
    for (let trip = 0; trip < 200; trip++) trips.push((await guests[0]?.roundTrip()) ?? 0)
    const tripTime = { p50: percentile(trips, 50), p99: percentile(trips, 99) }
    await model.ask('gaps')
    for (let round = 0; round < rounds; round++) {
      const products = /** @type {const} */ (['server', 'in process'])
      for (const product of round % 2 === 0 ? products : products.toReversed()) {
        const name = `round${round}${product === 'server' ? '' : '-local'}`
        const played = await (product === 'server'
          ? playTurns([server], name, guests.slice(0, turns))
          : inProcess(name, turns))
        /** @type {import('../support/server-load.mjs').Gap[]} */
        const gaps = await model.ask('gaps')
        for (const [kind, of] of /** @type {const} */ ([
          ['page', 'the page'],
          ['server', 'the server'],
        ]))
          for (const part of /** @type {const} */ ([50, 99])) {
            const times = gaps.filter((gap) => gap.kind === kind).map(({ time }) => time)
            const value = percentile(times, part)
            add(`step with a tool of ${of}, p${part}`, product, value, 'ms')
            if (product === 'in process')
              add(
                `step with a tool of ${of}, p${part}`,
                'in process, and a round trip',
                value + tripTime[`p${part}`],
                'ms',
              )
          }
        for (const { cpu, delay } of played.measured) {
          add('CPU per turn', product, cpu / turns, 'ms')
          for (const part of /** @type {const} */ (['p50', 'p99', 'max']))
            add(`event loop delay, ${part}`, product, delay[part], 'ms')
        }
        addFailures({ add }, product, played, log)
      }
    }
    addErrors({ add }, 'server', guests, log)
    await leave(guests)
    await grown('when all have gone')
  } finally {
    await Promise.all(children.map((child) => child.close()))
    rmSync(folder, { recursive: true, force: true })
  }
  return figures
}
