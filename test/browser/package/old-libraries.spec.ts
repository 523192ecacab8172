// Pages with libraries that replace methods of the browser, written from what Prototype.js 1.6 and 1.7 and MooTools 1.4
// document, and with snippets that many pages have copied. Through a turn with a question and a call, to a second one.
import type { Page } from 'playwright/test'
import { expect, test as base } from '../../support/project/dist.js'
import { serveStatic } from '../../support/page/static-server.js'

type Patch = Record<string, (this: never, ...values: never[]) => unknown>
declare global {
  /** Defines methods as an assignment does: enumerable. */
  function patch(target: object, methods: Patch): void
}

const libraries = {
  'Prototype.js': () => {
    const toList = (value: unknown): unknown[] => {
      if (!value) return []
      const { length = 0 } = value as { length?: number }
      const list: unknown[] = []
      for (let index = 0; index < length; index++) list[index] = (value as unknown[])[index]
      return list
    }
    const bind = Function.prototype.bind
    patch(Element.prototype, {
      remove(this: Element) {
        this.parentNode!.removeChild(this)
        return this
      },
      scrollTo(this: Element) {
        const { left, top } = this.getBoundingClientRect()
        window.scrollTo(left, top)
        return this
      },
      update: (text: string) => text,
      select: () => [],
      next: () => undefined,
      empty: () => false,
      hide: () => undefined,
      show: () => undefined,
      toggle: () => undefined,
      clone: () => undefined,
      replace: () => undefined,
      wrap: () => undefined,
    })
    patch(Array.prototype, {
      entries(this: unknown[]) {
        return toList(this)
      },
      find(this: unknown[], test: (value: unknown, index: number) => boolean) {
        for (const [index, value] of Object.entries(toList(this))) if (test(value, Number(index))) return value
        return undefined
      },
      toJSON(this: unknown[]) {
        return `[${toList(this)
          .map((one) => JSON.stringify(one))
          .join(', ')}]`
      },
      first(this: unknown[]) {
        return this[0]
      },
      each: () => undefined,
      size: () => 0,
    })
    patch(Array, { from: toList })
    patch(Function.prototype, {
      bind(this: (...values: unknown[]) => unknown, ...values: [unknown, ...unknown[]]) {
        return values.length < 2 && values[0] === undefined ? this : bind.apply(this, values)
      },
      curry: () => undefined,
      defer: () => undefined,
    })
    patch(String.prototype, {
      startsWith(this: string, start: string) {
        return this.lastIndexOf(start, 0) === 0
      },
      sub: () => '',
      strip: () => '',
    })
  },

  MooTools: () => {
    patch(Element.prototype, {
      scrollTo(this: Element, left: number, top: number) {
        this.scrollLeft = left
        this.scrollTop = top
        return this
      },
      contains(this: Element, node: Node) {
        return (node?.compareDocumentPosition(this) & 8) > 0 || node === this
      },
      replaceWith(this: Element, node: Node) {
        this.parentNode!.replaceChild(node, this)
        return node
      },
      append: () => undefined,
      get: () => undefined,
      set: () => undefined,
      empty: () => undefined,
      toggle: () => undefined,
      getElement: () => null,
    })
    patch(Array, {
      from(item: unknown) {
        if (item === undefined || item === null) return []
        const isList = typeof item !== 'string' && typeof (item as { length?: unknown }).length === 'number'
        return isList ? Array.prototype.slice.call(item) : [item]
      },
    })
    patch(Array.prototype, { contains: () => false, erase: () => [], clean: () => [], pick: () => null })
    patch(Function.prototype, { delay: () => 0, pass: () => undefined, attempt: () => null })
    patch(String.prototype, { contains: () => false, clean: () => '' })
    patch(Number.prototype, { times: () => undefined, round: () => 0 })
  },

  'copied snippets': () => {
    patch(Element.prototype, {
      remove(this: Element) {
        this.parentElement!.removeChild(this)
      },
      append(this: Element, markup: string) {
        this.innerHTML += markup
      },
      prepend(this: Element, markup: string) {
        this.innerHTML = markup + this.innerHTML
      },
      before: () => undefined,
      after: () => undefined,
    })
    patch(NodeList.prototype, { remove: () => undefined })
    patch(Object.prototype, { extra: () => undefined })
  },
}

const delta = (value: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta: value, finish_reason: reason }] })}\n\n`
const called = (name: string, input: object) =>
  delta({ tool_calls: [{ index: 0, id: 'c1', function: { name, arguments: JSON.stringify(input) } }] }) +
  delta({}, 'tool_calls')
const said = (text: string) => delta({ content: text }) + delta({}, 'stop')

const script = `import '/tool-agent/tool-agent.js'
document.querySelector('tool-agent').registerTool({
  name: 'cancel_order', title: 'Cancel an order', description: 'Cancels an order.',
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
  annotations: { destructiveHint: true },
  execute: ({ id }) => ({ cancelled: [id, 'teapot'] }),
})`

const page = (patches: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<link rel="icon" href="data:,">
<script>var patch = (target, methods) => Object.assign(target, methods);(${patches})()</script>
<body><form><label>Your name <input name="name"></label></form>
<tool-agent endpoint="/v1" model="m" layout="floating" page-tools="read fill act"></tool-agent>
<script type="module" src="/page.js"></script></body></html>`

const test = base.extend<{ openShop: (patches: string) => Promise<unknown[]> }>({
  openShop: async ({ dist, page: visit }, use) => {
    const closing: (() => Promise<void>)[] = []
    await use(async (patches) => {
      const sent: unknown[] = []
      const server = await serveStatic({
        folders: { '/tool-agent/': dist },
        files: { '/index.html': page(patches), '/page.js': script },
        middleware(request, response, next) {
          if (request.method !== 'POST') return next()
          let body = ''
          request.on('data', (chunk: Buffer) => (body += chunk.toString()))
          request.on('end', () => {
            const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] }
            const last = messages.at(-1)
            sent.push(last)
            response.writeHead(200, { 'content-type': 'text/event-stream' })
            response.end(answerTo(JSON.stringify(last?.content), last?.role === 'tool'))
          })
        },
      })
      closing.push(server.close)
      await visit.goto(server.url)
      return sent
    })
    await Promise.all(closing.map((close) => close()))
  },
})

function answerTo(text: string, isResult: boolean): string {
  if (isResult) return said('All **done**.')
  if (text.includes('cancel')) return called('cancel_order', { id: 7 })
  return called('form_fill', { fields: [{ field: 'Your name', value: 'Ada' }] })
}

async function ask(visit: Page, text: string): Promise<void> {
  const field = visit.locator('tool-agent').getByRole('textbox')
  await field.fill(text)
  await field.press('Enter')
}

for (const [name, patches] of Object.entries(libraries)) {
  test(`a page with ${name} has a panel that opens, answers, asks, runs calls and closes`, async ({
    page: visit,
    openShop,
  }) => {
    const errors: string[] = []
    visit.on('pageerror', (error) => errors.push(error.message))
    const sent = await openShop(String(patches))
    const element = visit.locator('tool-agent')
    const launcher = element.locator('.launcher')
    await launcher.click()
    await expect(element.getByRole('alert')).toHaveCount(0)
    await expect(element.getByRole('textbox')).toBeVisible()
    await expect(launcher).toHaveCount(0)

    await ask(visit, 'Please cancel my order')
    await element.locator('.decision[data-ready] .approve').click()
    await expect(element.locator('strong', { hasText: 'done' })).toBeVisible()
    // A list reaches the model once encoded.
    expect(JSON.stringify(sent.at(-1))).toContain(String.raw`[7,\"teapot\"]`)

    await ask(visit, 'My name is Ada')
    await expect(element.locator('strong', { hasText: 'done' })).toHaveCount(2)
    await expect(visit.getByLabel('Your name')).toHaveValue('Ada')

    await element.getByRole('button', { name: 'Close' }).click()
    await launcher.click()
    await expect(element.getByRole('textbox')).toBeVisible()
    await expect(launcher).toHaveCount(0)
    expect(errors).toEqual([])
  })
}
