// Projects of page authors with the packed package, in production and development: the worker runs, a tool call works,
// the console has no warning, and the types pass a strict check. Plain HTML and Vite run by default; the others need
// packages from npm and run in the long run. Prints a table.
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { long, quick } from '../../support/integrations/list.js'
import {
  prepare,
  run,
  serve,
  serveFolder,
  typeFaults,
  type Project,
  type Running,
} from '../../support/integrations/projects.js'
import { installPackages } from '../../support/page/frameworks.js'
import { expect, test } from '../../support/integrations/packed-test.js'

test.skip(({ browserName }) => browserName !== 'chromium', 'the result does not depend on the browser')

type Row = Partial<Record<'development' | 'production' | 'worker' | 'types' | 'warnings', string>>
const table = new Map<string, Row>()
const columns = ['development', 'production', 'worker', 'types', 'warnings'] as const
test.afterAll(() => {
  if (table.size === 0) return
  const lines = [...table].map(
    ([name, row]) => `${name.padEnd(20)}${columns.map((column) => (row[column] ?? '–').padEnd(13)).join('')}`,
  )
  process.stdout.write(`\n${''.padEnd(20)}${columns.map((name) => name.padEnd(13)).join('')}\n${lines.join('\n')}\n`)
})

for (const [projects, tag] of [
  [quick, []],
  [long, ['@long']],
] as [readonly Project[], string[]][]) {
  for (const project of projects) {
    test(
      `${project.name}: the worker runs, a tool call works, no warning, strict types`,
      { tag },
      async ({ page, tarball }) => {
        test.setTimeout(840_000)
        const row: Row = {}
        table.set(project.name, row)
        if (project.links !== undefined) await installPackages()
        const endpoint = await startEndpoint([])
        const made = prepare(project, tarball, endpoint.url)
        if ('problem' in made) {
          row.development = 'no packages'
          await endpoint.close()
          console.log(`SKIPPED ${project.name}: ${made.problem}`)
          test.skip(true, made.problem)
          return
        }
        const { folder, remove } = made
        const filled = (text: string) => text.replaceAll('{endpoint}', endpoint.url)
        const env = Object.fromEntries(Object.entries(project.env ?? {}).map(([name, value]) => [name, filled(value)]))
        const visit = async (running: Running, column: 'development' | 'production') => {
          try {
            endpoint.push({ calls: [callOf(project)] }, { text: 'You ordered Sencha.' })
            const { host, problems } = await use(page, running.url + filled(project.query ?? ''), project)
            row[column] = 'yes'
            row.worker = row.worker === undefined || row.worker === host ? host : `${row.worker}/${host}`
            row.warnings = String(Number(row.warnings ?? 0) + problems.length)
            expect.soft(host, `${column}: the thread of the agent`).toBe('worker')
            expect.soft(problems, `${column}: the console`).toEqual([])
          } finally {
            await page.goto('about:blank')
            await running.stop()
          }
        }
        try {
          if (project.check !== undefined) {
            const { status, stdout, stderr } = run(project.check, folder, env)
            const faults = (status === 0 ? '' : stdout + stderr) + typeFaults(project, folder)
            row.types = faults === '' ? 'yes' : 'NO'
            expect.soft(faults, 'the type check').toBe('')
          }
          if (project.build !== undefined) {
            const { status, stdout, stderr } = run(project.build, folder, { ...env, NODE_ENV: 'production' })
            expect(status === 0 ? '' : stdout + stderr, 'the build').toBe('')
          }
          if (typeof project.production === 'string')
            await visit(await serveFolder(join(folder, project.production), endpoint.url), 'production')
          else if (project.production !== undefined)
            await visit(await serve(project.production, folder, { ...env, NODE_ENV: 'production' }), 'production')
          if (project.development !== undefined)
            await visit(await serve(project.development, folder, env), 'development')
          await endpoint.close()
        } finally {
          await endpoint.stop()
          remove()
        }
      },
    )
  }
}

/** What the model calls: the tool of the project. */
const callOf = ({ hasOwnView }: Project) =>
  hasOwnView === true
    ? { name: 'add_to_cart', arguments: { product: 'Sencha' } }
    : { name: 'find_orders', arguments: { query: 'sen' } }

/** Opens a page, has one turn with a tool call, and returns the thread and what the console has reported. */
async function use(page: Page, url: string, project: Project): Promise<{ host: string; problems: string[] }> {
  const problems: string[] = []
  const onConsole = (message: { type(): string; text(): string }) => {
    if (['warning', 'error'].includes(message.type())) problems.push(message.text())
  }
  const onError = (error: Error) => void problems.push(String(error))
  page.on('console', onConsole)
  page.on('pageerror', onError)
  try {
    await page.goto(url)
    if (project.hasOwnView === true) {
      await page.getByLabel('Message').fill('Sencha, please')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await expect(page.getByText('You ordered Sencha.', { exact: true })).toBeVisible()
      return { host: page.workers().length === 1 ? 'worker' : 'page', problems }
    }
    const tools = () =>
      page.evaluate(() =>
        (document.querySelector('tool-agent') as unknown as Agent | null)?.tools?.map((tool) => tool.name),
      )
    // A development server may reload the page after it has found more packages.
    await expect
      .poll(() => tools().catch(() => []), { timeout: 120_000 })
      .toEqual(expect.arrayContaining(['find_orders', 'page_read', 'form_fill']))
    const { text, host } = await page.evaluate(async () => {
      const { agent } = document.querySelector('tool-agent') as unknown as { agent: Agent }
      const result = await agent.send('What did I order?')
      return { text: result.text, host: String(agent.host) }
    })
    expect(text).toBe('You ordered Sencha.')
    const called = await page.evaluate(() =>
      JSON.stringify((document.querySelector('tool-agent') as unknown as Agent).messages),
    )
    expect(called, 'the result of the tool').toContain('"product":"Sencha"')
    expect(page.workers().length, 'one worker').toBe(host === 'page' ? 0 : 1)
    return { host, problems }
  } finally {
    page.off('console', onConsole)
    page.off('pageerror', onError)
  }
}
