// The built shop in Chromium. Its server is a process of its own and asks a scripted endpoint. CHROMIUM_PATH names the
// browser.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { toNodeHandler } from 'tool-agent/relay'
import { scriptedEndpoint } from 'tool-agent/testing'

test('a customer signs in, and the assistant finds teapots, fills the cart and orders after a question', async () => {
  const endpoint = scriptedEndpoint([
    { calls: [{ name: 'find_products', input: { query: 'teapot', maxPrice: 40 } }] },
    {
      calls: [
        { name: 'add_to_cart', input: { productId: 'glass', quantity: 2 } },
        { name: 'add_to_cart', input: { productId: 'sencha' } },
      ],
    },
    { calls: [{ name: 'check_out' }] },
    'It is ordered.',
  ])
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH })
  const model = createServer(toNodeHandler(endpoint))
  await once(model.listen(0, '127.0.0.1'), 'listening')
  const server = spawn(process.execPath, ['server.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      MODEL_ENDPOINT: `http://127.0.0.1:${model.address().port}/v1`,
      MODEL_API_KEY: 'key-of-the-shop',
    },
  })
  try {
    const url = String((await once(server.stdout, 'data'))[0]).trim()
    const page = await browser.newPage()
    const problems = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (line) => ['error', 'warning'].includes(line.type()) && problems.push(line.text()))
    await page.goto(`${url}/#kyusu`)
    const ask = () =>
      fetch('/models/shop/chat/completions', { method: 'POST', body: '{}' }).then(({ status }) => status)
    assert.equal(await page.evaluate(ask), 401, 'nobody is signed in')
    problems.length = 0 // the browser logs the 401

    await page.getByLabel('Your name').fill('ada')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Open the assistant' }).click()
    await page.locator('tool-agent').getByRole('textbox').fill('Buy two teapots below 40 euro, and Sencha')
    await page.keyboard.press('Enter')
    const question = page.locator('tool-agent tool-agent-approval')
    const answer = page.locator('tool-agent [part~=assistant-message]').getByText('It is ordered.')
    await question.or(answer).waitFor()
    const orders = () => page.evaluate(async () => (await fetch('/api/orders')).json())
    assert.deepEqual(await orders(), [], 'nothing is ordered before the answer')
    assert.equal(await page.locator('#status').textContent(), 'awaiting-approval')
    assert.match(await question.innerText(), /2 × Glass teapot, 1 × Sencha green tea[^]*€70\.50/)
    assert.deepEqual(await page.locator('tool-agent product-card').allTextContents(), ['Glass teapot, €29.00'])
    assert.deepEqual(await page.locator('#cart li').allTextContents(), ['2 × Glass teapot', '1 × Sencha green tea'])

    await page.locator('tool-agent .decision[data-ready]').waitFor()
    await question.getByRole('button', { name: 'Buy now' }).click()
    await answer.waitFor()
    assert.equal(await page.locator('#message').textContent(), 'Thank you! Order 1 over €70.50.')
    assert.equal(await page.locator('#total').textContent(), '€0.00')
    const [{ lines, total }, ...more] = await orders()
    assert.deepEqual(more, [])
    assert.equal(total, 70.5)
    assert.equal(lines.map(({ id, quantity }) => `${quantity} ${id}`).join(), '2 glass,1 sencha')

    for (const { headers, body } of endpoint.requests) {
      assert.equal(headers.authorization, 'Bearer key-of-the-shop')
      assert.equal(headers.cookie, undefined)
      assert.ok(!JSON.stringify(body).includes('user-ada'), 'the model never sees the id of the customer')
    }
    assert.match(JSON.stringify(endpoint.requests[0].body), /The product kyusu is open/)
    endpoint.done()
    assert.deepEqual(problems, [])
  } finally {
    await browser.close()
    server.kill()
    model.closeAllConnections()
    model.close()
  }
})
