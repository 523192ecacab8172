import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playgroundHandler } from '../../../playground/server/plugin.js'
import { startEndpoint, type Endpoint } from '../../support/lab/endpoint.js'
import { expect, test as base } from '../../support/page/site.js'

const key = 'sk-only-the-server-knows'

/** The site, served as `MODEL_ENDPOINT=… MODEL_NAME=… MODEL_API_KEY=… npm start` does. */
const test = base.extend<{ relayed: { url: string; model: Endpoint; sent: string[] } }>({
  relayed: async ({ site }, use) => {
    const model = await startEndpoint([{ text: 'Hello from behind the relay.' }])
    const handle = playgroundHandler({ MODEL_ENDPOINT: model.url, MODEL_NAME: 'big-model', MODEL_API_KEY: key })
    const sent: string[] = []
    const server = createServer((request, response) => {
      const write = response.write.bind(response)
      response.write = ((part: Uint8Array | string, ...rest: never[]) => {
        sent.push(Buffer.from(part as Uint8Array).toString('latin1'))
        return write(part, ...rest)
      }) as typeof response.write
      handle(request, response, () => {
        void fetch(site + (request.url ?? '/')).then(async (page) => {
          response.writeHead(page.status, { 'content-type': page.headers.get('content-type') ?? 'text/plain' })
          response.end(Buffer.from(await page.arrayBuffer()))
        })
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, model, sent })
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    await model.close()
  },
})

test('with a relay the page asks its own server, says so, and never sees the key', async ({ page, relayed }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(request.url())
  })
  await page.goto(`${relayed.url}/playground/booking/`)
  await page.getByRole('button', { name: 'big-model, by way of this server' }).click()
  await expect(page.getByLabel('This server’s relay')).toBeChecked()
  await page.getByRole('button', { name: 'Cancel' }).click()
  const box = page.locator('tool-agent').getByRole('textbox')
  await box.fill('hello')
  await box.press('Enter')
  await expect(page.locator('tool-agent').getByRole('log').getByText('Hello from behind the relay.')).toBeVisible()
  expect(relayed.model.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
  expect(relayed.model.requests[0]?.body?.['model']).toBe('big-model')
  expect(asked.filter((url) => !url.startsWith(relayed.url))).toEqual([])
  expect(relayed.sent.join('')).toContain('[DONE]')
  expect(relayed.sent.join('')).not.toContain(key)
  expect(await page.content()).not.toContain(key)
})
