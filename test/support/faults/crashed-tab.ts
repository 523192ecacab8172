// A Chromium tab that crashes and that its user reloads. Playwright cannot control a crashed page again, but a DevTools
// session that was attached before can. The tab keeps its sessionStorage.
import type { Browser, BrowserContext, Page } from 'playwright/test'

/** What a spec needs of a tab. A Playwright page fits. */
export interface Tab {
  evaluate<T>(work: () => T | Promise<T>): Promise<T>
  /** Resolves when the expression is true. */
  until(condition: () => unknown): Promise<void>
  close(): Promise<unknown>
}

export const tabOf = (page: Page): Tab => ({
  evaluate: (work) => page.evaluate(work),
  until: async (condition) => {
    await page.waitForFunction(condition)
  },
  close: () => page.close(),
})

interface Reply {
  readonly id?: number
  readonly method?: string
  readonly params?: { exceptionDetails?: { text: string; exception?: { description?: string } } }
  readonly result?: {
    result?: { value?: unknown }
    exceptionDetails?: { text: string; exception?: { description?: string } }
  }
  readonly error?: { message: string }
}

/** Crashes the tab and loads it again. `errors` receives its uncaught errors. */
export async function crashAndReload(
  browser: Browser,
  context: BrowserContext,
  page: Page,
  errors: string[],
): Promise<Tab> {
  const own = await context.newCDPSession(page)
  const {
    targetInfo: { targetId },
  } = await own.send('Target.getTargetInfo')
  const outside = await browser.newBrowserCDPSession()
  const { sessionId } = await outside.send('Target.attachToTarget', { targetId, flatten: false })
  const waiting = new Map<number | string, (reply: Reply) => void>()
  outside.on('Target.receivedMessageFromTarget', (event) => {
    const reply = JSON.parse(event.message) as Reply
    if (event.sessionId !== sessionId) return
    if (reply.method === 'Runtime.exceptionThrown') errors.push(textOf(reply.params?.exceptionDetails))
    waiting.get(reply.id ?? reply.method ?? '')?.(reply)
  })
  let last = 0
  const send = (method: string, params = {}) =>
    new Promise<Reply>((resolve) => {
      const id = ++last
      waiting.set(id, resolve)
      void outside.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) })
    })
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, error } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (error || result?.exceptionDetails) throw new Error(error?.message ?? textOf(result?.exceptionDetails))
    return result?.result?.value as T
  }
  // Must be attached before the crash: a session to a crashed tab never answers.
  await send('Runtime.enable')
  await crash(context, page)
  const isBack = new Promise((resolve) => waiting.set('Inspector.targetReloadedAfterCrash', resolve))
  void send('Page.reload')
  await isBack
  return {
    evaluate: (work) => evaluate(`(${work})()`),
    async until(condition) {
      const look = `new Promise((resolve) => { const look = () => ((${condition})() ? resolve(true) : setTimeout(look, 20)); look() })`
      // The previous document is unloaded during the evaluation.
      while (!(await evaluate(look).catch(() => false)));
    },
    close: () => outside.send('Target.closeTarget', { targetId }),
  }
}

/** Resolves when the tab has crashed. */
export async function crash(context: BrowserContext, page: Page): Promise<void> {
  const cdp = await context.newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // Never answered, because the tab was closed.
  void cdp.send('Page.crash').catch(() => undefined)
  await crashed
}

function textOf(details: { text: string; exception?: { description?: string } } | undefined): string {
  return details?.exception?.description ?? details?.text ?? ''
}
