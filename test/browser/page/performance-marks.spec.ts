// The performance timeline of a real page: bars have the format of Chrome's DevTools, and no entry remains.
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { expect, test } from '../../support/page/site.js'

declare global {
  interface Window {
    agent: Agent
  }
}

test('with debug, a performance observer receives turns, steps and tools in their own track', async ({
  page,
  site,
}) => {
  const endpoint = await startEndpoint([
    { calls: [{ name: 'hello', arguments: { whom: 'a secret friend' } }] },
    { text: 'Good bye' },
  ])
  try {
    await page.goto(`${site}/test/pages/session/session.html?endpoint=${encodeURIComponent(endpoint.url)}`)
    await page.waitForFunction(() => window.agent?.session !== undefined)
    const { seen, kept } = await page.evaluate(async () => {
      const seen: { name: string; detail: { devtools: object } }[] = []
      const turn = new Promise<void>((resolve) => {
        new PerformanceObserver((list) => {
          for (const { name, detail } of list.getEntries() as PerformanceMeasure[])
            if (name.startsWith('tool-agent: ')) seen.push({ name, detail })
          if (seen.some(({ name }) => name === 'tool-agent: turn')) resolve()
        }).observe({ type: 'measure' })
      })
      window.agent.configure({ ...window.agent.options, debug: true })
      window.agent.registerTool({
        name: 'hello',
        description: 'Says hello',
        inputSchema: { type: 'object', properties: { whom: { type: 'string' } } },
        execute: () => 'hello',
      })
      await window.agent.send('Say hello')
      await turn
      return {
        seen,
        kept: performance.getEntriesByType('measure').filter(({ name }) => name.startsWith('tool-agent')).length,
      }
    })
    // Entries of one batch are in the order of their starts, those of several in the order of their ends.
    expect(seen.map(({ name }) => name).sort()).toEqual([
      'tool-agent: hello',
      'tool-agent: step 1',
      'tool-agent: step 2',
      'tool-agent: turn',
    ])
    for (const { detail } of seen) {
      expect(detail.devtools).toMatchObject({
        dataType: 'track-entry',
        trackGroup: 'tool-agent',
        track: expect.stringMatching(/^(Turns|Model|Tools)$/),
        tooltipText: expect.stringMatching(/ms$/),
      })
    }
    expect(JSON.stringify(seen)).not.toMatch(/secret|Say hello|Good bye/)
    expect(kept).toBe(0)
    await endpoint.close()
  } finally {
    await endpoint.stop()
  }
})
