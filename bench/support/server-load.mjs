// What the rows with servers of conversations share: pages that open and leave, turns at once, and what went wrong.
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { startDatabase } from './postgres.mjs'
import { pieces, ScriptedGuest, textOf } from './scripted-guest.mjs'

/** Sockets that open, or questions that are asked, at a time. */
const atOnce = 50
/** Milliseconds after which a server has let go of the pages that left: more than its `pageWait`. */
const goneTime = 1_500
const answer = pieces.join('')

/** @typedef {Awaited<ReturnType<typeof startChild>>} Child */
/** @typedef {{ reason: string, text: string }} End */
/**
 * What a process did: milliseconds of CPU, how late its event loop was, calls of its tools, and statements by kind.
 * @typedef {object} Measured
 * @property {number} cpu
 * @property {{ p50: number, p99: number, max: number }} delay
 * @property {Record<string, number>} runs
 * @property {Record<string, number>} statements
 */
/** What a host took from the answer of the model to its next request. @typedef {{ turn: string, kind: 'page' | 'server', time: number }} Gap */

/** Figures that a row fills. */
export function newFigures() {
  /** @type {import('./lab.mjs').Figure[]} */
  const figures = []
  /** @param {string} what @param {string} product @param {number} value */
  const add = (what, product, value, unit = '') => {
    const figure = figures.find((one) => one.what === what && one.product === product)
    if (figure) figure.values.push(value)
    else figures.push({ what, product, unit, values: [value] })
  }
  return { figures, add }
}

/**
 * Pages of users of their own, each with a conversation.
 * @param {string} name @param {number} count @param {(at: number) => string} hostOf
 */
export async function openGuests(name, count, hostOf) {
  const guests = Array.from({ length: count }, (_, at) => ({ user: name + at, host: hostOf(at) }))
  return inGroups(guests, async ({ user, host }) => {
    const guest = new ScriptedGuest(host, user, `of-${user}`)
    await guest.opened()
    return guest
  })
}

/** Two server processes on a PostgreSQL of their own, with a scripted model. */
export async function startCluster() {
  const database = await startDatabase()
  /** @type {Child[]} */
  const children = []
  const start = async (/** @type {string[]} */ ...args) => {
    const child = await startChild('server-process.mjs', args, { execArgv: ['--expose-gc'] })
    children.push(child)
    return child
  }
  const stop = async () => {
    await Promise.all(children.map((child) => child.close()))
    await database.stop()
  }
  try {
    const { schema, pool } = await database.place()
    const model = await start('model')
    const place = JSON.stringify({ host: database.folder, schema })
    const servers = [await start('server', model.first, place), await start('server', model.first, place)]
    const hostOf = (/** @type {number} */ at) => `127.0.0.1:${servers[at % 2]?.first}`
    /**
     * Pages at both, of which the second half is linked: its sessions are open in the other process.
     * @param {string} name @param {number} count
     */
    const pagesOf = async (name, count) => {
      const all = await openGuests(name, count, hostOf)
      const local = all.slice(0, count / 2)
      // The same page connects again, at the other process.
      const linked = await inGroups(all.slice(count / 2), async (before, at) => {
        const guest = before.again(hostOf(at + count / 2 + 1))
        await guest.opened()
        await before.close()
        return guest
      })
      return { all: [...local, ...linked], local, linked }
    }
    return { database, pool, model, servers, pagesOf, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * A turn of each page at once, measured in these servers.
 * @param {readonly Child[]} servers @param {string} name @param {readonly ScriptedGuest[]} guests
 */
export async function playTurns(servers, name, guests) {
  for (const server of servers) await server.ask('begin')
  const ids = guests.map((_, at) => `${name}-${at}`)
  const ends = await Promise.all(guests.map((guest, at) => guest.send(ids[at] ?? '', textOf(ids[at] ?? ''))))
  /** @type {Measured[]} */
  const measured = []
  for (const server of servers) measured.push(await server.ask('end'))
  const runs = [...measured.map((one) => one.runs), ...guests.map((guest) => guest.takeRuns())]
  return { ids, ends, measured, runs }
}

/**
 * Adds the turns that failed, and the calls that did not run once.
 * @param {Pick<ReturnType<typeof newFigures>, 'add'>} figures @param {string} product
 * @param {{ ids: readonly string[], ends: readonly End[], runs: readonly Readonly<Record<string, number>>[] }} played
 * @param {(text: string) => void} log
 */
export function addFailures({ add }, product, { ids, ends, runs }, log) {
  const wrong = ends.filter(({ reason, text }) => reason !== 'stop' || text !== answer)
  for (const one of wrong.slice(0, 3)) log(`  a turn ended with ${JSON.stringify(one)}`)
  add('turns that failed', product, wrong.length)
  const times = (/** @type {string} */ call) => runs.reduce((sum, counts) => sum + (counts[call] ?? 0), 0)
  const calls = ids.flatMap((turn) => [`page_part ${turn}`, `server_part ${turn}`])
  add(
    'tool calls lost or twice',
    product,
    calls.reduce((sum, call) => sum + Math.abs(times(call) - 1), 0),
  )
}

/**
 * Adds the errors of sockets.
 * @param {Pick<ReturnType<typeof newFigures>, 'add'>} figures @param {string} product
 * @param {readonly ScriptedGuest[]} guests @param {(text: string) => void} log
 */
export function addErrors({ add }, product, guests, log) {
  const errors = guests.flatMap((guest) => guest.errors)
  for (const error of errors.slice(0, 3)) log(`  ${error}`)
  add('errors of sockets', product, errors.length)
}

/** Resolves when the servers have let go of pages. @param {readonly ScriptedGuest[]} guests */
export async function leave(guests) {
  await Promise.all(guests.map((guest) => guest.close()))
  await pause(goneTime)
}

/** @template T, R @param {readonly T[]} all @param {(one: T, at: number) => Promise<R>} work @returns {Promise<R[]>} */
export async function inGroups(all, work) {
  const done = []
  for (let from = 0; from < all.length; from += atOnce)
    done.push(...(await Promise.all(all.slice(from, from + atOnce).map((one, at) => work(one, from + at)))))
  return done
}

/** @param {readonly number[]} values @param {number} part in percent */
export function percentile(values, part) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * part) / 100))] ?? 0
}
