// The client scenarios of the protocol's own conformance suites, with the built agent in a page. The servers of the
// scenarios send no CORS headers, so the page's own server relays to them.
import type { Agent } from '../../../src/page/agent.js'
import type { McpTools } from '../../../src/mcp.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { acceptDefaults, cases, modelOf, runScenario, verdict } from '../../support/mcp/conformance.js'
import { serveStatic, strictPolicy } from '../../support/page/static-server.js'
import { expect, test } from '../../support/project/dist.js'

type Entries = { createAgent(options: object): Agent; mcpTools(options: object): McpTools }

test.describe.configure({ timeout: 300_000 })

for (const { suite, scenario } of cases)
  test(`an agent in a page passes ${scenario} of conformance ${suite}`, { tag: '@long' }, async ({ page, dist }) => {
    const checks = await runScenario(suite, scenario, async ({ server, context }) => {
      const { origin, pathname } = new URL(server)
      const endpoint = await startEndpoint(modelOf(context.toolCalls, 'suite'))
      const site = await serveStatic({
        folders: { '/tool-agent/': dist },
        files: {
          '/index.html': '<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><body>',
          '/answer.js': `export ${acceptDefaults.toString()}`,
        },
        headers: { 'content-security-policy': strictPolicy },
        relay: { '/v1': endpoint.url, '/server': origin },
      })
      try {
        await page.goto(site.url)
        await page.evaluate(async (url) => {
          const { createAgent } = (await import('/tool-agent/agent.js' as string)) as Entries
          const { mcpTools } = (await import('/tool-agent/mcp.js' as string)) as Entries
          const { acceptDefaults: onElicitation } = (await import('/answer.js' as string)) as {
            acceptDefaults: unknown
          }
          const agent = createAgent({ endpoint: '/v1', model: 'm', approval: 'off', todo: false })
          const provider = mcpTools({ url, name: 'suite', timeout: 60_000, onElicitation })
          // Connected before the turn, because a step waits only five seconds for a provider.
          await provider({ message: 'Go', sessionId: '', toolContext: {}, url: '', shared: new Map() })
          agent.registerToolProvider(provider)
          await agent.send('Go')
          await provider.close()
        }, `/server${pathname}`)
      } finally {
        await site.close()
        await endpoint.stop()
      }
    })
    const { passed, failed } = verdict(checks)
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(0)
  })
