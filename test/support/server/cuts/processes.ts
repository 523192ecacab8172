// Worlds with real processes: a server that is killed with SIGKILL, SQLite in a file, real sockets through a proxy that
// breaks them. The pages are the real client, in this process. Worlds share the server, so one kill hits all of them.
// A seed says what is done, and not when the system does it: a run cannot be repeated.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
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
/** Milliseconds in which faults happen. */
const horizon = 1_500
/** Milliseconds after the faults in which everything must end. */
const settleTime = 45_000
/** Milliseconds in which both ends of a broken connection know it. */
const brokenTime = 300
/** A page notices a server that is dead after these milliseconds. */
const times = { firstWait: 5, longestWait: 60, untilTold: 20, quiet: 2_000, patience: 1_000, connect: 2_000 }
/** Kills while a group of worlds runs, at most. */
const mostKills = 4

/** The server that worlds share. */
export class ProcessLab {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tool-agent-cuts-'))
  readonly #dice = new Dice(Date.now())
  readonly #server: ServerProcess
  readonly #proxy: BreakingProxy
  readonly program: PageProgram
  #port = 0
  #kills = 0
  /** What has happened: ends of the server by their signal, runs of tools, messages by their state, sockets. */
  readonly sums = { SIGKILL: 0, SIGTERM: 0, runs: 0, resolved: 0, rejected: 0, lost: 0, pending: 0, sockets: 0 }

  constructor(command: ServerCommand, program: PageProgram) {
    this.program = program
    this.#server = new ServerProcess(command, join(this.#folder, 'cuts.db'), () => this.#dice.one([0, 150, 600]))
    this.#proxy = new BreakingProxy(() => this.#server.port, this.#dice)
  }

  async open(): Promise<void> {
    this.#port = await this.#proxy.listen()
    await this.#server.start()
  }

  /** Plays plans at the same time. Returns the broken laws of each. */
  async play(plans: readonly Plan[]): Promise<string[][]> {
    this.#kills = 0
    const worlds = plans.map((plan) => new ProcessWorld(plan, this))
    await Promise.all(worlds.map((world) => world.open()))
    for (const world of worlds) world.begin()
    await wait(horizon)
    for (const world of worlds) world.visitors.isSettling = true
    await this.#server.start()
    return Promise.all(worlds.map((world) => world.settle()))
  }

  async close(): Promise<void> {
    this.#proxy.close()
    await this.#server.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Ends the server, and starts the next one. */
  end(signal: 'SIGKILL' | 'SIGTERM', ms: number): void {
    if (this.#server.port === undefined || this.#kills >= mostKills) return
    this.#kills += 1
    this.sums[signal] += 1
    void this.#server
      .end(signal)
      .then(() => wait(ms))
      .then(() => this.#server.start())
  }

  read(user: string, id: string): Promise<Session | undefined> {
    return this.#server.read(user, id)
  }

  /** A socket through the proxy. */
  socket(user: string): { socket: WebSocket; cut: () => void } {
    const name = `w${this.sums.sockets++}`
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
  readonly #lines: string[] = []
  readonly #start = Date.now()

  constructor(plan: Plan, lab: ProcessLab) {
    this.program = lab.program
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

  ran(count: number): void {
    for (const act of this.#plan.acts) if (act.run === count) this.#actIn(this.dice.from(0, 150), act)
  }

  #actIn(ms: number, act: PlannedAct): void {
    this.after(ms, nobody, () => this.visitors.isSettling || this.#act(act))
  }

  #act(planned: PlannedAct): void {
    const act = { ...planned, ms: Math.min(planned.ms, 200) }
    this.say(`act ${act.do} ${act.device} ${act.ms}`)
    if (this.visitors.act(act, nobody)) return
    if (act.do === 'kill-server') this.#lab.end('SIGKILL', act.ms)
    else if (act.do === 'close-server') this.#lab.end('SIGTERM', act.ms)
  }

  /** Its pages are there. */
  async open(): Promise<void> {
    for (const device of deviceNames) this.visitors.open(device)
    await Promise.all([...this.visitors.pages].map(({ agent }) => agent.connect()))
  }

  begin(): void {
    const at = (planned: number) => (planned / this.#plan.horizon) * horizon
    for (const send of this.#plan.sends) this.after(at(send.at), nobody, () => this.visitors.send(send))
    for (const act of this.#plan.acts) if (act.run === undefined) this.#actIn(at(act.at), act)
  }

  /** What is not at rest. A page that has no socket yet does not know what has happened. */
  #restless(): string {
    const away = [...this.visitors.pages].find((page) => !this.#shown.has(page))
    return this.visitors.restless() || (away ? `${away.device} is not connected` : '')
  }

  /** Resolves with the laws that are broken. */
  async settle(): Promise<string[]> {
    const end = Date.now() + settleTime
    let quietSince = 0
    while (Date.now() < end) {
      this.visitors.heal()
      if (this.#restless() !== '') quietSince = 0
      else quietSince ||= Date.now()
      if (quietSince > 0 && Date.now() - quietSince > brokenTime) break
      await wait(50)
    }
    if (this.#restless() !== '') this.#broken.add(`not at rest: ${this.#restless()}`)
    const stored = new Map<string, Session | undefined>()
    for (const user of users) {
      stored.set(user, await this.#lab.read(user, this.sessionId))
      const hosted = await this.#hosted(user)
      for (const one of this.visitors.differences(user, hosted, stored.get(user))) this.#broken.add(one)
    }
    const { sent, runs, pressed, stopped } = this.visitors
    for (const law of brokenLaws({ sent, runs, pressed, stopped, stored })) this.#broken.add(law)
    for (const one of this.visitors.unkept) this.#broken.add(one)
    for (const page of this.visitors.pages) this.visitors.end(page, 'crash')
    this.#lab.sums.runs += runs.length
    for (const { state } of sent) this.#lab.sums[state] += 1
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
