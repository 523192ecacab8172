// A question and its answer in sessions of different lengths, and what the list of conversations, opening and exporting
// take. The sessions are imported through the public API. How many records the store reads does not depend on the
// machine; test/browser/host/storage-faults.spec.ts tests it.
import { composer, converse, ourPage } from '../support/ours.mjs'

const lengths = [100, 1_000, 10_000]

/**
 * Imports sessions of these lengths, each made of copies of one question and its answer. Returns their ids.
 * @param {readonly number[]} wanted
 */
export async function importSessions(wanted) {
  const agent = /** @type {any} */ (document.querySelector('tool-agent'))
  const data = await agent.sessions.export()
  const [question, answer] = data.session?.messages ?? data.messages
  /** @type {string[]} */
  const ids = []
  for (const length of wanted) {
    const messages = Array.from({ length }, (_, at) => {
      const one = at % 2 ? answer : question
      return { ...one, id: `m${at}`, at: one.at + at }
    })
    ids.push(
      await agent.sessions.import(
        data.session ? { ...data, session: { ...data.session, messages } } : { ...data, messages },
      ),
    )
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
  const { page, ids, openOne, model } = await openSessions(lab, lengths)
  const questions = lab.isQuick ? 2 : 4
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
        return {
          'question and answer': lab.median(times),
          'main CPU of both': main / questions,
          'opening the session': opening,
          'characters of the request': model.requests.at(-1)?.characters ?? 0,
        }
      },
    ]),
  )
  const figures = await lab.inTurns(lab.isQuick ? 3 : 7, products, { 'characters of the request': '' })
  const exported = await page.evaluate(async (all) => {
    const { sessions } = /** @type {any} */ (document.querySelector('tool-agent'))
    /** @type {number[]} */
    const times = []
    for (const id of all) {
      const begin = performance.now()
      await sessions.export(id)
      times.push(performance.now() - begin)
    }
    return times
  }, ids)
  await page.context().close()
  return [
    ...figures,
    ...exported.map((time, index) => ({
      what: 'export',
      product: label(lengths[index] ?? 0),
      unit: 'ms',
      values: [time],
    })),
  ]
}
