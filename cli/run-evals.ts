// Runs the tasks of all files with all models, one after another, and reports them.
import { spawn, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { EvalSuite } from '../src/testing/define-eval.js'
import { UsageError, type Settings } from './arguments.js'
import { startBrowser } from './browser.js'
import { loadSuite } from './load-evals.js'
import { jsonReport, tableReport } from './report.js'
import { runTask, type TaskRun } from './run-task.js'

/** Resolves with whether every run succeeded. */
export async function runEvals(settings: Settings): Promise<boolean> {
  const suites = await Promise.all(settings.files.map(loadSuite))
  const { filter, models, repeat } = settings
  const chosen = suites.map((suite) => ({ ...suite, evals: suite.evals.filter(({ name }) => name.includes(filter)) }))
  if (chosen.every(({ evals }) => evals.length === 0))
    throw new UsageError(`No task has ${JSON.stringify(filter)} in its name`)
  if (settings.endpoint === undefined)
    process.stderr.write(
      'No MODEL_ENDPOINT is set: the offline model answers. It follows rules and is not a language model.\n',
    )
  const browser = await startBrowser('eval', settings)
  const runs: TaskRun[] = []
  try {
    for (const { file, evals, webServer } of chosen) {
      if (evals.length === 0) continue
      const stop = webServer && (await startServer(webServer))
      try {
        for (const task of evals) {
          const own: readonly (string | undefined)[] = task.models ?? (models.length > 0 ? models : [undefined])
          // The offline model has one name only.
          for (const model of settings.endpoint === undefined ? [undefined] : own)
            for (let run = 1; run <= repeat; run++) {
              const setting = { browser, settings, suite: file, baseUrl: webServer?.url, model, repeat: run }
              runs.push(await runTask(task, setting))
            }
        }
      } finally {
        await stop?.()
      }
    }
  } finally {
    await browser.close()
  }
  const json = jsonReport(runs, settings)
  if (settings.json === true) process.stdout.write(`${json}\n`)
  else process.stdout.write(`${tableReport(runs)}\n`)
  if (typeof settings.json === 'string') writeFileSync(settings.json, `${json}\n`)
  return runs.every(({ success }) => success)
}

/** Starts the command and resolves with a function that ends it, once its address answers. */
async function startServer({
  command,
  url,
  timeout = 60_000,
}: NonNullable<EvalSuite['webServer']>): Promise<() => Promise<void>> {
  // A group of its own, because a shell command starts further processes.
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: process.platform !== 'win32',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // The group does not receive the signals of the terminal.
  const interrupted = (): void => {
    endGroup(child)
    process.exit(130)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  const stop = async (): Promise<void> => {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    endGroup(child)
    await ended
  }
  const end = Date.now() + timeout
  for (;;) {
    if (child.exitCode !== null)
      throw new UsageError(
        `webServer: ${command} ended with code ${child.exitCode}. Its message is above. If a development server of this ` +
          'project is running, stop it: several frameworks start only one',
      )
    if (await answers(url)) return stop
    if (Date.now() > end) {
      await stop()
      throw new UsageError(`webServer: ${url} did not answer within ${timeout / 1000} s`)
    }
    await pause(100)
  }
}

function endGroup(child: ChildProcess): void {
  if (child.exitCode !== null || child.pid === undefined) return
  if (process.platform === 'win32') child.kill()
  else process.kill(-child.pid, 'SIGTERM')
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status < 500
  } catch {
    return false
  }
}
