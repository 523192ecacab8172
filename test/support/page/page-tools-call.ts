// Runs one page tool in the page, with a run as the registry would make it.
import type { Page } from 'playwright/test'
import type { FieldChanges, ToolRun } from '../../../src/page/tools/tool.js'
import { installToolRun } from './tool-run.js'

export interface RunFields {
  readonly sessionId?: string
  readonly messages?: readonly unknown[]
  readonly abortAfter?: number
  /** The id of the call. Without it, each fill has another one. */
  readonly toolCallId?: string
}

export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.evaluate(installToolRun)
  await page.evaluate(async () => {
    const { readTools, fillTools, actTools } = (await import(
      '/src/tools.ts' as string
    )) as typeof import('../../../src/tools.js')
    const tools = new Map([...readTools(), ...fillTools(), ...actTools()].map((tool) => [tool.name, tool]))
    Object.assign(window, { pageTools: tools, reports: [] })
  })
}

/** The tool's answer, or `{ error, message }` where it threw. */
export function call<T = unknown>(page: Page, name: string, input: object = {}, run: RunFields = {}): Promise<T> {
  return page.evaluate(
    async ({ name, input, run }) => {
      const scope = window as unknown as {
        pageTools: Map<
          string,
          {
            execute(input: object, run: object): unknown
            readonly [key: symbol]: { preview(input: object, run: object): { effect: string } }
          }
        >
        reports: unknown[]
      }
      const abort = new AbortController()
      const full = window.toolRun({
        signal: abort.signal,
        ...(run.sessionId ? { sessionId: run.sessionId } : {}),
        // The tab keeps what its calls have changed, also for the next test.
        toolCallId: run.toolCallId ?? (name === 'form_fill' ? `fill-${crypto.randomUUID()}` : 'call'),
        messages: run.messages ?? [],
        report(progress: unknown) {
          scope.reports.push(progress)
          if (run.abortAfter !== undefined && scope.reports.length >= run.abortAfter) abort.abort()
        },
      })
      const tool = scope.pageTools.get(name)
      // As if the user had allowed what is predicted. An impossible call fails when it runs.
      const permission = (() => {
        try {
          const forecast = tool?.[Symbol.for('tool-agent.internals')]?.preview?.(input, {
            ...full,
            toolCallId: 'allowed',
          })
          return forecast && { effect: forecast.effect, by: 'user' }
        } catch {
          return undefined
        }
      })()
      try {
        return await tool?.execute(input, { ...full, permission })
      } catch (thrown) {
        const error = thrown as { code?: unknown; name: string; message: string }
        return { error: typeof error.code === 'string' ? error.code : error.name, message: error.message }
      }
    },
    { name, input, run },
  ) as Promise<T>
}

/** Puts back what a call has changed, as the button on its card does. */
export function putBack(
  page: Page,
  toolCallId: string,
  to: 'before' | 'after',
  sessionId = 'session',
): Promise<{ done: string[]; kept: string[]; lost: string[] } | { error: string }> {
  return page.evaluate(
    async ([toolCallId, to, sessionId]) => {
      const { pageTools } = window as unknown as {
        pageTools: Map<string, Record<symbol, { fieldChanges: FieldChanges }>>
      }
      const changes = pageTools.get('form_fill')![Symbol.for('tool-agent.internals')]!.fieldChanges
      if (changes.holds(sessionId, toolCallId) === undefined) return { error: 'nothing is known of this call' }
      return changes.putBack(window.toolRun({ sessionId, toolCallId }) as unknown as ToolRun, to) as never
    },
    [toolCallId, to, sessionId] as const,
  )
}

/** What the fields of a call held before it, as its card shows that. */
export function valuesBefore(page: Page, toolCallId: string): Promise<Record<string, unknown>> {
  return page.evaluate((id) => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, Record<symbol, { fieldChanges: FieldChanges }>>
    }
    const changes = pageTools.get('form_fill')![Symbol.for('tool-agent.internals')]!.fieldChanges
    return Object.fromEntries(changes.valuesBefore('session', id))
  }, toolCallId)
}

/** Shows markup, with a style sheet, on an empty page of the site that has the page tools. */
export async function openMarkup(page: Page, site: string, html: string, css = ''): Promise<void> {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(
    ([html, css]) => {
      document.head.append(Object.assign(document.createElement('style'), { textContent: css }))
      document.body.innerHTML = html
    },
    [html, css] as const,
  )
}
