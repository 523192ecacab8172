// What the cases are made of: sessions and messages, changes, comparisons, and choices that follow a seed.
import type { Message } from '../../core/data/message.js'
import { emptySession, type Session } from '../../core/data/session.js'
import { sessionHeadOf, type Store, type StoreChange } from '../../core/state/store.js'

/** A message of the user with the id `m<index>`. */
export const question = (index: number, text = `question ${index}`): Message => ({
  id: `m${index}`,
  role: 'user',
  parts: [{ type: 'text', text }],
  at: index,
})

/** A message of the model with the id `m<index>`. */
export const answer = (index: number, text = `answer ${index}`): Message => ({
  id: `m${index}`,
  role: 'assistant',
  parts: [{ type: 'text', text }],
  at: index,
})

/** A session of the scope `me` after its first commit. */
export function sessionWith(id: string, messages: readonly Message[], fields: Partial<Session> = {}): Session {
  return { ...emptySession(id, 'me', 1000), epoch: 1, messages, ...fields }
}

/** All of a session, as its first commit stores it. */
export function allOf(session: Session): StoreChange {
  return {
    head: sessionHeadOf(session),
    messages: session.messages.map((message, index) => ({ index, message })),
    ...(session.draft === undefined ? {} : { draft: session.draft }),
  }
}

/** One more message at the end of a session. */
export function added(session: Session, message: Message): StoreChange {
  const index = session.start + session.messages.length
  return { head: { ...sessionHeadOf(session), length: index + 1 }, messages: [{ index, message }] }
}

/** Claims a session and stores all of it, with the epoch that it has: 1, so that the cases can name those after it. */
export async function create(store: Store, session: Session): Promise<void> {
  await store.claim(session.id, 0)
  await store.commit(session.id, session.epoch, { ...allOf(session), whole: true })
}

/** Claims a session that is not stored. Its epoch is one that no other claim has given. */
export async function claimNew(store: Store, id: string): Promise<number> {
  const { epoch, session } = await store.claim(id, 10)
  equal(session, undefined, `the claim of ${id}, which is not stored`)
  if (!Number.isInteger(epoch) || epoch < 1 || epoch > 2 ** 48)
    throw new Error(`the first epoch of ${id}: expected a random integer from 1 to 2^48, received ${epoch}`)
  return epoch
}

/** The id of each message of a session as it is stored; undefined if it is not stored. */
export async function messageIds(store: Store, id: string): Promise<string[] | undefined> {
  return (await store.read(id, Infinity))?.messages.map((message) => message.id)
}

/**
 * Compares what JSON keeps of two values: a field that is undefined equals an absent one, -0 equals 0, and the order of
 * fields does not count.
 * @throws {Error} if they differ
 */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [sorted(actual), sorted(expected)]
  if (one === other) return
  const from = Math.max(0, [...one].findIndex((sign, at) => sign !== other[at]) - 40)
  const shown = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, from + 300)}`
  throw new Error(`${what}: expected ${shown(other)}, received ${shown(one)}`)
}

function sorted(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
        : item,
    ) ?? 'undefined'
  )
}

/** The code of the error with which `work` fails; `resolved` if it does not. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'resolved',
    (thrown: unknown) => String((thrown as { code?: unknown }).code ?? thrown),
  )
}

/** @throws {Error} unless `work` fails with this code */
export async function fails(code: string, work: Promise<unknown>, what = 'the outcome'): Promise<void> {
  equal(await outcomeOf(work), code, what)
}

/** Choices that are the same for the same seed. */
export class Choices {
  #state: number

  constructor(seed: number) {
    this.#state = seed + 1
  }

  /** An integer from 0 and below `limit`. */
  below(limit: number): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }

  /** Lets up to seven other steps run, or a task of the event loop. */
  async pause(): Promise<void> {
    const steps = this.below(8)
    if (steps === 7) await new Promise<void>((resolve) => void setTimeout(resolve))
    for (let step = 0; step < steps; step++) await Promise.resolve()
  }
}
