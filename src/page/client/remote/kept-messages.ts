// The messages of a page that a server has not acknowledged, in their order. They are said again over the next socket:
// the server knows them by their ids. What stops a turn is kept until the turn has ended, because nobody acknowledges
// it, and must not stop the next one.
import type { GuestInput } from '../../../server/protocol/guest-messages.js'

type Kind = GuestInput['type']

/** A message that may have to be said again. */
interface KeptMessage {
  readonly message: GuestInput
  /** The turn that it is about. Of what stops a turn: it counts only while this one runs. */
  readonly turn: string | undefined
  /** It was sent over any socket, so the server may have it. */
  wasSent: boolean
  /** It was sent over this socket. */
  isSent: boolean
  /** Of a message of the user: they do not want it any more. */
  isStopped: boolean
}

const starts = ({ type }: GuestInput): boolean => type === 'send' || type === 'continue'
const stops = ({ type }: GuestInput): boolean => type === 'stop' || type === 'drop'

/** The messages that are kept. */
export class KeptMessages {
  #all: KeptMessage[] = []

  /** Whether something is neither acknowledged nor known to have no effect. */
  get isEmpty(): boolean {
    return this.#all.length === 0
  }

  /** Keeps a message. An offer replaces an earlier one of its turn. */
  add(message: GuestInput, turn?: string): void {
    if (message.type === 'offer') this.#remove((one) => one.message.type === 'offer' && one.turn === turn)
    this.#all.push({ message, turn, wasSent: false, isSent: false, isStopped: false })
  }

  /** Sends what was not sent over this socket. */
  flush(send: (message: GuestInput) => void): void {
    for (const one of this.#all) {
      if (one.isSent) continue
      one.isSent = one.wasSent = true
      send(one.message)
    }
  }

  /** The message with an id that the server repeats. Takes it out, with those before it that nobody acknowledges. */
  take(id: string | number): GuestInput | undefined {
    const found = this.#all.find(({ message }) => 'id' in message && message.id === id)
    if (found === undefined) return undefined
    const index = this.#all.indexOf(found)
    // A server handles messages in their order.
    this.#all = this.#all.filter(
      (one, at) => one !== found && !(at < index && one.isSent && /^(offer|end-grants)$/.test(one.message.type)),
    )
    // It has started after all.
    if (found.isStopped && found.turn !== undefined) this.add({ type: 'drop', turn: found.turn }, found.turn)
    return found.message
  }

  /** Whether a message of the user is kept. */
  has(turn: string): boolean {
    return this.#all.some((one) => one.turn === turn && starts(one.message))
  }

  /**
   * The user does not want a message, or any, any more. Returns the turns of those that no server has. Whether the
   * others have started is not known.
   */
  unwanted(turn?: string): string[] {
    const those = this.#all.filter((one) => starts(one.message) && (turn === undefined || one.turn === turn))
    for (const one of those) one.isStopped = true
    return this.#remove((one) => one.isStopped && !one.wasSent)
  }

  /** A turn has ended, or will not start. */
  ended(turn: string): void {
    this.#remove((one) => one.turn === turn && !starts(one.message))
  }

  /**
   * Another socket is open, and the session is as it says. `running`: the turn that runs. Returns the turns of the
   * messages that the user does not want any more: they are taken out of the queue instead.
   */
  resume(running: string | undefined): string[] {
    this.#remove((one) => stops(one.message) && one.turn !== running)
    const unwanted = this.#all.flatMap(({ isStopped, turn }) => (isStopped && turn !== undefined ? [turn] : []))
    this.#all = this.#all.map((one) =>
      one.isStopped && one.turn !== undefined
        ? { ...one, message: { type: 'drop', turn: one.turn }, isStopped: false }
        : one,
    )
    return unwanted
  }

  /** The socket is broken. */
  broken(): void {
    for (const one of this.#all) one.isSent = false
  }

  /** Forgets the messages of these kinds, and returns them. */
  forget(isIt: (kind: Kind) => boolean): GuestInput[] {
    const those = this.#all.filter(({ message }) => isIt(message.type)).map(({ message }) => message)
    this.#remove(({ message }) => isIt(message.type))
    return those
  }

  #remove(isIt: (one: KeptMessage) => boolean): string[] {
    const gone = this.#all.filter(isIt)
    this.#all = this.#all.filter((one) => !isIt(one))
    return gone.flatMap(({ turn }) => (turn === undefined ? [] : [turn]))
  }
}
