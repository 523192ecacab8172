// Plays a script of `generator.ts` on real agents and hosts, and records every broken invariant. They are checked when
// a tool starts, when an event arrives, when a turn is at rest, and at the end. It waits for events and ticks; the only
// clock detects a session that never comes to rest.
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject, type JsonValue } from '../../../src/core/data/json.js'
import type { AgentEvent } from '../../../src/core/data/event.js'
import { toolCallsOf, textOf, type ToolCallPart } from '../../../src/core/data/message.js'
import { openToolCalls, type Session } from '../../../src/core/data/session.js'
import type { TurnResult } from '../../../src/core/data/turn-result.js'
import type { Store } from '../../../src/core/state/store.js'
import { memoryStore } from '../../../src/host/store/memory-store.js'
import type { Agent } from '../../../src/page/agent.js'
import type { AgentOptions, SendOptions } from '../../../src/page/options.js'
import type { AnyTool, ToolRun } from '../../../src/page/tools/tool.js'
import { startEndpoint, type Endpoint, type RecordedRequest, type Reply } from './endpoint.js'
import {
  toolNames as allNames,
  type Script,
  type ScriptAct,
  type ScriptCall,
  type ScriptReply,
  type ScriptSend,
} from './generator.js'
import { historyFaults } from './history.js'
import { deferred, until, type Bench, type Lab } from './lab.js'
import { messagesOf, toolNames } from './requests.js'

export interface Played {
  readonly failures: readonly string[]
  /** How often each kind happened, such as `reason stop`, `code denied`, `act kill`. */
  readonly tally: ReadonlyMap<string, number>
}

const patience = 15_000
const repeatable = new Set(['look', 'idem', 'alone_look', 'endless_look', 'stuck_look', 'outside'])
const exclusive = new Set(['alone', 'alone_look', 'buy'])
/** A step with calls of these alone runs while it is stored. */
const reading = new Set(['look', 'endless_look', 'stuck_look', 'outside'])
/** Codes of calls that never reached their tool. */
const neverRan = new Set(['denied', 'unknown-tool', 'invalid-input', 'format-error', 'limit', 'refused', 'superseded'])

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await new Promise((resolve) => setImmediate(resolve))
}

/** A store with delays like a disk. They reveal code that does not wait for it. */
function slowStore(): Store {
  const inner = memoryStore()
  return {
    ...inner,
    async commit(id, epoch, change) {
      await ticks(2)
      await inner.commit(id, epoch, change)
    },
  }
}

interface Input {
  readonly n: number
  readonly ticks?: number
  readonly mode?: string
}
interface Entry {
  readonly bench: Bench
  readonly callId: string
  readonly name: string
  readonly n: number
  readonly signal: AbortSignal
  isOver: boolean
}
interface Sent {
  readonly text: string
  readonly abort: AbortController
  readonly done: Promise<unknown>
  isOver: boolean
  isStopped?: true
  result?: TurnResult
  error?: { code?: string; turn?: TurnResult }
}

/** Plays the script to its end. Must not reject for broken invariants: they are in the result. */
export async function play(lab: Lab, script: Script): Promise<Played> {
  const session = new Play(lab, script)
  const rejected = (reason: unknown) => session.fail(`an unhandled rejection: ${String(reason)}`)
  // Playwright would end the test immediately, without reporting the seed.
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', rejected)
  try {
    await session.run()
  } catch (thrown) {
    session.fail(`the play itself threw: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
  } finally {
    await session.end()
    process.off('unhandledRejection', rejected)
    for (const other of others) process.on('unhandledRejection', other)
  }
  return session
}

class Play {
  readonly failures: string[] = []
  readonly tally = new Map<string, number>()
  readonly #lab: Lab
  readonly #script: Script
  readonly #sessionId: string
  #endpoint!: Endpoint
  #bench!: Bench
  #death = deferred()
  readonly #benches: Bench[] = []
  readonly #sent: Sent[] = []
  readonly #entries: Entry[] = []
  readonly #bodies: Promise<unknown>[] = []
  readonly #actions = new Set<Promise<void>>()
  readonly #approved = new Map<string, JsonValue>()
  readonly #denied = new Set<string>()
  readonly #allowedAlways = new Set<string>()
  readonly #offers = new Map<number, readonly unknown[]>()
  /** Arguments of calls in answers whose finish reason means that they must not run. */
  readonly #unmeant = new Set<string>()
  readonly #results = new Map<string, number>()
  /** Calls that ran before the page had their step. */
  readonly #ahead = new Set<string>()
  readonly #removers = new Map<string, () => void>()
  #isDead = false
  #decided = 0
  #points = 0
  #requests = 0
  #isEnding = false

  constructor(lab: Lab, script: Script) {
    this.#lab = lab
    this.#script = script
    this.#sessionId = `play-${script.seed}-${Math.random()}`
  }

  fail(what: string): void {
    if (!this.failures.includes(what)) this.failures.push(what)
  }

  async run(): Promise<void> {
    this.#endpoint = await startEndpoint((_, request) => this.#answer(request))
    await this.#open()
    for (const turn of this.#script.turns) {
      this.#send(turn)
      if (!(await this.#rest())) return
    }
    await this.#checkEnd()
  }

  async end(): Promise<void> {
    this.#isEnding = true
    for (const { agent, kill } of this.#benches) {
      void agent.close()
      kill()
    }
    await this.#endpoint?.stop()
  }

  #count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1)
  }

  // The user and the page

  async #open(): Promise<void> {
    const { limits, todo, resume, approval, kills } = this.#script
    const place = this.#benches.length
    const options: AgentOptions = {
      sessionId: this.#sessionId,
      resume,
      approval,
      limits: { ...limits, resumeWait: 30, resultChars: 300 },
      ...(todo ? {} : { todo: false }),
      onToolError: (_, { call }) => {
        if (isObject(call.input) && call.input['mode'] === 'fatal') throw new Error('The page wants the turn to end')
      },
      hooks: {
        beforeTool: ({ input }) => {
          const { mode } = input as unknown as Input
          if (mode === 'refuse') return { refuse: 'Not now' }
          return mode === 'change' ? { input: { ...(input as JsonObject), ticks: 0 } } : undefined
        },
      },
    }
    const death = deferred()
    const before = this.#benches.at(-1)
    const bench = await this.#lab.start([], {
      endpointServer: this.#endpoint,
      killAfter: kills[place] ?? Infinity,
      store: before?.store ?? slowStore(),
      ...options,
    })
    this.#bench = bench
    this.#benches.push(bench)
    this.#death = death
    this.#isDead = false
    void death.promise.then(() => {
      if (this.#bench === bench) this.#isDead = true
    })
    void bench.dead.then(() => {
      this.#count('host died after a fact')
      death.resolve()
    })
    bench.agent.onToolCall((_, input) => (input as unknown as Input).mode !== 'forbid')
    for (const tool of this.#tools(bench))
      if (tool.name !== 'gone' || place % 2 === 0) this.#removers.set(tool.name, bench.agent.registerTool(tool))
    this.#follow(bench)
    await Promise.race([
      bench.agent.connect().catch((error: { code?: string }) => {
        if (error.code !== 'closed') this.fail(`connect failed: ${String(error)}`)
      }),
      death.promise,
    ])
  }

  #send({ text, whenBusy, toolChoice, activeTools, replaceBy }: ScriptSend): void {
    const { agent } = this.#bench
    const abort = new AbortController()
    const own = replaceBy === undefined ? [] : this.#tools(this.#bench).filter((tool) => tool.name === replaceBy)
    const options: SendOptions = {
      whenBusy,
      signal: abort.signal,
      ...(toolChoice ? { toolChoice } : {}),
      ...(activeTools
        ? { activeTools: activeTools.filter((name) => agent.tools.some((tool) => tool.name === name)) }
        : {}),
      ...(replaceBy ? { tools: own, activeTools: own.map(({ name }) => name) } : {}),
    }
    const sent: Sent = {
      text,
      abort,
      isOver: false,
      done: agent
        .send(text, options)
        .then(
          (result) => {
            sent.result = result
          },
          (error: Sent['error']) => {
            sent.error = error ?? {}
          },
        )
        .finally(() => {
          sent.isOver = true
        }),
    }
    this.#sent.push(sent)
  }

  /** Queued messages are returned now, or stopped if they just began. */
  #stop({ agent }: Bench): void {
    const waiting = agent.queue.map(({ text }) => text)
    for (const sent of this.#sent) if (!sent.isOver && waiting.includes(sent.text)) sent.isStopped = true
    agent.stop()
  }

  /** Waits until no turn runs, and opens the next page after a host died. False: it never came to rest. */
  async #rest(): Promise<boolean> {
    for (;;) {
      const bench = this.#bench
      const dead = this.#death.promise.then(() => 'dead' as const)
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), patience)
      })
      const outcome = await Promise.race([dead, late, this.#calm(bench)]).finally(() => clearTimeout(timer))
      if (outcome === 'late') {
        this.fail(
          `it never came to rest: ${JSON.stringify({ status: bench.agent.status, open: bench.agent.session && openToolCalls(bench.agent.session), waiting: this.#sent.filter((one) => !one.isOver).map((one) => one.text), running: this.#entries.filter((one) => !one.isOver).map((one) => `${one.name} ${one.callId}`), last: bench.events.slice(-4).map((event) => event.type) })}`,
        )
        return false
      }
      if (outcome === 'dead' || this.#isDead) {
        void bench.agent.close()
        await this.#open()
        continue
      }
      if (this.#actions.size > 0) {
        await Promise.race([dead, Promise.all(this.#actions)])
        continue
      }
      // An action at the last event may have started another turn.
      if (this.#sent.some((one) => !one.isOver) || !isAtRest(bench.agent)) continue
      await this.#checkRest(bench)
      return true
    }
  }

  async #calm(bench: Bench): Promise<'calm'> {
    for (
      let open = this.#sent.filter((one) => !one.isOver);
      open.length > 0;
      open = this.#sent.filter((one) => !one.isOver)
    )
      await Promise.all(open.map((one) => one.done))
    await until(bench.agent, () => isAtRest(bench.agent))
    return 'calm'
  }

  #later(count: number, act: () => unknown): void {
    const action = ticks(count)
      .then(act)
      .then(
        () => undefined,
        (thrown: { code?: string }) => {
          const isFine = ['closed', 'invalid-option', 'duplicate-tool', 'unavailable', 'host-lost'].includes(
            thrown.code ?? '',
          )
          if (!isFine && !this.#isEnding) this.fail(`an act of the user threw: ${String(thrown)}`)
        },
      )
    this.#actions.add(action)
    void action.then(() => this.#actions.delete(action))
  }

  #point(): void {
    this.#points++
    for (const act of this.#script.acts) if (act.at === this.#points) this.#later(act.ticks, () => this.#act(act))
  }

  #act(act: ScriptAct): unknown {
    const bench = this.#bench
    const { agent } = bench
    this.#count(`act ${act.do}`)
    switch (act.do) {
      case 'stop':
        return this.#stop(bench)
      case 'send':
        return act.sends.forEach((send) => this.#send(send))
      case 'drop':
        return this.#sent.findLast((one) => !one.isOver)?.abort.abort()
      case 'continue': {
        const sent: Sent = {
          text: '',
          abort: new AbortController(),
          isOver: false,
          done: agent
            .continue()
            .catch(() => undefined)
            .finally(() => {
              sent.isOver = true
            }),
        }
        this.#sent.push(sent)
        return
      }
      case 'unregister':
        return this.#removers.get(act.tool)?.()
      case 'register':
        return this.#removers.set(
          act.tool,
          agent.registerTool(this.#tools(bench).filter((tool) => tool.name === act.tool)),
        )
      case 'redefine':
        return this.#removers.set(
          act.tool,
          agent.registerTool(
            this.#tools(bench)
              .filter((tool) => tool.name === act.tool)
              .map((tool) => ({ ...tool, description: 'Is another tool by now, of the same name' })),
            { replace: true },
          ),
        )
      case 'remember': {
        agent.remember(act.key, true)
        return Promise.race([until(agent, () => act.key in (agent.session?.context ?? {})), this.#death.promise])
      }
      case 'kill': {
        bench.kill()
        return this.#death.resolve()
      }
      case 'close': {
        void agent.close()
        return this.#death.resolve()
      }
    }
  }

  #decide(bench: Bench, callId: string): void {
    const { decisions } = this.#script
    const decision = decisions[this.#decided++ % decisions.length]!
    this.#later(decision.ticks, async () => {
      const { agent } = bench
      const part = agent.messages.flatMap(toolCallsOf).find((one) => one.call.id === callId)
      if (!part?.approval || part.result || part.started) return
      this.#count(`decision ${decision.do}`)
      const input = part.approval.input as JsonObject
      if (decision.do === 'deny') {
        this.#denied.add(callId)
        return agent.deny(callId, { reason: 'No' })
      }
      if (decision.do === 'stop') return this.#stop(bench)
      if (decision.do === 'leave')
        return this.#send({ text: `instead of answering, as number ${this.#sent.length}`, whenBusy: 'queue' })
      const edited = decision.do === 'edit' ? { ...input, ticks: 1, edited: true } : undefined
      this.#approved.set(callId, edited ?? input)
      // A destructive tool cannot be allowed for the session.
      const isForSession = decision.do === 'always' && part.call.name !== 'danger'
      if (isForSession) this.#allowedAlways.add(part.call.name)
      await agent.approve(callId, {
        ...(edited ? { input: edited } : {}),
        ...(isForSession ? { remember: 'session' } : {}),
      })
      if (decision.do === 'twice') await agent.approve(callId)
    })
  }

  // The model

  #answer(request: RecordedRequest): Reply {
    const reply = this.#script.replies[this.#requests++] ?? { do: 'answer', text: 'Done.', calls: [], hold: 0 }
    this.#point()
    this.#count(`reply ${reply.do}`)
    if (request.body) for (const fault of historyFaults(request.body)) this.fail(`not a valid history: ${fault}`)
    this.#checkOffer(request)
    if (reply.do === 'status')
      return { status: reply.status, body: { error: { message: 'Scripted' } }, headers: { 'retry-after-ms': '1' } }
    if (!('calls' in reply)) return reply.do === 'refuse' ? { refuse: true } : { html: '<html>Sign in</html>' }
    for (const [, n] of JSON.stringify(reply.calls).matchAll(/\\"n\\":\s*(?:\\")?(\d+)/g))
      this.#offers.set(Number(n), toolNames(request) ?? [])
    if (reply.do === 'answer' && ['length', 'content_filter', 'error'].includes(reply.finish ?? ''))
      for (const { args } of reply.calls) this.#unmeant.add(args)
    const frames = framesOf(reply, Math.ceil(request.raw.length / 4))
    if (reply.do === 'answer') {
      const middle = Math.ceil(frames.length / 2)
      return {
        raw: [frames.slice(0, middle).join(''), ticks(reply.hold), frames.slice(middle).join('') + 'data: [DONE]\n\n'],
      }
    }
    const shown = frames.slice(0, reply.behind).join('')
    if (reply.end === 'error')
      return { raw: `${shown}data: ${JSON.stringify({ error: { message: 'Scripted', code: 503 } })}\n\n` }
    // A silent model must not block the session forever.
    if (reply.end === 'hang') this.#later(12, () => this.#bench.agent.stop())
    return { raw: [shown, ...(reply.end === 'reset' ? [ticks(2)] : [])], end: reply.end }
  }

  // The tools

  #tools(bench: Bench): AnyTool[] {
    const inputSchema = {
      type: 'object',
      properties: { n: { type: 'number' }, ticks: { type: 'number' }, mode: { type: 'string' } },
      required: ['n'],
    }
    const tool = (
      name: string,
      more: Partial<AnyTool>,
      body: (input: Input, run: ToolRun) => unknown = async (input) => {
        await ticks(input.ticks ?? 0)
        return `${name} ${input.n}`
      },
    ): AnyTool => ({
      name,
      description: `A tool of the test that is called ${name}`,
      inputSchema,
      timeout: 0,
      ...(repeatable.has(name) ? { maxRetries: 0 } : {}),
      ...more,
      execute: (input: Input, run: ToolRun) => {
        const entry = this.#enter(bench, name, input, run)
        const done = (async () => body(input, run))().finally(() => {
          entry.isOver = true
        })
        this.#bodies.push(done.catch(() => undefined))
        return done
      },
    })
    const aborted = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve(), { once: true })
      })
    const giveUp = (input: Input) => this.#later(3 + (input.ticks ?? 0), () => bench.agent.stop())
    const endless = async (_: Input, run: ToolRun) => {
      await aborted(run.signal)
      throw run.signal.reason
    }
    const stuck = (input: Input, run: ToolRun) => {
      giveUp(input)
      return endless(input, run)
    }
    const remembering =
      (name: string, body: (input: Input, run: ToolRun) => Promise<unknown>) => async (input: Input, run: ToolRun) => {
        await body(input, run)
        run.remember(`${name} ${run.toolCallId}`, input.n)
        return `${name} ${input.n}`
      }
    return [
      tool('look', { annotations: { readOnlyHint: true } }),
      tool('write', {}),
      tool('idem', { annotations: { idempotentHint: true } }),
      tool('alone', { exclusive: true }),
      tool('alone_look', { exclusive: true, annotations: { readOnlyHint: true } }),
      tool('boom', {}, async (input) => {
        await ticks(input.ticks ?? 0)
        throw new Error(`boom ${input.n}`)
      }),
      tool('odd', {}, () => ({ list: [() => 1] })),
      tool('endless', { timeout: 8 }, endless),
      tool('endless_look', { timeout: 8, annotations: { readOnlyHint: true } }, endless),
      tool('stuck', {}, stuck),
      tool('stuck_look', { annotations: { readOnlyHint: true } }, stuck),
      tool(
        'late',
        { timeout: 8 },
        remembering('late', async (input, run) => {
          await aborted(run.signal)
          await ticks(input.ticks ?? 0)
          run.report({ message: 'late' })
        }),
      ),
      tool(
        'deaf',
        {},
        remembering('deaf', (input) => ticks((input.ticks ?? 0) * 10)),
      ),
      tool(
        'keep',
        {},
        remembering('keep', (input) => ticks(input.ticks ?? 0)),
      ),
      tool('pay', { needsApproval: true }),
      tool('danger', { annotations: { destructiveHint: true } }),
      tool('buy', { exclusive: true, needsApproval: true, annotations: { consequentialHint: true } }),
      tool('direct', { returnDirect: true }),
      tool('direct_last', { returnDirect: 'if-last' }),
      tool('talk', {}, async function (input: Input, run: ToolRun) {
        run.report({ message: 'begun', fraction: 0 })
        return (async function* () {
          for (let part = 0; part <= (input.ticks ?? 0); part++) {
            await ticks(1)
            yield `part ${part}`
          }
        })()
      }),
      tool('big', {}, (input) => `${input.n} ${'long '.repeat(200)}`),
      tool('outside', { annotations: { untrustedContentHint: true, readOnlyHint: true } }),
      tool('gone', {}),
    ]
  }

  #enter(bench: Bench, name: string, { n }: Input, { toolCallId: callId, signal }: ToolRun): Entry {
    this.#point()
    this.#count('executions')
    const what = `${name} ${callId} (${n})`
    const { session } = bench.agent
    const part = toolCallsOf(session?.messages.at(-1)).find((one) => one.call.id === callId)
    if (session?.turn === undefined) this.fail(`${what} ran outside of a turn`)
    const isAhead = part === undefined && reading.has(name)
    if (isAhead) this.#ahead.add(callId)
    else if (part?.started === undefined && !session?.turn?.reads) this.fail(`${what} ran before its start was a fact`)
    if (part?.result !== undefined) this.fail(`${what} ran though it was settled`)
    if (signal.aborted) this.fail(`${what} was entered with an aborted signal`)
    if (!repeatable.has(name)) {
      if (this.#entries.some((one) => one.callId === callId)) this.fail(`${what} ran twice under its id`)
      if (n > 0 && this.#entries.some((one) => one.n === n)) this.fail(`${what} ran twice, under two ids`)
    }
    if (n > 0 && !this.#offers.get(n)?.includes(name)) this.fail(`${what} ran without being on offer in its request`)
    this.#checkApproval(what, name, callId, part)
    const running = this.#entries.filter((one) => one.bench === bench && !one.isOver && !one.signal.aborted)
    if (running.length >= this.#script.limits.concurrency)
      this.fail(`${what} ran as number ${running.length + 1} at once`)
    for (const other of running)
      if (exclusive.has(name) || exclusive.has(other.name)) this.fail(`${what} ran beside ${other.name}`)
    const stored = bench.store.read(this.#sessionId, Infinity)
    this.#bodies.push(
      stored.then((record) => {
        const kept = record?.messages.flatMap(toolCallsOf).find((one) => one.call.id === callId)
        if (!isAhead && kept?.started === undefined && kept?.result === undefined && !(kept && record?.turn?.reads))
          this.fail(`${what} ran before its start was stored`)
      }),
    )
    const entry: Entry = { bench, callId, name, n, signal, isOver: false }
    this.#entries.push(entry)
    return entry
  }

  #checkApproval(what: string, name: string, callId: string, part: ToolCallPart | undefined): void {
    if (this.#denied.has(callId) && !this.#approved.has(callId)) this.fail(`${what} ran though it was denied`)
    const { approval } = this.#script
    const mustAsk =
      ['pay', 'buy'].includes(name) || approval === 'always' || (approval === 'hints' && name === 'danger')
    if (!mustAsk || (this.#allowedAlways.has(name) && part?.approval === undefined)) return
    if (!this.#approved.has(callId)) this.fail(`${what} ran without a yes`)
    else if (!isDeepStrictEqual(part?.started?.input, this.#approved.get(callId)))
      this.fail(`${what} ran with another input than was allowed`)
  }

  // The invariants

  #follow(bench: Bench): void {
    const { agent } = bench
    let before = agent.session
    let hasText = false
    agent.observe((notice) => {
      const session = agent.session
      if (notice.type === 'event') {
        const { event } = notice
        if (event.type !== 'text-delta' || !hasText) this.#point()
        hasText = event.type === 'text-delta'
        this.#checkEvent(event, before, session)
        if (event.type === 'approval-request') this.#decide(bench, event.callId)
      }
      before = session
    })
  }

  #checkEvent(event: AgentEvent, before: Session | undefined, session: Session | undefined): void {
    if (session === undefined || before === undefined) return
    if (before.turn === undefined && !['turn-start', 'context-change', 'session-change'].includes(event.type)) {
      const changed = (['messages', 'todos', 'context', 'status', 'draft'] as const).filter(
        (name) => before[name] !== session[name],
      )
      if (changed.length > 0) this.fail(`${event.type} behind the end of a turn changed ${changed.join(', ')}`)
    }
    if (event.type === 'tool-result') {
      const seen = (this.#results.get(event.callId) ?? 0) + 1
      this.#results.set(event.callId, seen)
      if (seen > 1) this.fail(`${event.callId} was settled ${seen} times`)
      this.#count(event.result.error ? `code ${event.result.error.code}` : 'code none')
    }
    if (event.type === 'turn-start' && openToolCalls(before).length > 0 && event.message)
      this.fail('a turn began with an open call')
    if (event.type !== 'turn-end') return
    this.#count(`reason ${event.reason}`)
    if (event.error) this.#count(`error ${event.error.code}`)
    if (openToolCalls(session).length > 0)
      this.fail(`the turn ended as ${event.reason} with ${openToolCalls(session).join(', ')} open`)
  }

  #checkOffer(request: RecordedRequest): void {
    const { activeTools } = this.#bench.agent.session?.turn?.options ?? {}
    const text = this.#bench.agent.messages
      .filter((message) => message.role === 'user')
      .map(textOf)
      .at(-1)
    if (activeTools === undefined || !JSON.stringify(messagesOf(request)).includes(JSON.stringify(text))) return
    const wrong = (toolNames(request) ?? []).filter(
      (name) => allNames.includes(String(name)) && !activeTools.includes(String(name)),
    )
    if (wrong.length > 0)
      this.fail(`${wrong.join(', ')} stood in a request that was to offer ${activeTools.join(', ')}`)
  }

  async #checkRest({ agent, store }: Bench): Promise<void> {
    const { session } = agent
    if (session === undefined) return this.fail('no session is open at rest')
    for (const calls of session.messages.map(toolCallsOf)) {
      const early = calls.find(({ call }) => this.#ahead.has(call.id))
      if (early && !calls.every(({ call }) => reading.has(call.name)))
        this.fail(`${early.call.id} ran before its step was stored, beside calls that do more than read`)
    }
    if (openToolCalls(session).length > 0) this.fail(`at rest with ${openToolCalls(session).join(', ')} open`)
    if (session.turn !== undefined) this.fail('at rest with a turn')
    const stored = await store.read(session.id, Infinity)
    if (stored && !isDeepStrictEqual(json(stored), json(session)))
      this.fail(`the replica differs from what is stored: ${difference(json(stored), json(session))}`)
  }

  async #checkEnd(): Promise<void> {
    const { agent, store } = this.#bench
    const before = agent.session
    // Late tool results change nothing. The round trip ends after all messages of the host.
    await Promise.all(this.#bodies)
    await ticks(3)
    await agent.sessions.list()
    const session = agent.session
    if (session === undefined || before === undefined) return
    if (session !== before) this.fail(`what came late changed the session: ${difference(json(before), json(session))}`)
    await this.#checkRest(this.#bench)
    const parts = session.messages.flatMap(toolCallsOf)
    for (const part of parts) this.#checkCall(part, session)
    const ids = parts.map(({ call }) => call.id)
    if (new Set(ids).size < ids.length) this.fail('an id is used twice in the session')
    for (const { call } of parts)
      if (Number((call.input as unknown as Input).n) > 0 && this.#unmeant.has(JSON.stringify(call.input)))
        this.fail(`${call.name} ${call.id} is a call of an answer that was cut off`)
    for (const message of session.messages) {
      const numbers = toolCallsOf(message)
        .map(({ call }) => Number((call.input as unknown as Input).n))
        .filter((n) => n > 0)
      if (numbers.some((n, place) => n < numbers[place - 1]!))
        this.fail(`calls stand in another order than the model made them: ${numbers.join(', ')}`)
    }
    this.#checkMessages(session)
    this.#checkBytes()
    await agent.sessions.open(this.#sessionId)
    const opened = this.#bench.sent.findLast((message) => message.type === 'open')
    const owed = [...(opened?.running ?? []), ...(opened?.outcomes ?? []).map((outcome) => outcome.callId)]
    if (owed.length > 0) this.fail(`the page still owes the host ${owed.join(', ')}, which are settled`)
    const fresh = await this.#lab.start([], { endpointServer: this.#endpoint, store, sessionId: this.#sessionId })
    this.#benches.push(fresh)
    await fresh.agent.connect()
    const { epoch: _old, ...one } = session
    const { epoch: _new, ...other } = fresh.agent.session ?? { epoch: 0 }
    if (session.messages.length > 0 && !isDeepStrictEqual(json(one), json(other)))
      this.fail(`the next page finds another session: ${difference(json(one), json(other))}`)
  }

  #checkCall({ call, result }: ToolCallPart, { context }: Session): void {
    const what = `${call.name} ${call.id}`
    const runs = this.#entries.filter((one) => one.callId === call.id).length
    const code = result?.error?.code
    if (code !== undefined && neverRan.has(code) && runs > 0)
      this.fail(`${what} ran ${runs} times and was settled as ${code}`)
    if (result?.error === undefined && runs === 0 && allNames.includes(call.name))
      this.fail(`${what} has an output and never ran`)
    if (runs > 0 && !repeatable.has(call.name)) {
      if (code === 'unavailable') this.fail(`${what} ran and was settled as unavailable`)
      if (
        ['cancelled', 'interrupted', 'timeout'].includes(code ?? '') &&
        !result?.error?.message.includes('may still have happened')
      )
        this.fail(`${what} ran, and its error does not say that it may have happened: ${result?.error?.message}`)
    }
    const kept = context[`${call.name} ${call.id}`]
    const isKept = kept !== undefined
    if (['keep', 'late', 'deaf'].includes(call.name) && isKept !== (code === undefined))
      this.fail(`${what} ended as ${code ?? 'a success'} and what it remembered is ${isKept ? '' : 'not '}there`)
  }

  #checkMessages(session: Session): void {
    const said = session.messages.filter((message) => message.role === 'user').map(textOf)
    for (const { text, result, error, isStopped } of this.#sent) {
      if (text === '') continue
      if (isStopped && result && result.reason !== 'stopped')
        this.fail(`"${text}" waited when the turn before it was stopped, and went on to ${result.reason}`)
      const times = said.filter((one) => one === text).length
      const isIn = result !== undefined || error?.turn !== undefined
      const isOut = error?.code === 'cancelled' && error.turn === undefined
      if (times > 1 || (isIn && times === 0) || (isOut && times > 0))
        this.fail(`"${text}" stands ${times} times in the session; its promise said ${result?.reason ?? error?.code}`)
      const { steps = 0 } = result ?? error?.turn ?? {}
      if (steps > this.#script.limits.steps + (this.#script.todo ? 1 : 0)) this.fail(`"${text}" took ${steps} steps`)
      for (const one of result?.toolExecutions ?? [])
        if ((one.output === undefined) === (one.error === undefined))
          this.fail(`the execution of ${one.call.id} has neither output nor error, or both`)
    }
    const order = said.map((text) => this.#sent.findIndex((one) => one.text === text))
    if (order.some((place, index) => index > 0 && place <= order[index - 1]!))
      this.fail(`messages stand in another order than they were sent: ${said.join(', ')}`)
  }

  /** Every later request must contain the same text for a call, except for the reminder. */
  #checkBytes(): void {
    const known = new Map<string, string>()
    for (const request of this.#endpoint.requests) {
      for (const message of messagesOf(request)) {
        if (message['role'] !== 'tool') continue
        const id = String(message['tool_call_id'])
        const text = String(message['content']).replace(/^<reminder>[^]*?\(\d+\/\d+ completed\)\n*/, '')
        if (known.has(id) && known.get(id) !== text)
          this.fail(`the result of ${id} changed from one request to another: ${JSON.stringify([known.get(id), text])}`)
        known.set(id, text)
      }
    }
  }
}

/** `prompt`: tokens as they are counted for the request; a count that never grows would mean that the server cuts. */
function framesOf({ text: given, calls, ...reply }: Extract<ScriptReply, { text: string }>, prompt: number): string[] {
  const text = given === 'long' ? 'A word and another. '.repeat(150) : given
  const frame = (delta: JsonObject, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const callFrames = ({ id, name, args }: ScriptCall, index: number): string[] => {
    const half = Math.ceil(args.length / 2)
    const begin = { index, ...(id === '' ? {} : { id }), type: 'function', function: { name, arguments: '' } }
    return [
      frame({ tool_calls: [begin] }),
      ...[args.slice(0, half), args.slice(half)]
        .filter((piece) => piece !== '')
        .map((piece) => frame({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]
  }
  const finish = ('finish' in reply ? reply.finish : undefined) ?? (calls.length > 0 ? 'tool_calls' : 'stop')
  return [
    ...(text === '' ? [] : [frame({ content: text.slice(0, 5) }), frame({ content: text.slice(5) })]),
    ...calls.flatMap(callFrames),
    frame({}, finish),
    `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: 7 } })}\n\n`,
  ]
}

function isAtRest({ status }: Agent): boolean {
  return status === 'idle' || status === 'interrupted'
}

function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** The first path at which two values differ. */
function difference(one: unknown, other: unknown, path = ''): string {
  if (isDeepStrictEqual(one, other)) return ''
  const isInner = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  if (!isInner(one) || !isInner(other))
    return `${path}: ${JSON.stringify(one)?.slice(0, 200)} and ${JSON.stringify(other)?.slice(0, 200)}`
  const key =
    [...new Set([...Object.keys(one), ...Object.keys(other)])].find(
      (name) => !isDeepStrictEqual(one[name], other[name]),
    ) ?? ''
  return difference(one[key], other[key], `${path}/${key}`)
}
