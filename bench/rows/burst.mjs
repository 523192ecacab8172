// 10,000 tokens of Markdown that arrive within about a third of a second: what drawing them costs the page.
import { composer, converse, converseWithPeer, ourPage, peerPage, startPeer } from '../support/ours.mjs'

const paragraph =
  'The **harbour** kitchen opens at `noon`. See [the menu](https://example.com/menu) for the dishes of this week, ' +
  'and tell us about allergies early.\n\n- Fish soup with saffron\n- Beetroot tartare\n- Brown butter cake\n\n'

/** About one word each, as a model sends them. @param {number} count */
export function tokens(count) {
  const words = paragraph.match(/\s*\S+\s*?/g) ?? []
  return Array.from({ length: count }, (_, index) => {
    const place = index % words.length
    return place === 0 && index > 0 ? `\n\n${(words[0] ?? '').trim()}` : (words[place] ?? '')
  })
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  const pieces = tokens(10_000)
  const reply = () => ({ pieces, perWrite: 200, pauseMs: 6 })

  /** @param {import('playwright').Page} page @param {() => Promise<unknown>} work */
  const measure = async (page, work) => {
    const { longest, longestWall, sum } = await lab.tasks(page, async () => {
      await work()
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))))
    })
    await page.context().close()
    return { 'longest task': longest, 'longest task, clock': longestWall, 'main CPU': sum }
  }
  const ours = async () => {
    let count = 0
    const model = site.model(() => (count++ === 0 ? { pieces: ['**Hello**'] } : reply()))
    const page = await lab.open(site.add(ourPage({ endpoint: model.path })))
    await composer(page).waitFor()
    await converse(page, 'Hello')
    await page.locator('tool-agent strong').first().waitFor()
    return measure(page, () => converse(page, 'Tell me everything.'))
  }
  const marked = async () => {
    const model = site.model(reply)
    const body = '<div id="answer" style="block-size: 40rem; overflow: auto"></div>'
    const page = await lab.open(site.add(peerPage('marked', { body })))
    await startPeer(page, { endpoint: model.path })
    return measure(page, () => converseWithPeer(page, 'Tell me everything.'))
  }
  return lab.inTurns(lab.isQuick ? 3 : 7, { ours, 'marked per frame': marked }, {})
}
