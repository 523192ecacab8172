// The static playground, from a folder of a plain static server: the offline model works, and no request leaves the origin.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { ToolAgentElement } from '../../../src/ui/element/tool-agent-element.js'
import { expect, test as base } from 'playwright/test'
import { serveStatic } from '../../support/page/static-server.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const test = base.extend<object, { hosted: string }>({
  hosted: [
    async ({}, use) => {
      const outDir = await mkdtemp(join(tmpdir(), 'static-playground-'))
      await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } })
      const server = await serveStatic({ folders: { '/some/folder/': outDir } })
      await use(`${server.url}/some/folder`)
      await server.close()
      await rm(outDir, { recursive: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('the static playground books a table without a server, from any folder', async ({ page, hosted }) => {
  const problems: string[] = []
  const outside: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(hosted)) outside.push(request.url())
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  await page.addInitScript(() => {
    // A blank page has no storage.
    if (origin !== 'null') sessionStorage.setItem('playground-pace', '0')
  })
  await page.goto(`${hosted}/`)
  await page.getByRole('link', { name: /Book a table/ }).click()
  const box = page.locator('tool-agent').getByRole('textbox')
  await box.fill('a table for 4 on Friday at 19:30 for Ada Lovelace, ada@example.org')
  await box.press('Enter')
  await page.waitForFunction(() => {
    const agent = document.querySelector<ToolAgentElement>('tool-agent')
    return agent?.status === 'idle' && agent.messages.at(-1)?.role === 'assistant'
  })
  await expect(page.getByRole('spinbutton', { name: 'Guests' })).toHaveValue('4')
  await expect(page.getByLabel('E-mail')).toHaveValue('ada@example.org')
  expect(await page.evaluate(() => document.querySelector<ToolAgentElement>('tool-agent')?.agent?.host)).toBe('worker')
  for (const [link, heading] of [
    ['Shop', 'Tea and what it needs'],
    ['Cart', 'Your cart'],
  ] as const) {
    await page.getByRole('link', { name: link }).first().click()
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  }
  await page.goto(`${hosted}/playground/lab/index.html`)
  await expect(page.getByLabel('Result of page_read')).toContainText('Create an account')
  await page.goto(`${hosted}/playground/sessions/index.html`)
  await page.getByRole('button', { name: 'Replay: A coupon is applied' }).click()
  await expect(page.locator('#state')).toContainText('Every recorded answer was played.')
  expect(problems).toEqual([])
  expect(outside).toEqual([])
})
