// What Chromium fetches, compressed with gzip: ours in the scenarios of `npm run budget`, and a message with each peer. The
// servers count what they deliver, so workers and lazy chunks are included.
import { downloadsOf, kibOf, scenarios } from '../../scripts/budget.mjs'
import { converseWithPeer, peerPage, startPeer } from '../support/ours.mjs'

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  /** @param {string} html @param {(page: import('playwright').Page) => Promise<unknown>} act */
  const visit = async (html, act) => {
    await site.quiet()
    site.fetched.splice(0)
    const page = await lab.open(site.add(html))
    await act(page)
    await site.quiet()
    const files = site.fetched.splice(0)
    await page.context().close()
    return { kib: files.reduce((sum, { gzip }) => sum + gzip, 0) / 1024, files: files.length }
  }
  const { path: endpoint } = site.model(() => ({ pieces: ['Hello. ', 'What can I do?'] }))
  const { path: ofPageAgent } = site.model(() => ({
    calls: [{ name: 'AgentOutput', arguments: { action: { done: { text: 'Hello.', success: true } } } }],
  }))
  const withoutUi = (/** @type {string} */ peer) =>
    visit(peerPage(peer), async (page) => {
      await startPeer(page, { endpoint })
      await converseWithPeer(page, 'Hello')
    })

  /** @type {[string, string, { kib: number, files: number }][]} */
  const visits = []
  for (const [name, scenario] of Object.entries(scenarios)) {
    const files = await downloadsOf(lab.browser, lab.dist, scenario)
    visits.push([name, 'ours', { kib: kibOf(files), files: files.length }])
  }
  visits.push(
    [
      'a message',
      'page-agent',
      await visit(peerPage('page-agent', { endpoint: ofPageAgent }), async (page) => {
        await page.locator('html[data-ready]').waitFor({ state: 'attached' })
        await converseWithPeer(page, 'Hello')
      }),
    ],
    [
      'a message',
      'deep-chat',
      await visit(peerPage('deep-chat', { endpoint }), async (page) => {
        await page.locator('deep-chat #text-input').fill('Hello')
        await page.locator('deep-chat #text-input').press('Enter')
        await page.getByText('What can I do?').waitFor()
      }),
    ],
    ['a message', 'AI SDK, no UI', await withoutUi('ai')],
    ['a message', 'TanStack, no UI', await withoutUi('tanstack')],
  )
  return visits.flatMap(([what, product, { kib, files }]) => [
    { what, product, unit: 'KiB gzip', values: [kib] },
    { what: `${what}: files`, product, unit: '', values: [files] },
  ])
}
