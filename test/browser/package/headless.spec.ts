// The chat of docs/headless.md, as it stands there, with the built package and a scripted model.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { expect, root, test } from '../../support/project/dist.js'
import { serveStatic } from '../../support/page/static-server.js'

const chat = /^```html\n([^]*?)^```/m.exec(readFileSync(join(root, 'docs/headless.md'), 'utf8'))?.[1] ?? ''

test('the chat of the docs has under 100 lines, answers, asks, stops and shows errors', async ({ dist, page }) => {
  expect(chat.split('\n').length).toBeGreaterThan(50)
  expect(chat.split('\n').length).toBeLessThan(100)
  const endpoint = await startEndpoint([
    { text: 'Good <b>morning</b>.' },
    { calls: [{ name: 'add_to_cart', arguments: { product: 'Sencha' } }] },
    { text: 'Added.' },
    { calls: [{ name: 'add_to_cart', arguments: { product: 'Gold' } }] },
    { text: 'Not added.' },
    { text: ['A long', ' answer'], hold: new Promise(() => {}) },
    { status: 401 },
    { status: 401 },
  ])
  const site = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': chat },
    relay: { '/v1': endpoint.url },
  })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  try {
    await page.goto(site.url)
    const send = async (text: string) => {
      await page.getByLabel('Message').fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
    }
    const status = page.getByRole('status')
    await send('Hello')
    await expect(page.locator('.assistant p').first(), 'text is no HTML').toHaveText('Good <b>morning</b>.')
    await expect(page.locator('.user')).toHaveText('Hello')
    await expect(status).toHaveText('')

    await send('Sencha please')
    await expect(page.locator('.question')).toContainText('Add to the cart?')
    await expect(page.locator('.question')).toContainText('"product": "Sencha"')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page.locator('.call')).toHaveText('Add to the cart: done')
    await expect(page.getByText('Added.', { exact: true })).toBeVisible()

    await send('And gold')
    await page.getByRole('button', { name: 'Don’t allow' }).click()
    await expect(page.getByText('Not added.')).toBeVisible()

    await send('Tell me everything')
    await expect(page.getByText('A long')).toBeVisible()
    await expect(status).toHaveText('Working …')
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden()

    await send('Once more')
    await expect(status).toContainText('401')
    expect(faults).toEqual([])
  } finally {
    await site.close()
    await endpoint.close()
  }
})
