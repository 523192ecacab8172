// The shop in Chromium, with a scripted model behind its own relay. CHROMIUM_PATH names the browser.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { scriptedEndpoint } from 'tool-agent/testing'
import { createShop } from './server.mjs'

const fields = [
  { field: 'Name', value: 'Ada Lovelace' },
  { field: 'Address', value: '12 St James Square, London' },
  { field: 'Delivery date', value: '2030-12-24' },
  { field: 'It is a gift', value: true },
]

test('the assistant finds tea, fills cart and form, and orders after a question', async () => {
  const endpoint = scriptedEndpoint([
    { calls: [{ name: 'find_products', input: { query: 'tea', maxPrice: 10 } }] },
    {
      calls: [
        { name: 'add_to_cart', input: { productId: 'assam', quantity: 2 } },
        { name: 'add_to_cart', input: { productId: 'earl-grey' } },
      ],
    },
    'Three packets are in your cart.',
    { calls: [{ name: 'form_fill', input: { fields } }, { name: 'check_out' }] },
    'It is ordered.',
  ])
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH })
  const { server, orders } = createShop(endpoint)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const page = await browser.newPage()
    const problems = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (line) => ['error', 'warning'].includes(line.type()) && problems.push(line.text()))
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    await page.getByRole('button', { name: 'Open the assistant' }).click()
    const say = async (text) => {
      await page.locator('tool-agent').getByRole('textbox').fill(text)
      await page.keyboard.press('Enter')
    }
    const answer = (text) => page.locator('tool-agent [part~=assistant-message]').getByText(text)

    await say('Two packets of Assam below ten euros, and one of another tea')
    await answer('Three packets').waitFor()
    assert.deepEqual(await page.locator('tool-agent tea-card p').allTextContents(), [
      'Assam black tea, €8.90',
      'Earl Grey tea, €9.40',
    ])
    assert.deepEqual(await page.locator('#cart li').allTextContents(), ['2 × Assam black tea', '1 × Earl Grey tea'])
    // The cards of the panel are those of the page: their buttons work, too.
    await page.locator('tool-agent tea-card').getByRole('button', { name: 'Add Earl Grey tea' }).click()
    assert.equal(await page.locator('#total').textContent(), '€36.60')

    await say('To Ada Lovelace, 12 St James Square, London, on Christmas Eve. It is a gift. Buy it.')
    const question = page.locator('tool-agent tool-agent-approval')
    await question.or(answer('It is ordered.')).waitFor()
    assert.deepEqual(orders, [], 'nothing is ordered before the answer')
    assert.match(await question.innerText(), /2 × Assam black tea, 2 × Earl Grey tea[^]*€36\.60[^]*London[^]*gift/)
    await page.locator('tool-agent .decision[data-ready]').waitFor()
    await question.getByRole('button', { name: 'Buy now' }).click()
    await answer('It is ordered.').waitFor()
    assert.equal(orders.length, 1)
    await page.getByText('Thank you! Order 1001 over €36.60').waitFor()

    const visitor = await page.evaluate(async () => (await (await fetch('/me')).json()).id)
    const { lines, visitorId, name, date, gift, total } = orders[0]
    assert.deepEqual(
      { visitorId, name, date, gift, total },
      { visitorId: visitor, name: 'Ada Lovelace', date: '2030-12-24', gift: true, total: 36.6 },
    )
    assert.equal(lines.map(({ id, quantity }) => `${quantity} ${id}`).join(), '2 assam,2 earl-grey')
    assert.ok(!JSON.stringify(endpoint.requests).includes(visitor), 'the model never sees the id of the visitor')
    endpoint.done()
    assert.deepEqual(problems, [])
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
})
