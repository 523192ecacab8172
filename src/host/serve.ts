// The host: whatever thread calls `serve` runs the loop for the page at the other end of the port. The same function
// serves a worker, the page itself and Node; only port, store and model differ.
import { failureOf, ToolAgentError, type Failure } from '../core/errors.js'
import { idFrom } from '../core/ids.js'
import { defined, isObject, type JsonValue } from '../core/json.js'
import type { TurnDeps } from '../core/deps.js'
import type { ModelAdapter } from '../core/model.js'
import { protocolVersion, type HostConfig, type HostMessage, type PageMessage, type Port } from '../core/protocol.js'
import { recover, resumesByItself } from '../core/recover.js'
import { emptySession } from '../core/session.js'
import type { Store } from '../core/store.js'
import { Asks } from './asks.js'
import { modelFor, textProtocolFile, warmUp } from './models/factory.js'
import { pageModel } from './models/page.js'
import { answerRequest } from './requests.js'
import { lockSession, type Locks } from './session-lock.js'
import { SessionWriter } from './session-writer.js'
import { Turns } from './turns.js'

export interface ServeOptions {
  /** The model to use whatever the page configures; without it the page's endpoint and provider decide. */
  readonly model?: ModelAdapter
  readonly store: Store | Promise<Store>
  /** `navigator.locks` where there is one. */
  readonly locks?: Locks | undefined
}

/** How many messages a session opens with; older ones are loaded when asked for. */
const windowSize = 200
const lockPatience = 1_000

type Open = Extract<PageMessage, { type: 'open' }>
interface Opened {
  readonly writer: SessionWriter
  readonly turns: Turns
  readonly release: () => void
}

/** Serves one page over `port`; `closed` resolves when the page has closed it. Listens before its first `await`. */
export function serve(port: Port, options: ServeOptions): { readonly closed: Promise<void> } {
  const post = (message: HostMessage) => port.postMessage(message)
  const asks = new Asks(post)
  const report = (error: Failure, turn?: string) => post(defined({ type: 'error', error, turn }))
  const reportThrown = (thrown: unknown) => report(failureOf(thrown, 'storage'))
  const id = (prefix: string) => `${prefix}${prefix && '_'}${idFrom(crypto.getRandomValues(new Uint8Array(16)))}`
  const now = () => Date.now()
  let config: HostConfig | undefined
  let scope = ''
  let opened: Opened | undefined
  // Opening waits for lock and store; what needs the session waits for this.
  let opening: Promise<void> = Promise.resolve()
  let finish: () => void = () => undefined
  const closed = new Promise<void>((resolve) => { finish = resolve })

  const model: TurnDeps['model'] = async (call, path) => {
    const protocol = config?.textProtocol
    if (!protocol) return plainModel(call, path)
    const { textRequest, withTextProtocol } = await textProtocolFile(currentConfig())
    return withTextProtocol(await plainModel({ ...call, request: textRequest(call.request, protocol) }, path), protocol)
  }
  const plainModel: TurnDeps['model'] = async ({ step, attempt, request }, path) => {
    if (options.model) return options.model
    if (config === undefined) throw new ToolAgentError('no-endpoint', 'No page has configured a model')
    const { debug, hooks } = config
    // Transient, and awaited by nobody: a lost debug line must not fail a step.
    const show = (event: Parameters<TurnDeps['emit']>[0]) => { if (debug) void opened?.writer.emit(event, path).catch(() => undefined) }
    const onResponse = (body: JsonValue) => show({ type: 'step-response', at: now(), step, attempt, body })
    if (config.pageModel) {
      show({ type: 'step-request', at: now(), step, attempt, request })
      return pageModel((signal, onPart) => asks.ask({ type: 'model', request }, signal, onPart, path), debug ? onResponse : undefined)
    }
    return modelFor(config, {
      headers: async (reason) => (hooks.headers ? asks.ask({ type: 'headers', reason }, new AbortController().signal) : {}),
      ...(debug ? { onRequest: (body: JsonValue) => show({ type: 'step-request', at: now(), step, attempt, request, body }), onResponse } : {}),
    })
  }

  async function open(message: Open): Promise<void> {
    if (message.protocol !== protocolVersion) {
      return report({ code: 'host-lost', message: `The page speaks protocol ${message.protocol}, the worker ${protocolVersion}: reload the page.` })
    }
    await leave('stopped')
    config = message.config
    if (!options.model) warmUp(config)
    scope = message.scope
    const store = await options.store
    let sessionId = message.sessionId ?? id('session')
    const known = await store.read(sessionId, 0)
    const isForeign = known !== undefined && known.scope !== scope
    if (isForeign) sessionId = id('session')
    const release = message.mode === 'drive' ? await lockSession(options.locks, sessionId, lockPatience) : undefined
    if (release === undefined) {
      const session = (await store.read(sessionId, windowSize)) ?? emptySession(sessionId, scope, now())
      return post({ type: 'session', session, seq: 0, mode: 'mirror', storage: store.kind, stored: known !== undefined })
    }
    try {
      await drive(message, store, sessionId, release)
      if (isForeign) report({ code: 'invalid-option', message: `The session '${message.sessionId}' belongs to another scope, so a new one was begun.` })
    } catch (thrown) {
      opened = undefined
      release()
      throw thrown
    }
  }

  async function drive(message: Open, store: Store, sessionId: string, release: () => void): Promise<void> {
    const claimed = await store.claim(sessionId, windowSize)
    const session = { ...(claimed.session ?? emptySession(sessionId, scope, now(), message.toolContext)), epoch: claimed.epoch }
    const writer = new SessionWriter(session, claimed.session !== undefined, store, now, (seq, path, event) => post({ type: 'event', seq, path, event }))
    const host = {
      writer, asks, tab: message.tab, config: () => currentConfig(), model, now, id,
      report: (error: Failure, turn?: string) => {
        report(error, turn)
        const { code } = error
        if (code === 'lost-session' || code === 'session-deleted' || code === 'storage') {
          opening = opening.then(() => fencedOff(writer, store, code)).catch(reportThrown)
        }
      },
    }
    const turns = new Turns(host, message.running, message.outcomes)
    opened = { writer, turns, release }
    post({ type: 'session', session, seq: writer.seq, mode: 'drive', storage: store.kind, stored: writer.stored })
    const goOn = resumesByItself(session, message.config.resume, message.tab, now())
    const known = turns.known()
    for (const { event, path } of recover(session, { at: now(), goOn, known })) await writer.emit(event, path)
    if (goOn && writer.session.turn) turns.resume(writer.session.turn)
  }

  /** Another tab took the session or deleted it, or nothing can be written: this page may only look at what there is. */
  async function fencedOff(writer: SessionWriter, store: Store, code: 'lost-session' | 'session-deleted' | 'storage'): Promise<void> {
    const lost = opened
    if (lost?.writer !== writer) return
    opened = undefined
    lost.release()
    const { turn: _turn, draft: _draft, ...rest } = lost.writer.session
    const session = (code === 'lost-session' ? await store.read(rest.id, windowSize) : undefined) ?? { ...rest, status: 'idle' }
    post({ type: 'session', session, seq: 0, mode: 'mirror', storage: store.kind, stored: code === 'lost-session' })
  }

  function currentConfig(): HostConfig {
    if (config === undefined) throw new ToolAgentError('closed', 'No session is open')
    return config
  }

  async function leave(kind: 'stopped' | 'closed'): Promise<void> {
    const leaving = opened
    opened = undefined
    if (leaving === undefined) return
    await leaving.turns.stop(kind)
    await leaving.writer.settled()
    leaving.release()
  }

  async function close(): Promise<void> {
    asks.close()
    await leave('closed')
    const store = await options.store
    store.close()
    port.removeEventListener('message', listen)
    port.close?.()
    finish()
  }

  /** Runs what needs the opened session once it is there; without one the page is told why nothing happened. */
  function whenOpen(run: (opened: Opened) => void, turn?: string): void {
    void opening.then(() => {
      if (opened) run(opened)
      else report({ code: 'lost-session', message: 'This session is open in another tab. Go on there, or begin a new session here.' }, turn)
    })
  }

  function receive(message: PageMessage): void {
    switch (message.type) {
      case 'open':
        opening = opening.then(() => open(message)).catch(reportThrown)
        return
      case 'configure':
        config = message.config
        if (!options.model) warmUp(config)
        return
      case 'send':
        return whenOpen(({ turns }) => turns.send(message), message.turn)
      case 'control':
        if (message.do === 'close') void opening.then(close)
        else if (message.do === 'continue') whenOpen(({ turns }) => turns.continue(message.turn, message.facts), message.turn)
        else if (message.do === 'drop') whenOpen(({ turns }) => turns.drop(message.turn), message.turn)
        else if (message.do === 'next') whenOpen(({ turns }) => turns.proceed())
        else if (message.do === 'stop') void opening.then(() => opened?.turns.stop())
        return
      case 'decide':
        return whenOpen(({ turns }) => turns.decide(message))
      case 'answer':
        return asks.answer(message.ask, message.error === undefined ? { value: message.value } : { error: message.error })
      case 'progress':
        return asks.progress(message.ask, message.value)
      case 'outcome':
        return whenOpen(({ turns }) => turns.outcome(message.outcome))
      case 'remember':
        // A write that fails was reported by the writer's own turn or storage event.
        return whenOpen(({ writer }) => void writer.emit({ type: 'context-change', at: now(), context: message.context }).catch(reportThrown))
      case 'request':
        void opening.then(async () => answerRequest(message, { store: opened?.writer.store ?? await options.store, writer: opened?.writer, scope, locks: options.locks, now })).then(
          (value) => post({ type: 'reply', id: message.id, value: value ?? null }),
          (thrown: unknown) => post({ type: 'reply', id: message.id, error: failureOf(thrown, 'storage') }),
        )
        return
      case 'run':
        return whenOpen(({ turns }) => turns.order(message.callId, { do: 'run' }))
      case 'settle':
        return whenOpen(({ turns }) => turns.order(message.outcome.callId, { do: 'settle', outcome: message.outcome }))
      case 'pong':
        return
    }
  }

  function listen(event: { data: unknown }): void {
    // The port is private to the page that made it; what is not of the protocol is dropped, not trusted.
    if (isObject(event.data) && typeof event.data['type'] === 'string') receive(event.data as unknown as PageMessage)
  }
  port.addEventListener('message', listen)
  port.start?.()
  post({ type: 'ready', protocol: protocolVersion })
  return { closed }
}
