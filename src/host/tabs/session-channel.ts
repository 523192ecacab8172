// What the hosts of one session tell each other, tab to tab. For display and requests alone: whoever drives reads the
// store, never the channel. Any script of the origin may write here, so everything is looked at before it is believed.
import type { AgentEvent } from '../../core/data/event.js'
import { isObject } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import { isShownEvent, isShownSession } from '../store/records.js'

/** The part of `BroadcastChannel` that is used, so that Node and tests can bring their own. */
export interface ChannelPort {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  close(): void
}
export type Channels = (name: string) => ChannelPort

/** Undefined where tabs cannot hear each other. */
export function openChannels(): Channels | undefined {
  return typeof BroadcastChannel === 'function' ? (name) => new BroadcastChannel(name) : undefined
}

export type ChannelMessage =
  /** A mirror wants to see the session as it is. */
  | { readonly type: 'hello' }
  | { readonly type: 'snapshot'; readonly session: Session; readonly seq: number }
  | {
      readonly type: 'event'
      readonly epoch: number
      readonly seq: number
      readonly path: readonly CallId[]
      readonly event: AgentEvent
    }
  /** The user of a mirror wants the turn to stop. */
  | { readonly type: 'stop' }
  /**
   * The user of a mirror acts there: the driver releases the session. `keep`: its turn stays as it is, to be continued there.
   * `callId`: the user decides on this call.
   */
  | { readonly type: 'yield'; readonly keep: boolean; readonly callId?: CallId }
  /** The driver does not release the session for this call, because the user has already decided on it in the driver's tab. */
  | { readonly type: 'kept'; readonly callId: CallId }
  | { readonly type: 'deleted' }

/** Posts to the other hosts of the session; `hear` gets what they post, if it is well formed. */
export class SessionChannel {
  readonly #port: ChannelPort | undefined

  constructor(channels: Channels | undefined, id: string, hear: (message: ChannelMessage) => void) {
    try {
      this.#port = channels?.(`tool-agent:${id}`)
    } catch {
      // Where a page may keep nothing, some browsers let it tell other tabs nothing either.
    }
    this.#port?.addEventListener('message', ({ data }) => {
      if (isMessage(data, id)) hear(data)
    })
  }

  post(message: ChannelMessage): void {
    this.#port?.postMessage(message)
  }

  close(): void {
    this.#port?.close()
  }
}

function isMessage(data: unknown, id: string): data is ChannelMessage {
  if (!isObject(data)) return false
  switch (data['type']) {
    case 'hello':
    case 'stop':
    case 'deleted':
      return true
    case 'yield':
      return typeof data['keep'] === 'boolean' && (data['callId'] === undefined || typeof data['callId'] === 'string')
    case 'kept':
      return typeof data['callId'] === 'string'
    case 'snapshot':
      return isShownSession(data['session'], id) && Number.isInteger(data['seq'])
    case 'event':
      return (
        Number.isInteger(data['epoch']) &&
        Number.isInteger(data['seq']) &&
        Array.isArray(data['path']) &&
        data['path'].every((one) => typeof one === 'string') &&
        isShownEvent(data['event'])
      )
    default:
      return false
  }
}
