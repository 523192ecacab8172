// A process of the rows with servers: the scripted model, the server of conversations, or the same turns in hosts of this
// process with a store in memory. Each turn calls a tool of the page, then one of the server, and streams an answer.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { getHeapCodeStatistics } from 'node:v8'
import { WebSocketServer } from 'ws'
import { answerParent } from './child.mjs'
import { openPool } from './postgres.mjs'
import { pieces, quickly, textOf, turnIn } from './scripted-guest.mjs'
import { openDatabase } from './sqlite.mjs'

/** Milliseconds between two pieces of an answer. */
const pieceTime = 25

/** Milliseconds until the model answers: from half a second to two and a half, the same in each run. @param {string} seed */
function thinkTime(seed) {
  let hash = 7
  for (const character of seed) hash = (hash * 31 + character.charCodeAt(0)) % 65_521
  return 500 + (hash % 2_000)
}

const [, , role, ...args] = process.argv
if (process.send && role === 'model') await model()
if (process.send && role === 'server') await server(args[0] ?? '', JSON.parse(args[1] ?? ''))
if (process.send && role === 'in-process') await inProcess(args[0] ?? '')

/**
 * A model that answers each turn with two calls and a text. It measures what a host takes from the end of an answer to
 * the next request: all that is not the model.
 */
async function model() {
  /** When the last answer of a turn was sent. @type {Map<string, number>} */
  const answeredAt = new Map()
  /** @type {import('./server-load.mjs').Gap[]} */
  let gaps = []
  const http = createServer(async (incoming, outgoing) => {
    const at = performance.now()
    let text = ''
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk
    const { messages } = JSON.parse(text)
    const last = messages.findLastIndex((/** @type {{ role: string }} */ one) => one.role === 'user')
    const turn = turnIn(JSON.stringify(messages[last]))
    const results = messages.slice(last).filter((/** @type {{ role: string }} */ one) => one.role === 'tool').length
    const before = answeredAt.get(turn ?? '')
    if (turn !== undefined && before !== undefined && results > 0)
      gaps.push({ turn, kind: results === 1 ? 'page' : 'server', time: at - before })
    const isQuick = turn === undefined || turn.startsWith(quickly)
    if (!isQuick) await pause(thinkTime(`${turn} ${results}`))
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    const event = (/** @type {object} */ delta, /** @type {string | null} */ finish = null) =>
      outgoing.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
    const name = turn === undefined ? undefined : ['page_part', 'server_part'][results]
    if (name === undefined) {
      for (const content of pieces) {
        event({ content })
        if (!isQuick) await pause(pieceTime)
      }
    } else {
      const call = { name, arguments: JSON.stringify({ turn }) }
      event({ tool_calls: [{ index: 0, id: `${turn}-${results}`, type: 'function', function: call }] })
    }
    event({}, name === undefined ? 'stop' : 'tool_calls')
    outgoing.end('data: {"choices":[],"usage":{"prompt_tokens":900,"completion_tokens":90}}\n\ndata: [DONE]\n\n')
    if (turn !== undefined) answeredAt.set(turn, performance.now())
  })
  http.keepAliveTimeout = 60_000
  answerParent(`http://127.0.0.1:${await listen(http)}/v1`, () => {
    const measured = gaps
    gaps = []
    answeredAt.clear()
    return measured
  })
}

/**
 * A server with SQLite in a folder, or one of several on a PostgreSQL.
 * @param {string} endpoint @param {{ folder: string } | { host: string, schema: string }} place
 */
async function server(endpoint, place) {
  const { SessionServer, sqliteStore, postgresStore, upgradeHandler } = await ours('server')
  const { chatCompletions } = await ours('models')
  /** @type {Map<string, number>} */
  const runs = new Map()
  /** @type {Map<string, number>} */
  const statements = new Map()
  const store =
    'folder' in place
      ? sqliteStore(openDatabase(join(place.folder, 'conversations.db')))
      : postgresStore(openPool(place, statements))
  const sessions = new SessionServer({
    store,
    model: chatCompletions({
      endpoint,
      headers: async () => ({}),
      credentials: 'omit',
      stream: true,
      limits: { responseBytes: 4_194_304 },
    }),
    modelName: 'bench',
    instructions: 'You help the customers of a shop.',
    tools: [countingTool('server_part', runs)],
    // So that a conversation ends soon after its page has gone.
    limits: { pageWait: 500 },
  })
  const http = createServer()
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: 1_048_576 })
  const authenticate = (/** @type {import('node:http').IncomingMessage} */ { headers }) => {
    const user = /^user=(\w+)$/.exec(headers.cookie ?? '')?.[1]
    return user === undefined ? undefined : { user }
  }
  http.on('upgrade', upgradeHandler(sessions, { webSockets, authenticate }))
  answerParent(await listen(http), gauges(runs, statements))
}

/** @param {string} endpoint */
async function inProcess(endpoint) {
  const { createAgent } = await ours('agent')
  /** @type {Map<string, number>} */
  const runs = new Map()
  const measure = gauges(runs)
  /** @type {import('../../src/agent.js').Agent[]} */
  const agents = []
  answerParent(
    'ready',
    async (/** @type {'memory' | 'begin' | 'end' | { open: number } | { turns: string[] }} */ command) => {
      if (typeof command === 'string') return measure(command)
      if ('open' in command) {
        for (let at = agents.length; at < command.open; at++)
          agents.push(
            createAgent({
              endpoint,
              model: 'bench',
              sessionId: `s${at}`,
              instructions: 'You help the customers of a shop.',
              tools: [countingTool('page_part', runs), countingTool('server_part', runs)],
            }),
          )
        await Promise.all(agents.map((agent) => agent.connect()))
        const [{ host, storage } = { host: '', storage: '' }] = agents
        return `${host} ${storage}`
      }
      return Promise.all(
        command.turns.map(async (/** @type {string} */ turn, /** @type {number} */ at) => {
          try {
            const { text, reason } = (await agents[at]?.send(textOf(turn))) ?? { text: '', reason: 'error' }
            return { text, reason }
          } catch (error) {
            return { text: String(error), reason: 'error' }
          }
        }),
      )
    },
  )
}

/** @param {string} name @param {Map<string, number>} runs @returns {import('../../src/agent.js').AnyTool} */
function countingTool(name, runs) {
  return {
    name,
    description: 'Does its part of the work.',
    inputSchema: { type: 'object', properties: { turn: { type: 'string' } }, required: ['turn'] },
    execute: (input) => {
      const key = `${name} ${/** @type {{ turn: string }} */ (input).turn}`
      runs.set(key, (runs.get(key) ?? 0) + 1)
      return 'done'
    },
  }
}

/**
 * Answers what a process is asked about itself.
 * @param {Map<string, number>} runs @param {Map<string, number>} [statements]
 */
function gauges(runs, statements = new Map()) {
  const resolution = 10
  const delays = monitorEventLoopDelay({ resolution })
  let cpu = process.cpuUsage()
  /** Of the delays, milliseconds without the time between two looks. @param {number} nanoseconds */
  const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution)
  return async (/** @type {'memory' | 'begin' | 'end'} */ command) => {
    if (command === 'memory') {
      // What closed sockets leave is released by the event loop.
      for (let round = 0; round < 4; round++) {
        globalThis.gc?.()
        await pause(50)
      }
      const { rss, heapUsed } = process.memoryUsage()
      // Compiled code grows with what has run, not with who is there.
      return { rss, heapUsed: heapUsed - getHeapCodeStatistics().code_and_metadata_size }
    }
    if (command === 'begin') {
      delays.reset()
      delays.enable()
      statements.clear()
      cpu = process.cpuUsage()
      return undefined
    }
    delays.disable()
    const counted = Object.fromEntries(runs)
    runs.clear()
    const { user, system } = process.cpuUsage(cpu)
    return {
      cpu: (user + system) / 1000,
      delay: { p50: late(delays.percentile(50)), p99: late(delays.percentile(99)), max: late(delays.max) },
      runs: counted,
      statements: Object.fromEntries(statements),
    }
  }
}

/**
 * By their files, because bench/ is a package of its own. `npm run build` makes them.
 * @template {'server' | 'models' | 'agent'} N @param {N} name
 * @returns {Promise<{ server: typeof import('../../src/server.js'), models: typeof import('../../src/models.js'), agent: typeof import('../../src/agent.js') }[N]>}
 */
function ours(name) {
  return import(new URL(`../../dist/${name}.js`, import.meta.url).href)
}

/** @param {import('node:http').Server} http @returns {Promise<number>} its port */
async function listen(http) {
  await new Promise((resolve) => http.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 }, () => resolve(null)))
  return /** @type {import('node:net').AddressInfo} */ (http.address()).port
}
