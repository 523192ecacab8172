// The browser of `tool-agent eval` and `tool-agent attack`, and the opening of a page with an assistant.
import type { Browser, Page } from 'playwright'
import type { ToolAgentElement } from '../src/ui/element/tool-agent-element.js'
import { UsageError, type Settings } from './arguments.js'
import { projectPackage } from './load-evals.js'

/** How long a page may take to show its assistant, in milliseconds. */
const startTime = 20_000

/** Starts Chromium with the Playwright of the project. `command`: the one that needs it. */
export async function startBrowser(
  command: string,
  { browser, headed }: Pick<Settings, 'browser' | 'headed'>,
): Promise<Browser> {
  let playwright: unknown
  for (const name of ['playwright', '@playwright/test', 'playwright-core']) playwright ??= await projectPackage(name)
  if (playwright === undefined)
    throw new UsageError(
      `tool-agent ${command} needs Playwright. Run: npm install --save-dev playwright && npx playwright install chromium`,
    )
  const { chromium, default: all } = playwright as typeof import('playwright') & {
    default?: typeof import('playwright')
  }
  try {
    const type = chromium ?? all?.chromium
    return await type.launch({ headless: !headed, ...(browser && { executablePath: browser }) })
  } catch (error) {
    throw new UsageError(
      `Chromium cannot be started. Run: npx playwright install chromium\n${(error as Error).message.split('\n')[0]}`,
    )
  }
}

/** Opens a page, prepares it with `setup`, such as by a login, and waits for its assistant. */
export async function openPage(
  page: Page,
  address: string,
  setup?: (page: Page) => void | Promise<void>,
): Promise<void> {
  const response = await page.goto(address)
  if (response && !response.ok()) throw new Error(`${page.url()} answered ${response.status()}`)
  await setup?.(page)
  await page
    .waitForFunction(() => document.querySelector<ToolAgentElement>('tool-agent')?.agent !== undefined, undefined, {
      timeout: startTime,
    })
    .catch(() => {
      throw new Error(`There is no <tool-agent> on ${page.url()}`)
    })
}
