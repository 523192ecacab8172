// A question and its answer in sessions of different lengths, and what the list of conversations, opening and exporting
// take. The sessions are imported through the public API. How many records the store reads does not depend on the
// machine; test/browser/host/storage-faults.spec.ts tests it.
import { bareFetch } from '../support/bare-fetch.mjs'
import { composer, converse, ourPage } from '../support/ours.mjs'

const lengths = [100, 1_000, 10_000]

/**
 * Imports sessions of these lengths, each made of copies of one question and its answer. Returns their ids.
 * @param {readonly number[]} wanted
 */
export async function importSessions(wanted) {
  const agent = /** @type {any} */ (document.querySelector('tool-agent'))
  const data = await agent.sessions.export()
  const [question, answer] = data.session.messages
  /** @type {string[]} */
  const ids = []
  for (const length of wanted) {
    const messages = Array.from({ length }, (_, at) => {
      const one = at % 2 ? answer : question
      return { ...one, id: `m${at}`, at: one.at + at }
    })
    ids.push(await agent.sessions.import({ ...data, session: { ...data.session, messages } }))
  }
  return ids
}

/** @param {number} length */
const label = (length) => `${length.toLocaleString('en-US')} messages`

/**
 * Opens a page with one session for each length. The first question of each is asked already, because it may summarize.
 * @param {import('../support/lab.mjs').Lab} lab @param {readonly number[]} wanted
 */
export async function openSessions(lab, wanted) {
  const { site } = lab
  const model = site.model(() => ({ pieces: ['This is', ' the answer.'] }))
  const page = await lab.open(site.add(ourPage({ endpoint: model.path })))
  await composer(page).waitFor()
  await converse(page, 'What is the question?')
  const ids = await page.evaluate(importSessions, wanted)
  const openOne = async (/** @type {string} */ id) => {
    const begin = performance.now()
    await page.evaluate((given) => /** @type {any} */ (document.querySelector('tool-agent')).sessions.open(given), id)
    await page.locator('tool-agent').getByRole('article').last().waitFor()
    return performance.now() - begin
  }
  for (const id of ids) {
    await openOne(id)
    await converse(page, 'And the first question?')
  }
  return { page, ids, openOne, model }
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  const { page, ids, openOne, model } = await openSessions(lab, lengths)
  const questions = lab.isQuick ? 2 : 4
  const send = await bareFetch(
    lab,
    site.model(() => ({ pieces: ['This is', ' the answer.'] })),
  )
  const products = Object.fromEntries(
    ids.map((id, index) => [
      label(lengths[index] ?? 0),
      async () => {
        const opening = await openOne(id)
        /** @type {number[]} */
        const times = []
        const { main } = await lab.cpu(page, async () => {
          for (let count = 0; count < questions; count++) times.push(await converse(page, 'And now?'))
        })
        const characters = model.requests.at(-1)?.characters ?? 0
        return {
          'question and answer': lab.median(times),
          'the same request by fetch alone': lab.median(
            await send(Array.from({ length: questions }, () => characters)),
          ),
          'main CPU of both': main / questions,
          'opening the session': opening,
          'characters of the request': characters,
        }
      },
    ]),
  )
  const figures = await lab.inTurns(lab.isQuick ? 3 : 7, products, { 'characters of the request': '' })
  // Of the same round: what the session adds, without what any client pays for a longer request.
  const ownTimes = (/** @type {number} */ length) => {
    const valuesOf = (/** @type {string} */ what) =>
      figures.find((one) => one.what === what && one.product === label(length))?.values ?? []
    const bare = valuesOf('the same request by fetch alone')
    return valuesOf('question and answer').map((time, round) => time - (bare[round] ?? 0))
  }
  const [shortest = 0, longest = 0] = [lengths[0], lengths.at(-1)]
  const short = ownTimes(shortest)
  const added = ownTimes(longest).map((time, round) => time - (short[round] ?? 0))
  const stored = await page.evaluate(storeTimes, { long: ids.at(-1) ?? '', count: lab.isQuick ? 100 : 500 })
  await page.context().close()
  return [
    ...figures,
    { what: 'added beyond fetch', product: label(longest), unit: 'ms', values: added },
    ...Object.entries(stored).map(([what, values]) => ({
      what,
      product: label(lengths.at(-1) ?? 0),
      unit: 'ms',
      values,
    })),
  ]
}

/**
 * Runs in the page: operations of the store, with the longest session open and many short ones beside it.
 * @param {{ long: string, count: number }} given
 */
async function storeTimes({ long, count }) {
  const agent = /** @type {any} */ (document.querySelector('tool-agent'))
  const { sessions } = agent
  /** @type {Record<string, number[]>} */
  const times = {}
  const measure = async (
    /** @type {string} */ what,
    /** @type {number} */ rounds,
    /** @type {() => unknown} */ work,
  ) => {
    const own = (times[what] ??= [])
    for (let round = 0; round < rounds; round++) {
      const begin = performance.now()
      await work()
      own.push(performance.now() - begin)
    }
  }
  await sessions.open(long)
  await measure('load older messages', 5, () => agent.loadOlder())
  await measure('export the session', 3, () => sessions.export(long))
  const data = await sessions.export(long)
  const short = { ...data, session: { ...data.session, messages: data.session.messages.slice(0, 2) } }
  const ids = await Promise.all(Array.from({ length: count }, () => sessions.import(short)))
  await measure(`list ${count + 4} sessions`, 5, () => sessions.list())
  await measure('delete a session', 5, () => sessions.delete(ids.pop()))
  return times
}
