// The same `serve` in a worker, in the page and in Node: one script, the same facts, the same requests.
import type { Page } from 'playwright/test'
import { Agent } from '../../../src/page/agent.js'
import { serve } from '../../../src/host/serve.js'
import { memoryStore } from '../../../src/host/store/memory-store.js'
import { startEndpoint, type Endpoint, type ScriptItem } from '../../support/lab/endpoint.js'
import { expect, test } from '../../support/page/site.js'

const script: ScriptItem[] = [
  {
    text: 'Looking. ',
    calls: [
      { id: 'a', name: 'echo', arguments: { text: 'one' } },
      { id: 'b', name: 'fail', arguments: {} },
    ],
  },
  { calls: [{ id: 'c', name: 'todo_write', arguments: { items: [{ text: 'done', status: 'completed' }] } }] },
  { text: 'Finished.' },
]

/** Facts without what differs by nature: ids of messages and turns, times, tokens of the page's own line. */
function plain(events: unknown): unknown {
  return JSON.parse(
    JSON.stringify(events, (key, value: unknown) =>
      [
        'at',
        'startedAt',
        'endedAt',
        'lastAt',
        'id',
        'turn',
        'tab',
        'url',
        'facts',
        'hash',
        'updatedAt',
        'usage',
        'spent',
        'chars',
      ].includes(key)
        ? undefined
        : value,
    ),
  )
}

function plainRequests(endpoint: Endpoint): unknown {
  return endpoint.requests.map(({ body }) => {
    const messages = Array.isArray(body?.['messages']) ? body['messages'].slice(1) : []
    return { ...body, messages }
  })
}

/** Runs in the page and in Node alike. */
async function run(
  agent: Agent,
): Promise<{ host: string | undefined; storage: string | undefined; events: unknown[]; text: string | undefined }> {
  agent.registerTool([
    {
      name: 'echo',
      description: 'Gives back the text it is given',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      execute: ({ text }: { text: string }) => `echo ${text}`,
    },
    {
      name: 'fail',
      description: 'Fails every time it is called',
      execute: () => {
        throw new Error('always')
      },
    },
  ])
  const events: unknown[] = []
  agent.subscribe((event) => {
    if (!('delta' in event)) events.push(event)
  })
  const { text } = await agent.send('Go')
  return { host: agent.host, storage: agent.storage, events, text }
}

async function runInPage(
  page: Page,
  site: string,
  endpoint: Endpoint,
  options: object,
): Promise<Awaited<ReturnType<typeof run>>> {
  await page.goto(`${site}/test/pages/session/blank.html`)
  return page.evaluate(
    async ({ endpoint, options, run }) => {
      const path = '/src/page/agent.ts'
      const { createAgent } = (await import(path)) as typeof import('../../../src/page/agent.js')
      const agent = createAgent({ endpoint, model: 'm', ...options })
      // The script runs in the page, which cannot receive functions. It comes from this file.
      // oxlint-disable-next-line typescript/no-implied-eval
      return (new Function(`return ${run}`)() as (agent: unknown) => Promise<never>)(agent)
    },
    { endpoint: endpoint.url, options, run: run.toString() },
  )
}

async function runInNode(endpoint: Endpoint): Promise<Awaited<ReturnType<typeof run>>> {
  const { port1, port2 } = new MessageChannel()
  const agent = new Agent({ endpoint: endpoint.url, model: 'm' }, async () => {
    serve(port2, { store: memoryStore() })
    port1.start()
    return { kind: 'page', port: port1, terminate: () => port1.close() }
  })
  try {
    return await run(agent)
  } finally {
    void agent.close()
    port1.close()
  }
}

test('a worker, the page and Node produce the same events and requests for one script', async ({ page, site }) => {
  const endpoints = await Promise.all([1, 2, 3].map(() => startEndpoint([...script])))
  try {
    const [inWorker, inPage, inNode] = [
      await runInPage(page, site, endpoints[0]!, {}),
      await runInPage(page, site, endpoints[1]!, { workerUrl: '/no-such-worker.js', scope: 'other' }),
      await runInNode(endpoints[2]!),
    ]
    expect([inWorker.host, inPage.host, inNode.host]).toEqual(['worker', 'page', 'page'])
    expect([inWorker.storage, inPage.storage]).toEqual(['indexeddb', 'indexeddb'])
    expect(inNode.text).toBe('Finished.')
    expect(plain(inWorker.events)).toEqual(plain(inNode.events))
    expect(plain(inPage.events)).toEqual(plain(inNode.events))
    expect(plainRequests(endpoints[0]!)).toEqual(plainRequests(endpoints[2]!))
    expect(plainRequests(endpoints[1]!)).toEqual(plainRequests(endpoints[2]!))
    for (const endpoint of endpoints) await endpoint.close()
  } finally {
    for (const endpoint of endpoints) await endpoint.stop()
  }
})
