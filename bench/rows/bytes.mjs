// What Chromium fetches, compressed with gzip: a closed launcher, a visible panel, a usual visit, and a visit of each
// peer. The site counts what it delivers, so workers and lazy chunks are included.
import { composer, converse, converseWithPeer, ourPage, peerPage, startPeer } from '../support/ours.mjs'
import { resultsIn } from '../support/site.mjs'

const form =
  '<form aria-label="Booking"><label>Your name <input name="name"></label> <label>Guests <input name="guests"></label><button>Book</button></form>'

/** Reads the page, fills the form and answers in Markdown. @param {any} body @returns {import('../support/site.mjs').Reply} */
function visit(body) {
  const results = resultsIn(body)
  if (results === 0) return { calls: [{ name: 'page_read', arguments: {} }] }
  if (results === 1) {
    const fields = [
      { field: 'Your name', value: 'Ada Lovelace' },
      { field: 'Guests', value: '4' },
    ]
    return { calls: [{ name: 'form_fill', arguments: { fields } }] }
  }
  return { pieces: ['Done:\n\n- **Ada', ' Lovelace**\n- `4` guests\n'] }
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  /** @param {string} path @param {(page: import('playwright').Page) => Promise<unknown>} [act] */
  const fetched = async (path, act) => {
    await site.quiet()
    site.fetched.splice(0)
    const page = await lab.open(path)
    await act?.(page)
    await site.quiet()
    const files = site.fetched.splice(0)
    await page.context().close()
    return { gzip: files.reduce((sum, { gzip }) => sum + gzip, 0) / 1024, files: files.length }
  }
  const model = site.model(visit)
  const plain = site.model(() => ({ pieces: ['Hello. ', 'What can I do?'] }))
  const done = site.model(() => ({
    calls: [{ name: 'AgentOutput', arguments: { action: { done: { text: 'Hello.', success: true } } } }],
  }))
  const ours = (/** @type {string} */ attributes, endpoint = model.path) =>
    site.add(ourPage({ endpoint, attributes, body: form }))

  /** @type {[string, string, { gzip: number, files: number }][]} */
  const visits = [
    [
      'closed launcher',
      'ours',
      await fetched(ours('layout="floating" page-tools="read fill"'), (page) =>
        page.locator('tool-agent').getByRole('button').first().waitFor(),
      ),
    ],
    [
      'panel visible, no message',
      'ours',
      await fetched(ours('page-tools="read fill"'), (page) => composer(page).waitFor()),
    ],
    ['chat only', 'ours', await fetched(ours('', plain.path), (page) => converse(page, 'Hello'))],
    [
      'usual visit',
      'ours',
      await fetched(ours('page-tools="read fill"'), async (page) => {
        await converse(page, 'A table for 4, please. I am Ada Lovelace.')
        await page.locator('tool-agent strong').waitFor()
        const value = await page.getByLabel('Your name').inputValue()
        if (value !== 'Ada Lovelace') throw new Error(`The visit left ${JSON.stringify(value)} in the field`)
      }),
    ],
    [
      'whole visit',
      'page-agent',
      await fetched(site.add(peerPage('page-agent', { body: form, endpoint: done.path })), async (page) => {
        await page.locator('html[data-ready]').waitFor({ state: 'attached' })
        await converseWithPeer(page, 'Hello')
      }),
    ],
    [
      'whole visit',
      'deep-chat',
      await fetched(site.add(peerPage('deep-chat', { endpoint: plain.path })), async (page) => {
        await page.locator('deep-chat #text-input').fill('Hello')
        await page.locator('deep-chat #text-input').press('Enter')
        await page.getByText('What can I do?').waitFor()
      }),
    ],
  ]
  for (const peer of ['ai', 'tanstack'])
    visits.push([
      'whole visit',
      peer === 'ai' ? 'AI SDK, no UI' : 'TanStack, no UI',
      await fetched(site.add(peerPage(peer)), async (page) => {
        await startPeer(page, { endpoint: plain.path })
        await converseWithPeer(page, 'Hello')
      }),
    ])
  return visits.flatMap(([what, product, { gzip, files }]) => [
    { what, product, unit: 'KiB gzip', values: [gzip] },
    { what: `${what}: files`, product, unit: '', values: [files] },
  ])
}
