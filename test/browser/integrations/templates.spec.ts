// `npx tool-agent init` in projects that the newest starters of the frameworks on npm have just made, with nothing of them
// changed: the project's own build, check, lint and tests pass as before, `dev` is its model, `eval` passes, `attack` finds
// nothing, and after `--remove` git sees no change. Prints a table with the versions, which docs/frameworks.md shows.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import type { Agent } from '../../../src/page/agent.js'
import { candidates } from '../../../scripts/browsers.mjs'
import { install, run, serve, type Command } from '../../support/integrations/projects.js'
import { expect, root, test } from '../../support/integrations/packed-test.js'
import { filesOf } from '../../support/project/init-projects.js'

test.skip(({ browserName }) => browserName !== 'chromium', 'the result does not depend on the browser')

interface Template {
  readonly name: string
  /** The starter on npm, and its arguments after the folder `shop`; or a folder of this project that is copied. */
  readonly from: readonly [starter: string, ...args: string[]] | string
  /** The package whose version the table shows. */
  readonly shows: string
  /** The scripts of its package.json that must pass, by the column of the table. */
  readonly scripts: Partial<Record<'build' | 'check' | 'lint' | 'test', string>>
  readonly server: Command
}

const columns = ['init', 'build', 'check', 'lint', 'test', 'eval', 'dev', 'attack', 'remove'] as const
const table = new Map<string, Partial<Record<(typeof columns)[number], string>>>()
/** What starters that demand a newer Node than this project run with. */
const newerNode = 'node@24.21.0'
const viteServer: Command = ['vite', '--port', '{port}', '--strictPort', '--host', '127.0.0.1']

const vite = (template: string, shows: string, scripts: Template['scripts'] = { build: 'build' }): Template => ({
  name: `create-vite ${template}`,
  from: ['create-vite', '--template', template, '--no-interactive'],
  shows,
  scripts,
  server: viteServer,
})

const templates: readonly Template[] = [
  vite('vanilla-ts', 'vite'),
  vite('react-ts', 'react', { build: 'build', lint: 'lint' }),
  vite('react', 'react', { build: 'build', lint: 'lint' }),
  vite('react-compiler-ts', 'react', { build: 'build', lint: 'lint' }),
  vite('vue-ts', 'vue'),
  vite('svelte-ts', 'svelte', { build: 'build', check: 'check' }),
  vite('preact-ts', 'preact'),
  vite('solid-ts', 'solid-js'),
  vite('lit-ts', 'lit'),
  {
    name: 'create-next-app',
    from: ['create-next-app', '--yes', '--skip-install', '--disable-git', '--use-npm'],
    shows: 'next',
    scripts: { build: 'build', lint: 'lint' },
    server: ['next', 'dev', '-p', '{port}', '-H', '127.0.0.1'],
  },
  {
    name: '@angular/cli',
    from: ['@angular/cli', '--defaults', '--skip-git', '--skip-install'],
    shows: '@angular/core',
    scripts: { build: 'build', test: 'test -- --watch=false' },
    server: [
      'sh',
      '-c',
      'trap "kill 0" EXIT; node assistant/relay.mjs & ' +
        'ng serve --port {port} --host 127.0.0.1 --no-open --proxy-config proxy.conf.json',
    ],
  },
  {
    name: 'create-nuxt v4',
    from: 'test/integrations/templates/nuxt',
    shows: 'nuxt',
    scripts: { build: 'build' },
    server: ['nuxt', 'dev', '--port', '{port}', '--host', '127.0.0.1'],
  },
  {
    name: 'create-astro minimal',
    from: 'test/integrations/templates/astro',
    shows: 'astro',
    scripts: { build: 'build' },
    server: ['astro', 'dev', '--port', '{port}', '--host', '127.0.0.1'],
  },
]

test.afterAll(() => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rows = [...table].map(([name, row]) => line([name, ...columns.map((column) => row[column] ?? '–')]))
  if (rows.length === 0) return
  const head = line(['template', ...columns])
  console.log(`\n${[head, line(['template', ...columns].map(() => '---')), ...rows].join('\n')}`)
})

for (const template of templates) {
  test(
    `${template.name}: init leaves the project's own build, check, lint and tests as they were`,
    { tag: '@long' },
    async ({ page, tarball }) => {
      test.setTimeout(1_500_000)
      const row: Partial<Record<(typeof columns)[number], string>> = {}
      const parent = mkdtempSync(join(tmpdir(), 'tool-agent-template-'))
      try {
        const folder = join(parent, 'shop')
        const env = environment(parent, folder)
        const problem = make(template, parent, env) ?? install(folder, tarball, env)
        if (problem !== undefined) {
          console.log(`SKIPPED ${template.name}: ${problem}`)
          test.skip(true, problem)
        }
        table.set(titleOf(template, folder), row)
        usePlaywright(folder)
        const git = (...args: string[]) => run(['git', ...asAnyone, ...args], folder, env).stdout
        git('init', '--quiet')
        git('add', '--all')
        git('commit', '--quiet', '--message', 'the template')
        expect(git('log', '--oneline')).toContain('the template')
        const before = filesOf(folder)
        const cli = (...args: string[]) => run(['node_modules/.bin/tool-agent', ...args], folder, env)
        const first = cli('init', '--yes')
        expect(first, first.stderr).toMatchObject({ status: 0, stderr: '' })
        expect(first.stdout, 'nothing is left to the user').not.toContain('by hand')
        row.init = 'yes'
        const after = filesOf(folder)

        for (const [column, script] of Object.entries(template.scripts) as [keyof Template['scripts'], string][]) {
          row[column] = 'NO'
          const { status, stdout, stderr } = run(['sh', '-c', `npm run ${script}`], folder, env)
          expect.soft(status === 0 ? '' : stdout + stderr, script).toBe('')
          if (status === 0) row[column] = 'yes'
        }

        row.eval = row.dev = row.attack = row.remove = 'NO'
        const evaluated = cli('eval', 'evals/assistant.mjs')
        expect(evaluated.stdout, evaluated.stderr).toContain('1 of 1 runs succeeded')
        row.eval = 'yes'

        const dev = ['node_modules/.bin/tool-agent', 'dev', '--port', '{port}']
        const model = await serve(dev, folder, env, 'tool-agent/tool-agent.js')
        const server = await serve(template.server, folder, { ...env, MODEL_ENDPOINT: `${model.url}v1` })
        try {
          await tryAssistant(page, server.url)
          row.dev = 'yes'
          const attack = cli('attack', server.url, '--limit', '60')
          expect(attack.stdout + attack.stderr).toMatch(/\b0 findings/)
          expect(attack.status).toBe(0)
          row.attack = 'yes'
        } finally {
          await page.goto('about:blank')
          await server.stop()
          await model.stop()
        }

        expect(cli('init', '--remove', '--yes')).toMatchObject({ status: 0, stderr: '' })
        expect(git('status', '--porcelain', '--untracked-files=all')).toBe('')
        // Git ignores files such as `.env.local`, and empty folders.
        const removed = filesOf(folder)
        const touched = Object.keys(after).filter((path) => after[path] !== before[path])
        expect(touched.length).toBeGreaterThan(3)
        for (const path of touched) expect(removed[path], path).toBe(before[path])
        row.remove = 'yes'
      } finally {
        rmSync(parent, { recursive: true, force: true })
      }
    },
  )
}

/** So that git commits on a machine where nobody has said who commits. */
const asAnyone = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
/** The newest version of each starter, asked once. */
const newest = new Map<string, string>()

function newestOf(starter: string): string {
  const known = newest.get(starter) ?? run(['npm', 'view', starter, 'version'], root).stdout.trim()
  newest.set(starter, known)
  return known
}

/** The template with the versions of its starter and of the framework that npm has installed. */
function titleOf({ name, from, shows }: Template, folder: string): string {
  const version = (
    JSON.parse(readFileSync(join(folder, 'node_modules', shows, 'package.json'), 'utf8')) as {
      version: string
    }
  ).version
  const starter = typeof from === 'string' ? name : name.replace(from[0], `${from[0]} ${newestOf(from[0])}`)
  return `${starter} (${shows} ${version})`
}

/** Makes the project in the folder `shop`. Returns why it could not. */
function make({ from }: Template, parent: string, env: Record<string, string>): string | undefined {
  if (typeof from === 'string') {
    cpSync(join(root, from), join(parent, 'shop'), { recursive: true })
    return undefined
  }
  const [starter, ...args] = from
  const name = `${starter}@${newestOf(starter)}`
  const command = ['npx', '--yes', name, ...(starter === '@angular/cli' ? ['new'] : []), 'shop', ...args]
  const { status, stdout, stderr } = run(command, parent, env)
  return status === 0 ? undefined : `${command.join(' ')} failed: ${(stdout + stderr).slice(-400)}`
}

/** The environment of all commands: a newer Node where this one is too old for a starter, and fonts without network. */
function environment(parent: string, folder: string): Record<string, string> {
  const path = [join(folder, 'node_modules/.bin'), process.env['PATH']]
  if (Number(process.versions.node.split('.')[0]) < 22) {
    const tools = join(parent, 'node')
    mkdirSync(tools)
    run(['npm', 'install', newerNode, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], tools)
    path.splice(1, 0, join(tools, 'node_modules/.bin'))
  }
  const chromium = candidates('chromium')[0]?.path
  return {
    PATH: path.join(':'),
    CI: '1',
    // The starter of Next.js loads fonts of Google while it builds.
    NEXT_FONT_GOOGLE_MOCKED_RESPONSES: join(root, 'test/integrations/templates/fonts.cjs'),
    ...(chromium && { CHROMIUM_PATH: chromium }),
  }
}

/** The Playwright of this project, whose browsers are installed. */
function usePlaywright(folder: string): void {
  for (const name of ['playwright', 'playwright-core']) {
    rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  }
}

/** Says to the assistant what `init` tells the author to say. */
async function tryAssistant(page: Page, url: string): Promise<void> {
  const tools = () =>
    page.evaluate(() =>
      (document.querySelector('tool-agent') as unknown as Agent | null)?.tools?.map(({ name }) => name),
    )
  page.setDefaultTimeout(60_000)
  await page.goto(url)
  // A development server may reload the page after it has found more packages.
  await expect.poll(() => tools().catch(() => []), { timeout: 120_000 }).toContain('add_note')
  await page.locator('tool-agent [part~=launcher]').click()
  await page.locator('tool-agent textarea').fill('Add a note: buy green tea')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add a note', exact: true }).click()
  await expect(page.locator('tool-agent [part~=assistant-message]').last()).toContainText('buy green tea')
  expect(await page.evaluate(() => localStorage.getItem('assistant-notes'))).toBe('buy green tea')
}
