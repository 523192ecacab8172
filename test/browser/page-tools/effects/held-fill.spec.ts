// A fill pauses where something of it is held. After an approval it goes on with the page as it is then; after a denial
// the field is put back, and the model reads which fields were written and which were not.
import { resultsOf } from '../../../support/lab/requests.js'
import {
  allow,
  asked,
  card,
  click,
  deny,
  elsewhere,
  fill,
  openHeld,
  type HeldPage,
} from '../../../support/page/held-page.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

/** A form whose country is sent to another site as soon as it is chosen. */
const rates = (more = ''): HeldPage => ({
  html: `<form><label>Name <input name=name></label>
    <label>Country <select name=country><option>Austria<option>Peru</select></label>
    <label>City <input name=city></label><label>Zip <input name=zip></label></form><p id=out></p>`,
  script: `const at = (name) => document.querySelector('[name=' + name + ']')
    at('country').onchange = () => {
      handled++
      fetch(elsewhere + '/api/rates', { method: 'POST', body: at('country').value })
        .then(() => (document.getElementById('out').textContent = 'known'), () => (document.getElementById('out').textContent = 'lost'))
        .then(() => {${more}})
    }`,
})
const all = { Name: 'Ada', Country: 'Peru', City: 'Lima', Zip: '15001' }
const valuesIn = (page: import('playwright/test').Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('main :is(input,select,textarea)')].map((one) =>
      one.type === 'checkbox' ? String(one.checked) : one.value,
    ),
  )

test('a fill waits before the next field, and goes on after an approval', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([fill(all), { text: 'Done.' }])
  const arrived = await openHeld(page, site, endpoint, rates())
  await send(page, 'Go')
  await asked(page)
  expect(arrived).toEqual([])
  expect(await valuesIn(page)).toEqual(['Ada', 'Peru', '', ''])
  await expect(card(page).locator('.warning')).toHaveText('Nothing has been sent yet. The page waits for your answer.')
  await expect(card(page).locator('.preview dd')).toContainText(['Peru'])
  await allow(page)
  await settled(page)
  expect(arrived).toEqual(['POST /api/rates Peru'])
  expect(await valuesIn(page)).toEqual(['Ada', 'Peru', 'Lima', '15001'])
  const [told] = resultsOf(endpoint.requests[1])
  expect(told).toContain(`sent: POST ${elsewhere(page)}/api/rates, 200`)
  expect(told?.match(/"ok": ?true/g)).toHaveLength(4)
})

test('after a denial the field is put back, and what was not filled is named', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([fill(all), { text: 'Done.' }])
  const arrived = await openHeld(page, site, endpoint, rates())
  await send(page, 'Go')
  await deny(page)
  await settled(page)
  expect(arrived).toEqual([])
  await expect.poll(() => valuesIn(page)).toEqual(['Ada', 'Austria', '', ''])
  const [told] = resultsOf(endpoint.requests[1])
  expect(told).toContain('Error (denied)')
  expect(told).toContain('Filled: "Name". Put back: "Country". Not filled: "City", "Zip".')
  // Putting it back has sent nothing, and asked nobody.
  await expect(card(page)).toHaveCount(0)
})

test('Stop and another message put the field back, too', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([fill(all), fill(all, 'g'), { text: 'Done.' }])
  const arrived = await openHeld(page, site, endpoint, rates())
  await send(page, 'Go')
  await asked(page)
  await page.evaluate(() => window.agent.stop())
  await settled(page)
  await expect.poll(() => valuesIn(page)).toEqual(['Ada', 'Austria', '', ''])
  await send(page, 'Again')
  await asked(page)
  expect(resultsOf(endpoint.requests[1])[0]).toContain('Not filled: "City", "Zip"')
  await send(page, 'No')
  await settled(page)
  expect(resultsOf(endpoint.requests[2])[1]).toContain('Not filled: "City", "Zip"')
  expect(arrived).toEqual([])
})

test('what cannot be held any longer is put back, and filled again if the user allows it', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([fill(all), { text: 'Done.' }])
  await page.clock.install()
  const arrived = await openHeld(page, site, endpoint, rates())
  await send(page, 'Go')
  await expect(card(page).locator('.warning')).toContainText('Nothing has been sent yet')
  // In small steps, so that the worker can answer meanwhile.
  for (let second = 0; second < 26; second++) {
    await page.clock.runFor(1_000)
    await page.evaluate(() => window.agent.session?.id)
  }
  await expect(page.locator('#out')).toHaveText('lost')
  await expect.poll(() => valuesIn(page)).toEqual(['Ada', 'Austria', '', ''])
  await expect(card(page).locator('.warning')).not.toContainText('Nothing has been sent yet')
  await page.evaluate(() => window.agent.approve('f'))
  await settled(page)
  // One answer, one request.
  expect(arrived).toEqual(['POST /api/rates Peru'])
  expect(await valuesIn(page)).toEqual(['Ada', 'Peru', 'Lima', '15001'])
})

test('what has changed while the user was asked is told for each field', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([fill({ ...all, Note: 'Ring' }), { text: 'Done.' }])
  const form = rates(`
    document.querySelector('[name=zip]').parentElement.remove()
    document.querySelector('form').insertAdjacentHTML('beforeend', '<label>Zip <input name=zip2></label>')
    document.querySelector('[name=note]').parentElement.remove()`)
  await openHeld(page, site, endpoint, { ...form, html: `${form.html}<label>Note <input name=note></label>` })
  await send(page, 'Go')
  await asked(page)
  await page.locator('[name=city]').pressSequentially('Cusco')
  await allow(page)
  await settled(page)
  const told = resultsOf(endpoint.requests[1])[0]
  expect(await valuesIn(page)).toEqual(['Ada', 'Peru', 'Cusco', '15001'])
  expect(told).toMatch(/Skipped: the user is editing this field/)
  expect(told).toMatch(/"field": ?"Note"[^}]*"ok": ?false/)
})

test('a field that a dialog covers by then is not filled', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([fill(all), { text: 'Done.' }])
  const form = rates(`const box = document.createElement('dialog')
    box.textContent = 'Your session ends soon'
    document.body.append(box)
    box.showModal()`)
  await openHeld(page, site, endpoint, form)
  await send(page, 'Go')
  await allow(page)
  await settled(page)
  expect(await valuesIn(page)).toEqual(['Ada', 'Peru', '', ''])
  expect(resultsOf(endpoint.requests[1])[0]).toMatch(/Not filled: .*(?:covers|dialog)/)
})

test('each kind of field waits, also the last one and one whose request must be read first', async ({
  page,
  site,
  serveModel,
}) => {
  const values = { Código: 'A-1', Vip: true, Nota: 'hola' }
  const endpoint = await serveModel([fill(values), { text: 'Done.' }])
  const arrived = await openHeld(page, site, endpoint, {
    html: `<div dir=rtl><label>Código <input name=code></label><label><input type=checkbox name=vip>Vip</label>
      <label>Nota <textarea name=note></textarea></label></div>`,
    script: `const [code, vip, note] = document.querySelectorAll('main :is(input,textarea)')
      code.onblur = () => {
        const xhr = new XMLHttpRequest()
        xhr.open('DELETE', '/api/code/' + code.value)
        xhr.send()
      }
      vip.onchange = () => setTimeout(() => navigator.sendBeacon('/api/vip/delete', 'vip ' + vip.checked))
      note.oninput = () => fetch(new Request(elsewhere + '/api/notes', { method: 'POST', body: note.value }))`,
  })
  await send(page, 'Go')
  await allow(page)
  await expect.poll(() => arrived).toEqual(['DELETE /api/code/A-1'])
  await allow(page)
  await expect.poll(() => arrived).toHaveLength(2)
  await deny(page)
  await expect.poll(() => valuesIn(page)).toEqual(['A-1', 'true', ''])
  expect(arrived).toEqual(['DELETE /api/code/A-1', 'POST /api/vip/delete vip true'])
  await settled(page)
  const [told] = resultsOf(endpoint.requests[1])
  expect(told).toContain('Before that: sent: DELETE /api/code/A-1, 200, allowed and unanswered: POST /api/vip/delete.')
  expect(told).toContain('Filled: "Código", "Vip". Put back: "Nota".')
})

test('what a fill was stopped before names the fields that were not filled', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([fill(all), { text: 'Done.' }])
  const { html } = rates()
  const script = `document.querySelector('[name=country]').onchange = () => {
    const xhr = new XMLHttpRequest()
    xhr.open('DELETE', '/api/cart', false)
    try { xhr.send() } catch {}
  }`
  const arrived = await openHeld(page, site, endpoint, { html, script })
  await send(page, 'Go')
  await deny(page)
  await settled(page)
  expect(arrived).toEqual([])
  const [told] = resultsOf(endpoint.requests[1])
  expect(told).toContain('Filled: "Name", "Country".')
  expect(told).toContain('Not filled: "City", "Zip".')
})

test('what a box saves to its own site is told, and undo says that the server keeps it', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([
    fill({ News: true }),
    click('Alerts'),
    { calls: [{ id: 'u', name: 'form_undo', arguments: {} }] },
    { text: 'Done.' },
  ])
  const arrived = await openHeld(page, site, endpoint, {
    html: '<label><input type=checkbox name=news>News</label><label><input type=checkbox name=alerts>Alerts</label>',
    script: `for (const box of document.querySelectorAll('input'))
      box.onchange = () => box.checked && fetch('/api/settings', { method: 'PATCH', body: box.name + box.checked })`,
  })
  await send(page, 'Go')
  await settled(page)
  expect(arrived).toEqual(['PATCH /api/settings newstrue', 'PATCH /api/settings alertstrue'])
  const told = resultsOf(endpoint.requests[3])
  expect(told[0]).toContain('the page saved: PATCH /api/settings, 200')
  expect(told[1]).toContain('the page saved: PATCH /api/settings, 200')
  expect(told[2]).toContain('its server keeps')
})
