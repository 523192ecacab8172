// The first example of the README, as it is there, with the built package and a scripted model.
import { startCode } from '../../../site/landing.mjs'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { serveStatic } from '../../support/page/static-server.js'
import { expect, test } from '../../support/project/dist.js'

test('the first example of the README answers with the data of the page', async ({ dist, page }) => {
  const endpoint = await startEndpoint([
    { calls: [{ name: 'find_orders', arguments: {} }] },
    { text: 'You ordered **green tea**.' },
  ])
  const site = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: {
      '/index.html': `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>${startCode()}</main>`,
      '/orders': '[{ "item": "Green tea" }]',
    },
    relay: { '/v1': endpoint.url },
  })
  try {
    await page.goto(site.url)
    await page.getByRole('textbox').fill('What did I order?')
    await page.keyboard.press('Enter')
    await expect(page.locator('tool-agent strong')).toHaveText('green tea')
    expect(JSON.stringify(endpoint.requests.at(-1)?.body)).toContain('Green tea')
  } finally {
    await site.close()
    await endpoint.close()
  }
})
