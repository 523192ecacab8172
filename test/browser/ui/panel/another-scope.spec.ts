// Another user signs in while the page is open: nothing that the user before has written may reach the new one.
import type { Page } from 'playwright/test'
import { startEndpoint, type Endpoint, type Handler, type ScriptItem } from '../../../support/lab/endpoint.js'
import { expect, test as base } from '../../../support/page/site.js'

interface Desk {
  readonly page: Page
  readonly endpoint: Endpoint
}
const test = base.extend<{ open(script: readonly ScriptItem[] | Handler, attributes?: string): Promise<Desk> }>({
  open: async ({ page, site }, use) => {
    const endpoints: Endpoint[] = []
    await use(async (script, attributes = '') => {
      const endpoint = await startEndpoint(script)
      endpoints.push(endpoint)
      await page.goto(`${site}/test/pages/panel/element.html`)
      await page.locator('html[data-ready]').waitFor({ state: 'attached' })
      await page.evaluate(
        async ([url, more]) => {
          await window.load()
          document.body.append(
            document
              .createRange()
              .createContextualFragment(
                `<tool-agent endpoint="${url}" model="m" lang="en" scope="ada" attachments="text/*" ${more}></tool-agent>`,
              ),
          )
        },
        [endpoint.url, attributes] as const,
      )
      await expect(field(page)).toBeVisible()
      return { page, endpoint }
    })
    for (const endpoint of endpoints) await endpoint.close()
  },
})

const element = (page: Page) => page.locator('tool-agent')
const field = (page: Page) => element(page).getByRole('textbox')
const files = (page: Page) => element(page).getByRole('list', { name: 'Attached files' }).getByRole('listitem')
const quotes = (page: Page) => element(page).getByRole('list', { name: 'Quoted from the page' }).getByRole('listitem')

/** Writes a text, attaches a file and quotes the page, as a user does. */
async function write(page: Page): Promise<void> {
  await page.evaluate(() => {
    getSelection()!.selectAllChildren(document.querySelector('h1')!)
  })
  await element(page).getByRole('button', { name: 'Ask about the selection' }).click()
  await expect(quotes(page)).toHaveCount(1)
  await field(page).fill('The test of Ada')
  const choosing = page.waitForEvent('filechooser')
  await element(page).getByRole('button', { name: 'Attach files' }).click()
  const file = { name: 'ada.txt', mimeType: 'text/plain', buffer: Buffer.from('results of Ada') }
  await (await choosing).setFiles([file])
  await expect(files(page)).toHaveCount(1)
}

const changeScope = (page: Page, scope: string | undefined) =>
  element(page).evaluate((one: HTMLElementTagNameMap['tool-agent'], to) => {
    one.scope = to as string
    // In the same task, as a key that was already on its way.
    const typed = one.shadowRoot!.querySelector('textarea')
    typed?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  }, scope)

for (const [title, change] of [
  ['another scope', (page: Page) => changeScope(page, 'grace')],
  ['no scope', (page: Page) => changeScope(page, undefined)],
  [
    'a wrong scope',
    async (page: Page) => {
      await element(page).evaluate((one) => Reflect.set(one, 'scope', 42))
    },
  ],
  [
    'an agent of another scope',
    (page: Page) =>
      element(page).evaluate(async (one: HTMLElementTagNameMap['tool-agent']) => {
        const { createAgent } = await window.load()
        const { endpoint, model } = one
        // An option of the element would be an option of each agent.
        one.removeAttribute('scope')
        one.agent = createAgent({ endpoint: endpoint!, model: model!, scope: 'grace' })
      }),
  ],
] as const)
  test(`${title} empties the text field, the files and the quotes`, { tag: '@R6.2' }, async ({ open }) => {
    const { page, endpoint } = await open([{ text: 'Hello Grace' }])
    await write(page)
    await change(page)
    await expect(field(page)).toHaveValue('')
    await expect(files(page)).toHaveCount(0)
    await expect(quotes(page)).toHaveCount(0)
    await field(page).press('Enter')
    await field(page).fill('Hello')
    await field(page).press('Enter')
    await expect(element(page).locator('.assistant')).toContainText('Hello Grace')
    expect(endpoint.requests).toHaveLength(1)
    expect(JSON.stringify(endpoint.requests[0]!.body)).not.toMatch(/The test of Ada|results of Ada|A page/)
  })

test('a file that is being read when the scope changes is not attached', async ({ open }) => {
  const { page } = await open([])
  await element(page).evaluate((one: HTMLElementTagNameMap['tool-agent']) => {
    const data = new DataTransfer()
    data.items.add(new File(['results of Ada'], 'ada.txt', { type: 'text/plain' }))
    const target = one.shadowRoot!.querySelector('textarea')!
    target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    one.scope = 'grace'
  })
  // The same way of reading has ended for a file that was given later.
  await element(page).evaluate((one: HTMLElementTagNameMap['tool-agent']) => {
    const data = new DataTransfer()
    data.items.add(new File(['results of Grace'], 'grace.txt', { type: 'text/plain' }))
    const target = one.shadowRoot!.querySelector('textarea')!
    target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  })
  await expect(files(page)).toHaveCount(1)
  await expect(files(page)).toContainText('grace.txt')
})

test('a draft comes back with its scope, and names the files that are lost', async ({ open }) => {
  const { page } = await open([])
  await write(page)
  await changeScope(page, 'grace')
  await field(page).fill('Of Grace')
  await changeScope(page, 'ada')
  await expect(field(page)).toHaveValue('The test of Ada')
  await expect(element(page).locator('.attachments [role=alert]')).toContainText('ada.txt')
  await changeScope(page, 'grace')
  await expect(field(page)).toHaveValue('Of Grace')
  await expect(element(page).locator('.attachments [role=alert]')).toHaveCount(0)
})

test('a queued message and one that fails return to the user who wrote them', async ({ open }) => {
  const { page, endpoint } = await open(() => new Promise(() => undefined))
  await field(page).fill('First of Ada')
  await field(page).press('Enter')
  await expect.poll(() => endpoint.requests.length).toBe(1)
  await field(page).fill('Second of Ada')
  await field(page).press('Enter')
  await expect(element(page).locator('.queued')).toHaveCount(1)
  await element(page).evaluate((one: HTMLElementTagNameMap['tool-agent']) => {
    one.scope = 'grace'
  })
  await expect(element(page).locator('.queued')).toHaveCount(0)
  await expect(field(page)).toHaveValue('')
  await element(page).evaluate((one: HTMLElementTagNameMap['tool-agent']) => {
    one.scope = 'ada'
  })
  await expect(field(page)).toHaveValue('Second of Ada')
})

test('an answer, an error and the list of conversations do not stay for another scope', async ({ open }) => {
  const { page } = await open([{ text: 'The sugar of Ada is high' }])
  await field(page).fill('How is my test?')
  await field(page).press('Enter')
  await expect(element(page).locator('.assistant')).toContainText('The sugar of Ada is high')
  await element(page).getByRole('button', { name: 'Conversations' }).click()
  await expect(element(page).locator('tool-agent-sessions')).toContainText('How is my test?')
  await changeScope(page, 'grace')
  const shown = () => element(page).evaluate((one) => one.shadowRoot!.textContent)
  await expect.poll(shown).not.toContain('How is my test?')
  expect(await shown()).not.toContain('sugar')
})

test('a text stays when a frame of the page moves the element, and a swapped element has it', async ({ open }) => {
  const { page } = await open([])
  await field(page).fill('Half a question')
  await element(page).evaluate((one) => document.querySelector('main')!.append(one))
  await expect(field(page)).toHaveValue('Half a question')
  await field(page).fill('')
  await element(page).evaluate((one) => document.body.append(one))
  await expect(field(page)).toHaveValue('')
  await field(page).fill('Another question')
  await element(page).evaluate((one) => one.replaceWith(one.cloneNode()))
  await expect(field(page)).toHaveValue('Another question')
})

test('the page keeps its own margin after a sidebar changes its scope', async ({ open }) => {
  const { page } = await open([], 'layout="sidebar" sidebar="push" open')
  const margin = () => page.evaluate(() => document.documentElement.style.marginInlineEnd)
  await expect.poll(margin).toMatch(/^\d{3}/)
  await changeScope(page, 'grace')
  await expect.poll(margin).toMatch(/^\d{3}/)
  await element(page).evaluate((one: HTMLElementTagNameMap['tool-agent']) => {
    one.open = false
  })
  await expect.poll(margin).toBe('')
})

test('the text of a message is kept from when it is sent until its turn starts, also for a tab that crashes', async ({
  open,
}) => {
  const { page, endpoint } = await open(() => new Promise(() => undefined))
  const kept = () => page.evaluate(() => sessionStorage.getItem('tool-agent:unsent:ada'))
  await field(page).fill('First of Ada')
  await field(page).press('Enter')
  await expect.poll(() => endpoint.requests.length).toBe(1)
  await expect.poll(kept, 'its turn has started, so it is stored').toBe(null)
  await field(page).fill('Second of Ada')
  await field(page).press('Enter')
  await field(page).fill('Third of Ada')
  await expect.poll(kept).toContain('Second of Ada')
})
