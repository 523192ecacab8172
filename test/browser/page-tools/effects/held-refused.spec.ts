// After a denial the page may show, keep and send again what was refused. Until it is loaded again nothing is sent for a
// grant or saved without a question, and what was refused stays so until the visitor acts.
import { answerQuestion } from '../../../support/page/press.js'
import { allow, card, click, deny, fill, openHeld, readyPage } from '../../../support/page/held-page.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

const warning = 'The page may still contain what you did not allow, and send it with this.'
const nothingSent = 'Nothing has been sent yet. The page waits for your answer.'

test('after a denial a grant and the saving of a value are asked about, until the page is loaded again', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([
    click('Next', 'a'),
    click('Other', 'b'),
    click('Next', 'c'),
    fill({ News: true }, 'd'),
    { text: 'Done.' },
    fill({ News: true }, 'e'),
    { text: 'Done.' },
  ])
  const arrived = await openHeld(page, site, endpoint, {
    html: '<button id=next>Next</button><button id=other>Other</button><label><input type=checkbox id=news>News</label>',
    script: `const post = (path, body) => fetch('/api/' + path, { method: 'POST', body }).catch(() => {})
      document.getElementById('next').onclick = () => post('step', 'n')
      document.getElementById('other').onclick = () => post('other', 'o')
      document.getElementById('news').onchange = ({ target }) => post('settings', String(target.checked))`,
  })
  await send(page, 'Go')
  await answerQuestion(page, '.approve-task')
  await expect(card(page)).toContainText('Other')
  await expect(card(page).locator('.warning')).toHaveText(nothingSent)
  await deny(page)
  // The task had allowed this.
  await expect(card(page)).toContainText('Next')
  await expect(card(page).locator('.warning')).toHaveText(`${nothingSent} ${warning}`)
  expect(arrived).toEqual(['POST /api/step n'])
  await allow(page)
  // The page saves this by itself.
  await expect(card(page)).toContainText('/api/settings')
  await expect(card(page).locator('.warning')).toHaveText(`${nothingSent} ${warning}`)
  await deny(page)
  await settled(page)
  expect(arrived).toEqual(['POST /api/step n', 'POST /api/step n'])
  await expect(page.locator('#news')).not.toBeChecked()
  const reload = page.locator('[part=reload]').last()
  await expect(reload).toHaveText('Reload the page')
  await Promise.all([page.waitForEvent('load'), reload.click()])
  await readyPage(page)
  await expect(page.locator('[part=reload]')).toHaveCount(0)
  // The visitor has acted since, and the page is a new one.
  await page.locator('h1').click()
  await send(page, 'Again')
  await settled(page)
  expect(arrived).toEqual(['POST /api/step n', 'POST /api/step n', 'POST /api/settings true'])
})

for (const way of ['fetch', 'XMLHttpRequest'] as const)
  test(`what an outbox sends again by ${way} stays refused, also after a reload, until the visitor acts`, async ({
    page,
    site,
    serveModel,
  }) => {
    const endpoint = await serveModel([click('Next'), { text: 'Done.' }])
    const transmit = {
      fetch: `fetch('/api/orders', { method: 'POST', body })`,
      XMLHttpRequest: `new Promise((resolve, reject) => {
        const xhr = new XMLHttpRequest()
        xhr.open('POST', '/api/orders')
        xhr.onload = resolve
        xhr.onerror = reject
        xhr.send(body)
      })`,
    }[way]
    const arrived = await openHeld(page, site, endpoint, {
      html: '<button id=next>Next</button>',
      script: `window.flush = async () => {
          const body = localStorage.getItem('outbox')
          if (!body) return 'empty'
          return ${transmit}.then(() => (localStorage.removeItem('outbox'), 'sent'), () => 'kept')
        }
        document.getElementById('next').onclick = () => (localStorage.setItem('outbox', 'order 7'), flush())`,
    })
    const flush = () => page.evaluate(() => (window as unknown as { flush: () => Promise<string> }).flush())
    await send(page, 'Go')
    await deny(page)
    await settled(page)
    expect(await flush()).toBe('kept')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('order 7')
    await page.reload()
    await readyPage(page)
    expect(await flush()).toBe('kept')
    expect(arrived).toEqual([])
    await page.locator('h1').click()
    expect(await flush()).toBe('sent')
    expect(arrived).toEqual(['POST /api/orders order 7'])
  })
