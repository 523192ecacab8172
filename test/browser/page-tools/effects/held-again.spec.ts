// What is known of a control after it has sent something: by its role, name and place, because pages draw anew.
import { allow, asked, click, openHeld } from '../../../support/page/held-page.js'
import { answerQuestion } from '../../../support/page/press.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

const handled = (page: import('playwright/test').Page) =>
  page.evaluate(() => (window as unknown as { handled: number }).handled)

test('a control that was drawn anew is known, and another one of its name is not', async ({
  page,
  site,
  serveModel,
}) => {
  const star = (place: string, id: string) => click(`Next in ${place}`, id)
  const endpoint = await serveModel([star('Slack', 'a'), star('Slack', 'b'), star('Zoom', 'c'), { text: 'Done.' }])
  const arrived = await openHeld(page, site, endpoint, {
    html: '<ul></ul>',
    script: `const draw = () => {
      document.querySelector('ul').innerHTML = ['Slack', 'Zoom'].map((name) =>
        '<li><h3>' + name + '</h3><button class=b>Next</button></li>').join('')
      for (const one of document.querySelectorAll('.b'))
        one.onclick = () => {
          handled++
          draw()
          fetch('/api/star', { method: 'POST', body: one.parentElement?.textContent ?? 'gone' }).catch(() => {})
        }
    }
    draw()`,
  })
  await send(page, 'Go')
  await asked(page)
  expect(await handled(page)).toBe(1)
  await allow(page)
  await expect.poll(() => arrived).toHaveLength(1)
  // The same control, although it is another element by now: the question comes before the press.
  await expect.poll(() => endpoint.requests.length).toBe(2)
  await asked(page)
  expect(await handled(page)).toBe(1)
  await allow(page)
  await expect.poll(() => arrived).toHaveLength(2)
  // Another row: it runs, and what it sends is held.
  await expect.poll(() => endpoint.requests.length).toBe(3)
  await asked(page)
  expect(await handled(page)).toBe(3)
  expect(arrived).toHaveLength(2)
  await allow(page)
  await settled(page)
  expect(arrived).toHaveLength(3)
})

test('what is held can be allowed for the task: for this control, and for this request', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([click('Next'), click('Next', 'b'), click('Next', 'c'), { text: 'Done.' }])
  const arrived = await openHeld(page, site, endpoint, {
    html: '<div id=box></div>',
    script: `const draw = () => {
      document.getElementById('box').innerHTML = '<button>Next</button>'
      document.querySelector('button').onclick = () => {
        draw()
        fetch(++handled < 3 ? '/api/step' : '/api/other', { method: 'POST', body: String(handled) }).catch(() => {})
      }
    }
    draw()`,
  })
  await send(page, 'Go')
  await answerQuestion(page, '.approve-task')
  await expect.poll(() => arrived).toEqual(['POST /api/step 1', 'POST /api/step 2'])
  // The same control with another address is asked about.
  await asked(page)
  expect(arrived).toHaveLength(2)
  await allow(page)
  await settled(page)
  expect(arrived).toEqual(['POST /api/step 1', 'POST /api/step 2', 'POST /api/other 3'])
})
