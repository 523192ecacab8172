// The visitors of one world: their tabs with the real client of a page, what they send, press and do, and what the
// functions of their pages have done.
import type { ErrorCode } from '../../../../src/core/data/failure.js'
import { allToolCalls } from '../../../../src/core/data/message.js'
import type { Session } from '../../../../src/core/data/session.js'
import type { Agent } from '../../../../src/page/agent.js'
import type { AgentOptions } from '../../../../src/page/options.js'
import type { AnyTool } from '../../../../src/page/tools/tool.js'
import type { Dice } from '../../lab/generator.js'
import type { TimerOwner } from './clock.js'
import type { DocumentGlobals, OpenDocument, PageProgram, TabStorage } from './document.js'
import type { Pressed, Run, SentMessage } from './laws.js'
import { textOfSend } from './model.js'
import { deviceNames, userOf, type DeviceName, type PlannedAct, type PlannedSend } from './plan.js'

/** A socket that a page has opened. */
export interface PageWire {
  /** The network breaks it. */
  cut(): void
  /** Its document has ended. */
  pageDied(): void
}

/** What a world gives its visitors. */
export interface Surroundings {
  readonly program: PageProgram
  readonly dice: Dice
  readonly sessionId: string
  /** Milliseconds that the slow tool takes at most. */
  readonly slow: number
  /** Milliseconds after which a visitor decides again on a question that is still there. */
  readonly again: number
  /** Runs `work` in so many milliseconds, unless its owner is dead by then. */
  after(ms: number, owner: TimerOwner, work: () => void): void
  /** What a document has of its browser, beside sockets. */
  globals(owner: TimerOwner): Omit<DocumentGlobals, 'WebSocket'>
  /** What `new WebSocket()` returns. */
  socket(page: OpenPage): object
  /** Starts an agent. */
  agent(document: OpenDocument, options: AgentOptions): Agent
  /** A function of a page runs: the so-manieth of all, and of this user. It waits for what is returned. */
  ran(count: number, ofUser: number): Promise<unknown> | void
  say(line: string): void
}

/** A page of a visitor. */
export interface OpenPage {
  readonly device: DeviceName
  readonly user: string
  readonly tab: TabStorage
  readonly owner: TimerOwner
  readonly wires: Set<PageWire>
  readonly asked: Map<string, number>
  document: OpenDocument
  agent: Agent
}

type MutableSent = { -readonly [K in keyof SentMessage]: SentMessage[K] }

/** Visitors, and what they know. */
export class Visitors {
  readonly pages = new Set<OpenPage>()
  readonly sent: MutableSent[] = []
  readonly runs: Run[] = []
  readonly pressed: Pressed[] = []
  /** The users of whom somebody has stopped a turn. */
  readonly stopped = new Set<string>()
  /** Faults are over: each question is decided. */
  isSettling = false
  readonly #from: Surroundings
  /** Outcomes that a tab has lost. */
  readonly unkept: string[] = []
  // Calls that must not run again, whose function has returned in time, and of which no page knows that the outcome is
  // stored; and the document in which it returned.
  readonly #returned = new Map<string, TimerOwner>()
  // By client id: the call whose outcome a message says.
  readonly #callOf = new Map<string, string>()
  readonly #pageOfSent = new Map<MutableSent, OpenPage>()

  constructor(from: Surroundings) {
    this.#from = from
  }

  /** A tab shows a page. */
  open(device: DeviceName, tab: TabStorage = new Map()): void {
    const { program, sessionId, globals, agent } = this.#from
    const owner: TimerOwner = { isDead: false }
    const user = userOf(device)
    const page = { device, user, tab, owner, wires: new Set<PageWire>(), asked: new Map<string, number>() } as OpenPage
    const socket = () => this.#from.socket(page)
    page.document = program.open(tab, {
      ...globals.call(this.#from, owner),
      // `new` returns the socket.
      WebSocket: function WebSocket() {
        return socket()
      },
    })
    page.agent = agent.call(this.#from, page.document, {
      host: 'wss://server.example/assistant',
      sessionId,
      tools: this.#tools(user, owner),
      hooks: { signIn: () => this.#pause(20, owner) },
    })
    this.pages.add(page)
    this.#from.say(`${device} opens a page`)
    page.agent.observe(() => this.#look(page))
    page.agent.connect().catch(() => undefined)
  }

  #pause(ms: number, owner: TimerOwner): Promise<void> {
    return new Promise((resolve) => this.#from.after(ms, owner, resolve))
  }

  #tools(user: string, owner: TimerOwner): AnyTool[] {
    const { dice, say, slow } = this.#from
    const tool = (name: string, longest: number, more: object): AnyTool =>
      ({
        name,
        description: `Does ${name}`,
        inputSchema: { type: 'object', properties: { plan: { type: 'string' } }, required: ['plan'] },
        ...more,
        execute: async ({ plan }: { plan: string }, { toolCallId }: { toolCallId: string }) => {
          say(`${name} ${toolCallId} runs`)
          this.runs.push({ user, callId: toolCallId, tool: name, plan })
          await this.#from.ran(this.runs.length, this.runs.filter((run) => run.user === user).length)
          await this.#pause(dice.from(0, longest), owner)
          if (name === 'buy' || name === 'pay') this.#returned.set(toolCallId, owner)
          return `${plan} did ${name}`
        },
      }) as unknown as AnyTool
    return [
      tool('look', 100, { annotations: { readOnlyHint: true } }),
      tool('set', 100, { annotations: { idempotentHint: true } }),
      tool('buy', 200, {}),
      tool('slow', slow, {}),
      tool('pay', 200, { needsApproval: true }),
    ]
  }

  /** A visitor looks at a page, and decides about what is asked. */
  #look(page: OpenPage): void {
    const { agent, asked, owner } = page
    const { dice, again, after } = this.#from
    for (const { call, approval } of agent.questions) {
      const key = `${call.id} ${approval?.hash ?? ''}`
      const times = asked.get(key) ?? 0
      if (times > 0 && !(this.isSettling && times < 3)) continue
      asked.set(key, times + 1)
      if (!this.isSettling && dice.chance(0.3)) continue
      const wait = times > 0 ? again : dice.one([0, 5, 100, again / 20])
      after.call(this.#from, wait, owner, () => this.#decide(page, call.id))
    }
  }

  #decide({ agent, device }: OpenPage, callId: string): void {
    if (!agent.questions.some(({ call }) => call.id === callId)) return
    const decision = this.#from.dice.chance(0.7) ? 'approve' : 'deny'
    this.#from.say(`${device} presses ${decision} for ${callId}`)
    this.pressed.push({ callId, decision })
    agent[decision](callId).catch((error: unknown) => this.#from.say(`${decision} failed: ${String(error)}`))
  }

  pageOf(device: DeviceName): OpenPage | undefined {
    const all = [...this.pages].filter((page) => page.device === device)
    return all.length === 0 ? undefined : this.#from.dice.one(all)
  }

  /** A visitor sends a message. */
  send({ device, steps, whenBusy }: PlannedSend): void {
    const page = this.pageOf(device)
    if (!page) return
    const { user } = page
    const text = textOfSend(user, this.sent.length, steps)
    const sent: MutableSent = { user, text, state: 'pending', wasSaid: false }
    this.sent.push(sent)
    this.#pageOfSent.set(sent, page)
    this.#from.say(`${device} sends ${text}`)
    if (whenBusy === 'interrupt') this.stopped.add(user)
    this.#try(page, sent, whenBusy)
  }

  #try(page: OpenPage, sent: MutableSent, whenBusy: PlannedSend['whenBusy']): void {
    const { say, again, after } = this.#from
    page.agent.send(sent.text, { whenBusy }).then(
      () => {
        if (sent.state === 'pending') sent.state = 'resolved'
      },
      (error: Error & { code?: ErrorCode }) => {
        if (sent.state !== 'pending') return
        say(`send rejects: ${sent.text} ${error.code} ${error.message}`)
        // No server was there yet, and the visitor sends it again.
        if (error.code === 'network' && !sent.wasSaid)
          return after.call(this.#from, again / 20, page.owner, () => this.#try(page, sent, whenBusy))
        sent.state = 'rejected'
        sent.error = error
      },
    )
  }

  /** A page has said something to a server. */
  said(text: string): void {
    const message = JSON.parse(text) as {
      readonly type: string
      readonly id?: unknown
      readonly value?: { readonly callId?: string }
      readonly outcome?: { readonly callId?: string }
    }
    const { type, id, value, outcome } = message
    if (type === 'send') for (const sent of this.sent) if (text.includes(sent.text)) sent.wasSaid = true
    const callId = value?.callId ?? outcome?.callId
    if (typeof id === 'string' && callId !== undefined) this.#callOf.set(id, callId)
  }

  /** A page has heard something of a server. */
  heard(text: string): void {
    if (!text.startsWith('{"type":"acknowledged"')) return
    const { id } = JSON.parse(text) as { id: string }
    this.#returned.delete(this.#callOf.get(id) ?? '')
  }

  /** The document of a page ends. `how`: it is not told so, or it is. */
  end(page: OpenPage, how: 'crash' | 'unload'): void {
    if (how === 'unload') page.document.dispatch('pagehide', { persisted: false })
    this.#noteUnkept(page)
    page.owner.isDead = true
    page.document.end()
    this.pages.delete(page)
    for (const wire of page.wires) wire.pageDied()
    for (const [sent, of] of this.#pageOfSent) if (of === page && sent.state === 'pending') sent.state = 'lost'
  }

  /** What a call has done is in the storage of the tab until the page sees it stored. */
  #noteUnkept({ owner, user, tab, agent }: OpenPage): void {
    if (this.stopped.has(user)) return
    const kept = tab.get(`tool-agent:outcomes:${this.#from.sessionId}`) ?? ''
    for (const { part } of allToolCalls(agent.messages)) {
      const { id } = part.call
      if (this.#returned.get(id) === owner && part.result === undefined && !kept.includes(id))
        this.unkept.push(`the outcome of ${id} is not kept`)
    }
  }

  /** What happens to a page. Returns false if it is not about a page. */
  act({ device, do: what, ms }: PlannedAct, nobody: TimerOwner): boolean {
    const page = this.pageOf(device)
    switch (what) {
      case 'cut':
        for (const wire of page?.wires ?? []) wire.cut()
        return true
      case 'crash':
      case 'reload':
        if (!page) return true
        this.end(page, what === 'reload' ? 'unload' : 'crash')
        this.#from.after(ms, nobody, () => this.open(device, page.tab))
        return true
      case 'leave':
        if (page) this.end(page, 'unload')
        return true
      case 'duplicate': {
        if (!page || this.pages.size > 8) return true
        const copy = new Map(page.tab)
        // Where the browser has locks, the copy gets an id of its own.
        if (this.#from.dice.chance(0.5)) copy.delete('tool-agent:tab')
        this.open(device, copy)
        return true
      }
      case 'stop':
        this.stopped.add(userOf(device))
        page?.agent.stop()
        return true
      case 'continue':
        page?.agent.continue().catch(() => undefined)
        return true
      default:
        return false
    }
  }

  /** After the faults: each device has a page that is connected, and each question is looked at. */
  heal(): void {
    this.isSettling = true
    for (const device of deviceNames) if (![...this.pages].some((page) => page.device === device)) this.open(device)
    for (const page of this.pages) {
      if (!page.agent.isConnecting) page.agent.connect().catch(() => undefined)
      this.#look(page)
    }
  }

  /** What still happens in the pages; '' if nothing does. */
  restless(): string {
    const pending = this.sent.find(({ state }) => state === 'pending')
    if (pending) return `${pending.text} is pending`
    for (const { agent, device } of this.pages) {
      const { session, status, queue } = agent
      if (session === undefined || !agent.isConnecting) return `${device} has no session`
      if (status !== 'idle' && status !== 'interrupted') return `${device} is ${status}`
      if (session.turn) return `${device} has a turn`
      if (queue.length > 0) return `${device} has a queue`
    }
    return ''
  }

  /** Where pages, host and store of a user differ. */
  differences(user: string, hosted: Session | undefined, stored: Session | undefined): string[] {
    const host = shown(hosted)
    const found: string[] = []
    if (host !== shown(stored)) found.push(`host of ${user} differs: ${difference(host, shown(stored))}`)
    for (const { agent, device, user: of } of this.pages) {
      const page = shown(agent.session)
      if (of === user && page !== host) found.push(`${device} differs: ${difference(page, host)}`)
    }
    return found
  }
}

/** What must be equal. Who has a session open counts how often it was opened, and when. */
function shown(session: Session | undefined): string {
  if (session === undefined || session.messages.length === 0) return ''
  const { messages, todos, turn, end, title, grants, usage, status, waiting = [] } = session
  return JSON.stringify({ messages, todos, turn, end, title, grants, usage, status, waiting })
}

function difference(one: string, two: string): string {
  let at = 0
  while (at < one.length && one[at] === two[at]) at++
  return `…${one.slice(Math.max(0, at - 60), at + 120)}… ≠ …${two.slice(Math.max(0, at - 60), at + 120)}…`
}
