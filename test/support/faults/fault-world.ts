// Plays a script of `random-faults.ts`: one disk, one origin, one model, and up to two tabs whose pages and workers are
// killed and restarted. It records every broken invariant: I1 no unhandled rejection, I2 the session comes to rest, I3
// each request is a valid history, I4 no unrepeatable call runs twice, I5 nothing that was shown as stored is lost.
import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import { ToolAgentError } from '../../../src/core/data/errors.js'
import type { AgentEvent } from '../../../src/core/data/event.js'
import { isObject, type JsonObject, type JsonValue } from '../../../src/core/data/json.js'
import { allToolCalls, type CallId } from '../../../src/core/data/message.js'
import type { Port } from '../../../src/core/data/protocol.js'
import type { Session } from '../../../src/core/data/session.js'
import type { Store } from '../../../src/core/state/store.js'
import { serve } from '../../../src/host/serve.js'
import { createEpochGuard, type EpochGuard } from '../../../src/host/store/epoch-guard.js'
import { memoryStore, type MemoryDisk } from '../../../src/host/store/memory-store.js'
import { agentTool } from '../../../src/page/tools/agent-tool.js'
import { Agent } from '../../../src/page/agent.js'
import type { SpawnedHost } from '../../../src/page/client/spawn.js'
import type { AnyTool, ToolRun } from '../../../src/page/tools/tool.js'
import { startEndpoint, type Endpoint, type RecordedRequest, type Reply } from '../lab/endpoint.js'
import { historyFaults } from '../lab/history.js'
import { losses } from '../lab/invariants.js'
import { deferred, fallSilent, watched } from '../lab/lab.js'
import type { FaultAct, FaultReply, FaultScript, FaultTurn, StoreFault } from './random-faults.js'
import { messagesOf } from '../lab/requests.js'
import { FakeOrigin } from '../lab/tabs.js'

export interface PlayedFaults {
  readonly failures: readonly string[]
  /** How often each kind happened, such as `reload while a tool ran`. */
  readonly tally: ReadonlyMap<string, number>
}

/** A wait that ends after a minute in which this process could run. A busy machine may leave it hardly any time. */
class Patience {
  readonly #end = Date.now() + 60_000
  #polls = 0

  get isOver(): boolean {
    return ++this.#polls > 5_000 && Date.now() > this.#end
  }
}
const repeatable = new Set(['look', 'slow_look', 'find'])
const never = new Promise<never>(() => undefined)
const soon = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 2)
  })
async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await new Promise((resolve) => setImmediate(resolve))
}

/** In which tab code runs: each has its own `sessionStorage`, id and window. */
const inside = new AsyncLocalStorage<Page>()

class Page {
  readonly tab: string
  readonly agent: Agent
  readonly watch = { tick: noTick }
  readonly pageHide = new Set<(event: { persisted: boolean }) => void>()
  readonly storage: Storage
  /** Resolves when the page dies. What it was doing then never ends. */
  readonly death = deferred()
  #isDead = false
  /** Opening failed, and the page shows why. */
  isRefused = false
  /** Ends its worker. */
  end = () => {}

  constructor(tab: string, storage: Storage, make: (page: Page) => Agent) {
    this.tab = tab
    this.storage = storage
    this.agent = this.run(() => make(this))
  }

  get isDead(): boolean {
    return this.#isDead
  }

  set isDead(isDead: boolean) {
    this.#isDead = isDead
    if (isDead) this.death.resolve()
  }

  run<T>(work: () => T): T {
    return inside.run(this, work)
  }

  /** What the page does ends with the page: a promise of its code never settles after that. */
  act(work: () => unknown): Promise<unknown> {
    return Promise.race([this.run(work), this.death.promise])
  }

  get drives(): boolean {
    return !this.isDead && this.agent.session !== undefined && this.agent.role !== 'mirror'
  }

  get isAtRest(): boolean {
    const { status } = this.agent
    return status === 'idle' || status === 'interrupted' || (status === 'loading' && this.isRefused)
  }
}

function noTick(): void {}

interface Tracked {
  readonly page: Page
  readonly what: string
  isOver: boolean
}

/** Plays the script to its end. Must not reject for broken invariants: they are in the result. */
export async function playFaults(script: FaultScript): Promise<PlayedFaults> {
  const world = new World(script)
  const rejected = (reason: unknown) =>
    world.fail(`I1 an unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}`)
  // Playwright would end the test immediately, without reporting the seed.
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', rejected)
  const browser = asBrowser(world)
  try {
    await world.run()
  } catch (thrown) {
    world.fail(`the play itself threw: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
  } finally {
    await world.end()
    browser.leave()
    process.off('unhandledRejection', rejected)
    for (const other of others) process.on('unhandledRejection', other)
  }
  return world
}

/** Replaces the globals of the page side, and shortens long timers. */
function asBrowser(world: World): { leave(): void } {
  const own = globalThis as Record<PropertyKey, unknown>
  const names = ['sessionStorage', 'localStorage', 'window', 'navigator', Symbol.for('tool-agent:tab')]
  const before = names.map((name) => Object.getOwnPropertyDescriptor(own, name))
  const get = (name: PropertyKey, value: () => unknown) =>
    Object.defineProperty(own, name, { configurable: true, get: value, set() {} })
  const shared = fakeStorage()
  get('sessionStorage', () => inside.getStore()?.storage)
  get('localStorage', () => inside.getStore() && shared)
  get(Symbol.for('tool-agent:tab'), () => Promise.resolve(inside.getStore()?.tab))
  get(
    'window',
    () =>
      inside.getStore() && {
        addEventListener: (_: string, listener: () => void) => inside.getStore()?.pageHide.add(listener),
        removeEventListener: (_: string, listener: () => void) => inside.getStore()?.pageHide.delete(listener),
      },
  )
  get('navigator', () => ({ onLine: !world.isOffline }))
  const { setTimeout: original } = globalThis
  // Delays until a mirror assumes that no host drives, a lock is stolen, or an endpoint is tried without a network.
  const hurried: Record<number, number> = { 600: 0, 1_000: 40, 3_000: 2, 200: 10 }
  globalThis.setTimeout = ((work: () => void, ms = 0, ...rest: unknown[]) =>
    original(work, hurried[ms] ?? ms, ...rest)) as typeof setTimeout
  return {
    leave() {
      globalThis.setTimeout = original
      names.forEach((name, place) => {
        const found = before[place]
        if (found) Object.defineProperty(own, name, found)
        else delete own[name]
      })
    },
  }
}

class World {
  readonly failures: string[] = []
  readonly tally = new Map<string, number>()
  isOffline = false
  readonly #script: FaultScript
  readonly #disk: MemoryDisk = new Map()
  readonly #origin = new FakeOrigin()
  readonly #storages = new Map<string, Storage>()
  readonly #pages: (Page | undefined)[] = []
  readonly #all: Page[] = []
  readonly #tracked: Tracked[] = []
  readonly #actions = new Set<Promise<void>>()
  readonly #runs = new Map<number, string[]>()
  readonly #open = new Set<number>()
  readonly #settledByHand = new Set<CallId>()
  readonly #approved = new Set<CallId>()
  // What each page saw while the session was on disk.
  readonly #saved = new Map<Page, Session>()
  // Deleted sessions with the ids of their messages. A page may begin an empty session under the same id.
  readonly #deleted = new Map<string, ReadonlySet<string>>()
  readonly #guards = new Set<EpochGuard>()
  // Pages with a host whose write failed. Their session may stay in memory.
  readonly #refused = new Set<Page>()
  #endpoint!: Endpoint
  #sessionId: string
  #fault: { readonly kind: StoreFault; readonly until: number } | undefined
  /** The disk was emptied, and no host has written the session again. */
  #isRestoring = false
  /** The host that could write it again has died. */
  #isLost = false
  #offlineFor = 0
  #numbers = 0
  #messages = 0
  #decided = 0
  #points = 0
  #requests = 0
  // No more faults from here on.
  #isWell = false
  #isOver = false

  constructor(script: FaultScript) {
    this.#script = script
    this.#sessionId = `faults-${script.seed}-${Math.random()}`
  }

  fail(what: string): void {
    if (!this.#isOver && !this.failures.includes(what)) this.failures.push(what)
  }

  async run(): Promise<void> {
    this.#endpoint = await startEndpoint((_, request) => this.#answer(request))
    for (let tab = 0; tab < this.#script.tabs; tab++) await this.#openPage(tab)
    for (const turn of this.#script.turns) {
      this.#begin(turn)
      if (!(await this.#rest())) return
    }
    await this.#finish()
  }

  async end(): Promise<void> {
    this.#isOver = true
    for (const page of this.#all) {
      page.isDead = true
      void page.run(() => page.agent.close())
      page.end()
    }
    await this.#endpoint?.stop()
  }

  #count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1)
  }

  // Tabs, pages and workers

  async #openPage(tab: number): Promise<Page> {
    const name = `tab-${tab}`
    const storage = this.#storages.get(name) ?? fakeStorage()
    this.#storages.set(name, storage)
    const { textProtocol, tokens, resume, concurrency } = this.#script
    const page = new Page(
      name,
      storage,
      (own) =>
        new Agent(
          {
            endpoint: this.#endpoint.url,
            model: 'test-model',
            sessionId: this.#sessionId,
            resume,
            textProtocol,
            limits: { concurrency, resumeWait: 30, resultChars: 300, modelRetries: 1, steps: 8 },
            ...(tokens === undefined ? {} : { contextWindow: { tokens, keepResults: 1 } }),
          },
          () => this.#spawn(own),
        ),
    )
    this.#all.push(page)
    this.#pages[tab] = page
    page.agent.registerTool(this.#tools(page))
    page.run(() =>
      page.agent.observe((notice) => {
        if (notice.type !== 'event') {
          if (notice.type === 'session') this.#seen(page)
          return
        }
        this.#point()
        this.#seen(page)
        this.#follow(page, notice.event)
      }),
    )
    await page.run(() => this.#connect(page))
    return page
  }

  async #connect(page: Page): Promise<void> {
    let isConnected = false
    const connected = page.agent
      .connect()
      .then(
        () => undefined,
        (error: { code?: string }) => {
          page.isRefused = true
          this.#count(`not opened: ${error.code}`)
          if (!['storage', 'closed', 'host-lost'].includes(error.code ?? ''))
            this.fail(`connect failed: ${String(error)}`)
        },
      )
      .then(() => {
        isConnected = true
      })
    const patience = new Patience()
    while (!isConnected && !page.isDead) {
      if (patience.isOver) {
        page.isRefused = true
        return this.fail('I2 a page never opened its session')
      }
      await Promise.race([connected, soon()])
    }
  }

  async #spawn(page: Page): Promise<SpawnedHost> {
    if (page.isDead) return never
    const { port1, port2 } = new MessageChannel()
    const tab = this.#origin.tab()
    let isDead = false
    const end = (page.end = () => {
      isDead = true
      tab.crash()
      port1.close()
    })
    inside.exit(() =>
      serve(port2, { store: this.#store(page, () => isDead), locks: tab.locks, channels: tab.channels }),
    )
    port1.start()
    return watched({ kind: 'page', port: portOf(page, port1), terminate: end }, page.watch)
  }

  /** Kills the worker. The page stays open and notices it. */
  #killHost(page: Page): void {
    if (page.watch.tick === noTick || page.isDead) return
    this.#count(`worker died ${this.#during(page)}`)
    this.#lost()
    page.end()
    page.run(() => fallSilent(page.watch))
  }

  /** The page closes and opens again in the same tab. */
  async #leave(tab: number, how: 'reload' | 'crash'): Promise<void> {
    const page = this.#pages[tab]
    if (page === undefined || page.isDead) return
    this.#count(`${how} ${this.#during(page)}`)
    if (this.#script.tabs === 2 && page.drives) this.#count(`${how} with another tab watching`)
    this.#lost()
    if (how === 'reload')
      page.run(() => {
        for (const listener of page.pageHide) listener({ persisted: false })
      })
    page.isDead = true
    page.end()
    await this.#openPage(tab)
  }

  #during({ agent }: Page): string {
    const { session, storage, status } = agent
    let what = status === 'running' ? 'in a turn' : 'at rest'
    if (this.#open.size > 0) what = 'while a tool ran'
    if (session?.turn?.mode === 'manual') what = 'in a stepped turn'
    if (status === 'awaiting-approval') what = 'while a question waited'
    return `${what}${storage === 'memory' ? ', in memory' : ''}`
  }

  /** No host that was writing to the emptied disk again is left. */
  #lost(): void {
    if (this.#isRestoring) this.#saved.clear()
    this.#isLost = this.#isRestoring
  }

  #seen(page: Page): void {
    const { agent } = page
    if (
      page.drives &&
      agent.storage === 'indexeddb' &&
      agent.session &&
      !this.#deleted.has(agent.session.id) &&
      !this.#isRestoring &&
      agent.session.id === this.#sessionId
    )
      this.#saved.set(page, agent.session)
  }

  #driver(): Page | undefined {
    return this.#pages.find((page) => page?.drives)
  }

  #other(): Page | undefined {
    return this.#pages.find((page) => page && !page.isDead && page.agent.role === 'mirror')
  }

  // The disk

  #store(page: Page, isDead: () => boolean): Store {
    const epochs = createEpochGuard()
    this.#guards.add(epochs)
    const own = memoryStore(this.#disk, epochs)
    const guard =
      (kind: 'read' | 'write') =>
      <A extends readonly unknown[], T>(work: (...given: A) => Promise<T>) =>
      async (...given: A): Promise<T> => {
        if (kind === 'write') this.#point()
        if (isDead()) return never
        await ticks(1)
        this.#fail(kind, page)
        if (isDead()) return never
        const value = await work(...given)
        if (kind === 'write') this.#point()
        return isDead() ? never : value
      }
    const commit = guard('write')(own.commit)
    return {
      kind: 'indexeddb',
      close() {},
      claim: guard('write')(own.claim),
      commit: async (id, epoch, change) => {
        // Nobody writes a session again that is cleared after its host has died.
        if (isDead()) return never
        await this.#clear(id)
        await commit(id, epoch, change)
        // The page of a host that died may still show what is lost, until another host writes.
        if (change.whole || this.#isLost) this.#isRestoring = this.#isLost = false
      },
      read: guard('read')(own.read),
      messages: guard('read')(own.messages),
      result: guard('read')(own.result),
      resultText: guard('read')(own.resultText),
      list: guard('read')(own.list),
      delete: guard('read')(own.delete),
    }
  }

  #fail(kind: 'read' | 'write', page: Page): void {
    const fault = this.#fault
    if (fault === undefined || fault.kind === 'cleared' || (kind === 'read' && fault.kind !== 'lost')) return
    if (fault.kind === 'once') this.#fault = undefined
    else if (this.#points > fault.until) {
      this.#fault = undefined
      return
    }
    this.#count(`disk ${fault.kind}, a ${kind} refused`)
    if (kind === 'write') this.#refused.add(page)
    throw new ToolAgentError(
      'storage',
      `The test's disk: ${fault.kind}`,
      fault.kind === 'full' ? { details: { name: 'QuotaExceededError' } } : {},
    )
  }

  /** The browser deletes all data while a session is written. */
  async #clear(id: string): Promise<void> {
    if (this.#fault?.kind !== 'cleared' || !this.#disk.has(id)) return
    this.#fault = undefined
    this.#count('disk cleared')
    this.#disk.clear()
    for (const guard of this.#guards) guard.cleared()
    this.#isRestoring = true
    throw new ToolAgentError('storage', "The test's disk: cleared")
  }

  // The user

  #begin({ do: kind, tab, whenBusy, steps }: FaultTurn): void {
    const page = this.#pages[tab] ?? this.#pages[0]
    if (page === undefined || page.isDead) return
    if (kind === 'continue') return this.#track(page, 'continue', () => page.agent.continue())
    if (kind === 'step') return this.#track(page, 'step', () => this.#step(page, steps))
    this.#send(page, whenBusy)
  }

  #send(page: Page, whenBusy: 'queue' | 'interrupt' = 'queue'): void {
    const text = `message ${++this.#messages} of the user`
    this.#track(page, text, () => page.agent.send(text, { whenBusy }))
  }

  /** Its promise must settle while its page is open. */
  #track(page: Page, what: string, begin: () => Promise<unknown>): void {
    const tracked: Tracked = { page, what, isOver: false }
    this.#tracked.push(tracked)
    void page
      .run(begin)
      .then(
        () => this.#count('promise kept'),
        (error: { code?: string }) => {
          if (!page.isDead) this.#count(`promise rejected: ${error.code ?? String(error)}`)
        },
      )
      .finally(() => {
        tracked.isOver = true
      })
  }

  async #step(page: Page, plan: FaultTurn['steps']): Promise<void> {
    const steps = page.agent.step(`message ${++this.#messages} of the user, stepped`)
    for (let number = 0; ; number++) {
      const { value: step, done } = await steps.next()
      if (done || step === undefined || !('execute' in step)) return this.#count('stepped to the end')
      const what = plan[number] ?? 'execute'
      this.#count(`step ${what}`)
      if (what === 'leave') return void (await steps.return())
      if (what === 'execute') await step.execute()
      else if (what === 'each') for (const call of step.toolCalls) await step.execute(call)
      else
        await Promise.all(
          step.toolCalls.map((call, place) => {
            if (place % 2 === 1) return step.execute(call)
            this.#settledByHand.add(call.id)
            return step.settle(call.id, 'given by the caller')
          }),
        )
    }
  }

  #later(count: number, act: () => unknown): void {
    // A fault without delay, while anything may run.
    if (count === 0) {
      this.#do(act)
      return
    }
    const action = ticks(count).then(() => this.#do(act))
    this.#actions.add(action)
    void action.finally(() => this.#actions.delete(action))
  }

  #do(act: () => unknown): void {
    const said = (thrown: { code?: string }) => {
      const isFine = [
        'closed',
        'invalid-option',
        'unavailable',
        'host-lost',
        'storage',
        'lost-session',
        'session-deleted',
        'cancelled',
      ].includes(thrown.code ?? '')
      if (!isFine) this.fail(`an act threw: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
    }
    try {
      const done = Promise.resolve(act()).then(() => undefined, said)
      this.#actions.add(done)
      void done.finally(() => this.#actions.delete(done))
    } catch (thrown) {
      said(thrown as { code?: string })
    }
  }

  #point(): void {
    this.#points++
    for (const act of this.#script.acts)
      if (act.at === this.#points && !this.#isWell) this.#later(act.ticks, () => this.#act(act))
  }

  #act(act: FaultAct): unknown {
    const driver = this.#driver()
    const other = this.#other()
    if (act.do === 'store') {
      this.#fault = { kind: act.fault, until: this.#points + act.points }
      return
    }
    if (act.do === 'offline') {
      this.isOffline = true
      this.#offlineFor = act.requests
      return
    }
    if (driver === undefined) return
    const { agent } = driver
    switch (act.do) {
      case 'kill-host':
        return this.#killHost(driver)
      case 'reload':
      case 'crash':
        return this.#leave(this.#pages.indexOf(driver), act.do)
      case 'stop':
        return driver.act(() => agent.stop())
      case 'remember':
        return driver.act(() => agent.remember(`key ${this.#points}`, true))
      case 'export':
        return driver.act(() => this.#export(driver))
    }
    if (other === undefined) return
    this.#count(`${act.do} ${this.#during(driver)}`)
    switch (act.do) {
      case 'other-sends':
        return this.#send(other)
      case 'other-continues':
        return this.#track(other, 'continue', () => other.agent.continue())
      case 'other-takes-over':
        return this.#takeOver(other)
      case 'other-stops':
        return other.act(() => other.agent.stop())
      case 'other-reloads':
        return this.#leave(this.#pages.indexOf(other), 'reload')
      case 'other-deletes':
        return this.#delete(driver, other)
    }
  }

  #takeOver(page: Page): void {
    this.#track(page, 'take over', () => page.agent.takeOver())
  }

  /** Exports the session in its current state. The file must be importable, and its session must be usable. */
  async #export(page: Page): Promise<void> {
    const { sessions } = page.agent
    const data = await sessions.export()
    const id = await sessions.import(data)
    this.#count(`exported ${this.#during(page)}`)
    const kept = await sessions.stored(id)
    const open = allToolCalls(kept?.messages ?? []).filter(({ part }) => part.result === undefined)
    if (kept === undefined || open.length > 0)
      this.fail(`I3 imported with ${kept ? open.map(({ part }) => part.call.name).join() : 'nothing'} open`)
  }

  async #delete(driver: Page, other: Page): Promise<void> {
    const id = this.#sessionId
    if (driver.agent.session?.id !== id || other.agent.session?.id !== id) return
    const stored = this.#disk.get(id)
    const ids = new Set(stored?.messages.map((message) => message.id))
    await other.act(() => other.agent.sessions.delete(id))
    // Its tab was closed before its host had deleted anything.
    if (other.isDead && this.#disk.get(id) === stored) return
    this.#count('session deleted elsewhere')
    this.#deleted.set(id, ids)
    this.#saved.clear()
    this.#sessionId = other.agent.session?.id ?? id
    // The page that had it open reports it and is closed.
    const tab = this.#pages.indexOf(driver)
    const patience = new Patience()
    while (!driver.isDead && !driver.isAtRest) {
      if (patience.isOver) return this.fail(`I2 its session was deleted, and it is still ${driver.agent.status}`)
      await soon()
    }
    if (!driver.isDead) await this.#leave(tab, 'reload')
  }

  #follow(page: Page, event: AgentEvent): void {
    if (event.type === 'compact') this.#count('compacted')
    if (event.type === 'storage-change') this.#count(`storage became ${event.storage}`)
    if (event.type === 'turn-end' && page.drives) this.#count(`reason ${event.reason}`)
    if (event.type !== 'approval-request' || !page.drives) return
    const { decisions } = this.#script
    const decision = decisions[this.#decided++ % decisions.length]!
    this.#later(decision.ticks + 1, () => this.#decide(page, event.callId, this.#isWell ? 'approve' : decision.do))
  }

  #decide(page: Page, callId: CallId, decision: FaultScript['decisions'][number]['do']): unknown {
    if (page.isDead) return
    const waits = ({ agent }: Page) =>
      allToolCalls(agent.messages).some(
        ({ part }) => part.call.id === callId && part.approval && !part.started && !part.result,
      )
    if (!waits(page)) return
    const other = this.#other()
    this.#count(`decision ${decision}`)
    const approve = (by: Page) => {
      this.#approved.add(callId)
      return by.act(() => by.agent.approve(callId))
    }
    if (decision === 'elsewhere' && other && waits(other)) {
      this.#count('approved in another tab')
      return approve(other)
    }
    if (decision === 'take-over' && other) {
      this.#count(`other-takes-over ${this.#during(page)}`)
      return this.#takeOver(other)
    }
    switch (decision) {
      case 'deny':
        return page.act(() => page.agent.deny(callId))
      case 'move-on':
        return this.#send(page)
      case 'stop':
        return page.act(() => page.agent.stop())
      case 'reload':
      case 'crash':
        return this.#leave(this.#pages.indexOf(page), decision)
      case 'kill-host':
        return this.#killHost(page)
      default:
        return approve(page)
    }
  }

  // The model

  #answer(request: RecordedRequest): Reply {
    this.#point()
    if (request.body === undefined) return { status: 400 }
    for (const fault of historyFaults(request.body)) this.fail(`I3 not a valid history: ${fault}`)
    if (this.isOffline) {
      this.#count('request without a network')
      if (this.#offlineFor-- > 0) return { refuse: true }
      this.isOffline = false
    }
    const messages = messagesOf(request)
    const system = JSON.stringify(messages[0]?.['content'] ?? '')
    const last = messages.at(-1)
    const said = JSON.stringify(last?.['content'] ?? '')
    if (system.includes('Summarize this conversation')) return { text: 'A note of what was said.' }
    if (last?.['role'] === 'user' && said.includes('the end')) return { text: 'final answer' }
    if (system.includes('You research')) {
      this.#count('request of an agent inside')
      return last?.['role'] === 'tool' || said.includes('[TOOL_RESULT')
        ? { text: 'found' }
        : this.#reply({ calls: ['find', 'order', 'pay_inside'], text: '', hold: 0 })
    }
    return this.#reply(this.#script.replies[this.#requests++] ?? { calls: [], text: 'Done.', hold: 0 })
  }

  #reply({ calls, text: given, hold, fault: planned }: FaultReply): Reply {
    const fault = this.#isWell ? undefined : planned
    const text = given === 'long' ? 'A word and another. '.repeat(60) : given
    if (fault === 'status') return { status: 503, headers: { 'retry-after-ms': '1' } }
    if (fault === 'overflow') {
      this.#count('endpoint said: too long')
      return {
        status: 400,
        body: { error: { message: 'maximum context length is 100 tokens', code: 'context_length_exceeded' } },
      }
    }
    if (fault)
      return {
        raw: [
          `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text || 'Half' }, finish_reason: null }] })}\n\n`,
          ticks(2),
        ],
        end: fault === 'cut' ? 'close' : 'reset',
      }
    const made = calls.map((name) => ({ name, arguments: this.#arguments(name) }))
    if (!this.#script.textProtocol)
      return { text, calls: made.map((call) => ({ ...call, id: `call_${++this.#numbers}` })), hold: ticks(hold) }
    if (made.length > 0) this.#count('call in text')
    return {
      text:
        text +
        made
          .map((call) => `[TOOL_CALL]${JSON.stringify({ name: call.name, args: call.arguments })}[/TOOL_CALL]`)
          .join(''),
      hold: ticks(hold),
    }
  }

  #arguments(name: string): JsonObject {
    if (name === 'todo_write') return { items: [{ text: 'First', status: 'completed' }, { text: 'Second' }] }
    return name === 'research' ? { task: 'Find and order' } : { n: ++this.#numbers }
  }

  // The tools

  #tools(page: Page): AnyTool[] {
    const tool = (name: string, length: number, more: Partial<AnyTool> = {}): AnyTool => ({
      name,
      description: `A tool of the test that is called ${name}`,
      inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      ...(repeatable.has(name) ? { annotations: { readOnlyHint: true } } : {}),
      ...more,
      execute: async ({ n }: { n: number }, run: ToolRun) => {
        if (page.isDead) return never
        this.#enter(name, n, run)
        this.#open.add(n)
        this.#point()
        await ticks(length)
        this.#open.delete(n)
        if (name === 'keep') run.remember(`keep ${n}`, n)
        return name === 'big' ? `${n} ${'long '.repeat(200)}` : `${name} ${n}`
      },
    })
    return [
      tool('look', 1),
      tool('write', 1),
      tool('slow', 12),
      tool('slow_look', 12),
      tool('alone', 3, { exclusive: true }),
      tool('keep', 1),
      tool('pay', 2, { needsApproval: true }),
      tool('big', 0),
      agentTool({
        name: 'research',
        description: 'Finds and orders',
        instructions: 'You research.',
        tools: [tool('find', 2), tool('order', 4), tool('pay_inside', 1, { needsApproval: true })],
      }),
    ]
  }

  #enter(name: string, n: number, { toolCallId }: ToolRun): void {
    this.#count('tool runs')
    const before = this.#runs.get(n) ?? []
    this.#runs.set(n, [...before, toolCallId])
    if (before.length > 0) {
      this.#count('ran again')
      if (!repeatable.has(name)) this.fail(`I4 ${name} ${toolCallId} (${n}) ran twice`)
    }
    if (name.startsWith('pay') && !this.#approved.has(toolCallId))
      this.fail(`I4 ${name} ${toolCallId} ran without a yes`)
  }

  // Rest, and the end

  get #isCalm(): boolean {
    return (
      this.#actions.size === 0 &&
      this.#pages.every((page) => page === undefined || page.isDead || page.isAtRest) &&
      this.#tracked.every((one) => one.isOver || one.page.isDead)
    )
  }

  /** False: it never came to rest. */
  async #rest(): Promise<boolean> {
    const patience = new Patience()
    for (let calm = 0; calm < 3; calm = this.#isCalm ? calm + 1 : 0) {
      await soon()
      if (!patience.isOver) continue
      this.fail(`I2 it never came to rest: ${this.#state}`)
      return false
    }
    return true
  }

  /** After all faults: the session continues where it is, on a new page, and as a copy. */
  async #finish(): Promise<void> {
    this.#isWell = true
    this.#fault = undefined
    this.isOffline = false
    const page = this.#driver() ?? this.#pages.find((one) => one && !one.isDead)
    if (page && !page.isRefused && page.agent.session?.id === this.#sessionId) {
      let said = await this.#last(page)
      // Another tab took over directly before.
      if (said.startsWith('interrupted') && (await this.#rest())) said = await this.#last(this.#driver() ?? page)
      // A page that lost disk and session reports it, and continues after a reload.
      if (said !== 'final answer' && !['storage', 'session-deleted', 'lost-session'].includes(said))
        this.fail(`I3 the next message came to ${said}`)
      if (said === 'final answer' && page.agent.storage !== 'indexeddb' && !this.#refused.has(page))
        this.fail('I5 no write was refused, and the session stays in memory')
      if (!(await this.#rest())) return
    }
    const before = this.#driver()?.agent.session
    // A page that was opened while another tab deleted its session still has the old id.
    const isStored = this.#driver()?.agent.storage === 'indexeddb' && before?.id === this.#sessionId
    const stays = isStored ? before : undefined
    for (const one of this.#all)
      if (!one.isDead) {
        one.isDead = true
        one.end()
      }
    const fresh = await this.#openPage(0)
    if (fresh.isRefused) return this.fail('I2 the next page did not open')
    if (!(await this.#rest())) return
    const { session } = fresh.agent
    if (session === undefined) return this.fail('I5 no session is open')
    if (
      stays &&
      stays.messages.length > 0 &&
      !isDeepStrictEqual(JSON.stringify(stays.messages), JSON.stringify(session.messages))
    )
      this.fail('I5 the next page finds another session')
    this.#checkSession(session)
    for (const [id, ids] of this.#deleted)
      if (this.#disk.get(id)?.messages.some((message) => ids.has(message.id)))
        this.fail('I5 a deleted session came back')
    const said = await this.#last(fresh)
    if (said !== 'final answer') this.fail(`I3 the last message came to ${said}`)
    const data = await fresh.run(() => fresh.agent.sessions.export())
    const id = await fresh.run(() => fresh.agent.sessions.import(data))
    await fresh.run(() => fresh.agent.sessions.open(id))
    this.#count('imported')
    const again = await this.#last(fresh)
    if (again !== 'final answer') this.fail(`I3 the copy's next message came to ${again}`)
  }

  get #state(): string {
    return JSON.stringify({
      pages: this.#pages.map(
        (page) =>
          page &&
          `${page.tab}${page.isDead ? ' dead' : ''} ${page.agent.role} ${page.agent.status} ${page.agent.storage}${page.isRefused ? ' refused' : ''}`,
      ),
      acts: this.#actions.size,
      waiting: this.#tracked
        .filter((one) => !one.isOver && !one.page.isDead)
        .map((one) => `${one.page.tab} ${one.what}`),
      open: [...this.#open],
      locks: this.#origin.held,
    })
  }

  async #last(page: Page): Promise<string> {
    let said: string | undefined
    void page
      .run(() => page.agent.send('the end'))
      .then(
        ({ text, reason }) => (reason === 'stop' ? (text ?? '') : `${reason}: ${text}`),
        (error: { code?: string }) => error.code ?? String(error),
      )
      .then((result) => {
        said = result
      })
    const patience = new Patience()
    while (said === undefined) {
      if (patience.isOver) return `nothing: ${this.#state} ${page.agent.error?.message}`
      await soon()
    }
    return said
  }

  #checkSession(session: Session): void {
    for (const [, saved] of this.#saved)
      if (saved.id === session.id) for (const loss of losses(saved, session)) this.fail(`I5 lost: ${loss}`)
    const ids = allToolCalls(session.messages).map(({ part }) => part.call.id)
    if (new Set(ids).size < ids.length) this.fail('I3 an id is used twice in the session')
    const parts = new Map(allToolCalls(session.messages).map(({ part }) => [part.call.id, part]))
    for (const {
      part: { call, result },
      path,
    } of allToolCalls(session.messages)) {
      const what = `${call.name} ${call.id}`
      if (result === undefined) {
        this.fail(`I3 ${what} has no result`)
        continue
      }
      const n = numberOf(call.input)
      if (n === undefined || this.#settledByHand.has(call.id)) continue
      const runs = this.#runs.get(n)?.length ?? 0
      if (!result.error && runs === 0) this.fail(`I4 ${what} has an output and never ran`)
      // The enclosing call reports the agent's work to the model.
      const told = [result, ...path.map((id) => parts.get(id)?.result)].some((one) =>
        one?.error?.message.includes('may still have happened'),
      )
      if (result.error && runs > 0 && !repeatable.has(call.name) && !told)
        this.fail(`I4 ${what} ran, and its error does not say so: ${result.error.code}: ${result.error.message}`)
    }
  }
}

function numberOf(input: JsonValue): number | undefined {
  return isObject(input) && typeof input['n'] === 'number' ? input['n'] : undefined
}

/** Messages to a page are handled in its tab. */
function portOf(page: Page, port: MessagePort): Port {
  const listeners = new Map<unknown, (event: MessageEvent) => void>()
  return {
    postMessage: (message) => port.postMessage(message),
    addEventListener: (type, listener) => {
      const own = (event: MessageEvent) => {
        if (!page.isDead) page.run(() => listener(event))
      }
      listeners.set(listener, own)
      port.addEventListener(type, own)
    },
    removeEventListener: (type, listener) => port.removeEventListener(type, listeners.get(listener) as never),
  }
}

function fakeStorage(): Storage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
    key: (place) => [...values.keys()][place] ?? null,
    get length() {
      return values.size
    },
  }
}
