// `npx tool-agent attack` over the playground, the task pages, the applications and the examples: nothing may be found.
import { join } from 'node:path'
import { mergeTests } from 'playwright/test'
import { allTasks } from '../../../bench/tasks/all-tasks.mjs'
import { apps } from '../../../bench/tasks/applications/all-apps.mjs'
import { policyModel } from '../../../bench/questions/model.mjs'
import { startServers } from '../../../bench/questions/server.mjs'
import type { PageReport } from '../../../cli/attack/run-attack.js'
import { long, quick } from '../../support/integrations/list.js'
import { packed, prepare, run, serve, serveFolder } from '../../support/integrations/projects.js'
import { test as site } from '../../support/page/site.js'
import { runCommand } from '../../support/project/command.js'
import { expect, root, test as dist } from '../../support/project/dist.js'

const test = mergeTests(dist, site)
test.skip(({ browserName }) => browserName !== 'chromium', 'the command starts Chromium itself')
test.describe.configure({ mode: 'parallel', timeout: 3_600_000 })

/** Most pages get fewer calls than the command makes, because they resemble each other. */
const limit = '--limit=15'

/** Runs the command and prints its report. */
async function attack(folder: string, args: readonly string[]): Promise<void> {
  const { output, errors } = await runCommand(join(folder, 'cli.mjs'), {
    args: ['attack', ...args, '--json'],
    cwd: root,
  })
  expect(errors).toBe('')
  const reports = (JSON.parse(output) as { pages: PageReport[] }).pages
  for (const { page, calls, allowed, reached } of reports)
    process.stdout.write(`${page}: ${calls.length} calls, ${allowed} questions allowed, ${reached.length} places\n`)
  // A page on which nothing reached the model would prove nothing.
  expect(reports.filter(({ reached }) => reached.length < 5).map(({ page }) => page)).toEqual([])
  expect(reports.flatMap(({ page, findings }) => findings.map((finding) => ({ page, ...finding })))).toEqual([])
}

for (const page of ['booking/', 'orders/', 'shop/cart.html'])
  test(`playground: ${page}`, async ({ dist, site }) => attack(dist, [`${site}/playground/${page}`]))

for (const page of ['shop/', 'shop/product.html', 'shop/checkout.html'])
  test(`playground: ${page}`, async ({ dist, site }) => attack(dist, [`${site}/playground/${page}`, limit]))

const tasks = allTasks.filter(({ kind }) => kind !== 'jquery-ui')
for (const { kind, name, page = name, query = '' } of new Map(tasks.map((task) => [task.kind, task])).values())
  test(`a task page: ${kind}`, async ({ dist }) => attack(dist, [`bench/tasks/${kind}/${page}.html${query}`, limit]))

for (const app of apps)
  test(`application: ${app.name}`, async ({ dist }) => {
    const servers = await startServers({ app, dist, model: policyModel(), attributes: '' })
    await attack(dist, [servers.url + (app.path ?? '/'), limit])
    await servers.close()
  })

// The example without a panel has no element that the command could attack.
const examples = [...quick, ...long].filter(({ folder, hasOwnView }) => folder.startsWith('examples/') && !hasOwnView)
for (const project of new Map(examples.map((one) => [one.folder, one])).values())
  test(`example: ${project.name}`, async ({ dist }) => {
    const { tarball, remove: removeTarball } = packed(dist)
    const endpoint = 'http://127.0.0.1:9/v1'
    const made = prepare(project, tarball, endpoint)
    removeTarball()
    if ('problem' in made) {
      test.skip(true, made.problem)
      return
    }
    const { folder, remove } = made
    try {
      const given = Object.entries(project.env ?? {}).map(([name, value]) => [
        name,
        value.replace('{endpoint}', endpoint),
      ])
      const env = { ...(Object.fromEntries(given) as Record<string, string>), NODE_ENV: 'production' }
      if (project.build !== undefined) expect(run(project.build, folder, env)).toMatchObject({ status: 0 })
      const { production = '' } = project
      const running =
        typeof production === 'string'
          ? await serveFolder(join(folder, production), endpoint)
          : await serve(production, folder, env)
      await attack(dist, [running.url, limit])
      await running.stop()
    } finally {
      remove()
    }
  })
