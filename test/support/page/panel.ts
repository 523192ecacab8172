// A page with the element and a fake agent, for specs of the panel.
import type { Locator, Page } from 'playwright/test'
import type { AssistantPart, Message } from '../../../src/core/data/message.js'
import type { Session } from '../../../src/core/data/session.js'
import type { AgentEvent } from '../../../src/core/data/event.js'
import type { ToolAgentElement } from '../../../src/ui/element/tool-agent-element.js'
import type { FakeAgent } from '../lab/fake-agent.js'
import { expect, test as base } from './site.js'

export { expect } from './site.js'

declare global {
  interface Window {
    fake: FakeAgent
    element: ToolAgentElement
    richSession: () => Partial<Session>
    turnEvents: () => AgentEvent[]
  }
}

export class PanelPage {
  readonly page: Page
  /** The element; its parts are found through its shadow root. */
  readonly element: Locator
  readonly field: Locator
  /** Uncaught errors, and errors in the console. */
  readonly faults: string[] = []

  constructor(page: Page) {
    this.page = page
    this.element = page.locator('tool-agent')
    this.field = this.element.locator('textarea').last()
    page.on('pageerror', (error) => this.faults.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('favicon')) this.faults.push(message.text())
    })
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url)
    await this.ready()
  }

  async ready(): Promise<void> {
    await this.page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await this.element.locator('section.panel').waitFor({ state: 'attached' })
  }

  show(session: Partial<Session>): Promise<void> {
    // As text, because Playwright takes ten seconds to serialize ten thousand messages.
    return this.page.evaluate((text) => {
      window.fake.show(JSON.parse(text) as Partial<Session>)
    }, JSON.stringify(session))
  }

  /** Starts a streaming text. Waits until Markdown is loaded and everything was rendered again. */
  async stream(): Promise<void> {
    await this.show({ status: 'running', messages: [assistant('d', '**done**'), user('u', 'Hi')] })
    await expect(this.element.locator('strong')).toHaveText('done')
    await this.emit({ type: 'step-start', at: 1, step: 0, id: 'm' }, { type: 'text-delta', delta: 'a' })
    await expect(this.element.locator('.text').last()).toHaveText('a')
  }

  /** Reads the question as a user does: its beginning first, and then its end. */
  async read(): Promise<void> {
    const reading = this.element.locator('.reading')
    const scroll = (isToEnd: boolean) =>
      reading.evaluate((element, toEnd) => {
        element.scrollTo({ top: toEnd ? element.scrollHeight : 0, behavior: 'instant' })
      }, isToEnd)
    await expect(async () => {
      await scroll(false)
      await this.page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            const began = performance.now()
            const next = () => (performance.now() - began > 800 ? resolve() : requestAnimationFrame(next))
            next()
          }),
      )
      await scroll(true)
      await expect(this.element.locator('.decision[data-ready]')).toBeVisible({ timeout: 2_000 })
    }).toPass()
  }

  emit(...events: AgentEvent[]): Promise<void> {
    return this.page.evaluate((values) => {
      for (const value of values as AgentEvent[]) window.fake.emit(value)
    }, events as unknown)
  }

  /** Emits events of an agent inside a call. `path`: the ids of the calls around it, outermost first. */
  emitInside(path: readonly string[], ...events: AgentEvent[]): Promise<void> {
    return this.page.evaluate(
      ([calls, values]) => {
        for (const value of values as AgentEvent[]) window.fake.emit(value, calls as string[])
      },
      [path, events] as unknown[],
    )
  }

  /** The arguments of each call that the panel made of one method. */
  asked(method: string): Promise<unknown[][]> {
    return this.page.evaluate(
      (name) => window.fake.asked.filter((one) => one.method === name).map((one) => one.args),
      method,
    )
  }
}

export const test = base.extend<{ panel: PanelPage }>({
  panel: async ({ page, site }, use) => {
    const panel = new PanelPage(page)
    await panel.open(`${site}/test/pages/panel/panel.html`)
    await use(panel)
  },
})

export const user = (id: string, text: string): Message => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
  at: 1,
})
export const assistant = (id: string, ...parts: (string | AssistantPart)[]): Message => ({
  id,
  role: 'assistant',
  at: 1,
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
})
export const call = (id: string, name: string, rest: object = {}): AssistantPart =>
  ({ type: 'tool-call', call: { id, name, input: { query: 'pot' } }, ...rest }) as AssistantPart

/** The call that wrote a list of tasks. */
export const tasks = (
  id: string,
  items: readonly { readonly text: string; readonly status: string }[],
): AssistantPart =>
  call(id, 'todo_write', {
    call: { id, name: 'todo_write', input: { items } },
    result: { output: 'ok', endedAt: 1, attempts: 1 },
  })

/** A call part that waits for the user. */
export const question = (id: string, input: object = { code: 'TEA10' }): AssistantPart =>
  ({
    type: 'tool-call',
    call: { id, name: 'apply_coupon', input },
    approval: { hash: `hash-${id}`, title: 'Apply a coupon', input, at: 1 },
  }) as AssistantPart
