// `integrity.json` of the package: with its hashes in the page, every script loads, and a script that was changed on the
// way does not run.
import { readFileSync, readdirSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { serveStatic } from '../../support/page/static-server.js'
import { expect, test } from '../../support/project/dist.js'

function hashesOf(dist: string): Record<string, string> {
  return JSON.parse(readFileSync(join(dist, 'integrity.json'), 'utf8')) as Record<string, string>
}

/** A page that names the hash of the entry at its tag, and those of all files in an import map. */
function pageOf(dist: string): string {
  const hashes = hashesOf(dist)
  const integrity = Object.fromEntries(Object.entries(hashes).map(([file, hash]) => [`/tool-agent/${file}`, hash]))
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script type="importmap">${JSON.stringify({ integrity })}</script>
<script type="module" src="/tool-agent/tool-agent.js" integrity="${hashes['tool-agent.js']}" crossorigin></script></head>
<body><tool-agent endpoint="/v1" model="m" page-tools="read fill"></tool-agent></body></html>`
}

test('integrity.json has the hash of every script', ({ dist }) => {
  const hashes = hashesOf(dist)
  const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  expect(Object.keys(hashes).sort()).toEqual(scripts.map((file) => file.replaceAll('\\', '/')).sort())
  for (const [file, hash] of Object.entries(hashes)) {
    const code = readFileSync(join(dist, file))
    expect(hash, file).toBe(`sha384-${createHash('sha384').update(code).digest('base64')}`)
  }
})

test('a page with the hashes works, and refuses a changed entry and a changed chunk', async ({
  page,
  dist,
  browserName,
}) => {
  const endpoint = await startEndpoint([{ text: 'Two teapots.' }])
  const server = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': pageOf(dist) },
    relay: { '/v1': endpoint.url },
  })
  const isDefined = () => page.evaluate(() => customElements.get('tool-agent') !== undefined)
  try {
    await page.goto(`${server.url}/index.html`)
    await page.waitForFunction(() => customElements.get('tool-agent') !== undefined)
    const answer = await page.evaluate(async () => {
      const { agent } = document.querySelector('tool-agent') as unknown as { agent: Agent }
      const { text } = await agent.send('What did I order?')
      return { text, host: agent.host }
    })
    expect(answer).toEqual({ text: 'Two teapots.', host: 'worker' })

    for (const file of [/\/tool-agent\.js$/, /\/agent-[\w-]+\.js$/]) {
      await page.route(file, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: `${await response.text()};` })
      })
      // Firefox reports it too, but its protocol leaves out messages of this kind.
      const refused =
        browserName === 'chromium' &&
        page.waitForEvent('console', (message) => message.type() === 'error' && /integrity/i.test(message.text()))
      // Modules have run when the page is loaded.
      await page.goto(`${server.url}/index.html`)
      if (refused)
        expect((await refused).text()).toMatch(
          file.source.includes('tool-agent') ? /tool-agent\.js/ : /agent-[\w-]+\.js/,
        )
      expect(await isDefined()).toBe(false)
      await page.unroute(file)
    }
    await endpoint.close()
  } finally {
    await server.close()
    await endpoint.stop()
  }
})
