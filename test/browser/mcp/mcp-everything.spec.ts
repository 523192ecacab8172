// The built entry against the reference server, which others wrote: discovery, results of each kind, progress, stop,
// changes of the list and questions.
import type { Agent } from '../../../src/page/agent.js'
import type { Elicitation, McpTools } from '../../../src/mcp.js'
import { startEndpoint, type ScriptItem } from '../../support/lab/endpoint.js'
import { toolNames } from '../../support/lab/requests.js'
import { startEverythingServer, type EverythingServer } from '../../support/mcp/everything-server.js'
import { serveStatic, strictPolicy } from '../../support/page/static-server.js'
import { expect, test as base } from '../../support/project/dist.js'

const test = base.extend<object, { everything: EverythingServer }>({
  everything: [
    async ({}, use) => {
      const server = await startEverythingServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

type Entries = { createAgent(options: object): Agent; mcpTools(options: object): McpTools }

const call = (name: string, args = {}) => ({ calls: [{ name: `every_${name}`, arguments: args }] })

test(
  'the reference server works in a page with a strict policy',
  { tag: '@long' },
  async ({ page, dist, everything }) => {
    const steps: ScriptItem[] = [
      call('echo', { message: 'Hello' }),
      call('get-sum', { a: 2, b: 3 }),
      call('get-structured-content', { location: 'Chicago' }),
      call('get-tiny-image'),
      call('get-resource-links', { count: 2 }),
      call('trigger-long-running-operation', { duration: 1, steps: 2 }),
      call('trigger-elicitation-request'),
      call('echo', { wrong: true }),
    ]
    const endpoint = await startEndpoint([
      ...steps,
      { text: 'ok' },
      call('trigger-long-running-operation', { duration: 60, steps: 2 }),
    ])
    const site = await serveStatic({
      folders: { '/tool-agent/': dist },
      files: {
        '/index.html': '<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><body>',
      },
      headers: {
        'content-security-policy': strictPolicy.replace(
          "connect-src 'self'",
          `connect-src 'self' ${new URL(everything.url).origin}`,
        ),
      },
      relay: { '/v1': endpoint.url },
    })
    try {
      await page.goto(site.url)
      const seen = await page.evaluate(async (url) => {
        const violations: string[] = []
        addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))
        const { createAgent } = (await import('/tool-agent/agent.js' as string)) as Entries
        const { mcpTools } = (await import('/tool-agent/mcp.js' as string)) as Entries
        const agent = createAgent({ endpoint: '/v1', model: 'm', approval: 'off', todo: false })
        const questions: object[] = []
        const provider = mcpTools({
          url,
          name: 'every',
          onElicitation: ({ server, schema }: Elicitation) => {
            questions.push({ server, fields: Object.keys(schema['properties'] as object) })
            return { action: 'accept', content: { name: 'Ada' } }
          },
        })
        agent.registerToolProvider(provider)
        const progress: unknown[] = []
        agent.subscribe((event) => {
          if (event.type === 'tool-progress') progress.push(event.value)
        })
        const { toolExecutions } = await agent.send('Go')
        const stopped = agent.send('Wait')
        const started = new Promise<void>((resolve) => {
          agent.subscribe((event) => {
            if (event.type === 'tool-start') resolve()
          })
        })
        await started
        agent.stop()
        const { reason } = await stopped
        await provider.close()
        const results = toolExecutions.map(({ output, error, modelOutput }) => ({ output, error, modelOutput }))
        return { results, progress, questions, violations, reason }
      }, everything.url)
      const [echo, sum, structured, image, links, long, elicited, wrong] = seen.results
      expect(echo?.output).toBe('Echo: Hello')
      expect(sum?.output).toContain('5')
      expect(structured?.output).toMatchObject({ temperature: expect.any(Number) })
      expect(JSON.stringify(image?.modelOutput)).toContain('"mediaType":"image/png"')
      expect(String(links?.output)).toMatch(/\[link to a resource: .+:\/\//)
      expect(String(long?.output)).toContain('completed')
      expect(seen.progress).toContainEqual({ fraction: 0.5 })
      expect(seen.questions).toEqual([
        { server: new URL(everything.url).origin, fields: expect.arrayContaining(['name']) },
      ])
      expect(String(elicited?.output)).toContain('Ada')
      expect(wrong?.error?.code).toBe('invalid-input')
      expect(seen.reason).toBe('stopped')
      expect(seen.violations).toEqual([])
      expect(toolNames(endpoint.requests[0])).toContain('every_trigger-elicitation-request')
    } finally {
      await site.close()
      await endpoint.close()
    }
  },
)
