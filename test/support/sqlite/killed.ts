// A process that writes until it is killed. The next one on the same file first checks what the kill has left.
import { sqliteStore, type Store } from '../../../src/server.js'
import type { Message } from '../../../src/core/data/message.js'
import { emptySession } from '../../../src/core/data/session.js'
import { sessionHeadOf, type StoreChange } from '../../../src/core/state/store.js'
import { Choices, equal } from '../../../src/testing/store/support.js'
import type { Handle } from './driver.js'

const id = 'killed'

/** Holds the database until the process ends. Says `held`, or the error of the store. */
export async function holdCommand(open: (file: string) => Handle, say: (line: string) => void, file: string) {
  try {
    sqliteStore(open(file))
    say('held')
    setInterval(() => undefined, 1_000)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    say(`${code}: ${message}`)
  }
}

interface Writing {
  readonly file: string
  readonly seed: number
  /** The newest commit of the process before that had resolved; -1 if none had, or there was none. */
  readonly acked: number
}

/** Checks what is there, says so, and writes on. Says the number of every commit that has resolved. */
export async function writeCommand(open: (file: string) => Handle, say: (line: unknown) => void, writing: Writing) {
  const { file, seed, acked } = writing
  const store = sqliteStore(open(file)).forUser('writer')
  const count = await checked(store, acked).catch((error: unknown) => {
    say({ error: String(error) })
    process.exit()
  })
  say({ checked: count })
  const { epoch } = await store.claim(id, 0)
  const choices = new Choices(seed)
  for (let at = count; ;) {
    // Up to four commits do not wait for each other.
    const group = Array.from({ length: choices.below(4) + 1 }, () => at++)
    await Promise.all(
      group.map((one) => store.commit(id, epoch, changeOf(one, choices)).then(() => say({ acked: one }))),
    )
    if (choices.below(4) === 0) await choices.pause()
  }
}

/** Everything of a commit has its number, so that half of one would be seen. */
function changeOf(at: number, choices: Choices): StoreChange {
  const session = emptySession(id, 'me', at)
  return {
    head: { ...sessionHeadOf({ ...session, title: `t${at}` }), length: at + 1 },
    messages: [{ index: at, message: messageOf(at) }],
    result: { callId: `c${at}`, value: textOf(at), output: String(at) },
    draft: { id: 'd', step: at, parts: [] },
    strict: choices.below(2) === 0,
  }
}

const messageOf = (at: number): Message => ({
  id: `m${at}`,
  role: 'user',
  parts: [{ type: 'text', text: `${at}` }],
  at,
})

/** Of some commits, of several parts. */
const textOf = (at: number): string => `${at} `.repeat(at % 29 === 7 ? 400_000 : (at * 37) % 4_000)

/** The number of commits that are there. @throws if one is missing that had resolved, or one is there in part. */
async function checked(store: Store, acked: number): Promise<number> {
  const session = await store.read(id, Infinity)
  const count = session?.messages.length ?? 0
  if (count <= acked) throw new Error(`Commit ${acked} had resolved, and only ${count} are there`)
  if (session === undefined) return 0
  equal(
    session.messages,
    Array.from({ length: count }, (_, at) => messageOf(at)),
    'the messages',
  )
  equal([session.title, session.draft?.step], [`t${count - 1}`, count - 1], 'title and draft')
  for (const at of [...Array.from({ length: Math.min(count, 8) }, (_, back) => count - 1 - back), 7])
    if (at < count) equal(await store.result(id, `c${at}`), { value: textOf(at), output: String(at) }, `result ${at}`)
  equal(await store.result(id, `c${count}`), undefined, 'the result of a commit that is not there')
  return count
}
