// Against the browser's own `document.modelContext`, with the protocol of its developer tools as the agent from outside.
import type { Page } from 'playwright/test'
import { expect, test as base } from '../../../support/page/site.js'
import { callFromOutside, open, tools } from '../../../support/page/webmcp-call.js'
import { modelContextSuite } from '../../../support/page/webmcp-suite.js'

const test = base.extend<object, object>({
  launchOptions: [
    async ({ launchOptions, browserName }, use) => {
      await use(
        browserName === 'chromium'
          ? { ...launchOptions, args: [...(launchOptions.args ?? []), '--enable-features=WebMCP'] }
          : launchOptions,
      )
    },
    { scope: 'worker' },
  ],
})

test.beforeEach(async ({ page, site, browserName }) => {
  test.skip(browserName !== 'chromium', 'no other browser has it')
  await open(page, `${site}/test/pages/page-tools/webmcp.html`)
  test.skip(!(await page.evaluate(() => 'modelContext' in document)), 'this one has it not')
})

test.describe('the browser’s tool list', () => {
  modelContextSuite(test, 'browser')
})

test.describe('the agent’s own tools in the browser’s list', () => {
  test.beforeEach(async ({ page }) => {
    await page.evaluate(async () => {
      const { createAgent } = (await import(
        '/src/page/agent.ts' as string
      )) as typeof import('../../../../src/page/agent.js')
      const agent = createAgent({ endpoint: '/nowhere', model: 'm', toolContext: { tenant: 't1' } })
      const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
      agent.registerTool([
        {
          name: 'echo',
          title: 'Say again',
          description: 'Says the text again',
          inputSchema,
          annotations: { readOnlyHint: true },
          execute: ({ text }: { text: string }, run) => ({ text, tenant: run.toolContext['tenant'] }),
        },
        {
          name: 'fails',
          description: 'Always fails',
          execute: () => {
            throw new Error('No tea left')
          },
        },
        {
          name: 'filtered',
          description: 'Tells less than it knows',
          toModelOutput: () => 'nothing',
          execute: () => 'CANARY',
        },
        { name: 'silent', description: 'Says nothing at all', execute: () => undefined },
        { name: 'stepped', description: 'Has no execute' },
        ...['destructiveHint', 'consequentialHint'].map((hint) => ({
          name: hint,
          description: 'Would ask',
          annotations: { [hint]: true },
          execute: () => {
            document.title = 'ran'
          },
        })),
        {
          name: 'asking',
          description: 'Would ask',
          needsApproval: () => false,
          execute: () => {
            document.title = 'ran'
          },
        },
      ])
      Object.assign(window, { agent })
    })
  })

  type Scope = {
    agent: import('../../../../src/page/agent.js').Agent
    exposeToWebMcp: typeof import('../../../../src/tools.js').exposeToWebMcp
    end?: () => void
  }
  const listed = (page: Page) =>
    page.evaluate(async () =>
      (await document.modelContext.getTools())
        .map(({ name }) => name)
        .filter((name) => !/room|log_in|send_away|unseen|ignored/.test(name)),
    )
  const expose = (page: Page, names?: string[]) =>
    page.evaluate((names) => {
      const scope = window as unknown as Scope
      scope.end = scope.exposeToWebMcp(scope.agent, names ? { tools: names } : {})
    }, names)

  test('are those that need no approval, and follow the agent’s registrations', async ({ page }) => {
    await expose(page)
    const all = ['echo', 'fails', 'filtered', 'silent']
    await expect.poll(() => listed(page)).toEqual(all)
    await page.evaluate(() => {
      const { agent } = window as unknown as Scope
      const remove = agent.registerTool({ name: 'later', description: 'Comes later', execute: () => 'later' })
      Object.assign(window, { remove })
    })
    await expect.poll(() => listed(page)).toEqual([...all, 'later'].sort())
    await page.evaluate(() => {
      ;(window as unknown as { remove(): void }).remove()
      ;(window as unknown as Scope).agent.registerTool(
        { name: 'echo', description: 'Says it otherwise', execute: () => 'otherwise' },
        { replace: true },
      )
    })
    await expect
      .poll(() =>
        page.evaluate(
          async () => (await document.modelContext.getTools()).find(({ name }) => name === 'echo')?.description,
        ),
      )
      .toBe('Says it otherwise')
    await expect.poll(() => listed(page)).toEqual(all)
    await page.evaluate(() =>
      (window as unknown as Scope).agent.configure({ endpoint: '/nowhere', model: 'm', approval: 'always' }),
    )
    await expect.poll(() => listed(page)).toEqual([])
    await page.evaluate(() =>
      (window as unknown as Scope).agent.configure({ endpoint: '/nowhere', model: 'm', approval: 'off' }),
    )
    await expect.poll(() => listed(page)).toEqual(all)
    await page.evaluate(() => (window as unknown as Scope).end?.())
    expect(await listed(page)).toEqual([])
  })

  test(
    'run for external agents with context, validated input, and errors as results',
    { tag: '@S25' },
    async ({ page }) => {
      await expose(page)
      await expect.poll(() => listed(page)).toContain('echo')
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('WebMCP.enable' as 'Page.enable')
      expect(await callFromOutside(cdp, 'echo', { text: 'hi' })).toEqual({ text: 'hi', tenant: 't1' })
      const error = (text: string) => ({
        isError: true,
        content: [{ type: 'text', text: expect.stringMatching(text) as unknown }],
      })
      expect(await callFromOutside(cdp, 'echo', { words: 'hi' })).toEqual(error('^Error \\(invalid-input\\): .*text: '))
      expect(await callFromOutside(cdp, 'echo', { text: 'hi', constructor: { prototype: {} } })).toEqual(
        error('constructor: this key is not allowed'),
      )
      expect(await callFromOutside(cdp, 'fails', {})).toEqual(error('^Error \\(execution-failed\\): No tea left$'))
      expect(await callFromOutside(cdp, 'filtered', {})).toBe('nothing')
      expect(await callFromOutside(cdp, 'silent', {})).toBe('Success')
      await page.evaluate(() =>
        (window as unknown as Scope).agent.configure({ endpoint: '/nowhere', model: 'm', exposeErrors: 'generic' }),
      )
      expect(await callFromOutside(cdp, 'fails', {})).toEqual(
        error('^Error \\(execution-failed\\): The tool failed\\.$'),
      )
    },
  )

  test('that need approval are listed only if named, with a hint', async ({ page }) => {
    await expose(page, ['consequentialHint', 'echo', 'stepped'])
    await expect.poll(() => listed(page)).toEqual(['consequentialHint', 'echo'])
    const hints = await page.evaluate(async () =>
      (await document.modelContext.getTools()).flatMap(({ name, annotations }) =>
        name === 'echo' || name === 'consequentialHint' ? [[name, annotations]] : [],
      ),
    )
    expect(Object.fromEntries(hints)).toMatchObject({
      echo: { consequentialHint: false, readOnlyHint: true },
      consequentialHint: { consequentialHint: true },
    })
  })

  test('that act on the page are listed only if named, and those that fill it always', async ({ page }) => {
    await page.evaluate(async () => {
      const { agent } = window as unknown as Scope
      const { actTools, fillTools } = (await import(
        '/src/tools.ts' as string
      )) as typeof import('../../../../src/tools.js')
      agent.registerTool([...actTools(), ...fillTools()])
    })
    await expose(page)
    const own = ['echo', 'fails', 'filtered', 'silent']
    await expect.poll(() => listed(page)).toEqual([...own, 'form_fill', 'form_undo', 'page_scroll'].sort())
    await page.evaluate(() => (window as unknown as Scope).end?.())
    await expose(page, ['page_click'])
    await expect.poll(() => listed(page)).toEqual(['page_click'])
    const annotations = await page.evaluate(
      async () => (await document.modelContext.getTools()).find(({ name }) => name === 'page_click')?.annotations,
    )
    expect(annotations).toMatchObject({ consequentialHint: true })
  })

  test(
    'are never discovered as tools of the page, and yield to a page tool of the same name',
    { tag: '@S4' },
    async ({ page }) => {
      await page.evaluate(() =>
        document.modelContext.registerTool({ name: 'fails', description: 'The page’s own', execute: () => 'fine' }),
      )
      await expose(page)
      await expect.poll(() => listed(page)).toEqual(['echo', 'fails', 'filtered', 'silent'])
      expect((await tools(page)).map(({ name, description }) => (name === 'fails' ? description : name))).toEqual([
        'The page’s own',
        'book.room',
        'search_rooms',
        'log_in',
        'send_away',
      ])
    },
  )

  test('accepts an element, and throws for anything that is not an agent', async ({ page }) => {
    const message = await page.evaluate(() => {
      const { exposeToWebMcp, agent } = window as unknown as Scope
      exposeToWebMcp({ agent })
      try {
        exposeToWebMcp(document.body as never)
        return ''
      } catch (thrown) {
        return (thrown as Error).message
      }
    })
    expect(message).toContain('expected an Agent')
    await expect.poll(() => listed(page)).toContain('echo')
  })
})
