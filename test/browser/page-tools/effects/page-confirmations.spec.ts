// A page that asks back after a press that the visitor has allowed: its confirmation is part of what they allowed, unless
// it says more than they have read.
import type { Page } from 'playwright/test'
import { answerQuestion } from '../../../support/page/press.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

declare global {
  interface Window {
    asked: number
  }
}

interface Asking {
  /** What the first press opens. */
  readonly dialog: string
  /** The name of the button in it. */
  readonly button: string
  /** The name of the button in the row. @default 'Delete' */
  readonly first?: string
  /** Runs between the presses. */
  readonly between?: (page: Page) => Promise<unknown>
}

const yes = '<button onclick="done()">Yes</button>'

/** Presses both buttons, allows every question, and returns how many there were, and what was sent. */
async function confirm(
  page: Page,
  { site, endpoint }: { site: string; endpoint: { url: string } },
  { dialog, first = 'Delete', between }: Asking,
): Promise<{ readonly questions: number; readonly sent: number }> {
  const element = { endpoint: endpoint.url, model: 'm', pageTools: 'read fill act' }
  let sent = 0
  await page.route('**/api/**', (route) => {
    sent++
    return route.fulfill({ json: {} })
  })
  await page.route('**/confirm', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang=en><meta charset=utf-8><title>Files</title>
        <link rel=stylesheet href=/test/pages/panel/panel.css>
        <main><h1>Files</h1><ul><li>Plan A <span>12 EUR</span> <button class=first>${first}</button></li>
        <li>Plan B <span>15 EUR</span> <button class=first>${first}</button></li></ul></main>
        <script>
          const done = () => { document.querySelector('#box').remove(); fetch('/api/delete', { method: 'POST' }) }
          const ask = () => document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(`<div id=box style="position:fixed;inset:100px auto auto 100px;background:#fff;padding:20px">${dialog}</div>`)})
          for (const one of document.querySelectorAll('.first')) one.onclick = ask
        </script>
        <script type=module>
          await import('/src/index.ts')
          const element = Object.assign(document.createElement('tool-agent'), ${JSON.stringify(element)})
          document.body.append(element)
          window.agent = element.agent
        </script>`,
    }),
  )
  await page.goto(`${site}/confirm`)
  await page.waitForFunction(() => window.agent?.tools.some(({ name }) => name === 'page_click'))
  await page.evaluate(() => {
    window.asked = 0
    addEventListener('tool-agent-approval-request', () => window.asked++)
  })
  /** Says something, and allows all that is asked about. */
  const say = async (text: string): Promise<void> => {
    let answered = await page.evaluate(() => window.asked)
    await send(page, text)
    for (;;) {
      const isAsked = page.waitForFunction((before) => window.asked > before, answered).then(() => true)
      isAsked.catch(() => undefined)
      if (!(await Promise.race([isAsked, settled(page).then(() => false)]))) return
      answered++
      await answerQuestion(page, '.approve')
    }
  }
  await say('Delete plan A')
  await between?.(page)
  await say('Go on')
  return { questions: await page.evaluate(() => window.asked), sent }
}

const press = (target: string, id: string) => ({ calls: [{ id, name: 'page_click', arguments: { target } }] })
const turns = (button: string, first = 'Delete') => [
  press(`${first} in Plan A`, 'a'),
  { text: 'It asks.' },
  press(button, 'b'),
  { text: 'Done.' },
]

for (const [why, asking] of Object.entries<Asking>({
  'names the same': { dialog: `<p>Delete Plan A?</p><button>No</button>${yes}`, button: 'Yes' },
  'has a button that says the same': {
    dialog: `<p>Plan A will be gone for good.</p><button onclick="done()">Delete</button>`,
    button: 'e4',
  },
  'repeats an amount of the row': { dialog: `<p>Plan A costs 12 EUR. Delete it?</p>${yes}`, button: 'Yes' },
}))
  test(`a confirmation that ${why} is no second question`, async ({ page, site, serveModel }) => {
    const endpoint = await serveModel(turns(asking.button))
    expect(await confirm(page, { site, endpoint }, asking)).toEqual({ questions: 1, sent: 1 })
  })

for (const [why, asking] of Object.entries<Asking>({
  'is about something else': { dialog: `<p>Delete the whole folder?</p>${yes}`, button: 'Yes' },
  'has another number': { dialog: `<p>Delete Plan A and 40 files?</p>${yes}`, button: 'Yes' },
  'has another deed': { dialog: `<p>Plan A</p><button onclick="done()">Pay now</button>`, button: 'Pay now' },
  'has a field': { dialog: `<p>Delete Plan A?</p><input aria-label=Note>${yes}`, button: 'Yes' },
  'has another deed than the press': {
    first: 'Save draft',
    dialog: `<p>Plan A</p><button onclick="done()">Publish now</button>`,
    button: 'Publish now',
  },
  'the visitor has touched': {
    dialog: `<p>Delete Plan A?</p>${yes}`,
    button: 'Yes',
    between: (page) => page.locator('h1').click(),
  },
}))
  test(`a confirmation that ${why} is asked about`, async ({ page, site, serveModel }) => {
    const endpoint = await serveModel(turns(asking.button, asking.first))
    const { questions, sent } = await confirm(page, { site, endpoint }, asking)
    expect(questions).toBeGreaterThan(1)
    expect(sent).toBe(1)
  })
