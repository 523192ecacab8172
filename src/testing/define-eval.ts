// Evaluations of a page's assistant with a real model: what `npx tool-agent eval` runs. Only types and functions that
// return their argument, so that a file with evaluations imports nothing else.
import type { TurnResult } from '../core/data/turn-result.js'

/** What `check` gets of the browser's page: a `Page` of Playwright, of which only these methods are named here. */
export interface EvalPage {
  /** The address of the page. */
  url(): string
  /** The document's title. */
  title(): Promise<string>
  /** Calls a function in the page. */
  evaluate<R, A = undefined>(run: ((argument: A) => R | Promise<R>) | string, argument?: A): Promise<R>
  /** The text of the first element that matches; waits for it. */
  textContent(selector: string): Promise<string | null>
  /** The value of the first field that matches; waits for it. */
  inputValue(selector: string): Promise<string>
  /** Whether the first element that matches is visible. */
  isVisible(selector: string): Promise<boolean>
  /** Waits until the function returns a truthy value in the page. */
  waitForFunction(run: (() => unknown) | string): Promise<unknown>
}

/** What `check` gets. */
export interface EvalRun<Page = EvalPage> {
  /** The page after the turn. */
  readonly page: Page
  /** How the turn ended, as `send` resolves. */
  readonly result: TurnResult
}

/** One task for the assistant of a page. */
export interface Eval<Page = EvalPage> {
  /** Unique in its file. Shown in the table; `--filter` selects by it. */
  readonly name: string
  /**
   * The page to open: an absolute URL, a path on the `webServer`, or without one a file relative to this one. A file or
   * `html` without `<tool-agent>` gets one with all page tools.
   */
  readonly page: string | { readonly html: string }
  /** What the user writes. */
  readonly prompt: string
  /**
   * Whether the task is done: false or an exception fails it. Not called if the turn ended with an error.
   */
  check(run: EvalRun<Page>): boolean | void | Promise<boolean | void>
  /** Runs when the page is loaded, before its assistant is looked for: a login, or closing a banner. */
  setup?(page: Page): void | Promise<void>
  /** Names of the tools to offer; the option `activeTools` of `send`. @default all */
  readonly tools?: readonly string[]
  /** Model calls. After them the turn ends as `max-steps`. @default the limit of the page */
  readonly maxSteps?: number
  /** The models that run this task. @default those of the command line */
  readonly models?: readonly string[]
  /** Whether calls that await approval are approved. Otherwise they are denied. @default true */
  readonly approve?: boolean
  /** Milliseconds for the turn. Then the task fails. @default 180000 */
  readonly timeout?: number
}

/** A file of evaluations. */
export interface EvalSuite<Page = EvalPage> {
  /** The tasks, in the order in which they run. */
  readonly evals: readonly Eval<Page>[]
  /** A server that runs during the evaluations, as in Playwright's configuration. */
  readonly webServer?: {
    /** A shell command. */
    readonly command: string
    /** The address that answers when the server is ready. Paths in `page` are resolved against it. */
    readonly url: string
    /** Milliseconds until it must answer. @default 60000 */
    readonly timeout?: number
  }
}

/** Returns one task unchanged, with its types checked: the default export of a file, or an item of `defineEvals`. */
export function defineEval<Page = EvalPage>(task: Eval<Page>): Eval<Page> {
  return task
}

/** Returns several tasks unchanged, with their types checked: the default export of a file. */
export function defineEvals<Page = EvalPage>(
  suite: EvalSuite<Page> | readonly Eval<Page>[],
): EvalSuite<Page> | readonly Eval<Page>[] {
  return suite
}
