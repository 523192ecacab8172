// The front of a server: its settings, its sockets by user, and how a socket begins and ends. It imports nothing of
// Node and no package for sockets: the author opens them, as they open the database.
import { ToolAgentError } from '../core/data/errors.js'
import { formatId } from '../core/data/ids.js'
import type { CallId, Reason } from '../core/data/message.js'
import { agentProvider, type ModelAdapter } from '../core/data/model.js'
import type { HostConfig } from '../core/data/protocol.js'
import { defaultLimits, defaultReminder, type Limits, type ToolContext } from '../core/data/tool.js'
import type { Cluster } from '../core/state/cluster.js'
import type { Store } from '../core/state/store.js'
import type { AnyTool } from '../page/tools/tool.js'
import type { Link, Notice } from './cluster/links.js'
import { Member } from './cluster/member.js'
import { Connection } from './connection.js'
import { withoutServerErrors } from './model-errors.js'
import { closeCodes } from './protocol/server-messages.js'
import { Budget, type BeforeTurn } from './sessions/budget.js'
import { Sessions } from './sessions/sessions.js'
import type { SocketLike } from './socket.js'
import { toolList, type ToolUser } from './tools/tool-list.js'

/** What a server does for all its users. */
export interface SessionServerOptions {
  /**
   * Where conversations are: `sqliteStore(…)`, `postgresStore(…)`, or an object with this method. With `cluster`,
   * several processes may serve the same users; without, it must be one.
   */
  readonly store: { forUser(user: string): Store; readonly cluster?: Cluster }
  /** The model. A page has no word in it. */
  readonly model: ModelAdapter
  /** The name of the model, which the adapter gets with each request. @default '' */
  readonly modelName?: string
  /** The author's part of the system text. @default '' */
  readonly instructions?: string
  /**
   * Tools that run on the server, for all its users, beside those of the page. A tool of the page with the name of one
   * of them is left out. @default none
   */
  readonly tools?: readonly AnyTool[]
  /**
   * What these tools get as their tool context, beside `user`, the id of the user. Called before each check and each
   * run of a call. What pages store does not get there, and this does not get to a page. @default `user` alone
   */
  readonly toolContext?: (who: ToolUser) => ToolContext
  /** Limits of turns, and of a server. Those that are not set keep their defaults. */
  readonly limits?: Partial<Limits & ServerLimits>
  /** What the author decides and learns about the turns of users. @default none */
  readonly hooks?: SessionServerHooks
}

/** Limits of a server. */
export interface ServerLimits {
  /** Milliseconds that a turn waits for a page whose socket is closed. Then it goes on without it. @default 30000 */
  readonly pageWait: number
  /** Sockets of one user at a time. Another one is closed with 4429. @default 20 */
  readonly sockets: number
  /** Milliseconds between two pings. A socket that is silent for twice as long is closed. @default 30000 */
  readonly heartbeat: number
  /** Bytes of one uploaded file. @default 5000000 */
  readonly fileBytes: number
  /**
   * Bytes of all files of one user. They count until their conversation is deleted, and those that were never sent for
   * a day. @default 200000000
   */
  readonly userFileBytes: number
  /** Milliseconds that a file may need to arrive. @default 120000 */
  readonly uploadTime: number
  /**
   * Characters of an imported conversation as JSON, without its files. A user may import up to eight times as many in a
   * day. 0: no conversation is imported. @default 8000000
   */
  readonly importChars: number
}

/** What a server asks and tells its author. What `onEnd` and `onQuestion` throw, nobody catches. */
export interface SessionServerHooks {
  /**
   * Called before each turn, also before one whose message has waited; not before one that is resumed. A text refuses
   * the turn: the page shows it, and the message is as if it had not been sent. If it throws, the turn is refused in
   * general words. `used` counts from the start of the process; to count by the day or over several processes, store
   * `used` and compare. @default each turn starts
   */
  readonly beforeTurn?: BeforeTurn
  /** A turn of a session has ended. */
  readonly onEnd?: (end: { user: string; session: string; reason: Reason }) => void
  /** A call waits for the decision of the user. */
  readonly onQuestion?: (question: { user: string; session: string; callId: CallId }) => void
}

/** Who is at the other end of a socket. */
export interface SocketUser {
  /** The id that the sign-in of the author knows. Never a name that a page has sent. */
  readonly user: string
  /** When the sign-in must be checked again, in milliseconds since the epoch. The socket is then closed with 4401. */
  readonly expires?: number
}

const serverLimits: ServerLimits = {
  pageWait: 30_000,
  sockets: 20,
  heartbeat: 30_000,
  fileBytes: 5_000_000,
  userFileBytes: 200_000_000,
  uploadTime: 120_000,
  importChars: 8_000_000,
}
/** Uploads of one user at a time. A page sends one after another. */
const mostUploads = 4
/** Milliseconds that a file is kept that no message has. */
const unsentTime = 86_400_000
/** Characters of so many bytes in base64. */
const charsOf = (bytes: number): number => Math.ceil(bytes / 3) * 4

/** Serves the conversations of users to their pages. One for each store and process. */
export class SessionServer {
  /** @internal For `uploadHandler`. */
  readonly uploadLimits: Pick<ServerLimits, 'fileBytes' | 'uploadTime'>
  readonly #store: SessionServerOptions['store']
  readonly #limits: Limits & ServerLimits
  readonly #sessions: Sessions
  readonly #member: Member | undefined
  readonly #users = new Map<string, { readonly store: Store; readonly sockets: Set<Connection> }>()
  readonly #uploads = new Map<string, Set<AbortController>>()
  // Of each request whose user is asked for: the users that were closed meanwhile.
  readonly #signIns = new Set<Set<string>>()
  #isClosed = false

  /** @throws {ToolAgentError} `invalid-tool` or `duplicate-tool` for a tool that cannot be offered */
  constructor(options: SessionServerOptions) {
    const { store, model, modelName = '', instructions = '', limits = {}, hooks = {} } = options
    const tools = toolList(options.tools, options.toolContext)
    this.#store = store
    this.#limits = this.uploadLimits = { ...defaultLimits, ...serverLimits, ...limits }
    const { pageWait, sockets: _sockets, heartbeat: _heartbeat, ...others } = this.#limits
    const {
      fileBytes: _fileBytes,
      userFileBytes: _userFileBytes,
      uploadTime: _uploadTime,
      importChars,
      ...turns
    } = others
    const { beforeTurn, onEnd, onQuestion } = hooks
    const budget = new Budget(beforeTurn)
    const config = configOf(modelName, instructions, turns, model.ownsRuns === true)
    const { cluster } = store
    this.#member =
      cluster &&
      new Member({
        cluster,
        accept: (link, user) => this.#accept(link, user),
        noticed: (notice) => this.#noticed(notice),
        lost: () => this.#sessions.lost(),
        adopt: ({ user, session }) => this.#sessions.adopt({ user, id: session, store: this.#storeOf(user) }),
      })
    const turnSettings = { model: withoutServerErrors(model), config, tools, pageWait, budget, onEnd, onQuestion }
    this.#sessions = new Sessions({ ...turnSettings, importChars }, this.#member)
  }

  /**
   * Serves one open socket of a user.
   * @throws ToolAgentError `invalid-option` without a user, so that a forgotten one is not one whom everybody shares
   */
  serveSocket(socket: SocketLike, who: SocketUser): void {
    // First, because a socket without it ends the process when its page sends what cannot be read.
    socket.addEventListener('error', () => undefined)
    const { user, expires } = who
    if (typeof user !== 'string' || user === '')
      throw new ToolAgentError('invalid-option', `serveSocket expected the id of a user, received ${String(user)}.`)
    if (this.#isClosed) return socket.close(closeCodes.restarts)
    const own = [...(this.#users.get(user)?.sockets ?? [])].filter(({ isLink }) => !isLink)
    if (own.length >= this.#limits.sockets) return socket.close(closeCodes.tooMany)
    let timer: ReturnType<typeof setTimeout> | undefined
    const connection = this.#connect(socket, user, {
      heartbeat: this.#limits.heartbeat,
      ended: () => clearTimeout(timer),
    })
    const end = () => connection.close(closeCodes.unauthorized)
    if (expires !== undefined) timer = untilTime(expires, end, (next) => (timer = next))
  }

  /** Another process has a page whose session is open here. That process has counted the socket. */
  #accept(link: Link, user: string): void {
    if (this.#isClosed) link.close(closeCodes.restarts)
    else this.#connect(link, user, { ended: () => undefined })
  }

  #connect(
    socket: SocketLike,
    user: string,
    { heartbeat, ended }: { readonly heartbeat?: number; readonly ended: () => void },
  ): Connection {
    const own = this.#users.get(user) ?? { store: this.#store.forUser(user), sockets: new Set() }
    this.#users.set(user, own)
    const connection = new Connection(socket, {
      user,
      sessions: this.#sessions,
      store: own.store,
      member: this.#member,
      ...(heartbeat === undefined ? {} : { heartbeat }),
      closed: (one) => {
        ended()
        own.sockets.delete(one)
        if (own.sockets.size === 0) this.#users.delete(user)
      },
    })
    own.sockets.add(connection)
    return connection
  }

  #noticed(notice: Notice): void {
    if (notice.type === 'deleted') this.#sessions.deleted(notice.user, notice.sessions)
    else this.#closeUser(notice.user)
  }

  #storeOf(user: string): Store {
    return this.#users.get(user)?.store ?? this.#store.forUser(user)
  }

  /**
   * Keeps a file for a message of this user, and resolves with its id. `uploadHandler` calls it; call it yourself only
   * for uploads that you read in another way, after the same checks. `data`: the content in base64.
   * @throws ToolAgentError `invalid-option` without a user, or for a store that keeps no files; `request-too-large` for
   * a file that is too large, or for which the user has no room
   */
  async keepFile(user: string, file: { readonly mediaType: string; readonly data: string }): Promise<string> {
    const { mediaType, data } = file
    if (typeof user !== 'string' || user === '')
      throw new ToolAgentError('invalid-option', `keepFile expected the id of a user, received ${String(user)}.`)
    if (this.#isClosed) throw new ToolAgentError('host-lost', 'The server closes. Send the file again.')
    const { fileBytes, userFileBytes } = this.#limits
    if (data.length > charsOf(fileBytes))
      throw new ToolAgentError('request-too-large', `A file of more than ${fileBytes} bytes is not taken.`)
    const { files } = this.#storeOf(user)
    if (files === undefined) throw new ToolAgentError('invalid-option', 'The store of this server keeps no files.')
    const id = `file_${formatId(crypto.getRandomValues(new Uint8Array(16)))}`
    await files.add({ id, mediaType, data }, { most: charsOf(userFileBytes), before: Date.now() - unsentTime })
    return id
  }

  /**
   * @internal For handlers of requests: asks who sends one, and runs `work` with the answer. It is undefined also for a
   * user whom `closeUser` named meanwhile, because the answer may be of the time before.
   */
  async whenSignedIn<T>(
    authenticate: () => SocketUser | undefined | Promise<SocketUser | undefined>,
    work: (who: SocketUser | undefined) => T | Promise<T>,
  ): Promise<T> {
    const closed = new Set<string>()
    this.#signIns.add(closed)
    let who: SocketUser | undefined
    try {
      who = await authenticate()
    } finally {
      this.#signIns.delete(closed)
    }
    // At once, so that nobody closes the user in between. It may be null, or what else says that there is none.
    return work(who && !closed.has(who.user) ? who : undefined)
  }

  /**
   * @internal For `uploadHandler`: runs an upload of a user, whose signal `closeUser` aborts. Undefined, and not run,
   * if too many of them run.
   */
  whileUploading<T>(user: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> | undefined {
    const own = this.#uploads.get(user) ?? new Set()
    if (own.size >= mostUploads) return undefined
    const controller = new AbortController()
    this.#uploads.set(user, own.add(controller))
    return work(controller.signal).finally(() => {
      own.delete(controller)
      if (own.size === 0) this.#uploads.delete(user)
    })
  }

  /**
   * Closes the sockets of a user with 4401, such as at a logout, and refuses the files that are on their way, also
   * those whose `authenticate` has not answered; in other processes of a cluster within a second. End the sign-in
   * first. Turns that run go on.
   */
  closeUser(user: string): void {
    this.#closeUser(user)
    this.#member?.tell({ type: 'close-user', user })
  }

  #closeUser(user: string): void {
    for (const closed of this.#signIns) closed.add(user)
    for (const upload of this.#uploads.get(user) ?? []) upload.abort()
    for (const connection of this.#users.get(user)?.sockets ?? []) connection.close(closeCodes.unauthorized)
  }

  /**
   * Stores what is open and closes all sockets. Turns that run go on in another process of the cluster; without one,
   * when their sessions are opened again.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    // First, so that nobody opens a session or is told about what ends here.
    const all = [...this.#users.values()].flatMap(({ sockets }) => [...sockets])
    for (const connection of all) connection.close(closeCodes.restarts)
    await this.#sessions.close()
    await this.#member?.close()
  }
}

/** The longest time of a timer. */
const longest = 2_147_483_647

/** Runs `work` at a time, which may be further away than a timer can wait. */
function untilTime(
  time: number,
  work: () => void,
  renewed: (timer: ReturnType<typeof setTimeout>) => void,
): ReturnType<typeof setTimeout> {
  const left = time - Date.now()
  // A time that is not a number has passed: it must not be one that never comes.
  if (!(left > longest)) return setTimeout(work, Math.max(0, left || 0))
  return setTimeout(() => renewed(untilTime(time, work, renewed)), longest)
}

/** What the turns of a server run with. Nothing of it comes from a page. */
function configOf(model: string, instructions: string, limits: Limits, isRun: boolean): HostConfig {
  return {
    model,
    provider: isRun ? agentProvider : '',
    pageModel: false,
    responseFormat: false,
    instructions,
    limits,
    todo: defaultReminder,
    stream: true,
    credentials: 'same-origin',
    resume: 'auto',
    contextWindow: {},
    hooks: { beforeModel: false, headers: false, stopWhen: false },
    debug: false,
  }
}
