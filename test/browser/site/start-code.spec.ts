// The first examples of the README, as they are there, with the built package and a scripted model.
import { startEndpoint } from '../../support/lab/endpoint.js'
import { serveStatic } from '../../support/page/static-server.js'
import { expect, test } from '../../support/project/dist.js'
import { readmeBlock } from '../../support/project/site.js'

test('the first examples of the README fill a form and answer with the data of the page', async ({ dist, page }) => {
  const endpoint = await startEndpoint([
    { calls: [{ name: 'form_read', arguments: {} }] },
    { calls: [{ name: 'find_orders', arguments: {} }] },
    { text: 'You ordered **green tea**.' },
  ])
  const form = '<form><label>Name <input name="name"></label></form>'
  const code = `${readmeBlock('five-lines')}\n${readmeBlock('function')}`
  const site = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: {
      '/index.html': `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>${form}${code}</main>`,
      '/orders': '[{ "item": "Green tea" }]',
    },
    relay: { '/v1': endpoint.url },
  })
  try {
    await page.goto(site.url)
    await page.locator('tool-agent').getByRole('textbox').fill('What did I order?')
    await page.keyboard.press('Enter')
    await expect(page.locator('tool-agent strong')).toHaveText('green tea')
    const sent = JSON.stringify(endpoint.requests.at(-1)?.body)
    expect(sent).toContain('Green tea')
    expect(sent).toContain('Name')
  } finally {
    await site.close()
    await endpoint.close()
  }
})
