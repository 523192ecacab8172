// Worlds with real processes: servers that are killed, real sockets through a proxy that breaks them. The pages are the
// real client, in this process. Worlds on SQLite in a file share one server, so one kill hits all of them; a world on
// PostgreSQL has two. A seed says what is done, and not when the system does it: a run cannot be repeated.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { allToolCalls } from '../../../../src/core/data/message.js'
import type { Session } from '../../../../src/core/data/session.js'
import type { AgentOptions } from '../../../../src/page/options.js'
import { Dice } from '../../lab/generator.js'
import type { TimerOwner } from './clock.js'
import type { OpenDocument, PageProgram } from './document.js'
import { brokenLaws } from './laws.js'
import { deviceNames, openMessage, otherThan, type Plan, type PlannedAct } from './plan.js'
import { BreakingProxy } from './proxy.js'
import { ServerProcess, type ServerCommand } from './server-process.js'
import { Visitors, type OpenPage, type Surroundings } from './visitors.js'

const users = ['anna', 'ben'] as const
const nobody: TimerOwner = { isDead: false }
/** Milliseconds after the faults in which everything must end, also on a machine that is busy. */
const settleTime = 240_000
/** A page notices a server that is dead after these milliseconds. */
const times = { firstWait: 5, longestWait: 60, untilTold: 20, quiet: 2_000, patience: 1_000, connect: 2_000 }

/** The servers of worlds. */
export interface LabServers {
  /** Of one that takes connections; undefined while none does. */
  readonly port: number | undefined
  /** Milliseconds in which everybody knows of a connection, or a server, that is broken. */
  readonly brokenTime: number
  open(): Promise<void>
  /** All of them run. */
  start(): Promise<void>
  /** Worlds begin. Faults that nobody has planned happen within so many milliseconds. */
  begin(horizon: number, fault: () => void): void
  /** Something happens to one of them, which is returned; undefined if nothing does. */
  fault(act: Pick<PlannedAct, 'do' | 'ms'>): string | undefined
  read(user: string, id: string): Promise<Session | undefined>
  /** Ends them. Returns what is wrong. */
  close(): Promise<string[]>
}

/** Ends of the server while a group of worlds runs, at most. */
const mostEnds = 4

/** One server at a time, on SQLite. */
export class SqliteServer implements LabServers {
  readonly brokenTime = 300
  readonly #folder = mkdtempSync(join(tmpdir(), 'tool-agent-cuts-'))
  readonly #server: ServerProcess
  #ends = 0

  constructor(command: ServerCommand) {
    const dice = new Dice(Date.now())
    this.#server = new ServerProcess(command, join(this.#folder, 'cuts.db'), () => dice.one([0, 150, 600]))
  }

  get port(): number | undefined {
    return this.#server.port
  }

  open(): Promise<void> {
    return this.#server.start()
  }

  start(): Promise<void> {
    return this.#server.start()
  }

  begin(): void {
    this.#ends = 0
  }

  /** Ends the server, and starts the next one. */
  fault({ do: what, ms }: Pick<PlannedAct, 'do' | 'ms'>): string | undefined {
    if (this.#server.port === undefined || this.#ends >= mostEnds) return undefined
    this.#ends += 1
    const signal = what === 'kill-server' ? 'SIGKILL' : 'SIGTERM'
    void this.#server
      .end(signal)
      .then(() => wait(ms))
      .then(() => this.#server.start())
    return signal
  }

  read(user: string, id: string): Promise<Session | undefined> {
    return this.#server.read(user, id)
  }

  async close(): Promise<string[]> {
    await this.#server.close()
    rmSync(this.#folder, { recursive: true, force: true })
    return []
  }
}

/** Worlds with the same servers. */
export class ProcessLab<T extends LabServers = LabServers> {
  readonly servers: T
  readonly horizon: number
  readonly #proxy: BreakingProxy
  readonly #program: (plan: Plan) => PageProgram
  worlds: readonly ProcessWorld[] = []
  /** What a run of a tool waits for: the so-manieth of a user in a world. */
  hold: ((run: number) => Promise<unknown> | undefined) | undefined
  #port = 0
  /** What has happened: faults of servers, runs of tools, messages by their state, sockets. */
  readonly sums: Record<string, number> = { runs: 0, resolved: 0, rejected: 0, lost: 0, pending: 0, sockets: 0 }

  /**
   * @param horizon milliseconds in which faults happen
   * @param program what the pages of a world run
   */
  constructor(servers: T, horizon: number, program: (plan: Plan) => PageProgram) {
    this.servers = servers
    this.horizon = horizon
    this.#program = program
    this.#proxy = new BreakingProxy(() => servers.port, new Dice(Date.now()))
  }

  async open(): Promise<void> {
    this.#port = await this.#proxy.listen()
    await this.servers.open()
  }

  /** Plays plans at the same time, and `meanwhile` with them. Returns the broken laws of each. */
  async play(plans: readonly Plan[], meanwhile = async () => wait(this.horizon)): Promise<string[][]> {
    const worlds = (this.worlds = plans.map((plan) => new ProcessWorld(plan, this, this.#program(plan))))
    await Promise.all(worlds.map((world) => world.open()))
    this.servers.begin(this.horizon, () => {
      const done = this.fault({ do: 'kill-server', ms: 0 })
      for (const world of worlds) world.say(`fault ${done}`)
    })
    for (const world of worlds) world.begin()
    await meanwhile()
    for (const world of worlds) world.visitors.isSettling = true
    await this.servers.start()
    return Promise.all(worlds.map((world) => world.settle()))
  }

  /** Returns what is wrong. */
  close(): Promise<string[]> {
    this.#proxy.close()
    return this.servers.close()
  }

  count(what: string, by = 1): void {
    this.sums[what] = (this.sums[what] ?? 0) + by
  }

  /** Something happens to a server. */
  fault(act: Pick<PlannedAct, 'do' | 'ms'>): string | undefined {
    const done = this.servers.fault(act)
    if (done !== undefined) this.count(done)
    return done
  }

  /** A socket through the proxy. */
  socket(user: string): { socket: WebSocket; cut: () => void } {
    const name = `w${this.sums['sockets']}`
    this.count('sockets')
    const host = `127.0.0.1:${this.#port}`
    const socket = new WebSocket(`ws://${host}/${name}`, {
      headers: { cookie: `user=${user}`, origin: `http://${host}` },
    })
    socket.on('error', () => undefined)
    return { socket, cut: () => this.#proxy.cut(name) }
  }
}

class ProcessWorld implements Surroundings {
  readonly program: PageProgram
  readonly dice: Dice
  readonly sessionId: string
  readonly slow = 400
  readonly again = 1_000
  readonly visitors: Visitors
  readonly #plan: Plan
  readonly #lab: ProcessLab
  readonly #broken = new Set<string>()
  // The socket over which a page has its session.
  readonly #shown = new Map<OpenPage, WebSocket>()
  readonly #stored = new Map<string, Session | undefined>()
  readonly #refused: string[] = []
  readonly #lines: string[] = []
  readonly #start = Date.now()

  constructor(plan: Plan, lab: ProcessLab, program: PageProgram) {
    this.program = program
    this.dice = new Dice(plan.seed * 2 + 2)
    this.sessionId = `shared-${plan.seed}`
    this.#plan = plan
    this.#lab = lab
    this.visitors = new Visitors(this)
  }

  readonly say = (line: string): void => void this.#lines.push(`${Date.now() - this.#start} ${line}`)

  after(ms: number, owner: TimerOwner, work: () => void): void {
    setTimeout(() => owner.isDead || work(), ms)
  }

  globals(owner: TimerOwner) {
    type Work = (...given: unknown[]) => void
    return {
      setTimeout: (work: Work, ms?: number, ...given: unknown[]) =>
        setTimeout(() => owner.isDead || work(...given), ms),
      clearTimeout,
      setInterval: (work: Work, ms?: number, ...given: unknown[]) => {
        const timer = setInterval(() => (owner.isDead ? clearInterval(timer) : work(...given)), ms)
        return timer
      },
      clearInterval,
      crypto,
    }
  }

  agent({ code: { Agent, connectHost } }: OpenDocument, options: AgentOptions) {
    return new Agent(options, () => connectHost(() => options, { times }))
  }

  socket(page: OpenPage): object {
    const { user, device, wires, owner } = page
    const { socket, cut } = this.#lab.socket(user)
    wires.add({ cut, pageDied: () => (this.dice.chance(0.5) ? socket.terminate() : cut()) })
    socket.on('message', (data) => {
      const text = String(data)
      this.say(`${device} ← ${text}`)
      if (!owner.isDead) this.visitors.heard(text)
      if (text.startsWith('{"type":"refused"')) this.#refused.push(text)
      if (text.startsWith('{"type":"session"')) this.#shown.set(page, socket)
      if (text.includes(`${otherThan(user)}~`)) this.#broken.add(`a page of ${user} got ${text}`)
    })
    socket.on('close', () => this.#shown.get(page) === socket && this.#shown.delete(page))
    return {
      send: (text: string) => {
        this.visitors.said(text)
        this.say(`${device} → ${text}`)
        if (socket.readyState === WebSocket.OPEN) socket.send(text)
      },
      close: (code?: number) => socket.close(code),
      addEventListener: (type: never, listener: (event: never) => void) =>
        socket.addEventListener(type, (event: never) => owner.isDead || listener(event)),
    }
  }

  ran(count: number, ofUser: number): Promise<unknown> | undefined {
    for (const act of this.#plan.acts) if (act.run === count) this.#actIn(this.dice.from(0, 150), act)
    return this.#lab.hold?.(ofUser)
  }

  #actIn(ms: number, act: PlannedAct): void {
    this.after(ms, nobody, () => this.visitors.isSettling || this.#act(act))
  }

  #act(planned: PlannedAct): void {
    const act = { ...planned, ms: Math.min(planned.ms, 200) }
    this.say(`act ${act.do} ${act.device} ${act.ms}`)
    if (this.visitors.act(act, nobody)) return
    if (act.do === 'kill-server' || act.do === 'close-server') this.say(`fault ${this.#lab.fault(act)}`)
  }

  /** Its pages are there. */
  async open(): Promise<void> {
    for (const device of deviceNames) this.visitors.open(device)
    await Promise.all([...this.visitors.pages].map((page) => this.#connected(page)))
  }

  /** A first connection that fails, such as to servers that are busy, is not made again by the page. */
  async #connected({ agent }: OpenPage): Promise<void> {
    while (
      await agent.connect().then(
        () => false,
        () => true,
      )
    )
      await wait(100)
  }

  begin(): void {
    const at = (planned: number) => (planned / this.#plan.horizon) * this.#lab.horizon
    for (const send of this.#plan.sends) this.after(at(send.at), nobody, () => this.visitors.send(send))
    for (const act of this.#plan.acts) if (act.run === undefined) this.#actIn(at(act.at), act)
  }

  /** What is not at rest. A page that has no socket yet does not know what has happened. */
  #restless(): string {
    const away = [...this.visitors.pages].find((page) => !this.#shown.has(page))
    return this.visitors.restless() || (away ? `${away.device} is not connected` : '')
  }

  /** Users whose turn runs. */
  get running(): number {
    const pages = [...this.visitors.pages].filter(({ agent }) => agent.session?.turn)
    return new Set(pages.map(({ user }) => user)).size
  }

  /** After `settle`, what was not done though nothing went wrong: messages, and calls that nobody has denied. */
  undone(): string[] {
    const { sent, runs } = this.visitors
    const undone = [
      ...sent.filter(({ state }) => state !== 'resolved').map(({ text, state }) => `${text} is ${state}`),
      ...this.#refused.map((text) => `a page was refused: ${text}`),
    ]
    for (const { part } of [...this.#stored.values()].flatMap((session) => allToolCalls(session?.messages ?? []))) {
      const { call, result } = part
      const ran = runs.filter(({ callId }) => callId === call.id).length
      const { code } = result?.error ?? {}
      // One that may have been on its way to its page when the server ended. The model is told that it may have happened.
      if (code === 'interrupted' && ran <= 1) this.#lab.count('interrupted')
      else if (code !== 'denied' && (ran === 0 || result === undefined || code !== undefined))
        undone.push(`${call.name} ${call.id} ran ${ran} times: ${JSON.stringify(result ?? null).slice(0, 200)}`)
    }
    return undone.length === 0 ? [] : [...undone, ...this.#lines]
  }

  /** Resolves with the laws that are broken. */
  async settle(): Promise<string[]> {
    const end = Date.now() + settleTime
    let quietSince = 0
    while (Date.now() < end) {
      this.visitors.heal()
      if (this.#restless() !== '') quietSince = 0
      else quietSince ||= Date.now()
      if (quietSince > 0 && Date.now() - quietSince > this.#lab.servers.brokenTime) break
      await wait(50)
    }
    if (this.#restless() !== '') this.#broken.add(`not at rest: ${this.#restless()}`)
    const stored = this.#stored
    for (const user of users) {
      stored.set(user, await this.#lab.servers.read(user, this.sessionId))
      const hosted = await this.#hosted(user)
      for (const one of this.visitors.differences(user, hosted, stored.get(user))) this.#broken.add(one)
    }
    const { sent, runs, pressed, stopped } = this.visitors
    for (const law of brokenLaws({ sent, runs, pressed, stopped, stored })) this.#broken.add(law)
    for (const one of this.visitors.unkept) this.#broken.add(one)
    for (const page of this.visitors.pages) this.visitors.end(page, 'crash')
    this.#lab.count('runs', runs.length)
    for (const { state } of sent) this.#lab.count(state)
    return this.#broken.size === 0 ? [] : [...this.#broken, ...this.#lines.map((line) => line.slice(0, 240))]
  }

  /** The session as the server gives it to a page that comes now. */
  #hosted(user: string): Promise<Session | undefined> {
    return new Promise((resolve) => {
      const { socket } = this.#lab.socket(user)
      socket.on('open', () => socket.send(openMessage(this.sessionId, 'last')))
      socket.on('message', (data) => {
        const { session } = JSON.parse(String(data)) as { session?: Session }
        if (session === undefined) return
        resolve(session)
        socket.terminate()
      })
      socket.on('close', () => resolve(undefined))
    })
  }
}
