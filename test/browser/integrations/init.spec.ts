// `npx tool-agent init` in an empty project of each framework, with the packed package and packages from npm: the project
// builds, its evaluation passes with the offline model, the relay adds the key, a second call changes nothing, and `--remove`
// restores every byte.
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { frameworkNames, type Framework } from '../../../cli/init/project.js'
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { install, run, serve, type Command } from '../../support/integrations/projects.js'
import { runCommand } from '../../support/project/command.js'
import { expect, root, test } from '../../support/integrations/packed-test.js'
import { filesOf, projectFolder, projects } from '../../support/project/init-projects.js'

test.skip(({ browserName }) => browserName !== 'chromium', 'the result does not depend on the browser')

const shell = (command: string): Command => ['sh', '-c', command]
const viteServer: Command = ['vite', '--port', '{port}', '--strictPort', '--host', '127.0.0.1']
/** The commands of each framework: the build, with the type check, and the server for development. */
const commands: Readonly<Record<Framework, { build?: Command; serve: Command }>> = {
  html: { serve: ['node', 'assistant/server.mjs'] },
  vite: { build: shell('tsc -p . && vite build --logLevel error'), serve: viteServer },
  react: { build: shell('tsc -p . && vite build --logLevel error'), serve: viteServer },
  vue: { build: shell('vue-tsc -p . && vite build --logLevel error'), serve: viteServer },
  svelte: { build: shell('svelte-check --fail-on-warnings && vite build --logLevel error'), serve: viteServer },
  next: { build: ['next', 'build'], serve: ['next', 'dev', '-p', '{port}', '-H', '127.0.0.1'] },
  nuxt: {
    build: shell('nuxt prepare && vue-tsc --noEmit -p .nuxt/tsconfig.app.json && nuxt build'),
    serve: ['nuxt', 'dev', '--port', '{port}', '--host', '127.0.0.1'],
  },
  astro: {
    build: shell('astro check && astro build --silent'),
    serve: ['astro', 'dev', '--port', '{port}', '--host', '127.0.0.1'],
  },
  angular: {
    build: ['ng', 'build'],
    serve: shell(
      'trap "kill 0" EXIT; node assistant/relay.mjs & ' +
        'ng serve --port {port} --host 127.0.0.1 --no-open --proxy-config proxy.conf.json',
    ),
  },
}

for (const framework of Object.keys(commands) as Framework[]) {
  test(
    `${frameworkNames[framework]}: an empty project gets an assistant that builds, passes its evaluation and keeps the key`,
    { tag: '@long' },
    async ({ page, tarball }) => {
      test.setTimeout(900_000)
      const folder = projectFolder({ 'package.json': '{ "private": true }\n', ...projects[framework] })
      const cli = (...args: string[]) => runCommand('node_modules/tool-agent/dist/cli.mjs', { args, cwd: folder })
      const endpoint = await startEndpoint([])
      try {
        const problem = install(folder, tarball)
        if (problem !== undefined) {
          await endpoint.close()
          console.log(`SKIPPED ${framework}: ${problem}`)
          test.skip(true, problem)
          return
        }
        for (const name of ['playwright', 'playwright-core']) {
          rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
          symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
        }
        const before = filesOf(folder)
        const first = await cli('init', '--yes')
        expect(first).toMatchObject({ code: 0, errors: '' })
        const after = filesOf(folder)
        expect(first.output, 'nothing is left to the user').not.toContain('by hand')

        const { build, serve: server } = commands[framework]
        if (build !== undefined) {
          const { status, stdout, stderr } = run(build, folder, { NODE_ENV: 'production' })
          expect(status === 0 ? '' : stdout + stderr, 'the build').toBe('')
        }
        const { code, output, errors } = await cli('eval', 'evals/assistant.mjs')
        expect({ code, output }, errors).toEqual({ code: 0, output: expect.stringContaining('1 of 1 runs succeeded') })

        const running = await serve(server, folder, {
          MODEL_ENDPOINT: endpoint.url,
          MODEL_API_KEY: 'key-of-the-server',
        })
        try {
          endpoint.push({ text: 'Hello from the relay.' })
          expect(await answerOf(page, running.url)).toBe('Hello from the relay.')
          expect(endpoint.requests[0]?.headers.authorization).toBe('Bearer key-of-the-server')
          expect(await page.content(), 'the key in the page').not.toContain('key-of-the-server')
        } finally {
          await page.goto('about:blank')
          await running.stop()
        }

        const built = filesOf(folder)
        expect(await cli('init', '--yes')).toMatchObject({ code: 0, output: expect.stringContaining('already there') })
        expect(filesOf(folder)).toEqual(built)
        expect(await cli('init', '--remove', '--yes')).toMatchObject({ code: 0, errors: '' })
        const removed = filesOf(folder)
        const touched = Object.keys(after).filter((path) => after[path] !== before[path])
        expect(touched.length).toBeGreaterThan(3)
        for (const path of touched) expect(removed[path], path).toBe(before[path])
        await endpoint.close()
      } finally {
        await endpoint.stop()
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )
}

/** Opens a page and returns what the assistant answers. */
async function answerOf(page: Page, url: string): Promise<string | undefined> {
  await page.goto(url)
  const tools = () =>
    page.evaluate(() =>
      (document.querySelector('tool-agent') as unknown as Agent | null)?.tools?.map(({ name }) => name),
    )
  // A development server may reload the page after it has found more packages.
  await expect
    .poll(() => tools().catch(() => []), { timeout: 120_000 })
    .toEqual(expect.arrayContaining(['find_notes', 'add_note']))
  return page.evaluate(async () => {
    const element = document.querySelector('tool-agent') as unknown as Agent
    return (await element.send('Hello')).text
  })
}
