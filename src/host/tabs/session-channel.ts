// Messages between the hosts of one session in several tabs. They serve display and requests only; a driver always
// reads the store. Any script of the origin can post here, so every message is validated: what a driver reads here,
// what a mirror reads in the mirror.
import type { AgentEvent } from '../../core/data/event.js'
import { isObject } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import { isOptional, isText } from '../store/records.js'

/** The part of `BroadcastChannel` that is used, so that Node and tests can pass their own. */
export interface ChannelPort {
  /** Sends to all other ports of this name. */
  postMessage(message: unknown): void
  /** Calls `listener` with each message of another port of this name, in `data`; never with its own. */
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  /** After it, the port neither sends nor receives. */
  close(): void
}

/** Opens a channel by name, such as `(name) => new BroadcastChannel(name)`. */
export type Channels = (name: string) => ChannelPort

/** Channels over `BroadcastChannel`; undefined if the browser has none. */
export function openChannels(): Channels | undefined {
  return typeof BroadcastChannel === 'function' ? (name) => new BroadcastChannel(name) : undefined
}

/** What hosts post to each other. */
export type ChannelMessage =
  /** A mirror requests a snapshot, and the events after it. */
  | { readonly type: 'hello' }
  /** The driver posts the whole session, when it begins to drive and after each `hello`. */
  | {
      readonly type: 'snapshot'
      /** As the driver's page shows it. */
      readonly session: Session
      /** The number of the newest event in it. */
      readonly seq: number
    }
  /** The driver posts an event. Before the first `hello`, it posts only those that start and end a turn. */
  | {
      readonly type: 'event'
      /** The driver's epoch. With another one than that of the snapshot, the receiver requests a new snapshot. */
      readonly epoch: number
      /** Increases by one with each event of a driver. After a gap the receiver requests a new snapshot. */
      readonly seq: number
      /** Ids of the enclosing agent calls, outermost first; empty for the user's own turn. */
      readonly path: readonly CallId[]
      /** Committed already, if it is durable. */
      readonly event: AgentEvent
    }
  /** The user of a mirror stops the turn. */
  | { readonly type: 'stop' }
  /** The user of a mirror ends what they allowed beyond one call. */
  | { readonly type: 'end-grants' }
  /** The user of a mirror acts there, so the driver must release the session, unless it answers with `kept`. */
  | {
      readonly type: 'yield'
      /** The running turn stays open and continues in the mirror. Otherwise the driver ends it as `interrupted`. */
      readonly keep: boolean
      /** The call that the user decides on in the mirror; absent for any other action. */
      readonly callId?: CallId
    }
  /** The driver keeps the session, because the user has already decided on the call in the driver's tab. */
  | {
      readonly type: 'kept'
      /** The `callId` of the `yield`. */
      readonly callId: CallId
    }
  /** The session was deleted. Receivers check the store. */
  | { readonly type: 'deleted' }

/** Connects a host to the other hosts of a session. Does nothing without `channels`. */
export class SessionChannel {
  readonly #port: ChannelPort | undefined
  #isWatched = false

  /**
   * `onMessage` receives messages with a valid `type` and a valid `yield`. A mirror checks the fields of all others.
   */
  constructor(channels: Channels | undefined, id: string, onMessage: (message: ChannelMessage) => void) {
    try {
      this.#port = channels?.(`tool-agent:${id}`)
    } catch {
      // Some browsers refuse channels to a page that may not store anything. Then tabs do not see each other.
    }
    this.#port?.addEventListener('message', ({ data }) => {
      if (!isMessage(data)) return
      this.#isWatched ||= data.type === 'hello'
      onMessage(data)
    })
  }

  /** Whether another host has sent `hello` since this one opened the channel. */
  get isWatched(): boolean {
    return this.#isWatched
  }

  /** Posts to all other hosts of the session. */
  post(message: ChannelMessage): void {
    this.#port?.postMessage(message)
  }

  /** Must be called when the session is released. */
  close(): void {
    this.#port?.close()
  }
}

/** A driver reads no other field than those of `yield`. A mirror checks the messages of drivers: see `isFromDriver`. */
function isMessage(data: unknown): data is ChannelMessage {
  return (
    isObject(data) &&
    isText(data['type']) &&
    (data['type'] !== 'yield' || (typeof data['keep'] === 'boolean' && isOptional(data['callId'], isText)))
  )
}
