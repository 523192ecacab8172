// What the page measures by itself passes while an action runs, and a first message to another site does not: it is
// held, and the question says where it would go.
import type { Page } from 'playwright/test'
import type { Endpoint } from '../../../support/lab/endpoint.js'
import { allow, asked, card, click, deny, elsewhere, fill, openHeld } from '../../../support/page/held-page.js'
import { resultsOf } from '../../../support/lab/requests.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

const stats = '/api/collect'
/** The ways to send without an answer. */
const ways: Readonly<Record<string, string>> = {
  beacon: `navigator.sendBeacon(elsewhere + '${stats}', text)`,
  blob: `navigator.sendBeacon(elsewhere + '${stats}', new Blob([text], { type: 'text/plain' }))`,
  'no-cors': `fetch(elsewhere + '${stats}', { method: 'POST', mode: 'no-cors', keepalive: true, body: text }).catch(() => {})`,
}
const html = `${Object.keys(ways)
  .map((way) => `<button data-way=${way}>Show ${way}</button>`)
  .join('')}<label>Name <input name=name></label><label>VIP <input type=checkbox name=vip></label>`
/** Sends what `textOf` makes, by the way of the button or field that is pressed or filled. */
const sending = (textOf: string): string => `
  const own = { ${Object.entries(ways)
    .map(([way, code]) => `'${way}': (text) => ${code}`)
    .join(',')} }
  const name = document.querySelector('[name=name]'), vip = document.querySelector('[name=vip]')
  const textOf = ${textOf}
  for (const one of document.querySelectorAll('[data-way]')) one.onclick = () => own[one.dataset.way](textOf(one))
  vip.onchange = () => own.beacon(textOf(vip))`
/** Denies the question of the step with this number, and waits for the next one. */
async function denyOne(
  page: Page,
  { requests }: Pick<Endpoint, 'requests'>,
  step: number,
  check: () => unknown,
): Promise<void> {
  await asked(page)
  expect(requests).toHaveLength(step)
  await check()
  await deny(page)
  await expect.poll(() => requests.length).toBe(step + 1)
}
/** The page views of a page, before the tag or after it. */
const pageViews = `<script>navigator.sendBeacon(elsewhere + '${stats}?en=view', 'view')</script>`

test('a first message to another site is held, and the question says where it goes', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([
    click('Show beacon', 'a'),
    click('Show blob', 'b'),
    fill({ VIP: true }, 'c'),
    click('Show no-cors', 'd'),
    { text: 'Done.' },
  ])
  const arrived = await openHeld(page, site, endpoint, { html, script: sending(`() => 'name=Ada'`) })
  await send(page, 'Go')
  for (const at of [1, 2, 3]) await denyOne(page, endpoint, at, () => expect(card(page)).toContainText('localhost'))
  await asked(page)
  expect(arrived).toEqual([])
  await allow(page)
  await settled(page)
  await expect.poll(() => arrived).toEqual(['POST /api/collect name=Ada'])
  expect(resultsOf(endpoint.requests[4])[3]).toContain(`allowed and unanswered: POST ${elsewhere(page)}/api/collect`)
})

for (const [when, head, setup] of [
  ['before the tag', pageViews, ''],
  ['after it', '', `navigator.sendBeacon(elsewhere + '${stats}', 'view')`],
] as const)
  test(`where the page has measured ${when}, it goes on, unless it carries what was filled`, async ({
    page,
    site,
    serveModel,
  }) => {
    const endpoint = await serveModel([
      click('Show beacon', 'a'),
      click('Show blob', 'b'),
      fill({ VIP: true }, 'c'),
      click('Show no-cors', 'd'),
      fill({ Name: 'Li' }, 'e'),
      click('Show beacon', 'f'),
      click('Show blob', 'g'),
      { text: 'Done.' },
    ])
    const script = sending(`() => JSON.stringify({ on: true, name: name.value, lang: 'en', from: 'Link Lib' })`)
    const arrived = await openHeld(page, site, endpoint, { html, script, head, setup })
    await expect.poll(() => arrived.length).toBe(1)
    await send(page, 'Go')
    for (const at of [6, 7]) await denyOne(page, endpoint, at, () => expect(arrived).toHaveLength(5))
    await settled(page)
    expect(arrived).toHaveLength(5)
    expect(resultsOf(endpoint.requests[5])[0]).toContain(`telemetry: ${elsewhere(page)}/api/collect`)
  })

test('what the visitor or an action has sent there makes it no telemetry', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([click('Show beacon', 'a'), click('Show no-cors', 'b'), { text: 'Done.' }])
  const arrived = await openHeld(page, site, endpoint, { html, script: sending(`() => 'like 7'`) })
  await page.getByRole('button', { name: 'Show beacon' }).click()
  await expect.poll(() => arrived.length).toBe(1)
  await send(page, 'Go')
  await allow(page)
  await expect.poll(() => endpoint.requests.length).toBe(2)
  await deny(page)
  await settled(page)
  expect(arrived).toHaveLength(2)
})

test('what is packed is read, and asked about only if it carries what was filled', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([
    fill({ Name: 'Ada Lovelace' }, 'a'),
    click('Show packed', 'b'),
    click('Show name', 'c'),
    { text: 'Done.' },
  ])
  const arrived = await openHeld(page, site, endpoint, {
    html: '<button id=plain>Show packed</button><button id=named>Show name</button><label>Name <input id=name></label>',
    script: `
      const pack = (event) => new Response(new Blob([JSON.stringify({ api_key: 'k', batch: [
        { uuid: 'u', event, properties: {} }] })]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
      Promise.all(['press', 'Ada Lovelace'].map(pack)).then(([plain, named]) => {
        const post = (body) => fetch(elsewhere + '/api/e/', { method: 'POST', body })
        document.getElementById('plain').onclick = () => post(plain)
        document.getElementById('named').onclick = () => post(named).catch(() => {})
      })`,
  })
  await send(page, 'Go')
  await asked(page)
  expect(endpoint.requests).toHaveLength(3)
  expect(arrived).toHaveLength(1)
  await deny(page)
  await settled(page)
  expect(arrived).toHaveLength(1)
  expect(resultsOf(endpoint.requests[2])[1]).toContain(`telemetry: ${elsewhere(page)}/api/e/`)
})
