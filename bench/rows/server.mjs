// What a server of conversations holds and adds: 1,000 sockets with a conversation each on one real server process with
// SQLite in a file, and 200 turns at once among them. Each turn calls a tool of its page, then one of the server, and
// streams an answer. Beside it the same turns in hosts of one process with a store in memory, which have no network,
// no database and no page. Model, server and those hosts are processes of their own; the pages are sockets of this one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from '../support/child.mjs'
import { pieces, ScriptedGuest, textOf } from '../support/scripted-guest.mjs'
import { installSqlite } from '../support/sqlite.mjs'

/** Sockets that open, or questions that are asked, at a time. */
const atOnce = 50
/** Milliseconds after which a server has let go of the pages that left: more than its `pageWait`. */
const goneTime = 1_500
const answer = pieces.join('')

/** @typedef {{ reason: string, text: string }} End */
/** @typedef {{ cpu: number, delay: { p50: number, p99: number, max: number }, runs: Record<string, number> }} Measured */

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
  /** @type {import('../support/lab.mjs').Figure[]} */
  const figures = []
  /** @param {string} what @param {string} product @param {number} value */
  const add = (what, product, value, unit = '') => {
    const figure = figures.find((one) => one.what === what && one.product === product)
    if (figure) figure.values.push(value)
    else figures.push({ what, product, unit, values: [value] })
  }
  try {
    const model = await start('model')
    const server = await start('server', model.first, folder)
    const local = await start('in-process', model.first)
    const host = `127.0.0.1:${server.first}`
    const guestsOf = async (/** @type {string} */ name, /** @type {number} */ count) => {
      /** @type {ScriptedGuest[]} */
      const guests = []
      while (guests.length < count) {
        const names = Array.from(
          { length: Math.min(atOnce, count - guests.length) },
          (_, at) => name + (guests.length + at),
        )
        const group = names.map((user) => new ScriptedGuest(host, user, `of-${user}`))
        await Promise.all(group.map((guest) => guest.opened()))
        guests.push(...group)
      }
      return guests
    }
    const where = await local.ask({ open: turns })
    if (where !== 'page memory') throw new Error(`Expected page memory, received ${where}`)

    /** Runs a turn of each guest at once. @param {string} name @param {readonly ScriptedGuest[]} guests */
    const onServer = async (name, guests) => {
      await server.ask('begin')
      const ids = guests.map((_, at) => `${name}-${at}`)
      const ends = await Promise.all(guests.map((guest, at) => guest.send(ids[at] ?? '', textOf(ids[at] ?? ''))))
      /** @type {Measured} */
      const measured = await server.ask('end')
      for (const { runs } of guests) for (const [turn, count] of runs) measured.runs[`page_part ${turn}`] = count
      return { ids, ends, measured }
    }
    const inProcess = async (/** @type {string} */ name, /** @type {number} */ count) => {
      const ids = Array.from({ length: count }, (_, at) => `${name}-${at}`)
      await local.ask('begin')
      /** @type {End[]} */
      const ends = await local.ask({ turns: ids })
      return { ids, ends, measured: /** @type {Measured} */ (await local.ask('end')) }
    }

    // A wave that is not counted: code is compiled, and what a process keeps for its busiest moment is there.
    const first = await guestsOf('warm', sockets)
    await onServer('warm', first.slice(0, turns))
    await inProcess('warm-local', turns)
    await leave(first)
    const before = await server.ask('memory')
    const grown = async (/** @type {string} */ what) => {
      const now = await server.ask('memory')
      add(`${what}: heap, each`, 'server', (now.heapUsed - before.heapUsed) / 1024 / sockets, 'KiB')
      add(`${what}: memory, each`, 'server', (now.rss - before.rss) / 1024 / sockets, 'KiB')
    }
    const guests = await guestsOf('user', sockets)
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
        const { ids, ends, measured } = await (product === 'server'
          ? onServer(name, guests.slice(0, turns))
          : inProcess(name, turns))
        /** @type {{ page: number[], server: number[] }} */
        const gaps = await model.ask('gaps')
        for (const [kind, of] of /** @type {const} */ ([
          ['page', 'the page'],
          ['server', 'the server'],
        ]))
          for (const part of /** @type {const} */ ([50, 99])) {
            const value = percentile(gaps[kind], part)
            add(`step with a tool of ${of}, p${part}`, product, value, 'ms')
            if (product === 'in process')
              add(
                `step with a tool of ${of}, p${part}`,
                'in process, and a round trip',
                value + tripTime[`p${part}`],
                'ms',
              )
          }
        add('CPU per turn', product, measured.cpu / turns, 'ms')
        for (const part of /** @type {const} */ (['p50', 'p99', 'max']))
          add(`event loop delay, ${part}`, product, measured.delay[part], 'ms')
        const wrong = ends.filter(({ reason, text }) => reason !== 'stop' || text !== answer)
        for (const one of wrong.slice(0, 3)) log(`  a turn ended with ${JSON.stringify(one)}`)
        add('turns that failed', product, wrong.length)
        add('tool calls lost or twice', product, wronglyRun(ids, measured.runs))
      }
    }
    const errors = guests.flatMap((guest) => guest.errors)
    for (const error of errors.slice(0, 3)) log(`  ${error}`)
    add('errors of sockets', 'server', errors.length)
    await leave(guests)
    await grown('when all have gone')
  } finally {
    await Promise.all(children.map((child) => child.close()))
    rmSync(folder, { recursive: true, force: true })
  }
  return figures
}

/** Resolves when the server has let go of guests. @param {readonly ScriptedGuest[]} guests */
async function leave(guests) {
  await Promise.all(guests.map((guest) => guest.close()))
  await pause(goneTime)
}

/** @template T @param {readonly T[]} all @param {(one: T, at: number) => Promise<unknown>} work */
async function inGroups(all, work) {
  for (let from = 0; from < all.length; from += atOnce)
    await Promise.all(all.slice(from, from + atOnce).map((one, at) => work(one, from + at)))
}

/** The calls that did not run once. @param {readonly string[]} turns @param {Readonly<Record<string, number>>} runs */
function wronglyRun(turns, runs) {
  const calls = turns.flatMap((turn) => [`page_part ${turn}`, `server_part ${turn}`])
  return calls.reduce((sum, call) => sum + Math.abs((runs[call] ?? 0) - 1), 0)
}

/** @param {readonly number[]} values @param {number} part in percent */
function percentile(values, part) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * part) / 100))] ?? 0
}
