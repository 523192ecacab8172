// The agent's own elements never cover the target of an action: a floating panel, a question above a modal dialog, a
// panel in a shadow root of the page.
import type { Page } from 'playwright/test'
import { resultsOf } from '../../../support/lab/requests.js'
import { call, open } from '../../../support/page/page-tools-call.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

const click = (page: Page, target: string): Promise<{ clicked?: string; error?: string; message?: string }> =>
  call(page, 'page_click', { target })

/** A page with a modal dialog, and an element of the agent with a modal dialog above it. */
async function showBoth(page: Page, site: string, veil = ''): Promise<void> {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate((veil) => {
    document.body.innerHTML = `<dialog id="ask"><button onclick="document.title = 'deleted'">Delete for good</button>${veil}</dialog>`
    document.querySelector<HTMLDialogElement>('#ask')?.showModal()
    const panel = document.body.appendChild(document.createElement('tool-agent'))
    const root = panel.attachShadow({ mode: 'open' })
    root.innerHTML = '<dialog style="inset: 0; width: 100%; height: 100%"><textarea>mine</textarea></dialog>'
    root.querySelector('dialog')?.showModal()
    root.querySelector('textarea')?.focus()
  }, veil)
}
const ownDialog = (page: Page): Promise<{ isModal: boolean | undefined; focus: string | undefined }> =>
  page.evaluate(() => {
    const root = document.querySelector('tool-agent')?.shadowRoot
    return { isModal: root?.querySelector('dialog')?.matches(':modal'), focus: root?.activeElement?.localName }
  })

test('a question of another call above a modal dialog is no cover, and stays as it was', async ({ page, site }) => {
  await showBoth(page, site)
  expect(await click(page, 'Delete for good')).toMatchObject({ clicked: 'button "Delete for good"' })
  expect(await page.title()).toBe('deleted')
  expect(await ownDialog(page)).toEqual({ isModal: true, focus: 'textarea' })
})

test('what the page itself puts over the target below the question is a cover', async ({ page, site }) => {
  await showBoth(page, site, '<div role="img" aria-label="Veil" style="position: fixed; inset: 0"></div>')
  expect(await click(page, 'Delete for good')).toMatchObject({
    error: 'unavailable',
    message: expect.stringContaining('is covered by img "Veil"'),
  })
  expect(await ownDialog(page)).toMatchObject({ isModal: true })
})

test('a panel in a shadow root of the page, or in a box of its own, is no cover', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  const everywhere = 'position: fixed; inset: 0; z-index: 9; background: white'
  await page.evaluate((everywhere) => {
    document.body.innerHTML = `<button onclick="document.title += '!'">Count</button><app-frame></app-frame>`
    const panel = `<tool-agent style="${everywhere}"></tool-agent>`
    const root = document.querySelector('app-frame')!.attachShadow({ mode: 'open' })
    root.innerHTML = `${panel}<button onclick="document.title += '?'">Inside</button>`
  }, everywhere)
  expect(await click(page, 'Count')).toMatchObject({ clicked: 'button "Count"' })
  expect(await click(page, 'Inside')).toMatchObject({ clicked: 'button "Inside"' })
  await page.evaluate((everywhere) => {
    document.querySelector('app-frame')!.outerHTML = `<div style="${everywhere}"> <tool-agent></tool-agent></div>`
  }, everywhere)
  expect(await click(page, 'Count')).toMatchObject({ clicked: 'button "Count"' })
  expect(await page.title()).toMatch(/!\?!$/)
})

test.describe('with the panel of a running agent', () => {
  const start = async (page: Page, site: string, url: string, markup: string): Promise<void> => {
    await page.goto(`${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(url)}`)
    await page.waitForFunction(() => window.agent?.tools.some((tool) => tool.name === 'page_click'))
    await page.evaluate((html) => {
      document.body.insertAdjacentHTML('afterbegin', html)
      document.querySelector<HTMLDialogElement>('dialog#ask')?.showModal()
    }, markup)
  }
  const approveByCode = (page: Page): Promise<void> =>
    page.evaluate(async () => {
      const [waiting] = window.agent.messages
        .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
        .filter((part) => part.type === 'tool-call' && part.result === undefined)
      if (waiting?.type === 'tool-call') await window.agent.approve(waiting.call.id)
    })

  for (const [tool, input, told] of [
    ['page_click', { target: 'Delete for good' }, 'Clicked button "Delete for good"'],
    ['page_press', { target: 'Delete for good', key: 'Enter' }, 'Pressed Enter on button "Delete for good"'],
    ['form_submit', { form: 'Last words' }, 'Submitted form "Last words"'],
  ] as const) {
    test(`${tool} in a modal dialog runs if code approves it`, async ({ page, site, serveModel }) => {
      const endpoint = await serveModel([{ calls: [{ id: 'c', name: tool, arguments: input }] }, { text: 'Done.' }])
      await start(
        page,
        site,
        endpoint.url,
        `<dialog id="ask" aria-label="Sure?"><button type="button" onclick="document.title = 'deleted'">Delete for good</button>
         <form aria-label="Last words" onsubmit="document.title = 'deleted'; return false"><input aria-label="Why"><button>Send</button></form></dialog>`,
      )
      await send(page, 'Delete it')
      await page.waitForFunction(() => window.agent.status === 'awaiting-approval')
      // The question is a modal dialog itself, above that of the page.
      await page.waitForFunction(() =>
        document.querySelector('tool-agent')?.shadowRoot?.querySelector('.approvals')?.matches(':modal'),
      )
      await approveByCode(page)
      await settled(page)
      expect(resultsOf(endpoint.requests[1])[0]).toContain(told)
      expect(await page.title()).toBe('deleted')
    })
  }

  test('a button below the open panel is clicked', async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([
      { calls: [{ id: 'c', name: 'page_click', arguments: { target: 'Far corner' } }] },
      { text: 'Done.' },
    ])
    await start(
      page,
      site,
      endpoint.url,
      `<button style="position: fixed; right: 40px; bottom: 40px" onclick="document.title = 'corner'">Far corner</button>`,
    )
    await page.evaluate(() => {
      document.querySelector('tool-agent')!.open = true
    })
    await send(page, 'Click it')
    await page.waitForFunction(() => window.agent.status === 'awaiting-approval')
    await approveByCode(page)
    await settled(page)
    expect(resultsOf(endpoint.requests[1])[0]).toContain('Clicked button "Far corner"')
    expect(await page.title()).toBe('corner')
  })
})
