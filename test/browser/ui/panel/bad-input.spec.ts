// Failures of endpoints and tools as a user sees them: a clear message in the panel, no lost text, and the next message
// works.
import { startEndpoint, type Endpoint, type Reply } from '../../../support/lab/endpoint.js'
import { expect, test as base } from '../../../support/page/site.js'

const test = base.extend<{ panelFor(replies: readonly Reply[]): Promise<Endpoint> }>({
  panelFor: async ({ page, site }, use) => {
    const endpoints: Endpoint[] = []
    await use(async (replies) => {
      const endpoint = await startEndpoint(replies)
      endpoints.push(endpoint)
      await page.goto(`${site}/test/pages/session/blank.html`)
      await page.evaluate(async (url) => {
        const path = '/src/index.ts'
        await import(path)
        const element = document.createElement('tool-agent')
        element.setAttribute('endpoint', url)
        element.setAttribute('model', 'm')
        document.body.append(element)
        Object.assign(window, { element })
        const description = 'Is called by the model of this test'
        element.registerTool([
          {
            name: 'throws',
            description,
            execute: () => {
              throw new Error('The warehouse is closed')
            },
          },
          { name: 'hangs', description, timeout: 50, execute: () => new Promise(() => undefined) },
          { name: 'odd', description, execute: () => ({ element: document.body }) },
        ])
      }, endpoint.url)
      return endpoint
    })
    try {
      for (const endpoint of endpoints) await endpoint.close()
    } finally {
      for (const endpoint of endpoints) await endpoint.stop()
    }
  },
})

const half = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'The first half' } }] })}\n\n`
/** `says`: to the visitor. `logs`: to the author, with what the server said. */
const faults: { name: string; replies: Reply[]; says: string; logs: RegExp }[] = [
  {
    name: 'a refused key',
    replies: [1, 2].map(() => ({ status: 401, body: { error: { message: 'invalid key' } } })),
    says: 'The assistant is not available right now.',
    logs: /invalid key/,
  },
  {
    name: 'an address where nothing is',
    replies: [{ status: 404, body: { error: { message: 'no such path' } } }],
    says: 'The assistant is not available here.',
    logs: /no such path/,
  },
  {
    name: 'an HTML page instead of a stream',
    replies: [{ html: '<!doctype html><title>Login</title>' }],
    says: 'The answer cannot be read. Try again.',
    logs: /HTML/,
  },
  {
    name: 'a stream that is cut',
    replies: [{ raw: half, end: 'close' }],
    says: 'The connection was lost during the answer. You can continue it.',
    logs: /complete|cut|ended/i,
  },
]

for (const { name, replies, says, logs } of faults) {
  test(`${name}: shows an error, keeps the message, and the next one works`, async ({ page, panelFor }) => {
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    await panelFor([...replies, { text: 'Here I am again' }])
    const field = page.locator('tool-agent textarea')
    await field.fill('Where is my order?')
    await field.press('Enter')
    await expect(page.locator('tool-agent')).toContainText(says)
    await expect.poll(() => lines.join('\n')).toMatch(logs)
    await expect(page.locator('tool-agent')).toContainText('Where is my order?')
    await field.fill('And now?')
    await field.press('Enter')
    await expect(page.locator('tool-agent')).toContainText('Here I am again')
  })
}

test(
  'reports a tool that throws, hangs or returns no JSON to the model and the user, and continues',
  { tag: ['@F70', '@F71', '@F72'] },
  async ({ page, panelFor }) => {
    const calls = ['throws', 'hangs', 'odd'].map((name) => ({ name, arguments: {} }))
    const endpoint = await panelFor([{ calls }, { text: 'Three things went wrong' }])
    const field = page.locator('tool-agent textarea')
    await field.fill('Do all three')
    await field.press('Enter')
    await expect(page.locator('tool-agent')).toContainText('Three things went wrong')
    await expect(page.locator('tool-agent details[data-state]:not([data-state=done])')).toHaveCount(3)
    const told = endpoint.requests[1]?.raw ?? ''
    expect(told).toContain('Error (execution-failed): The warehouse is closed')
    expect(told).toMatch(/Error \(timeout\): .*may still have happened/)
    expect(told).toMatch(/Error \(not-serializable\): .*element/)
  },
)

test('a duplicate tool, an invalid tool and a wrong attribute are reported where they are made', async ({
  page,
  panelFor,
}) => {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  await panelFor([])
  const thrown = await page.evaluate(() => {
    const { element } = window as unknown as { element: HTMLElementTagNameMap['tool-agent'] }
    const attempt = (run: () => void) => {
      try {
        run()
      } catch (error) {
        return `${(error as { code?: string }).code}: ${(error as Error).message}`
      }
      return 'nothing'
    }
    element.setAttribute('resume', 'perhaps')
    return [
      attempt(() => element.registerTool({ name: 'throws', description: 'The name is taken' })),
      attempt(() => element.registerTool({ name: 'not a name', description: 'Has spaces in its name' })),
      attempt(() => element.registerTool({ name: 'todo_write', description: 'Has a name of ours' })),
      attempt(() => {
        // A property throws nothing: frameworks set it while they draw.
        element.limits = { steps: -1 }
      }),
    ]
  })
  expect(thrown).toEqual([
    expect.stringMatching(/^duplicate-tool: .*throws/),
    expect.stringMatching(/^invalid-tool: /),
    expect.stringMatching(/^invalid-tool: .*built-in/),
    'nothing',
  ])
  await expect(page.locator('tool-agent')).toContainText('The assistant is not set up correctly.')
  await expect.poll(() => lines.join('\n')).toContain('limits.steps: expected a number of at least 0, received -1')
  await expect.poll(() => lines.join('\n')).toMatch(/resume.*'auto'/)
})
