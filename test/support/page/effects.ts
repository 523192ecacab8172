// The effects of actions on a page of the test: what a call is predicted to do, and what it does with a permission.
import type { Page } from 'playwright/test'
import { installToolRun } from './tool-run.js'

interface Answer {
  readonly error?: string
  readonly message?: string
  readonly details?: { readonly stopped?: readonly object[] }
  readonly changes?: string
  readonly changed?: boolean
  readonly submitted?: boolean
}
interface PageTool {
  execute(input: object, run: object): unknown
  readonly [key: symbol]: { preview(input: object, run: object): { effect: string; preview: object } }
}

/** Replaces the page. Scripts of `html` do not run; `script` does, as the page's own. */
export const show = (page: Page, html: string, script = ''): Promise<void> =>
  page.evaluate(
    ([html = '', script = '']) => {
      document.body.innerHTML = html
      const own = document.createElement('script')
      own.textContent = `{${script}}`
      document.body.append(own)
    },
    [html, script],
  )

/** The forecast of a call. */
export const forecast = (
  page: Page,
  tool: string,
  input: object,
  stopped?: readonly object[],
): Promise<{ effect: string; preview: Record<string, unknown> }> =>
  page.evaluate(
    ({ tool, input, stopped }) => {
      const { pageTools } = window as unknown as { pageTools: Map<string, PageTool> }
      const run = { toolCallId: 'call', sessionId: 'session', messages: [], ...(stopped ? { stopped } : {}) }
      return pageTools.get(tool)?.[Symbol.for('tool-agent.internals')]?.preview(input, run)
    },
    { tool, input, stopped },
  ) as never

/** Runs a call with a permission, after its check. `approval`: the user has seen a question about it. */
export async function act(
  page: Page,
  tool: string,
  input: object,
  permission: { effect: string; by: string; approval?: object },
): Promise<Answer> {
  await page.evaluate(installToolRun)
  return page.evaluate(
    async ({ tool, input, permission }) => {
      const { pageTools } = window as unknown as { pageTools: Map<string, PageTool> }
      const run = window.toolRun({ permission, ...(permission.approval ? { approval: permission.approval } : {}) })
      try {
        return (await pageTools.get(tool)?.execute(input, run)) as object
      } catch (thrown) {
        const { code, message, details } = thrown as { code?: string; message: string; details?: object }
        return { error: code ?? 'thrown', message, details }
      }
    },
    { tool, input, permission },
  ) as never
}

/** What a call holds, or how it ended. */
export interface Begun extends Answer {
  readonly held?: readonly { readonly effect: string; readonly does: string; readonly values?: readonly object[] }[]
}

/** Begins a call, until it asks about what it holds or ends. `goOn` continues it. */
export async function begin(
  page: Page,
  tool: string,
  input: object,
  permission: { effect: string; by: string },
): Promise<Begun> {
  await page.evaluate(installToolRun)
  return page.evaluate(
    async ({ tool, input, permission }) => {
      const scope = window as unknown as { pageTools: Map<string, PageTool>; begun?: unknown; decide?: unknown }
      const asked = (held: readonly object[]) =>
        new Promise<object>((resolve, reject) => {
          scope.decide = (isAllowed: boolean) =>
            isAllowed ? resolve({ effect: 'send', by: 'user' }) : reject(new DOMException('denied', 'AbortError'))
          onAsk({ held })
        })
      let onAsk: (asked: object) => void = () => undefined
      const run = window.toolRun({ permission, hold: (held: readonly object[]) => asked(held) })
      const next = (): Promise<object> =>
        new Promise((resolve) => {
          onAsk = resolve
        })
      const ended = (async () => (await scope.pageTools.get(tool)?.execute(input, run)) as object)().catch(
        (thrown: { code?: string; message: string; details?: object }) => ({
          error: thrown.code ?? 'thrown',
          message: thrown.message,
          details: thrown.details,
        }),
      )
      scope.begun = () => Promise.race([ended, next()])
      return Promise.race([ended, next()])
    },
    { tool, input, permission },
  ) as never
}

/** Decides about what `begin` or this holds, and returns how the call goes on; undefined if it has left the page. */
export const goOn = (page: Page, isAllowed: boolean): Promise<Begun | undefined> =>
  page
    .evaluate((isAllowed) => {
      const { begun, decide } = window as unknown as { begun: () => Promise<object>; decide: (is: boolean) => void }
      const next = begun()
      decide(isAllowed)
      return next
    }, isAllowed)
    .catch(() => undefined) as never
