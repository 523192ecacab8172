// Agents that the page assigns to an element, also late: exactly one worker runs. And agents after a closed one.
import type { Page } from 'playwright/test'
import { expect, test as base } from '../../../support/page/site.js'

declare global {
  interface Window {
    workers: { made: number; ended: number }
  }
}

const test = base.extend<{ counted: Page }>({
  /** A page that counts its workers. */
  counted: async ({ page, site }, use) => {
    await page.addInitScript(() => {
      window.workers = { made: 0, ended: 0 }
      window.Worker = class extends Worker {
        constructor(url: string | URL, options?: WorkerOptions) {
          super(url, options)
          window.workers.made++
        }

        override terminate(): void {
          window.workers.ended++
          super.terminate()
        }
      }
    })
    await page.goto(`${site}/test/pages/panel/element.html`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await use(page)
  },
})
const workers = (page: Page) => page.evaluate(() => window.workers)
const frames = 5

test('an agent assigned some frames after the element was drawn starts the only worker', async ({ counted }) => {
  await counted.evaluate(async (wait) => {
    const { createAgent } = await window.load()
    const element = document.createElement('tool-agent')
    element.heading = 'Help'
    document.body.append(element)
    for (let frame = 0; frame < wait; frame++)
      await new Promise((resolve) => {
        requestAnimationFrame(resolve)
      })
    element.agent = createAgent({ modelAdapter: window.model(window.says('one')), model: 'm' })
    await element.send('Hi')
  }, frames)
  await expect(counted.locator('tool-agent article')).toHaveText([/Hi/, /one/])
  // A worker of the element's own agent would have been created and terminated.
  expect(await workers(counted)).toEqual({ made: 1, ended: 0 })
})

test('an element without a model and without an assigned agent connects its own when the user is about to write', async ({
  counted,
}) => {
  await counted.evaluate(async () => {
    await window.load()
    document.body.append(document.createElement('tool-agent'))
  })
  await counted.locator('tool-agent textarea').last().focus()
  await expect.poll(() => counted.evaluate(() => document.querySelector('tool-agent')!.agent.host)).toBe('worker')
  expect(await workers(counted)).toEqual({ made: 1, ended: 0 })
})

test('an agent created right after another was closed continues its conversation as driver', async ({ counted }) => {
  const result = await counted.evaluate(async () => {
    const { createAgent } = await window.load()
    const options = () => ({ modelAdapter: window.model(window.says('one')), model: 'm' })
    const first = createAgent(options())
    await first.send('Hi')
    const closed = first.close()
    const second = createAgent(options())
    const roles = new Set<string | undefined>()
    second.observe(() => {
      roles.add(second.role)
    })
    await second.send('Again')
    await closed
    roles.delete(undefined)
    return {
      sameSession: second.session?.id === first.session?.id,
      messages: second.messages.length,
      roles: [...roles],
    }
  })
  expect(result).toEqual({ sameSession: true, messages: 4, roles: ['driver'] })
  expect(await workers(counted)).toEqual({ made: 2, ended: 1 })
})
