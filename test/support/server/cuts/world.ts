// One simulated world: a server, a disk, a network that fails, two devices of one user and one of another. The page is
// the real client, the server the real server; only time, network and disk are made here.
import type { Session } from '../../../../src/core/data/session.js'
import { isQuestion, toolCallsOf } from '../../../../src/core/data/message.js'
import { memoryStore } from '../../../../src/host/store/memory-store.js'
import type { AgentOptions } from '../../../../src/page/options.js'
import { SessionServer } from '../../../../src/server/session-server.js'
import { Dice } from '../../lab/generator.js'
import { Clock, type TimerOwner } from './clock.js'
import { SharedDisk } from './disk.js'
import type { OpenDocument, PageProgram } from './document.js'
import { brokenLaws } from './laws.js'
import { plannedModel } from './model.js'
import { Wire } from './network.js'
import { deviceNames, openMessage, otherThan, type Plan, type PlannedAct } from './plan.js'
import { Visitors, type OpenPage, type Surroundings } from './visitors.js'

/** The conversation of both users: the same id. */
const sessionId = 'shared-id'
const users = ['anna', 'ben'] as const
const nobody: TimerOwner = { isDead: false }
/** Milliseconds after the faults in which everything must end. */
const settleTime = 1_200_000
/** Milliseconds in which a page notices that its server is dead, and connects again. */
const silentTime = 150_000

/** What became of a world. */
export interface WorldEnd {
  readonly broken: readonly string[]
  readonly tally: ReadonlyMap<string, number>
}

/** Plays a plan. `trace` gets a line for everything that happens. */
export async function play(plan: Plan, program: PageProgram, trace?: (line: string) => void): Promise<WorldEnd> {
  const world = new World(plan, program, trace)
  const restore = world.takeGlobals()
  try {
    return await world.play()
  } finally {
    restore()
  }
}

/** What a page has said, by its client id. */
interface Said {
  readonly type: string
  readonly callId: string | undefined
  /** Of a decision: the question. */
  readonly hash: string | undefined
}

class World implements Surroundings {
  readonly program: PageProgram
  readonly dice: Dice
  readonly sessionId = sessionId
  readonly slow = 18_000
  readonly again = 60_000
  readonly #plan: Plan
  readonly #trace: ((line: string) => void) | undefined
  readonly #clock = new Clock()
  readonly #start = this.#clock.now
  readonly #ids: Dice
  readonly #disk: SharedDisk
  readonly #visitors: Visitors
  #server: SessionServer | undefined
  #process: TimerOwner = { isDead: false }
  readonly #wires = new Set<Wire>()
  readonly #tally = new Map<string, number>()
  readonly #broken = new Set<string>()
  // By user and client id.
  readonly #said = new Map<string, Said>()
  // Messages, by user and client id.
  readonly #refused = new Set<string>()
  readonly #acknowledged = new Set<string>()
  // What the other user repeats.
  readonly #copied: string[] = []
  #messages = 0

  constructor(plan: Plan, program: PageProgram, trace?: (line: string) => void) {
    this.#plan = plan
    this.program = program
    this.#trace = trace
    this.dice = new Dice(plan.seed * 2 + 2)
    this.#ids = new Dice(plan.seed + 0x5eed)
    this.#disk = new SharedDisk(this.#clock, this.dice)
    this.#visitors = new Visitors(this)
  }

  readonly say = (line: string): void => this.#trace?.(`${String(this.#clock.now - this.#start).padStart(7)} ${line}`)

  after(ms: number, owner: TimerOwner, work: () => void): void {
    this.#clock.after(ms, owner, work)
  }

  globals(owner: TimerOwner) {
    return { ...this.#clock.timersOf(owner), crypto: this.#crypto }
  }

  agent(document: OpenDocument, options: AgentOptions) {
    return new document.code.Agent(options)
  }

  socket(page: OpenPage): object {
    const { user, device } = page
    const wire = this.#wire(user, device)
    page.wires.add(wire)
    return wire.pageSocket()
  }

  /** Time, timers and random numbers of the server. A document has its own. */
  takeGlobals(): () => void {
    const clock = this.#clock
    const timers = (name: 'setTimeout' | 'setInterval') =>
      ((...given: [never]) => clock.timersOf(this.#process)[name](...given)) as never
    const { clearTimeout } = clock.timersOf(nobody)
    const RealDate = Date
    class VirtualDate extends RealDate {
      constructor(...given: []) {
        super(...((given.length === 0 ? [clock.now] : given) as []))
      }
      static override now = () => clock.now
    }
    const timeout = (ms: number) => {
      const abort = new AbortController()
      clock.after(ms, nobody, () => abort.abort(new DOMException('Timed out', 'TimeoutError')))
      return abort.signal
    }
    const values: [object, string, unknown][] = [
      [globalThis, 'setTimeout', timers('setTimeout')],
      [globalThis, 'setInterval', timers('setInterval')],
      [globalThis, 'clearTimeout', clearTimeout],
      [globalThis, 'clearInterval', clearTimeout],
      [globalThis, 'Date', VirtualDate],
      [globalThis, 'crypto', this.#crypto],
      [performance, 'now', () => clock.now - this.#start],
      [Math, 'random', () => this.#ids.next()],
      [AbortSignal, 'timeout', timeout],
    ]
    const before = values.map(([on, name]) => [on, name, Object.getOwnPropertyDescriptor(on, name)] as const)
    for (const [on, name, value] of values)
      Object.defineProperty(on, name, { value, configurable: true, writable: true })
    return () => {
      for (const [on, name, descriptor] of before)
        if (descriptor) Object.defineProperty(on, name, descriptor)
        else Reflect.deleteProperty(on, name)
    }
  }

  readonly #crypto = {
    getRandomValues: (bytes: Uint8Array) => bytes.map((_, at) => (bytes[at] = this.#ids.from(0, 255))),
    randomUUID: () => `${this.#ids.from(0, 1e9)}-${this.#ids.from(0, 1e9)}`,
  }

  async play(): Promise<WorldEnd> {
    const { horizon, sends, acts } = this.#plan
    const clock = this.#clock
    this.#startServer()
    for (const device of deviceNames) this.#visitors.open(device)
    for (const send of sends) clock.after(send.at, nobody, () => this.#visitors.send(send))
    for (const act of acts)
      if (act.message === undefined && act.run === undefined) clock.after(act.at, nobody, () => this.#act(act))
    await clock.run(this.#start + horizon)
    this.say('the faults end')
    this.#heal()
    const isOver = await clock.run(clock.now + settleTime, () => this.#restless() === '')
    // Then each end notices a socket that has died without a word.
    if (isOver) await clock.run(clock.now + silentTime)
    if (this.#restless() === '') await this.#compare()
    else this.#break(`not at rest: ${this.#restless()}`)
    await this.#judge()
    for (const one of this.#visitors.unkept) this.#break(one)
    // Nothing of this world goes on.
    this.#process.isDead = true
    for (const page of this.#visitors.pages) this.#visitors.end(page, 'crash')
    return { broken: [...this.#broken], tally: this.#tally }
  }

  async #judge(): Promise<void> {
    const stored = new Map<string, Session | undefined>()
    for (const user of users) stored.set(user, await this.#stored(user))
    for (const law of brokenLaws({ ...pick(this.#visitors), stored })) this.#break(law)
    const isStored = (named: string) => {
      const [user = '', turn = ''] = named.split(' ')
      return stored.get(user)?.messages.some(({ id }) => id === `sent_${turn}`) ?? false
    }
    for (const one of this.#refused) if (isStored(one)) this.#break(`refused, and stored: ${one}`)
    for (const one of this.#acknowledged)
      if (!isStored(one) && !this.#visitors.stopped.has(one.split(' ')[0] ?? ''))
        this.#break(`acknowledged, and lost: ${one}`)
    for (const session of stored.values())
      for (const { call, result } of session?.messages.flatMap(toolCallsOf) ?? [])
        this.#count(`${call.name} ${result?.error?.code ?? 'done'}`)
    for (const { state } of this.#visitors.sent) this.#count(`send ${state}`)
    for (const { decision } of this.#visitors.pressed) this.#count(decision)
    this.#count('timers', this.#clock.fired)
  }

  #count(what: string, by = 1): void {
    this.#tally.set(what, (this.#tally.get(what) ?? 0) + by)
  }

  #break(law: string): void {
    this.say(`BROKEN ${law}`)
    this.#broken.add(law)
  }

  // The server

  #startServer(): void {
    if (this.#server) return
    this.say('server starts')
    const owner: TimerOwner = (this.#process = { isDead: false })
    const { dice } = this
    const pause = () => this.#clock.pause(dice.from(0, dice.chance(0.8) ? 30 : 3_000), owner)
    this.#server = new SessionServer({
      store: this.#disk.openedBy(owner),
      model: plannedModel(pause, () => String(this.#ids.from(0, 1e12))),
      limits: { pageWait: this.#plan.pageWait },
    })
  }

  #killServer(): void {
    if (!this.#server) return
    this.say('server is killed')
    this.#server = undefined
    this.#process.isDead = true
    this.#disk.processDied()
    for (const wire of this.#wires) wire.serverDied()
  }

  async #closeServer(ms: number): Promise<void> {
    const server = this.#server
    const owner = this.#process
    if (!server) return
    this.say('server closes')
    this.#server = undefined
    await server.close()
    this.say('server has closed')
    owner.isDead = true
    this.after(ms, nobody, () => this.#startServer())
  }

  // The network

  #wire(user: string, device: string): Wire {
    const wire = new Wire(this.#clock, this.dice, {
      said: (text) => {
        this.#passed()
        this.say(`${device} → ${text}`)
        if (user === 'anna' && !text.includes('anna~') && this.#copied.length < 200) this.#copied.push(text)
        this.#noteSaid(user, text)
      },
      answered: (text) => {
        this.#passed()
        this.#noteAnswered(user, text)
      },
      heard: (text) => {
        this.#passed()
        this.say(`${device} ← ${text}`)
        if (text.includes(`${otherThan(user)}~`)) this.#break(`a page of ${user} got ${text}`)
        this.#visitors.heard(text)
        this.#noteHeard(user, text)
      },
    })
    this.#wires.add(wire)
    wire.open((socket) => {
      this.#server?.serveSocket(socket, { user })
      return this.#server !== undefined
    })
    return wire
  }

  /** A message of a socket was sent, or has arrived. */
  #passed(): void {
    const count = (this.#messages += 1)
    for (const act of this.#plan.acts) if (act.message === count) this.#actIn(0, act)
  }

  ran(count: number): void {
    for (const act of this.#plan.acts) if (act.run === count) this.#actIn(this.dice.from(0, 150), act)
  }

  #actIn(ms: number, act: PlannedAct): void {
    this.after(ms, nobody, () => this.#visitors.isSettling || this.#act(act))
  }

  #noteSaid(user: string, text: string): void {
    this.#visitors.said(text)
    const message = JSON.parse(text) as {
      readonly type: string
      readonly id?: unknown
      readonly callId?: string
      readonly hash?: string
      readonly value?: { readonly callId?: string }
      readonly outcome?: { readonly callId?: string }
    }
    const { type, id, value, outcome, hash, callId = value?.callId ?? outcome?.callId } = message
    if (typeof id === 'string') this.#said.set(`${user} ${id}`, { type, callId, hash })
  }

  /** Acknowledged means committed, at this moment. */
  #noteAnswered(user: string, text: string): void {
    if (!text.startsWith('{"type":"acknowledged"')) return
    const { id = '' } = JSON.parse(text) as { id?: string }
    const said = this.#said.get(`${user} ${id}`)
    if (said === undefined) return
    const { messages = [], head } = this.#disk.written(user).get(sessionId) ?? {}
    if (said.type === 'send') {
      this.#acknowledged.add(`${user} ${id}`)
      const isWritten =
        messages.some((one) => one.id === `sent_${id}`) || head?.waiting?.some(({ turn }) => turn === id)
      if (!isWritten) this.#break(`acknowledged and not written: the message ${id}`)
    }
    const part = messages.flatMap(toolCallsOf).find(({ call }) => call.id === said.callId)
    if (part === undefined) return
    const isWritten =
      said.type === 'decide' ? !isQuestion(part) || part.approval?.hash !== said.hash : part.result !== undefined
    if (!isWritten) this.#break(`acknowledged and not written: ${said.type} of ${part.call.id}`)
  }

  #noteHeard(user: string, text: string): void {
    if (!text.startsWith('{"type":"refused"')) return
    const { id = '' } = JSON.parse(text) as { id?: string }
    if (this.#said.get(`${user} ${id}`)?.type === 'send') this.#refused.add(`${user} ${id}`)
  }

  #act(act: PlannedAct): void {
    const { do: what, ms, device } = act
    this.#count(what)
    this.say(`act ${what} ${device} ${ms}`)
    if (this.#visitors.act(act, nobody)) return
    const left = this.#start + this.#plan.horizon - this.#clock.now
    if (what === 'kill-server') {
      this.#killServer()
      this.after(ms, nobody, () => this.#process.isDead && this.#startServer())
    } else if (what === 'close-server') void this.#closeServer(ms)
    else if (what === 'full-disk') this.#disk.fullUntil = this.#clock.now + Math.min(ms, left)
    else if (what === 'hostile') this.#attack()
    else this.#server?.closeUser(device === 'foreign' ? 'ben' : 'anna')
  }

  /** The other user says what a page of the first one has said. */
  #attack(): void {
    const copied = [...this.#copied]
    const socket = this.#wire('ben', 'attacker').pageSocket()
    socket.addEventListener('open', () => {
      socket.send(openMessage(sessionId, 'attacker'))
      for (const text of copied) socket.send(text)
      for (const what of ['sessions', 'messages', 'export']) {
        const given = what === 'messages' ? { id: sessionId, before: 99, limit: 99 } : {}
        socket.send(JSON.stringify({ type: 'request', id: 1, what, with: given }))
      }
      this.after(3_000, nobody, () => socket.close(1000))
    })
    this.#visitors.stopped.add('ben')
  }

  // The end

  #heal(): void {
    if (this.#process.isDead) this.#startServer()
    this.#visitors.heal()
    this.after(3_000, nobody, () => this.#heal())
  }

  #restless(): string {
    if (this.#server === undefined) return 'no server'
    for (const user of users)
      if (this.#disk.written(user).get(sessionId)?.head.turn) return `a turn of ${user} is stored`
    return this.#visitors.restless()
  }

  #stored(user: string): Promise<Session | undefined> {
    return memoryStore(this.#disk.written(user)).read(sessionId, 200)
  }

  async #compare(): Promise<void> {
    for (const user of users)
      for (const one of this.#visitors.differences(user, await this.#hosted(user), await this.#stored(user)))
        this.#break(one)
  }

  /** The session as the server gives it to a page that comes now. */
  async #hosted(user: string): Promise<Session | undefined> {
    let session: Session | undefined
    const socket = this.#wire(user, 'last').pageSocket()
    socket.addEventListener('open', () => socket.send(openMessage(sessionId, 'last')))
    socket.addEventListener('message', ({ data }) => {
      session = (JSON.parse(String(data)) as { session?: Session }).session ?? session
    })
    await this.#clock.run(this.#clock.now + 60_000, () => session !== undefined)
    return session
  }
}

const pick = ({ sent, runs, pressed, stopped }: Visitors) => ({ sent, runs, pressed, stopped })
