// The shop in Chromium, with the scripted model of src/test-main.tsx. CHROMIUM_PATH names the browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { createServer } from 'vite'

test('the assistant finds tea, fills cart and form, and orders after a question', async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH })
  const server = await createServer({ server: { host: '127.0.0.1', port: 0 }, logLevel: 'warn' })
  await server.listen()
  const url = `http://127.0.0.1:${server.httpServer.address().port}`
  try {
    const page = await browser.newPage()
    const problems = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (line) => ['error', 'warning'].includes(line.type()) && problems.push(line.text()))
    await page.goto(`${url}/test.html`)
    const panel = page.locator('tool-agent')
    await panel.getByRole('textbox').fill('Order green tea for Ada Lovelace, 12 St James Square, London')
    await page.keyboard.press('Enter')

    const question = page.locator('tool-agent tool-agent-approval')
    const answer = page.locator('tool-agent [part~=assistant-message]').getByText('Your order is on its way.')
    await question.or(answer).waitFor()
    const orders = async () => (await fetch(`${url}/orders`)).json()
    assert.deepEqual(await orders(), [], 'nothing is ordered before the answer')
    assert.match(await question.innerText(), /1 × Sencha green tea, 2 × Jasmine green tea[^]*€39\.30[^]*London/)
    assert.deepEqual(await page.locator('#cart li').allTextContents(), [
      '1 × Sencha green tea',
      '2 × Jasmine green tea',
    ])
    assert.equal(await page.locator('#total').textContent(), '€39.30')
    assert.deepEqual(await page.locator('#todos li').allTextContents(), [
      'Find green tea: completed',
      'Order it: pending',
    ])
    assert.deepEqual(await panel.locator('.card').allTextContents(), [
      'Sencha green tea, €9.50',
      'Jasmine green tea, €14.90',
    ])

    await page.locator('tool-agent .decision[data-ready]').waitFor()
    await question.getByRole('button', { name: 'Buy now' }).click()
    await answer.waitFor()
    await page.getByText('Thank you! Order 1 over €39.30').waitFor()
    assert.deepEqual(await orders(), [
      {
        customerId: 'customer-1001',
        cart: [
          { productId: 'sencha', quantity: 1 },
          { productId: 'jasmine', quantity: 2 },
        ],
        total: 39.3,
        name: 'Ada Lovelace',
        address: '12 St James Square, London',
      },
    ])
    const requests = await page.evaluate(() => {
      window.model.done()
      return JSON.stringify(window.model.requests)
    })
    assert.ok(!requests.includes('customer-1001'), 'the model never sees the id of the customer')

    // React does not render between two calls that come at the same time.
    await page.evaluate(() => {
      const { agent } = document.querySelector('tool-agent')
      const add = (productId) => agent.callTool('add_to_cart', { productId })
      return Promise.all([add('assam'), add('teapot')])
    })
    await page.locator('#cart').getByText('Cast iron teapot').waitFor()
    assert.deepEqual(await page.locator('#cart li').allTextContents(), ['1 × Assam black tea', '1 × Cast iron teapot'])
    assert.deepEqual(problems, [])
  } finally {
    await browser.close()
    await server.close()
  }
})
