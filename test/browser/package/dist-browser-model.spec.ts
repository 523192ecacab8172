// The built package with `provider="browser"` and a scripted `LanguageModel`, under a strict policy: download in the
// panel, tools over several steps, a reload in the middle of a turn, and a browser without a model. And files that the
// user attaches: stored, shown again after a reload, exported.
import type { Page } from 'playwright/test'
import type { FilePart } from '../../../src/core/data/message.js'
import type { Agent } from '../../../src/page/agent.js'
import { expect, test } from '../../support/project/dist.js'
import { serveStatic, strictPolicy, type StaticServer } from '../../support/page/static-server.js'
import {
  installLanguageModel,
  type LanguageModelScript,
  type ScriptedGlobals,
} from '../../support/models/scripted-language-model.js'

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/tool-agent/tool-agent.js"></script><script type="module" src="/page.js"></script></head>
<body><tool-agent provider="browser" attachments="image/*,text/*"></tool-agent></body></html>`

const script = `await customElements.whenDefined('tool-agent')
const agent = document.querySelector('tool-agent')
agent.registerTool({
  name: 'find_tea',
  description: 'Finds a tea in the shop by its name, for the test of the built-in model.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  annotations: { readOnlyHint: true },
  execute: ({ query }) => ({ name: query, price: 12 }),
})
window.isReady = true`

async function open(page: Page, dist: string, model: LanguageModelScript | undefined): Promise<StaticServer> {
  const server = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': html, '/page.js': script },
    headers: { 'content-security-policy': strictPolicy },
  })
  if (model) await page.addInitScript(installLanguageModel, model)
  else await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'LanguageModel'))
  await page.goto(server.url)
  await page.waitForFunction(() => (globalThis as { isReady?: boolean }).isReady)
  return server
}

const calls = (page: Page) => page.evaluate(() => (globalThis as unknown as ScriptedGlobals).languageModelCalls)
const element = (page: Page) => page.locator('tool-agent')
const log = (page: Page) => element(page).getByRole('log')

async function ask(page: Page, text: string): Promise<void> {
  await element(page).locator('textarea').fill(text)
  await element(page).locator('textarea').press('Enter')
}

const toolCall = '[TOOL_CALL]{"name":"find_tea","args":{"query":"sencha"}}[/TOOL_CALL]'

test('the panel shows the download, then the answer after a tool call', async ({ page, dist }) => {
  const server = await open(page, dist, {
    availability: 'downloadable',
    download: [0, 0.4, 'wait', 1],
    answers: [['I look. ', toolCall], ['It costs **12**.']],
  })
  try {
    await ask(page, 'What is the price of sencha?')
    const progress = element(page).getByRole('progressbar')
    await expect(progress).toHaveJSProperty('value', 40)
    await expect(progress).toHaveAccessibleName(/downloading its language model/)
    await expect(element(page).locator('.download')).toContainText('40 %')
    await page.evaluate(() => (globalThis as unknown as ScriptedGlobals).releaseDownload())
    await expect(element(page).locator('strong')).toHaveText('12')
    await expect(progress).toHaveCount(0)
    const all = await calls(page)
    expect(all.map((one) => one.do)).toEqual(['create', 'prompt', 'prompt'])
    expect(JSON.stringify(all[2]?.messages)).toContain('price')
    expect(
      await page.evaluate(() => (document.querySelector('tool-agent') as unknown as { agent: Agent }).agent.host),
    ).toBe('worker')
  } finally {
    await server.close()
  }
})

test('a turn continues after a reload with the whole history', async ({ page, dist }) => {
  const server = await open(page, dist, { answers: [[toolCall], { hangs: ['It '] }, ['It costs 12.']] })
  try {
    await ask(page, 'What is the price of sencha?')
    await expect(element(page).locator('.text').last()).toHaveText('It')
    await page.reload()
    await expect(log(page).getByText('It costs 12.')).toBeVisible()
    const all = await calls(page)
    expect(all.map((one) => one.do)).toEqual(['create', 'prompt'])
    expect(all[0]?.messages?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant'])
    expect(JSON.stringify(all[1]?.messages)).toContain('TOOL_RESULT')
  } finally {
    await server.close()
  }
})

test('stop ends the answer, and the next message is answered', async ({ page, dist }) => {
  const server = await open(page, dist, { answers: [{ hangs: ['Once upon'] }, ['The end.']] })
  try {
    await ask(page, 'A story')
    await expect(element(page).locator('.text').last()).toHaveText('Once upon')
    await element(page).getByRole('button', { name: 'Stop' }).click()
    await expect(log(page).getByText('Stopped.')).toBeVisible()
    await ask(page, 'Go on')
    await expect(log(page).getByText('The end.')).toBeVisible()
  } finally {
    await server.close()
  }
})

for (const [title, model] of [
  ['without a built-in model', undefined],
  ['on a device that cannot run it', { availability: 'unavailable' }],
] as const)
  test(`a browser ${title} says so in the panel`, async ({ page, dist }) => {
    const server = await open(page, dist, model)
    try {
      await ask(page, 'Hi')
      await expect(element(page).getByRole('alert')).toContainText('The assistant cannot run in this browser.')
    } finally {
      await server.close()
    }
  })

test('an attached image is stored, shown after a reload, sent again and exported', async ({ page, dist }) => {
  const server = await open(page, dist, { takesImages: true, answers: [['A pot.'], ['Blue.']] })
  try {
    const image = await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = 2000
      canvas.height = 1000
      canvas.getContext('2d')!.fillRect(0, 0, 500, 500)
      return canvas.toDataURL('image/jpeg').split(',')[1]!
    })
    const choosing = page.waitForEvent('filechooser')
    await element(page).getByRole('button', { name: 'Attach files' }).click()
    await (await choosing).setFiles([{ name: 'pot.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(image, 'base64') }])
    await expect(element(page).getByRole('listitem').filter({ hasText: 'pot.jpg' })).toHaveCount(1)
    await ask(page, 'What is it?')
    await expect(log(page).getByText('A pot.')).toBeVisible()
    await page.reload()
    const message = element(page).getByRole('article', { name: 'You' })
    await expect(message).toHaveText(/What is it\?\s*pot\.jpg/)
    await expect(message.locator('canvas')).toHaveCount(1)
    await ask(page, 'Which colour?')
    await expect(log(page).getByText('Blue.')).toBeVisible()
    const [created] = await calls(page)
    expect(created?.messages?.[1]).toMatchObject({
      content: [
        { type: 'text', value: expect.stringContaining('Facts from the page') as unknown },
        { type: 'text', value: 'What is it?' },
        { type: 'image', image: 'image/jpeg', size: expect.any(Number) as unknown },
      ],
    })
    const exported = await page.evaluate(async () => {
      const agent = document.querySelector('tool-agent') as unknown as Agent
      return { file: (await agent.sessions.export()) as unknown, storage: agent.storage }
    })
    expect(exported.storage).toBe('indexeddb')
    const { session } = exported.file as { session: { messages: { parts: FilePart[] }[] } }
    expect(session.messages[0]?.parts[1]).toMatchObject({ type: 'file', mediaType: 'image/jpeg', name: 'pot.jpg' })
  } finally {
    await server.close()
  }
})
