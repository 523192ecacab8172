// An agent in Node, from the built package: a script that closes it ends by itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '../../support/project/dist.js'
import { startEndpoint } from '../../support/lab/endpoint.js'

const script = (dist: string, endpoint: string, ending: string) => `
import { createAgent } from ${JSON.stringify(pathToFileURL(join(dist, 'agent.js')).href)}
const agent = createAgent({ endpoint: ${JSON.stringify(endpoint)}, model: 'm' })
agent.registerTool({ name: 'add', description: 'Adds.', execute: () => 5 })
console.log((await agent.send('Hello')).text)
${ending}`

for (const [name, ending, printed] of [
  ['waits for close()', 'await agent.close()\nconsole.log("closed")', 'Hi.\nclosed\n'],
  ['calls close() and goes on', 'agent.close()', 'Hi.\n'],
] as const) {
  test(`a Node process that ${name} exits by itself after a turn`, async ({ dist }) => {
    const endpoint = await startEndpoint([{ calls: [{ name: 'add', arguments: {} }] }, { text: 'Hi.' }])
    const child = spawn(process.execPath, ['--input-type=module', '-e', script(dist, endpoint.url, ending)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let text = ''
      child.stdout.on('data', (data: Buffer) => {
        text += String(data)
      })
      const [code] = (await once(child, 'exit')) as [number | null]
      expect([code, text]).toEqual([0, printed])
    } finally {
      child.kill()
      await endpoint.stop()
    }
  })
}
