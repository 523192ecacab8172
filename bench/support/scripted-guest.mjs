// A page of the rows with servers, without a browser: one socket, one conversation, one tool, and scripted answers.
import { WebSocket } from 'ws'

/** @typedef {{ type: string, [name: string]: any }} Message */

/** Pieces of the answer of every turn. */
export const pieces = Array.from({ length: 40 }, (_, at) => `word ${at} `)
/** Turns with such names are answered at once. */
export const quickly = 'quick'
/** What a user asks. The model knows the turn by it. @param {string} turn */
export const textOf = (turn) => `Please do the work of ${turn}.`
/** The turn of a message; undefined of one that only asks. @param {string} text */
export const turnIn = (text) => /the work of ([\w-]+)\./.exec(text)?.[1]

/** Milliseconds that a guest waits for anything. */
const patience = 120_000

/** The tool of the page. It has no hint, so each call of it must run once. */
const tool = {
  name: 'page_part',
  description: 'Does the part of the work that only the page can do.',
  inputSchema: { type: 'object', properties: { turn: { type: 'string' } }, required: ['turn'] },
  annotations: {},
  exclusive: false,
  timeout: 60_000,
  maxRetries: 0,
  returnDirect: false,
  hash: 'page-part-1',
}
const facts = { url: 'https://shop.example/', title: 'Shop', lang: 'en', timeZone: 'UTC' }

export class ScriptedGuest {
  #user
  #session
  #socket
  /** @type {Set<() => void>} */
  #waiting = new Set()
  #answers = 0
  #pongs = 0
  #isOpen = false
  /** @type {number | undefined} */
  #closed
  /** The ends of turns by id. @type {Map<string, { reason: string, text: string }>} */
  #ended = new Map()
  #text = ''
  /** @type {Map<string, number>} */
  #runs = new Map()
  /** What should not have happened. @type {string[]} */
  errors = []

  /** Connects, and opens a conversation. @param {string} host @param {string} user @param {string} session */
  constructor(host, user, session) {
    this.#user = user
    this.#session = session
    const headers = { cookie: `user=${user}`, origin: `http://${host}` }
    this.#socket = new WebSocket(`ws://${host}/`, { headers, perMessageDeflate: false })
    this.#socket.on('message', (data) => this.#receive(JSON.parse(String(data))))
    this.#socket.on('error', (error) => this.errors.push(String(error)))
    this.#socket.on('close', (code) => {
      this.#closed = code
      this.#look()
    })
  }

  /** The same page, which connects to another host. Its first socket is then closed by the server. @param {string} host */
  again(host) {
    return new ScriptedGuest(host, this.#user, this.#session)
  }

  /** Resolves when the conversation is there. */
  opened() {
    return this.#until(() => this.#isOpen)
  }

  /** Sends a message. Resolves with the end of its turn. @param {string} turn @param {string} text */
  async send(turn, text) {
    const offer = { number: 1, path: '/', tools: [tool] }
    this.#say({ type: 'send', id: turn, text, files: [], facts, offer, whenBusy: 'queue' })
    await this.#until(() => this.#ended.has(turn))
    return /** @type {{ reason: string, text: string }} */ (this.#ended.get(turn))
  }

  /** Milliseconds until the server has answered. */
  async roundTrip() {
    const [wanted, begin] = [this.#pongs + 1, performance.now()]
    this.#say({ type: 'ping' })
    await this.#until(() => this.#pongs >= wanted)
    return performance.now() - begin
  }

  /** How often each call of the tool has run since the last look. @returns {Record<string, number>} */
  takeRuns() {
    const counted = Object.fromEntries(this.#runs)
    this.#runs.clear()
    return counted
  }

  /** Leaves. */
  async close() {
    this.#socket.close()
    await new Promise((resolve) => (this.#closed === undefined ? this.#socket.once('close', resolve) : resolve(null)))
  }

  /** @param {Message} message */
  #say(message) {
    this.#socket.send(JSON.stringify(message))
  }

  /** @param {Message} message */
  #receive(message) {
    if (message.type === 'ready')
      this.#say({
        type: 'open',
        protocol: message['protocol'],
        session: this.#session,
        tab: 'tab',
        page: this.#session,
        running: [],
        outcomes: [],
      })
    else if (message.type === 'session') this.#isOpen = true
    else if (message.type === 'ask') this.#answer(message['id'], message['ask'])
    else if (message.type === 'event') this.#event(message['event'])
    else if (message.type === 'ping') this.#say({ type: 'pong' })
    else if (message.type === 'pong') this.#pongs += 1
    else if (message.type === 'refused' || message.type === 'error') this.errors.push(JSON.stringify(message))
    this.#look()
  }

  /** @param {number} id @param {Message} ask */
  #answer(id, ask) {
    const value = this.#valueFor(ask)
    this.#say({ type: 'answer', id: `a${this.#answers++}`, ask: id, value })
  }

  /** @param {Message} ask */
  #valueFor(ask) {
    if (ask.type === 'prepare') return { path: '/', tools: [tool] }
    if (ask.type === 'check')
      return ask['calls'].map(({ callId = '', input = {} }) => ({ callId, do: 'run', hash: tool.hash, input }))
    if (ask.type !== 'execute') throw new Error(`The script has no answer to ${ask.type}`)
    const { callId, input } = ask
    const call = `${tool.name} ${input.turn}`
    this.#runs.set(call, (this.#runs.get(call) ?? 0) + 1)
    const now = Date.now()
    return { callId, attempts: 1, startedAt: now, endedAt: now, output: 'done', text: 'done' }
  }

  /** @param {Message} event */
  #event(event) {
    if (event.type === 'step-start') this.#text = ''
    else if (event.type === 'text-delta') this.#text += event['delta']
    else if (event.type === 'turn-end') this.#ended.set(event['turn'], { reason: event['reason'], text: this.#text })
  }

  #look() {
    for (const check of this.#waiting) check()
  }

  /** @param {() => boolean} isIt @returns {Promise<void>} */
  #until(isIt) {
    return new Promise((resolve, reject) => {
      /** @param {Error} [error] */
      const settle = (error) => {
        clearTimeout(timer)
        this.#waiting.delete(check)
        if (error) reject(error)
        else resolve()
      }
      const check = () => {
        if (isIt()) settle()
        else if (this.#closed !== undefined) settle(new Error(`The server has closed a socket with ${this.#closed}`))
      }
      const late = () => new Error(`Nothing came in ${patience / 1000} s. ${this.errors.join(' ')}`)
      const timer = setTimeout(() => settle(late()), patience)
      this.#waiting.add(check)
      check()
    })
  }
}
