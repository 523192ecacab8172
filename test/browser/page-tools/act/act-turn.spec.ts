// Whole turns with the acting tools: what only follows a link of this site runs at once, and for everything else the
// question shows what will happen and a real click allows it. The act leads to another page, and the turn continues
// there.
import type { Locator, Page } from 'playwright/test'
import type { ScriptItem } from '../../../support/lab/endpoint.js'
import { resultsOf } from '../../../support/lab/requests.js'
import { answerQuestion } from '../../../support/page/press.js'
import { drawn, watchStage } from '../../../support/page/stage.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

const pageClick = (target: string, id = 'c'): ScriptItem => ({
  calls: [{ id, name: 'page_click', arguments: { target } }],
})
const card = (page: Page): Locator => page.locator('tool-agent-approval')
async function allow(page: Page): Promise<void> {
  await answerQuestion(page, '.approve')
}
const shop = (site: string, endpoint: { url: string }, more = ''): string =>
  `${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(endpoint.url)}${more}`
const ready = (page: Page) =>
  page.waitForFunction(
    () =>
      ['ready', 'idle'].includes(window.agent?.status) && window.agent.tools.some(({ name }) => name === 'page_click'),
  )
const begin = async (page: Page, address: string, before?: () => Promise<void>): Promise<void> => {
  await page.goto(address)
  await ready(page)
  await before?.()
  await send(page, 'Go')
}
const result = (page: Page) =>
  page.evaluate(
    () =>
      window.agent.messages
        .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
        .find((part) => part.type === 'tool-call')?.result,
  )
/** Whether the user was asked about the first call. */
const wasAsked = (page: Page) =>
  page.evaluate(() =>
    window.agent.messages
      .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
      .some((part) => part.type === 'tool-call' && part.approval !== undefined),
  )
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)

test(
  'a click on a link of this site opens the next page without a question, and the turn continues there',
  { tag: ['@R6.3', '@F5'] },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([pageClick('To the basket'), { text: 'You are at your basket.' }])
    await begin(page, shop(site, endpoint))
    await page.waitForURL(/basket/)
    await settled(page)
    expect(await wasAsked(page)).toBe(false)
    expect((await result(page))?.output).toEqual({
      navigated: { from: shop(site, endpoint), to: `${site}/test/pages/page-tools/act-turn.html?basket` },
    })
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(/"navigated"/)
    expect(await page.evaluate(() => window.agent.session?.end?.reason)).toBe('stop')
    expect(await stored(page, 'loads')).toBe('2')
  },
)

test(
  'a click on a link to another site needs approval, and the question says where it leads',
  { tag: '@R6.3' },
  async ({ page, site, serveModel }) => {
    await page.route('https://elsewhere.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>The offer</title>' }),
    )
    const endpoint = await serveModel([pageClick('Partner offer')])
    await begin(page, shop(site, endpoint))
    await expect(card(page).getByRole('heading')).toHaveText('Leave this site for elsewhere.example?')
    await expect(card(page).locator('.preview dt')).toHaveText(['Presses', 'In', 'Leads to'])
    await expect(card(page).locator('.preview dd')).toHaveText([
      'Partner offer',
      'Shop',
      'https://elsewhere.example/offer',
    ])
    // The arguments of the call are for developers.
    await expect(card(page).locator('.arguments')).toHaveCount(0)
    await expect(card(page).locator('.raw')).toContainText('link "Partner offer"')
    expect(await page.locator('h1').textContent()).toBe('Shop')
    await allow(page)
    await page.waitForURL('https://elsewhere.example/offer')
  },
)

test(
  'a form is filled, shown with its values, submitted once, and the turn continues',
  { tag: '@R6.3' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([
      { calls: [{ id: 'f', name: 'form_fill', arguments: { fields: [{ field: 'Name', value: 'Ada' }] } }] },
      {
        calls: [
          { id: 's', name: 'form_submit', arguments: {} },
          { id: 'r', name: 'page_read', arguments: {} },
        ],
      },
      { text: 'Ordered.' },
    ])
    await begin(page, shop(site, endpoint), () => page.locator('[name=cardnumber]').fill('4111111111111111'))
    await expect(card(page).getByRole('heading')).toHaveText('Press “Order now” in “Order”?')
    await expect(card(page).locator('.warning')).toHaveText('This may delete or pay. You may not be able to undo it.')
    await expect(card(page).locator('.preview dt')).toHaveText(['Sent to', 'Name', 'Card number'])
    await expect(card(page).locator('.preview dd')).toHaveText([
      '/test/pages/page-tools/act-turn.html',
      'Ada',
      'filled in (kept private)',
    ])
    await allow(page)
    await page.waitForURL(/name=Ada/)
    await settled(page)
    const [, sent, read] = resultsOf(endpoint.requests[2])
    expect(sent).toMatch(/"navigated"/)
    // What stood behind it in the same step ran on the page that it led to.
    expect(read).toContain('heading "Thank you, Ada"')
    expect(JSON.stringify(endpoint.requests.map(({ body }) => body?.['messages']))).not.toContain('41111111')
    expect(await stored(page, 'loads')).toBe('2')
  },
)

test(
  'page_navigate settles on the page it opened, even if the turn does not resume by itself',
  { tag: '@R6.3' },
  async ({ page, site, serveModel }) => {
    // The page has no such link, so the user is asked.
    const address = '/test/pages/page-tools/act-turn.html?basket&page=2'
    const endpoint = await serveModel([
      { calls: [{ id: 'n', name: 'page_navigate', arguments: { url: address } }] },
      { text: 'There.' },
    ])
    await begin(page, shop(site, endpoint, '&resume=ask'))
    await expect(card(page).getByRole('heading')).toHaveText(`Open ${address}?`)
    await allow(page)
    await page.waitForURL(/basket/)
    await page.waitForFunction(() => window.agent?.status === 'interrupted')
    expect((await result(page))?.output).toMatchObject({ navigated: { to: `${site}${address}` } })
    expect(await page.evaluate(() => window.agent.continue().then(({ text }) => text))).toBe('There.')
  },
)

test(
  'Enter in a field asks as form_submit does, opens the next page, and the turn continues',
  { tag: ['@R6.3', '@R7.3'] },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([
      { calls: [{ id: 'p', name: 'page_press', arguments: { target: 'Name', key: 'Enter' } }] },
      { text: 'Ordered.' },
    ])
    await begin(page, shop(site, endpoint), () => page.locator('[name=name]').fill('Ada'))
    await expect(card(page).getByRole('heading')).toHaveText('Press “Order now” in “Order”?')
    await expect(card(page).locator('.warning')).toHaveText('This may delete or pay. You may not be able to undo it.')
    await expect(card(page).locator('.preview dt')).toHaveText(['Sent to', 'Name', 'Card number'])
    await expect(card(page).locator('.raw')).toContainText('form "Order" by button "Order now"')
    await allow(page)
    await page.waitForURL(/name=Ada/)
    await settled(page)
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(/"navigated"/)
    expect(await stored(page, 'loads')).toBe('2')
  },
)

test('another key names itself in the question, and scrolling does not ask', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([
    {
      calls: [
        { id: 's', name: 'page_scroll', arguments: { text: 'Your card' } },
        { id: 'p', name: 'page_press', arguments: { target: 'More', key: 'F2' } },
      ],
    },
    { text: 'Done.' },
  ])
  await begin(page, shop(site, endpoint))
  await expect(card(page).getByRole('heading')).toHaveText('Press the key F2 in “More”?')
  await expect(card(page).locator('.preview dd')).toHaveText(['Shop'])
  await allow(page)
  await settled(page)
  const [scrolled, pressed] = resultsOf(endpoint.requests[1])
  // What they read is fenced as untrusted.
  expect(scrolled).toMatch(/^<(\S+)[^>]*>\s*Scrolled the page\.[\s\S]*The text was not found[\s\S]*<\//)
  expect(pressed).toMatch(/^<(\S+)[^>]*>\s*Pressed F2 on button "More", but nothing happened[\s\S]*<\//)
})

test('a click that stays on the page reports the changes, fenced as untrusted', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([pageClick('More'), { text: 'Done.' }])
  await begin(page, shop(site, endpoint))
  await allow(page)
  await settled(page)
  const [told] = resultsOf(endpoint.requests[1])
  expect(told).toMatch(/^<(\S+)[^>]*>[\s\S]*Clicked button "More"\.[\s\S]*text: Here is more[\s\S]*<\//)
})

test(
  'with approval off only another site needs approval, and it cannot be allowed for the session',
  { tag: '@R7.1' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([
      pageClick('More', 'a'),
      pageClick('Partner offer', 'b'),
      { text: 'As you like.' },
    ])
    await begin(page, shop(site, endpoint, '&approval=off'))
    await expect(card(page).getByRole('note')).toHaveText('This leads to another site: elsewhere.example')
    await expect(card(page).getByRole('note').locator('strong')).toHaveText('elsewhere.example')
    await expect(card(page).getByRole('button', { name: 'Ways to allow' })).toHaveCount(0)
    await expect(card(page).getByRole('button', { name: 'Allow for this task' })).toHaveCount(0)
    await expect(page.locator('#told')).toHaveText('Here is more')
    await card(page).locator('.deny').click()
    await settled(page)
    expect(resultsOf(endpoint.requests[2])[1]).toMatch(/denied/)
    expect(new URL(page.url()).pathname).toBe('/test/pages/page-tools/act-turn.html')
  },
)

test('an unreachable element is an error without an approval', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([pageClick('No such button'), { text: 'It is not there.' }])
  await begin(page, shop(site, endpoint))
  await settled(page)
  const [told] = resultsOf(endpoint.requests[1])
  expect(told).toMatch(
    /^<(\S+)[^>]*>[\s\S]*Error \(invalid-input\): No clickable element is named "No such button"[\s\S]*button "More"/,
  )
})

test('the approval is in German on a German page', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([{ calls: [{ id: 's', name: 'form_submit', arguments: {} }] }, { text: 'Gut.' }])
  await begin(page, shop(site, endpoint, '&lang=de'))
  await expect(card(page).getByRole('heading')).toHaveText('Soll „Order now“ in „Order“ gedrückt werden?')
  await expect(card(page).locator('.warning')).toHaveText(
    'Das kann etwas löschen oder bezahlen. Vielleicht ist es nicht rückgängig zu machen.',
  )
  await expect(card(page).locator('.preview dt')).toHaveText(['Gesendet an', '2 leere Felder'])
  await expect(card(page).locator('.preview dd')).toHaveText([/^\/test\//, 'Name, Card number'])
  await card(page).locator('.deny').click()
  await settled(page)
})

test(
  'neither page scripts nor page_click can press the button of an approval',
  { tag: ['@S9', '@S10'] },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([pageClick('Allow', 'a'), pageClick('More', 'b'), { text: 'No.' }])
    await begin(page, shop(site, endpoint))
    await expect(card(page).locator('.decision[data-ready]')).toBeVisible()
    await page.evaluate(() => {
      const button = document.querySelector('tool-agent')!.shadowRoot!.querySelector<HTMLElement>('.approve')!
      button.click()
      button.dispatchEvent(new PointerEvent('click', { bubbles: true, composed: true }))
    })
    expect(await page.locator('#told').textContent()).toBe('')
    expect(await page.evaluate(() => window.agent.status)).toBe('awaiting-approval')
    await card(page).locator('.deny').click()
    await settled(page)
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(/No clickable element is named "Allow"/)
    expect(resultsOf(endpoint.requests[1])[0]).not.toMatch(/button "(Allow|Don’t allow|Send)"/)
  },
)

test(
  'a link that changes its target after the approval is not followed',
  { tag: ['@S14', '@S8'] },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([pageClick('Partner offer'), { text: 'It changed.' }])
    await begin(page, shop(site, endpoint))
    await expect(card(page).locator('.decision[data-ready]')).toBeVisible()
    await page.evaluate(() =>
      document.querySelector('a[href*=offer]')?.setAttribute('href', 'https://elsewhere.example/another'),
    )
    await answerQuestion(page, '.approve')
    await expect(card(page).locator('.changes ins')).toHaveText('https://elsewhere.example/another')
    await card(page).locator('.deny').click()
    await settled(page)
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(/denied this call. It did not run/)
    expect(await stored(page, 'loads')).toBe('1')
  },
)

for (const [what, html, change, target] of [
  [
    'the row that is rewritten in place',
    '<table><tr><td id=h>Letter A</td><td><button id=x>Remove</button></td></tr><tr><td>Letter C</td></tr></table>',
    "h.textContent = 'Letter B'",
    'Remove',
  ],
  [
    'the heading of a pane',
    '<section><h2 id=h>Ann Miller</h2><p>ann@x.example</p><button id=x>Delete</button></section>',
    "h.textContent = 'Bob Stone'",
    'Delete',
  ],
  [
    'the amount beside the button',
    '<div><p>To pay: <b id=h>10 €</b></p><button id=x>Pay now</button></div>',
    "h.textContent = '9000 €'",
    'Pay now',
  ],
  [
    'a field of the same group',
    '<div role=group aria-label=Transfer><div id=h contenteditable role=textbox aria-label=To>Ann</div>' +
      '<button id=x>Send money</button></div>',
    "h.textContent = 'Mallory'",
    'Send money',
  ],
] as const)
  test(
    `what a question was about is what runs: ${what}`,
    { tag: ['@S8', '@R7.3'] },
    async ({ page, site, serveModel }) => {
      const endpoint = await serveModel([pageClick(target), { text: 'It changed.' }])
      await begin(page, shop(site, endpoint), () =>
        page.evaluate((html) => {
          document.querySelector('main')!.innerHTML = html
          document.querySelector('#x')!.addEventListener('click', () => localStorage.setItem('done', '1'))
        }, html),
      )
      await expect(card(page).locator('.decision[data-ready]')).toBeVisible()
      await page.evaluate(change)
      await answerQuestion(page, '.approve')
      // Nothing runs. The question is asked anew, and says what changed.
      await expect(card(page).locator('.changes')).toContainText(/Letter B|Bob Stone|9000 €|Mallory/)
      expect(await stored(page, 'done')).toBe(null)
      await answerQuestion(page, what.startsWith('the row') ? '.deny' : '.approve')
      await settled(page)
      const isDenied = what.startsWith('the row')
      expect(await stored(page, 'done')).toBe(isDenied ? null : '1')
      if (isDenied) expect(resultsOf(endpoint.requests[1])[0]).toMatch(/denied this call. It did not run/)
    },
  )

test(
  'a page that changes at every question is asked about three times at most',
  { tag: ['@S8', '@R7.3'] },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([pageClick('Pay now'), { text: 'It changes.' }])
    await begin(page, shop(site, endpoint), () =>
      page.evaluate(() => {
        document.querySelector('main')!.innerHTML = '<div><b id=h>0 €</b> <button id=x>Pay now</button></div>'
        document.querySelector('#x')!.addEventListener('click', () => localStorage.setItem('done', '1'))
      }),
    )
    for (const amount of ['10 €', '20 €', '30 €']) {
      await expect(card(page).locator('.decision[data-ready]')).toBeVisible()
      await page.evaluate((text) => {
        document.querySelector('#h')!.textContent = text
      }, amount)
      await answerQuestion(page, '.approve')
      if (amount !== '30 €') await expect(card(page).locator('.changes ins')).toContainText(amount)
    }
    await settled(page)
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(/The action changed after it was checked.*Nothing was done/)
    expect(await stored(page, 'done')).toBe(null)
  },
)

test(
  'the target stays outlined while its question waits, also where it is another one by then, and no longer',
  { tag: '@S35' },
  async ({ page, site, serveModel }) => {
    await watchStage(page)
    const endpoint = await serveModel([pageClick('Pay now'), { text: 'Then not.' }])
    await begin(page, shop(site, endpoint), () =>
      page.evaluate(() => {
        document.querySelector('main')!.innerHTML = '<b id=h>0 €</b> <button id=x>Pay now</button> <i id=y></i>'
      }),
    )
    /** The buttons that are outlined. */
    const outlined = async (): Promise<string[]> => {
      const rings = (await drawn(page)).filter(({ name }) => name === 'ring').map(({ box }) => box)
      return page.evaluate((boxes) => {
        const buttons = [...document.querySelectorAll('main button')]
        return boxes.map((ring) => {
          const within = (button: Element): boolean => {
            const { left, right, top, bottom } = button.getBoundingClientRect()
            const [x, y] = [(left + right) / 2, (top + bottom) / 2]
            return ring.x < x && x < ring.x + ring.width && ring.y < y && y < ring.y + ring.height
          }
          return buttons.find(within)?.id ?? 'nothing'
        })
      }, rings)
    }
    await expect(card(page).locator('.decision[data-ready]')).toBeVisible()
    await expect.poll(outlined).toEqual(['x'])
    await page.evaluate(() => {
      document.querySelector('#h')!.textContent = '20 €'
      const drawn = document.createElement('button')
      drawn.id = 'drawn'
      drawn.textContent = 'Pay now'
      document.querySelector('#x')!.before(drawn)
      document.querySelector('#x')!.textContent = 'Help'
    })
    await answerQuestion(page, '.approve')
    await expect(card(page).locator('.changes ins').first()).toBeVisible()
    await expect.poll(outlined).toEqual(['drawn'])
    await card(page).locator('.deny').click()
    await settled(page)
    await expect.poll(outlined).toEqual([])
  },
)

test(
  'a running action is listed, and stop ends it while no time passes in the page',
  { tag: '@S35' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([pageClick('Never ready')])
    await page.clock.install()
    await begin(page, shop(site, endpoint))
    await expect(card(page).locator('.decision[data-ready]')).toBeVisible()
    // From here on the clock of the page goes on only by hand: a slow machine cannot end the act by itself.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 3_600_000))
    await answerQuestion(page, '.approve')
    const shown = page.locator('details.call[data-tool=page_click]')
    await expect
      .poll(async () => {
        await page.clock.runFor(16)
        return (await shown.count()) > 0 && shown.getAttribute('data-state')
      })
      .toBe('running')
    // A hand holds the button for a frame.
    await expect
      .poll(async () => {
        await page.clock.runFor(16)
        return stored(page, 'pressed')
      })
      .toBe('1')
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          window.agent.subscribe((event) => {
            if (event.type === 'turn-end') resolve()
          })
          window.agent.stop()
        }),
    )
    expect((await result(page))?.error?.code).toBe('cancelled')
  },
)

test('a reload during an action does not repeat it', { tag: ['@S31', '@C100'] }, async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([pageClick('Never ready'), { text: 'On it goes.' }])
  await begin(page, shop(site, endpoint))
  await allow(page)
  await page.waitForFunction(() => localStorage.getItem('pressed') === '1')
  await page.reload()
  await settled(page)
  expect((await result(page))?.output).toHaveProperty('navigated')
  expect(await stored(page, 'pressed')).toBe('1')
  expect(resultsOf(endpoint.requests[1])).toHaveLength(1)
})

test(
  'after a crash an open approval is asked again, and the action has not run',
  { tag: '@S31' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([pageClick('Never ready'), { text: 'Left it.' }])
    await begin(page, shop(site, endpoint))
    await expect(card(page)).toBeVisible()
    await page.reload()
    await expect(card(page).locator('.decision[data-ready]')).toBeVisible()
    expect(await stored(page, 'pressed')).toBeNull()
    await card(page).locator('.deny').click()
    await settled(page)
    expect(await stored(page, 'pressed')).toBeNull()
  },
)

test('the page-tools attribute offers the tools that it names, and no others', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([{ text: 'one' }, { text: 'two' }])
  await page.goto(shop(site, endpoint))
  await ready(page)
  await page.evaluate(() => window.agent.send('Go'))
  await page.evaluate(() => {
    document.querySelector('tool-agent')!.pageTools = 'act'
  })
  await page.waitForFunction(() => window.agent.tools.length === 6)
  await page.evaluate(() => window.agent.send('Go'))
  const names = endpoint.requests.map(({ body }) =>
    (body!['tools'] as unknown as { function: { name: string } }[])
      .map((tool) => tool.function.name)
      .filter((name) => !name.startsWith('todo_')),
  )
  expect(names[0]).toEqual([
    'page_read',
    'dom_query',
    'form_read',
    'page_wait',
    'form_fill',
    'form_undo',
    'page_click',
    'page_drag',
    'page_press',
    'form_submit',
    'page_navigate',
    'page_scroll',
  ])
  expect(names[1]).toEqual(['page_click', 'page_drag', 'page_press', 'form_submit', 'page_navigate', 'page_scroll'])
})

test('a key without a target reaches the field that was written, while the visitor types in the panel', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([
    { calls: [{ id: 'f', name: 'form_fill', arguments: { fields: [{ field: 'Message', value: 'Hello' }] } }] },
    { calls: [{ id: 'p', name: 'page_press', arguments: { key: 'Enter' } }] },
    { text: 'Sent.' },
  ])
  await page.goto(shop(site, endpoint))
  await ready(page)
  await page.evaluate(() => {
    const field = document.createElement('input')
    field.ariaLabel = 'Message'
    field.onkeydown = (event) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      ;(document.getElementById('told') as HTMLElement).textContent = `Sent: ${field.value}`
    }
    document.querySelector('main')?.prepend(field)
  })
  const composer = page.locator('tool-agent textarea').first()
  await composer.click()
  await composer.fill('Go')
  await composer.press('Enter')
  await composer.pressSequentially('And then')
  await expect(card(page).getByRole('heading')).toHaveText('Press the key Enter in “Message”?')
  await allow(page)
  await settled(page)
  await expect(page.locator('#told')).toHaveText('Sent: Hello')
  expect(await composer.inputValue()).toBe('And then')
  expect(resultsOf(endpoint.requests[2])[1]).toMatch(/Pressed Enter on textbox "Message"\./)
})

test(
  'a menu entry that acts as the mouse goes down, and hides, acts once, and the model reads that it did',
  { tag: '@R6.3' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([pageClick('Send reminder'), { text: 'Sent.' }])
    const sent: string[] = []
    await page.route('**/remind', (route) => {
      sent.push(route.request().method())
      return route.fulfill({ status: 204 })
    })
    await begin(page, shop(site, endpoint), () =>
      page.evaluate(() => {
        const main = document.querySelector('main')!
        const entry = '<ul role="menu" aria-label="Invoice 7"><li role="menuitem">Send reminder</li></ul>'
        main.insertAdjacentHTML('afterbegin', entry)
        const menu = main.querySelector('ul')!
        menu.onmousedown = () => {
          void fetch('/remind', { method: 'POST' })
          menu.style.display = 'none'
        }
      }),
    )
    await allow(page)
    await endpoint.received(2)
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(
      /Clicked menuitem "Send reminder"\.[^]*sent: POST [^]*\/remind, 204/,
    )
    await settled(page)
    expect(sent).toEqual(['POST'])
  },
)

test(
  'sixty targets in steps of many calls: short results, and a failure in the middle stops nothing',
  { tag: '@long' },
  async ({ page, site, serveModel }) => {
    const numbers = Array.from({ length: 60 }, (_, index) => index)
    const steps = Array.from({ length: 5 }, (_, step) => ({
      calls: numbers.slice(step * 12, step * 12 + 12).map((number) => ({
        id: `c${number}`,
        name: 'page_click',
        arguments: { target: number === 30 ? 'Finish nothing' : `Finish ${number}` },
      })),
    }))
    const endpoint = await serveModel([...steps, { text: 'Done.' }])
    await begin(page, shop(site, endpoint, '&approval=off'), () =>
      page.evaluate((numbers) => {
        const list = document.createElement('ul')
        document.querySelector('main')!.replaceChildren(list)
        const done = new Set<number>()
        const draw = (): void => {
          list.innerHTML = numbers
            .map((at) => `<li>Task ${at} ${done.has(at) ? 'is done' : `<button>Finish ${at}</button>`}</li>`)
            .join('')
        }
        list.onclick = ({ target }) => {
          done.add(Number(/\d+/.exec((target as Element).textContent ?? '')?.[0]))
          draw()
        }
        draw()
      }, numbers),
    )
    await settled(page)
    await expect(page.getByText('is done')).toHaveCount(59)
    const told = resultsOf(endpoint.requests[5])
    expect(told).toHaveLength(60)
    for (const [number, text] of told.entries()) {
      if (number === 30) expect(text).toMatch(/No clickable element is named \\?"Finish nothing/)
      else expect(text).toContain(`Clicked button "Finish ${number}"`)
      if (number !== 30) expect(text.length).toBeLessThan(600)
      if (number > 0 && number !== 30) expect(text).not.toContain(`Task ${number - 1} `)
    }
    expect(await page.evaluate(() => window.agent.session?.end?.reason)).toBe('stop')
  },
)
