// WebMCP in a real page: the provider's tools by name, and one of them run as the registry would run it. Chromium is
// started with its own `document.modelContext` where a spec asks for it.
import type { CDPSession, Page } from 'playwright/test'
import type { JsonObject } from '../../../src/core/data/json.js'
import { installToolRun } from './tool-run.js'

export interface Described {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema?: JsonObject
  readonly annotations?: JsonObject
  readonly exclusive?: boolean
}

/** A page with `window.tools()`, and the events its forms send noted in `window.sent`. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.evaluate(installToolRun)
  await page.evaluate(async () => {
    const entry = (await import('/src/tools.ts' as string)) as typeof import('../../../src/tools.js')
    const provider = entry.webMcpTools()
    Object.assign(window, {
      ...entry,
      sent: [],
      tools: () => provider({ message: '', sessionId: 's', toolContext: {}, url: '', shared: new Map() }),
    })
  })
}

export const tools = (page: Page): Promise<Described[]> =>
  page.evaluate(async () => {
    const found = await (window as unknown as { tools(): Promise<Described[]> }).tools()
    return found.map(
      ({ name, title, description, inputSchema, annotations, exclusive }) =>
        JSON.parse(JSON.stringify({ name, title, description, inputSchema, annotations, exclusive })) as Described,
    )
  })

/** Runs a tool of the newest offer, or, with `offer`, of the one that `keepOffer` kept. */
export function call<T = unknown>(
  page: Page,
  name: string,
  input: object = {},
  offer: 'new' | 'kept' = 'new',
): Promise<T> {
  return page.evaluate(
    async ({ name, input, offer }) => {
      interface Runnable {
        readonly name: string
        execute(input: object, run: object): Promise<unknown>
      }
      const scope = window as unknown as { tools(): Promise<Runnable[]>; offer?: Runnable[] }
      const tool = (offer === 'kept' ? (scope.offer ?? []) : await scope.tools()).find((one) => one.name === name)
      const run = window.toolRun()
      try {
        return tool ? ((await tool.execute(input, run)) ?? null) : 'no such tool'
      } catch (thrown) {
        const error = thrown as { code?: unknown; name: string; message: string }
        return { error: typeof error.code === 'string' ? error.code : error.name, message: error.message }
      }
    },
    { name, input, offer },
  ) as Promise<T>
}

export const keepOffer = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    Object.assign(window, { offer: await (window as unknown as { tools(): Promise<unknown> }).tools() })
  })

/** What an agent outside of the page gets from a tool that the browser lists. */
export async function callFromOutside(cdp: CDPSession, toolName: string, input: object): Promise<unknown> {
  const send = cdp.send.bind(cdp) as unknown as (method: string, params?: object) => Promise<Record<string, never>>
  const { frameTree } = (await send('Page.getFrameTree')) as unknown as { frameTree: { frame: { id: string } } }
  const waiting = new Map<string, (output: unknown) => void>()
  const early = new Map<string, unknown>()
  const onAnswer = (event: { invocationId: string; status: string; output?: unknown }): void => {
    const answer = event.status === 'Completed' ? event.output : event.status
    waiting.get(event.invocationId)?.(answer)
    early.set(event.invocationId, answer)
  }
  const events = cdp as unknown as {
    on(name: string, listener: typeof onAnswer): void
    off(name: string, listener: typeof onAnswer): void
  }
  events.on('WebMCP.toolResponded', onAnswer)
  try {
    const { invocationId } = (await send('WebMCP.invokeTool', {
      frameId: frameTree.frame.id,
      toolName,
      input,
    })) as unknown as { invocationId: string }
    return await new Promise((resolve) => {
      waiting.set(invocationId, resolve)
      if (early.has(invocationId)) resolve(early.get(invocationId))
    })
  } finally {
    events.off('WebMCP.toolResponded', onAnswer)
  }
}
