// Runs one task once: opens the page in a browser without any stored data, sends the prompt, approves what awaits
// approval, and checks the page after the turn. A turn may continue on other pages, so its state is read again and again.
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright'
import type { Session } from '../src/core/data/session.js'
import type { TurnResult } from '../src/core/data/turn-result.js'
import { turnResult } from '../src/page/turn-result.js'
import type { Eval } from '../src/testing/define-eval.js'
import type { ToolAgentElement } from '../src/ui/element/tool-agent-element.js'
import type { Settings } from './arguments.js'
import { openPage } from './browser.js'
import { createModelProxy } from './model-proxy.js'
import { addressOfFile, answerFile, fileOrigin } from './page-files.js'

/** One run of one task, as the JSON has it. */
export interface TaskRun {
  readonly name: string
  readonly model: string
  /** From 1. */
  readonly repeat: number
  readonly success: boolean
  /** Why it failed. */
  readonly problem?: string
  /** Why the turn ended. */
  readonly reason?: string
  readonly steps: number
  /** Names of the calls, in order. */
  readonly toolCalls: readonly string[]
  readonly inputTokens: number
  readonly outputTokens: number
  /** Milliseconds from the prompt to the end of the turn. */
  readonly ms: number
}

export interface TaskSetting {
  readonly browser: Browser
  readonly settings: Settings
  /** The file with the task. */
  readonly suite: string
  /** The address of the web server, if there is one. */
  readonly baseUrl: string | undefined
  /** Undefined: the model that the page names. */
  readonly model: string | undefined
  readonly repeat: number
}

const look = 50

export async function runTask(task: Eval<never>, setting: TaskSetting): Promise<TaskRun> {
  const { browser, settings, model, repeat } = setting
  const context = await browser.newContext()
  const faults: string[] = []
  let result: TurnResult | undefined
  let ms = 0
  let problem: string | undefined
  try {
    const page = await openedPage(context, task, setting, faults)
    const begin = Date.now()
    result = await turnOf(page, task)
    ms = Date.now() - begin
    problem = await problemOf(task, page, result)
  } catch (error) {
    problem = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  } finally {
    await context.close()
  }
  problem ??= faults[0]
  const text = settings.key ? problem?.replaceAll(settings.key, '…') : problem
  return {
    name: task.name,
    model: model ?? (settings.endpoint ? 'page' : 'offline'),
    repeat,
    success: problem === undefined,
    ...(text === undefined ? {} : { problem: text }),
    ...(result && { reason: result.reason }),
    steps: result?.steps ?? 0,
    toolCalls: result?.toolExecutions.map(({ call }) => call.name) ?? [],
    inputTokens: result?.usage.inputTokens ?? 0,
    outputTokens: result?.usage.outputTokens ?? 0,
    ms,
  }
}

async function openedPage(
  context: BrowserContext,
  task: Eval<never>,
  { settings, suite, baseUrl, model }: TaskSetting,
  faults: string[],
): Promise<Page> {
  const proxy = createModelProxy(settings, model, task.maxSteps === undefined ? undefined : task.maxSteps + 2)
  const html = typeof task.page === 'string' ? undefined : task.page.html
  // The last route comes first: a model request may have the origin of the page.
  await context.route(`${fileOrigin}/**`, (route) => answerFile(route, html))
  const page = await context.newPage()
  await context.route(
    (url) => proxy.isModelRequest(url),
    (route) => proxy.answer(route, page),
  )
  page.on('pageerror', (error) => faults.push(`The page threw ${error.message}`))
  page.on('dialog', (dialog) => void dialog.accept())
  await openPage(page, addressOf(task, suite, baseUrl), (opened) => task.setup?.(opened as never))
  return page
}

function addressOf({ page }: Eval<never>, suite: string, baseUrl: string | undefined): string {
  if (typeof page !== 'string') return `${fileOrigin}/`
  if (/^[a-z]+:\/\//i.test(page)) return page
  return baseUrl === undefined ? addressOfFile(page, suite) : new URL(page, baseUrl).href
}

/** Sends the prompt and resolves with the result of its turn. Rejects if the turn does not end in time. */
async function turnOf(page: Page, task: Eval<never>): Promise<TurnResult> {
  const { prompt, tools, maxSteps, approve = true, timeout = 180_000 } = task
  await page.evaluate(
    ({ prompt, tools, maxSteps }) => {
      const element = document.querySelector<ToolAgentElement>('tool-agent')!
      if (maxSteps !== undefined) element.limits = { ...element.limits, steps: maxSteps }
      const options = tools === undefined ? {} : { activeTools: tools }
      // The turn may end on another page, so its promise is not awaited. Only what rejects before the turn is read.
      element.agent.send(prompt, options).catch((error: Error) => {
        Object.assign(window, { evalError: error.message })
      })
    },
    { prompt, tools, maxSteps },
  )
  const end = Date.now() + timeout
  for (;;) {
    const state = await stateOf(page)
    if (state?.session?.end) {
      const { reason, error } = state.session.end
      return turnResult(state.session, { turn: { counted: 0 }, reason, error }, new Map())
    }
    if (state?.rejected !== undefined) throw new Error(state.rejected)
    for (const id of state?.asking ?? []) await decide(page, id, approve)
    if (Date.now() > end) throw new Error(`The turn did not end within ${Math.round(timeout / 1000)} s`)
    await pause(look)
  }
}

interface PageState {
  /** Set when the turn has ended. */
  readonly session?: Session
  readonly asking: readonly string[]
  /** The message of an error with which `send` rejected before its turn began. */
  readonly rejected?: string
}

/** Undefined while the page navigates. */
async function stateOf(page: Page): Promise<PageState | undefined> {
  try {
    return await page.evaluate((): PageState => {
      const session = document.querySelector<ToolAgentElement>('tool-agent')?.agent.session
      const rejected = (window as { evalError?: string }).evalError
      const isOpen = session?.turn !== undefined
      const asking = (session?.messages ?? []).flatMap((message) =>
        message.role === 'assistant'
          ? message.parts.flatMap((part) =>
              part.type === 'tool-call' && part.approval && !part.started && !part.result ? [part.call.id] : [],
            )
          : [],
      )
      if (session?.end && !isOpen) return { session, asking: [] }
      return { asking, ...(rejected !== undefined && !isOpen ? { rejected } : {}) }
    })
  } catch {
    return undefined
  }
}

async function decide(page: Page, id: string, approve: boolean): Promise<void> {
  await page
    .evaluate(
      ({ id, approve }) => {
        const { agent } = document.querySelector<ToolAgentElement>('tool-agent')!
        return approve ? agent.approve(id) : agent.deny(id)
      },
      { id, approve },
    )
    .catch(() => undefined) // The approved call may open another page.
}

/** Why a task is not done; undefined if it is. */
async function problemOf(task: Eval<never>, page: Page, result: TurnResult): Promise<string | undefined> {
  const { error } = result
  if (error) return `The turn ended with ${error.code}: ${error.message}`
  try {
    const isDone = await task.check({ page, result } as never)
    return isDone === false ? `check returned false (the turn ended as ${result.reason})` : undefined
  } catch (thrown) {
    return `check threw ${thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown)}`
  }
}
