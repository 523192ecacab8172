// The host: whatever thread calls `serve` runs the loop for the page at the other end of the port. The same function
// serves a worker, the page itself and Node; only port, store and model differ. Over 300 lines because what a session
// can become (opened, driven, watched, taken over, lost) is one story, told in one place.
import { abortable } from '../core/turn/abort.js'
import { toErrorValue, toFailure, ToolAgentError, type Failure } from '../core/data/errors.js'
import type { AgentEvent } from '../core/data/event.js'
import { formatId } from '../core/data/ids.js'
import { dropUndefined, fingerprint, isObject } from '../core/data/json.js'
import { allToolCalls, type CallId } from '../core/data/message.js'
import type { ModelAdapter } from '../core/data/model.js'
import { failedResult } from '../core/prompt/tool-result.js'
import {
  protocolVersion,
  type HostConfig,
  type HostMessage,
  type PageMessage,
  type Port,
} from '../core/data/protocol.js'
import { rebuildDraft, recover, resumesByItself } from '../core/state/recover.js'
import { reduce } from '../core/state/reduce.js'
import { emptySession, type Session } from '../core/data/session.js'
import type { Store } from '../core/data/store.js'
import { PageQueries } from './rpc/to-page.js'
import { warmUp } from './models/resolve-model.js'
import { turnModel } from './models/turn-model.js'
import { answerRequest } from './rpc/from-page.js'
import { prune } from './retention.js'
import { Mirror } from './tabs/mirror.js'
import { SessionChannel, type Channels, type ChannelMessage } from './tabs/session-channel.js'
import { lockOrSteal, lockSession, stealSession, type SessionClaim, type Locks } from './tabs/session-lock.js'
import { SessionWriter } from './session-writer.js'
import { Turns } from './turns.js'

export interface ServeOptions {
  /** The model to use whatever the page configures; without it the page's endpoint and provider decide. */
  readonly model?: ModelAdapter
  readonly store: Store | Promise<Store>
  /** `navigator.locks` where there is one. */
  readonly locks?: Locks | undefined
  /** Where hosts of one session meet: `(name) => new BroadcastChannel(name)` where there is one. */
  readonly channels?: Channels | undefined
  /** Milliseconds between two signs of life; none where missing. A thread that is killed says nothing. */
  readonly heartbeat?: number
  /** Milliseconds from a connection that breaks to the question whether the page is still there: a browser that leaves takes as long; 0. */
  readonly leaving?: number
}

/** How many messages a session opens with; older ones are loaded when asked for. */
const windowSize = 200
const lockPatience = 1_000
/** How many drivers a page that acts waits for, one after the other, before it steals the lock. */
const mostDrivers = 3

const deletedElsewhere: Failure = {
  code: 'session-deleted',
  message: 'This session was deleted in another tab. Begin a new one.',
}
const notKept: Failure = {
  code: 'storage',
  message: 'This session can be kept neither in the browser’s storage nor in memory. Begin a new one.',
}

type Open = Extract<PageMessage, { type: 'open' }>
interface Opened {
  readonly writer: SessionWriter
  readonly turns: Turns
  readonly release: () => void
  readonly channel: SessionChannel
}

/** Serves one page over `port`; `closed` resolves when the page has closed it. Listens before its first `await`. */
export function serve(port: Port, options: ServeOptions): { readonly closed: Promise<void> } {
  const post = (message: HostMessage) => port.postMessage(message)
  const asks = new PageQueries(post)
  const report = (error: Failure, turn?: string) => post(dropUndefined({ type: 'error', error, turn }))
  const reportThrown = (thrown: unknown) => report(toFailure(thrown, 'storage'))
  const id = (prefix: string) => `${prefix}${prefix && '_'}${formatId(crypto.getRandomValues(new Uint8Array(16)))}`
  const now = () => Date.now()
  let config: HostConfig | undefined
  let scope = ''
  let opened: Opened | undefined
  // Another tab drives the session, and this page watches.
  let mirror: Mirror | undefined
  let newest: Open | undefined
  // Why nothing can be done in the session any more.
  let gone: Failure | undefined
  let hasSaidWhy = false
  // What pages noted that the store may not know.
  let unsaved: Extract<PageMessage, { type: 'unsaved' }> | undefined
  let disk = Promise.resolve(options.store)
  // Opening waits for lock and store; what needs the session waits for this.
  let opening: Promise<void> = Promise.resolve()
  let finish: () => void = () => undefined
  const closed = new Promise<void>((resolve) => {
    finish = resolve
  })

  // Who waits for a sign of life of the page.
  const doubts = new Set<() => void>()
  const present = (signal: AbortSignal): Promise<void> =>
    abortable(signal, (resolve) => {
      setTimeout(() => {
        doubts.add(resolve)
        post({ type: 'ping' })
      }, options.leaving ?? 0)
    })

  const model = turnModel({
    given: options.model,
    asks,
    config: () => config,
    now,
    show: (event, path) => {
      if (config?.debug) void opened?.writer.emit(event, path).catch(() => undefined)
    },
  })

  /** What memory stood in for can be had: what was said so far moves there, or what is there is shown. */
  const freed = async (later: Promise<Store>): Promise<void> => {
    const store = await later
    opening = opening
      .then(() => {
        disk = later
        if (opened?.writer.stored) return opened.writer.moveTo(store)
        return newest && open(newest)
      })
      .catch(reportThrown)
  }
  void disk.then(({ later }) => later && freed(later)).catch(() => undefined)

  async function open(message: Open): Promise<void> {
    if (message.protocol !== protocolVersion) {
      return report({
        code: 'host-lost',
        message: `The page speaks protocol ${message.protocol}, the worker ${protocolVersion}: reload the page.`,
      })
    }
    await leave('stopped')
    config = message.config
    if (!options.model) warmUp(config)
    scope = message.scope
    newest = message
    gone = undefined
    const store = await disk
    let sessionId = message.sessionId ?? id('session')
    const named = `${sessionId}@${fingerprint(scope)}`
    const [plain, own] = (await Promise.all([store.read(sessionId, 0), store.read(named, 0)])).map(
      (known) => known?.scope,
    )
    // Taken in another scope: this one has a session of its own under the name, and finds it at the next load.
    if (own === scope || (plain ?? scope) !== scope) sessionId = (own ?? scope) === scope ? named : id('session')
    const claim = claimOf(message, sessionId)
    const release = message.mode === 'drive' ? await lockOrSteal(options, claim, lockPatience) : undefined
    if (release === undefined) return watch(store, sessionId)
    await drive(message, store, sessionId, release)
  }

  const claimOf = ({ tab }: Open, sessionId: string): SessionClaim => ({
    id: sessionId,
    tab,
    // Another host took the lock, perhaps while this one was still opening the session.
    onLost: () => {
      opening = opening
        .then(async () => {
          if (opened?.writer.session.id === sessionId) await fencedOff(opened.writer, 'lost-session')
        })
        .catch(reportThrown)
    },
  })

  async function watch(store: Store, sessionId: string, known?: Session): Promise<void> {
    const { locks, channels } = options
    const deleted = () => {
      opening = opening
        .then(async () => {
          if (!(await isGone(sessionId)) || mirror !== mine) return
          report(deletedElsewhere)
          leaveGone(emptySession(sessionId, scope, now()), deletedElsewhere)
        })
        .catch(reportThrown)
    }
    const mine = (mirror = new Mirror({
      id: sessionId,
      scope,
      store,
      channels,
      locks,
      limit: windowSize,
      known,
      post,
      now,
      deleted,
    }))
    await mine.open()
  }

  /** Any script of the origin can say that a session was deleted: the store knows. */
  async function isGone(sessionId: string): Promise<boolean> {
    const store = await disk
    return store.read(sessionId, 0).then(
      (found) => found === undefined,
      () => false,
    )
  }

  /** The session is gone, and is not written again. */
  function leaveGone(session: Session, why: Failure): void {
    mirror?.close()
    mirror = undefined
    gone = why
    post({ type: 'session', session, seq: 0, mode: 'mirror', storage: 'memory', stored: false })
  }

  /**
   * The user of this page acts, so its tools are the ones to run. `callId`: the call that the user decides on; its turn is
   * continued here. False where the user has decided on it in the driver's tab: this page stays a mirror.
   */
  async function takeOver(callId?: CallId): Promise<boolean> {
    if (mirror === undefined || newest === undefined) return true
    const watched = mirror
    const { id: sessionId, shown } = watched
    const { locks } = options
    const claim = claimOf(newest, sessionId)
    let release: (() => void) | undefined
    watched.ask(callId)
    for (
      let drivers = 0, driver = NaN;
      release === undefined && !watched.isKept && driver !== watched.driver && drivers < mostDrivers;
      drivers++
    ) {
      driver = watched.driver
      release = await lockSession(locks, claim, lockPatience)
    }
    watched.stopAsking()
    if (release === undefined && watched.isKept) return false
    // A third tab may be faster by a moment; then this one watches on.
    release ??= locks && (await stealSession(locks, claim).catch(() => undefined))
    if (release === undefined) return true
    watched.close()
    mirror = undefined
    const { left: _left, ...again } = newest
    const store = await disk
    try {
      await drive({ ...again, running: [], outcomes: [] }, store, sessionId, release, callId !== undefined)
    } catch (thrown) {
      if (mirror === undefined && gone === undefined) await watch(store, sessionId, shown)
      throw thrown
    }
    return true
  }

  /** The user acts in another tab. An answer that the user has given here counts: its call is about to run, or has run. */
  async function yieldTo(lost: Opened, { keep, callId }: Extract<ChannelMessage, { type: 'yield' }>): Promise<void> {
    if (opened !== lost) return
    if (callId !== undefined && lost.turns.isDecided(callId)) return lost.channel.post({ type: 'kept', callId })
    opened = undefined
    await lost.turns.stop(keep ? 'closed' : 'interrupted')
    await lost.writer.save()
    lost.channel.close()
    lost.release()
    await watch(await disk, lost.writer.session.id, lost.writer.shown)
  }

  function hear(mine: Opened, message: ChannelMessage): void {
    if (opened !== mine) return
    const { writer, turns, channel } = mine
    if (message.type === 'hello') channel.post({ type: 'snapshot', session: writer.shown, seq: writer.seq })
    else if (message.type === 'stop') void turns.stop()
    else if (message.type === 'yield') opening = opening.then(() => yieldTo(mine, message)).catch(reportThrown)
    else if (message.type === 'deleted')
      opening = opening
        .then(async () => {
          if (writer.stored && (await isGone(writer.session.id))) await fencedOff(writer, 'session-deleted')
        })
        .catch(reportThrown)
  }

  /** Drives the session for as long as it has the lock; a session that cannot be driven lets the lock go. */
  async function drive(
    message: Open,
    store: Store,
    sessionId: string,
    release: () => void,
    keep?: boolean,
  ): Promise<void> {
    try {
      await begin(message, store, sessionId, release, keep)
    } catch (thrown) {
      const { code } = toFailure(thrown, 'storage')
      // What the page was shown already is taken back.
      if (opened)
        await fencedOff(opened.writer, code === 'lost-session' || code === 'session-deleted' ? code : 'storage')
      else release()
      throw thrown
    }
  }

  async function begin(
    message: Open,
    store: Store,
    sessionId: string,
    release: () => void,
    keep: boolean | undefined,
  ): Promise<void> {
    let full: Failure | undefined
    const claimed = await store.claim(sessionId, windowSize).catch(async (thrown: unknown) => {
      full = toFailure(thrown, 'storage')
      if (full.code !== 'storage') throw thrown
      // A claim is written; on a full disk what there is can still be read, and what there is not can be begun.
      const session = await store.read(sessionId, windowSize)
      return { epoch: session?.epoch ?? 1, session }
    })
    const session = {
      ...(claimed.session ?? emptySession(sessionId, scope, now(), message.toolContext)),
      epoch: claimed.epoch,
    }
    let isNew = claimed.session === undefined
    const tidy = () => {
      const { retention } = config ?? {}
      if (retention) void prune(store, options, scope, retention, sessionId, now()).catch(reportThrown)
    }
    const writer = new SessionWriter(session, claimed.session !== undefined, store, now, (seq, path, event) => {
      if (isNew && writer.stored) {
        isNew = false
        tidy() // It counts from its first commit on.
      }
      post({ type: 'event', seq, path, event })
      channel.post({ type: 'event', epoch: writer.session.epoch, seq, path, event })
    })
    const channel: SessionChannel = new SessionChannel(options.channels, sessionId, (heard) => hear(mine, heard))
    const host = {
      writer,
      asks,
      tab: message.tab,
      config: () => currentConfig(),
      model,
      now,
      id,
      present,
      report: (error: Failure, turn?: string) => {
        const { code } = error
        // Who sent it hears of it with the end of the turn.
        if (code === 'session-deleted' && turn !== undefined && writer.session.turn?.id === turn)
          showEnd(writer, deletedElsewhere)
        else report(error, turn)
        if (code === 'lost-session' || code === 'session-deleted' || code === 'storage') {
          opening = opening.then(() => fencedOff(writer, code)).catch(reportThrown)
        }
      },
    }
    if (full) await writer.standIn()
    const turns = new Turns(host, message.running, message.outcomes)
    const mine = (opened = { writer, turns, release, channel })
    channel.post({ type: 'snapshot', session, seq: writer.seq })
    post({
      type: 'session',
      session,
      seq: writer.seq,
      mode: 'drive',
      storage: writer.store.kind,
      stored: writer.stored,
    })
    const failure = full ?? (hasSaidWhy ? undefined : store.failure)
    if (failure) report(failure)
    hasSaidWhy = true
    // Whoever takes over has said what becomes of the turn, in a duplicated tab too, whose id is the driver's.
    // Nobody here steps through a turn that was stepped through elsewhere.
    const goOn =
      session.turn?.mode !== 'manual' && (keep ?? resumesByItself(session, message.config.resume, message.tab, now()))
    const known = turns.known()
    const left = message.left && { ...message.left, boundary: id('') }
    for (const event of rebuildDraft(session, unsaved?.sessionId === sessionId ? unsaved.calls : [], now(), id('msg')))
      await writer.emit(event)
    for (const { event, path } of recover(writer.session, { at: now(), goOn, known, left }))
      await writer.emit(event, path)
    const context = isNew ? Object.entries(session.context).map(([key, value]) => dropUndefined({ key, value })) : []
    if (context.length > 0) await writer.emit({ type: 'context-change', at: now(), context })
    if (goOn && writer.session.turn) turns.resume(writer.session.turn)
    tidy()
  }

  /** Another tab took the session or deleted it, or nothing can be written: this page may only look at what there is. */
  async function fencedOff(writer: SessionWriter, code: 'lost-session' | 'session-deleted' | 'storage'): Promise<void> {
    const lost = opened
    if (lost?.writer !== writer) return
    opened = undefined
    void lost.turns.stop('closed')
    lost.channel.close()
    lost.release()
    if (code === 'lost-session') return watch(await disk, writer.session.id, writer.shown)
    const why = code === 'storage' ? notKept : deletedElsewhere
    showEnd(writer, why)
    const { turn: _turn, draft: _draft, ...rest } = writer.shown
    if (code === 'session-deleted') report(why)
    leaveGone({ ...rest, status: 'idle' }, why)
  }

  /** The turn of a session that cannot be written any more comes to its end for the page, and nowhere else. */
  function showEnd(writer: SessionWriter, error: Failure): void {
    const { turn, messages } = writer.session
    if (turn === undefined) return
    const at = now()
    const show = (event: AgentEvent, path: readonly CallId[] = []) => {
      post({ type: 'event', seq: ++writer.seq, path, event })
      writer.session = reduce(writer.session, event, path)
    }
    for (const { part, path } of allToolCalls(messages)) {
      if (part.result === undefined)
        show(
          {
            type: 'tool-result',
            at,
            callId: part.call.id,
            result: failedResult({ code: 'interrupted', message: error.message }, at),
          },
          path,
        )
    }
    show({ type: 'turn-end', at, turn: turn.id, reason: 'error', error })
    // What is wrong is said beside it.
    const { end: _end, ...session } = writer.session
    writer.session = session
  }

  function currentConfig(): HostConfig {
    if (config === undefined) throw new ToolAgentError('not-open', 'No session is open')
    return config
  }

  async function leave(kind: 'stopped' | 'closed'): Promise<void> {
    const leaving = opened
    opened = undefined
    mirror?.close()
    mirror = undefined
    if (leaving === undefined) return
    await leaving.turns.stop(kind)
    await leaving.writer.save()
    leaving.channel.close()
    leaving.release()
  }

  async function close(): Promise<void> {
    asks.close()
    clearInterval(beat)
    await leave('closed')
    // A store that was never opened must not keep the page waiting; its failure was reported when the session opened.
    await disk.then((store) => store.close()).catch(() => undefined)
    port.removeEventListener('message', listen)
    post({ type: 'closed' })
    port.close?.()
    finish()
  }

  /** Runs what needs the opened session once it is there; without one the page is told why nothing happened. */
  function whenOpen(run: (opened: Opened) => void, turn?: string): void {
    void opening.then(() => ifOpen(run, turn))
  }

  function ifOpen(run: (opened: Opened) => void, turn?: string): void {
    if (opened) run(opened)
    else report(whyNot(), turn)
  }

  function whyNot(): Failure {
    return (
      gone ?? {
        code: 'lost-session',
        message: 'This session is open in another tab. Go on there, or begin a new session here.',
      }
    )
  }

  /** Rejects where this page does not drive in the end. */
  async function driveHere(): Promise<void> {
    const taken = opening.then(() => takeOver())
    opening = taken.then(() => undefined, reportThrown)
    await taken
    if (!opened) throw toErrorValue(whyNot())
  }

  /** The user acts: a page that only watched becomes the one that drives. `callId`: the call that the user decides on. */
  function act(run: (opened: Opened) => void, turn?: string, callId?: CallId): void {
    let mayRun = false
    opening = opening
      .then(async () => {
        mayRun = await takeOver(callId)
      })
      .catch((thrown: unknown) => report(toFailure(thrown, 'storage'), turn))
    void opening.then(() => {
      if (mayRun) ifOpen(run, turn)
    })
  }

  function receive(message: PageMessage): void {
    switch (message.type) {
      case 'open':
        opening = opening.then(() => open(message)).catch(reportThrown)
        return
      case 'unsaved':
        unsaved = message
        return
      case 'configure':
        config = message.config
        if (!options.model) warmUp(config)
        return
      case 'send':
        return act(({ turns }) => turns.send(message), message.turn)
      case 'control':
        if (message.do === 'close') void opening.then(close)
        else if (message.do === 'continue')
          act(({ turns }) => turns.continue(message.turn, message.facts), message.turn)
        else if (message.do === 'drop') whenOpen(({ turns }) => turns.drop(message.turn), message.turn)
        else if (message.do === 'next') whenOpen(({ turns }) => turns.proceed())
        else if (message.do === 'stop') void opening.then(() => (opened ? opened.turns.stop() : mirror?.stop()))
        return
      case 'decide':
        return act(({ turns }) => turns.decide(message), undefined, message.callId)
      case 'answer':
        return asks.answer(
          message.ask,
          message.error === undefined ? { value: message.value } : { error: message.error },
        )
      case 'progress':
        return asks.progress(message.ask, message.value)
      case 'outcome':
        return void opening.then(() => opened?.turns.outcome(message.outcome))
      case 'remember':
        // A write that fails was reported by the writer's own turn or storage event.
        return whenOpen(
          ({ writer }) =>
            void writer.emit({ type: 'context-change', at: now(), context: message.context }).catch(reportThrown),
        )
      case 'request':
        void (
          message.what === 'take-over'
            ? driveHere()
            : opening.then(async () =>
                answerRequest(message, {
                  store: opened?.writer.store ?? (await disk),
                  disk: await disk,
                  writer: opened?.writer,
                  watched: mirror?.id,
                  scope,
                  locks: options.locks,
                  channels: options.channels,
                  now,
                }),
              )
        ).then(
          (value) => post({ type: 'reply', id: message.id, value: value ?? null }),
          (thrown: unknown) => post({ type: 'reply', id: message.id, error: toFailure(thrown, 'storage') }),
        )
        return
      case 'run':
        return whenOpen(({ turns }) => turns.order(message.callId, { do: 'run' }))
      case 'settle':
        return whenOpen(({ turns }) => turns.order(message.outcome.callId, { do: 'settle', outcome: message.outcome }))
      case 'pong':
        for (const hear of doubts) hear()
        return doubts.clear()
    }
  }

  function listen(event: { data: unknown }): void {
    // The port is private to the page that made it; what is not of the protocol is dropped, not trusted.
    if (isObject(event.data) && typeof event.data['type'] === 'string') receive(event.data as unknown as PageMessage)
  }
  port.addEventListener('message', listen)
  port.start?.()
  const beat =
    options.heartbeat === undefined ? undefined : setInterval(() => post({ type: 'ping' }), options.heartbeat)
  post({ type: 'ready', protocol: protocolVersion })
  return { closed }
}
