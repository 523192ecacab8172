// The panel and the inspector under a strict Content Security Policy: no report and no error in the console.
import type { Page } from 'playwright/test'
import { corpusFiles, missingCorpus } from '../../../support/lab/corpora.js'
import { sample } from '../../../support/project/long.js'
import { PanelPage, expect, test as base } from '../../../support/page/panel.js'
import { serveStatic, strictPolicy, type StaticServer } from '../../../support/page/static-server.js'

const test = base.extend<{ strict: StaticServer; calm: Page }>({
  strict: async ({ site }, use) => {
    const server = await serveStatic({
      files: {
        '/panel.html': html(
          '<tool-agent></tool-agent><tool-agent-inspector for="none"></tool-agent-inspector>',
          '/test/pages/panel/panel.js',
        ),
        '/violations.js': `window.violations = []
          addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample, sourceFile, lineNumber }) => { violations.push([violatedDirective, blockedURI, sample, sourceFile, lineNumber].join(' ')) })`,
        '/inspect.js': "import '/src/inspector.ts'",
      },
      headers: { 'content-security-policy': strictPolicy },
      relay: Object.fromEntries(
        ['/src', '/test', '/node_modules', '/@id', '/@fs'].map((prefix) => [prefix, `${site}${prefix}`]),
      ),
    })
    await use(server)
    await server.close()
  },
  calm: async ({ page }, use, info) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      // A wrong option of the page is reported in the console, and is not a fault of the panel.
      if (message.text().startsWith('[tool-agent] invalid-option')) return
      if (message.type() === 'error' && !message.location().url.endsWith('favicon.ico')) faults.push(message.text())
    })
    await use(page)
    // A test that is skipped may not have opened the page that records violations.
    if (info.status === 'skipped') return
    expect(await page.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual([])
    expect(faults).toEqual([])
  },
})

const html = (
  body: string,
  script: string,
): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Strict</title>
  <link rel="stylesheet" href="/test/pages/panel/panel.css"><script src="/violations.js"></script></head>
  <body><main><h1>A page</h1></main>${body}<script type="module" src="${script}"></script><script type="module" src="/inspect.js"></script></body></html>`

test('the policy is active and reports violations', async ({ page, strict }) => {
  const panel = new PanelPage(page)
  await panel.open(`${strict.url}/panel.html`)
  const reports = await page.evaluate(async () => {
    document.body.setAttribute('style', 'color: red')
    try {
      document.body.insertAdjacentHTML('beforeend', '<b></b>')
    } catch {
      // This also throws in browsers with Trusted Types.
    }
    await new Promise((resolve) => {
      setTimeout(resolve)
    })
    return (window as unknown as { violations: string[] }).violations.length
  })
  expect(reports).toBeGreaterThan(0)
})

test('the panel shows everything without a violation', { tag: '@R9.4' }, async ({ calm: page, strict }) => {
  const panel = new PanelPage(page)
  await panel.open(`${strict.url}/panel.html`)
  await page.evaluate(() => {
    window.element.suggestions = ['One']
    window.element.registerToolRenderer('stock_level', () => 'drawn by the page')
    window.fake.tools = [
      {
        name: 'find_products',
        title: 'Find',
        description: 'd',
        inputSchema: {},
        annotations: {},
        tool: { name: 'find_products' },
      },
    ]
    window.fake.stored = [{ id: 's', scope: '', createdAt: 1, updatedAt: 1, messages: 1 }]
  })
  await expect(page.getByRole('button', { name: 'One' })).toBeVisible()
  await page.evaluate(() => {
    window.fake.show(window.richSession())
  })
  await expect(panel.element.locator('table')).toBeAttached()
  await panel.emit({ type: 'tool-progress', callId: 'd1', value: { message: 'half', fraction: 0.5 } })
  for (const summary of await panel.element.locator('details.call > summary').all()) await summary.click()
  await expect(panel.element.locator('.receipt').first()).toBeVisible()
  await panel.element.locator('tool-agent-approval summary').click()
  await panel.element.getByRole('button', { name: 'Change' }).click()
  await panel.element.locator('tool-agent-approval .form input').first().fill('TEA20')
  await panel.element.locator('tool-agent-approval .reading').evaluate((one) => {
    one.scrollTop = one.scrollHeight
  })
  await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
  await panel.element.locator('.approve').click()
  await panel.field.fill('one\ntwo')

  await page.evaluate(() => {
    window.fake.show({ status: 'running' })
    window.element.lang = 'de'
  })
  await panel.emit({ type: 'step-start', at: 1, step: 0, id: 'm' })
  for (const delta of [
    '# A',
    ' title\n\n| a | b |\n|--',
    '|--|\n| 1 | ![x](http://evil.example/x.png) |\n\n',
    '<img src=x onerror=alert(1)>',
    '\n\n```js\nconst a = 1\n```\n',
    '\n\n- [ ] open',
  ])
    await panel.emit({ type: 'text-delta', delta })
  await expect(panel.element.locator('[aria-busy] li')).toHaveText('open')
  await expect(panel.element.locator('.code-keyword')).toHaveText('const')
  await page.getByRole('button', { name: 'Unterhaltungen' }).click()
  await expect(panel.element.locator('.session')).toHaveCount(1)
  await page.keyboard.press('Escape')
  for (const layout of ['floating', 'sidebar', 'inline'] as const) {
    await page.evaluate((name) => {
      window.element.layout = name as 'floating'
      window.element.open = true
    }, layout)
    await expect(panel.element.locator('section.panel')).toBeVisible()
  }
  await page.evaluate(() => {
    window.element.setAttribute('layout', 'foo')
    window.fake.report({ code: 'storage', message: '<b>no</b>' })
    window.fake.set({ role: 'mirror', storage: 'memory' })
  })
  await expect(panel.element.getByRole('alert')).toHaveCount(2)
})

test('the inspector shows everything without a violation', { tag: '@R9.4' }, async ({ calm: page, strict }) => {
  const panel = new PanelPage(page)
  await panel.open(`${strict.url}/panel.html`)
  await page.evaluate(() => {
    window.element.id = 'assistant'
    document.querySelector('tool-agent-inspector')?.setAttribute('for', 'assistant')
  })
  await expect(page.getByRole('tab', { name: 'Events' })).toBeVisible()
  await page.evaluate(() => {
    for (const event of window.turnEvents()) window.fake.emit(event)
  })
  for (const tab of ['Events', 'Model calls', 'Tools', 'Session']) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
    for (const summary of await page.locator('tool-agent-inspector summary').all()) await summary.click()
  }
  await expect(page.locator('tool-agent-inspector .json').first()).toBeVisible()
})

test(
  'cross-site scripting vectors stay text everywhere else',
  { tag: ['@matrix', '@S16'] },
  async ({ calm: page, strict }) => {
    const vectors = [
      ...new Set(
        corpusFiles('xss', '.txt').flatMap((file) =>
          file
            .read()
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line.includes('<') && line.length < 2_000),
        ),
      ),
    ]
    test.skip(vectors.length === 0, missingCorpus('xss', 1))
    test.slow() // Hundreds of texts in every slot, and both browsers on two cores.
    const panel = new PanelPage(page)
    await panel.open(`${strict.url}/panel.html`)
    const happened: string[] = []
    page.on('dialog', (dialog) => {
      happened.push(dialog.message())
      void dialog.dismiss()
    })
    await page.evaluate(() => {
      window.fake.show(window.richSession())
    })
    await expect(panel.element.locator('.text table')).toBeAttached()
    // Lazy parts of the panel may still be loading.
    page.on('request', (request) => {
      if (!request.url().startsWith(`${strict.url}/src/`)) happened.push(request.url())
    })
    const at = 1
    const starts = vectors.flatMap((_, index) => (index % 40 === 0 ? [index] : []))
    for (const start of sample(starts, 4)) {
      const some = vectors.slice(start, start + 40)
      const parts = some.map((text, index) => ({
        type: 'tool-call',
        title: text,
        call: { id: `c${start + index}`, name: text, input: { [text]: text, nested: { [text]: [text] } } },
        ...(index % 3 === 0
          ? { result: { error: { code: 'execution-failed', message: text }, endedAt: at, attempts: 1 } }
          : {}),
        ...(index % 3 === 1 ? { result: { output: text, endedAt: at, attempts: 1 } } : {}),
        ...(index % 3 === 2
          ? { approval: { hash: text, title: text, input: { [text]: text }, preview: text, at } }
          : {}),
      }))
      await panel.show({
        status: 'awaiting-approval',
        todos: some.map((text, index) => ({ id: String(index), text, status: 'pending' })),
        messages: [
          {
            id: `u${start}`,
            role: 'user',
            at,
            parts: some.flatMap((text) => [
              { type: 'text', text } as const,
              { type: 'file', mediaType: text, data: text, name: text } as const,
            ]),
          },
          { id: `s${start}`, role: 'summary', text: some.join(), upTo: 0, at },
          {
            id: `a${start}`,
            role: 'assistant',
            at,
            parts: [{ type: 'reasoning', text: some.join() }, ...parts] as never,
          },
        ],
      })
      await page.evaluate((texts) => {
        window.element.heading = texts[0] ?? ''
        window.element.placeholder = texts[1] ?? ''
        window.fake.report({ code: 'storage', message: texts.join('') })
        for (const details of window.element.shadowRoot?.querySelectorAll('details') ?? []) details.open = true
      }, some)
      await expect(panel.element.locator('.user .plain').first()).toHaveText(some[0] ?? '')
      expect(
        await panel.element.evaluate((element) =>
          [...(element.shadowRoot?.querySelectorAll('*') ?? [])].flatMap((one) => [
            ...([
              'script',
              'img',
              'iframe',
              'object',
              'embed',
              'style',
              'link',
              'form',
              'base',
              'meta',
              'video',
              'audio',
              'math',
            ].includes(one.localName)
              ? [one.localName]
              : []),
            ...[...one.attributes]
              .filter(({ name }) => name.startsWith('on') || name === 'style' || name === 'src' || name === 'srcdoc')
              .map(({ name }) => name),
          ]),
        ),
      ).toEqual([])
    }
    expect(happened).toEqual([])
  },
)
