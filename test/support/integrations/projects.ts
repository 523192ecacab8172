// Projects with the packed package: copies of `examples/` and `test/integrations/` in a temporary folder, with their
// packages from npm. Runs their commands, and serves what they build. TOOL_AGENT_INTEGRATIONS names a folder that keeps
// the installed packages for the next run.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pack } from '../../../scripts/lint.mjs'
import { root } from '../project/build-once.js'
import { serveStatic } from '../page/static-server.js'

/** A command with its arguments. `{port}` and `{endpoint}` are replaced. */
export type Command = readonly string[]

export interface Project {
  /** The row of the table. */
  readonly name: string
  /** Relative to the root of this project. */
  readonly folder: string
  /** Links to packages that this project has, in place of `npm install`: name → folder. The default run has only these. */
  readonly links?: Readonly<Record<string, string>>
  /** Environment of all commands. */
  readonly env?: Readonly<Record<string, string>>
  /** The same texts in files of the copy: path → [text, replacement]. */
  readonly edits?: Readonly<Record<string, readonly [string, string]>>
  /** The type check of the project. Undefined: JavaScript. */
  readonly check?: Command
  /** The settings that `typeFaults` extends. Undefined: `tsconfig.json`. */
  readonly tsconfig?: string
  /** The entry of the package for this framework, such as `react`, whose types are checked with the others. */
  readonly entry?: string
  readonly build?: Command
  /** A folder that a static server serves, or the command of a server. */
  readonly production?: string | Command
  readonly development?: Command
  /** Added to the address. */
  readonly query?: string
  /** Whether the page has a view of its own instead of the panel. */
  readonly hasOwnView?: boolean
}

export interface Running {
  readonly url: string
  stop(): Promise<void>
}

/** Longest time that npm may take for one project, in milliseconds. */
const installTime = 300_000
const kept = process.env['TOOL_AGENT_INTEGRATIONS']

/** Packs the package into a temporary folder. */
export function packed(dist: string): { tarball: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-packed-'))
  return { tarball: pack(dist, folder).tarball, remove: () => rmSync(folder, { recursive: true }) }
}

/**
 * Copies a project and installs its packages.
 * @returns the folder, or why npm could not install
 */
export function prepare(
  project: Project,
  tarball: string,
  endpoint: string,
): { folder: string; remove: () => void } | { problem: string } {
  const name = project.folder.replaceAll(/\W/g, '-') + (project.links === undefined ? '' : '-linked')
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), `tool-agent-${name}-`)) : join(kept, name)
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, project.folder), folder, { recursive: true })
  for (const [path, [text, replacement]] of Object.entries(project.edits ?? {})) {
    const code = readFileSync(join(folder, path), 'utf8')
    if (!code.includes(text)) throw new Error(`${project.folder}/${path} does not contain ${text}`)
    writeFileSync(join(folder, path), code.replaceAll(text, replacement.replaceAll('{endpoint}', endpoint)))
  }
  const remove = () => {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
  const modules = join(folder, 'node_modules')
  if (project.links !== undefined) {
    rmSync(modules, { recursive: true, force: true })
    mkdirSync(join(modules, 'tool-agent'), { recursive: true })
    run(['tar', '-xzf', tarball, '-C', join(modules, 'tool-agent'), '--strip-components=1'], folder)
    for (const [name, target] of Object.entries(project.links)) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(root, target, name), join(modules, name), 'junction')
    }
    return { folder, remove }
  }
  const packageJson = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  packageJson.dependencies['tool-agent'] = `file:${tarball}`
  writeFileSync(join(folder, 'package.json'), JSON.stringify(packageJson, null, 2))
  const problem = install(folder)
  if (problem === undefined) return { folder, remove }
  remove()
  return { problem }
}

/**
 * Installs the packages of a project, and with `tarball` also the packed package, which package.json need not name.
 * @returns why npm could not; undefined if it could
 */
export function install(
  folder: string,
  tarball?: string,
  env: Readonly<Record<string, string>> = {},
): string | undefined {
  rmSync(join(folder, 'package-lock.json'), { force: true })
  rmSync(join(folder, 'node_modules/tool-agent'), { recursive: true, force: true })
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--no-save', '--no-package-lock', '--loglevel=error']
  const command = ['npm', 'install', ...(tarball === undefined ? [] : [tarball]), ...options]
  const { status, stderr } = run(command, folder, env, installTime)
  if (status === 0 && existsSync(join(folder, 'node_modules/tool-agent/package.json'))) return undefined
  return `npm install failed: ${stderr.slice(-400) || `no end after ${installTime / 1000} s`}`
}

/** Runs a command to its end. */
export function run(
  [command = '', ...args]: Command,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  timeout = 400_000,
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout,
    env: { ...environment(cwd), ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
}

/**
 * Checks the declarations of the package with the compiler, settings and packages of a project, strictly and with
 * `skipLibCheck: false`. Errors of other packages do not count, because some frameworks fail this check by themselves.
 * @returns the errors
 */
export function typeFaults({ entry, tsconfig = 'tsconfig.json' }: Project, folder: string): string {
  const entries = [
    'agent',
    'tools',
    'mcp',
    'models',
    'server',
    'testing',
    'worker',
    'relay',
    'inspector',
    ...(entry ? [entry] : []),
  ]
  const code = ['', ...entries.map((name) => `/${name}`)].map((path) => `import type {} from 'tool-agent${path}'\n`)
  writeFileSync(
    join(folder, 'tool-agent-types.ts'),
    `import { createAgent } from 'tool-agent'\n${code.join('')}export const wrong: number = createAgent()\n`,
  )
  const compilerOptions = { strict: true, noUnusedLocals: true, skipLibCheck: false, incremental: false, noEmit: true }
  const settings = {
    extends: `./${tsconfig}`,
    compilerOptions: { ...compilerOptions, plugins: [] },
    files: ['tool-agent-types.ts'],
    include: [],
    references: [],
  }
  writeFileSync(join(folder, 'tsconfig.tool-agent.json'), JSON.stringify(settings))
  const { stdout } = run(['tsc', '-p', 'tsconfig.tool-agent.json', '--pretty', 'false'], folder)
  for (const name of ['tool-agent-types.ts', 'tsconfig.tool-agent.json']) rmSync(join(folder, name))
  const faults = stdout.split('\n').filter((line) => /^(?:\S*[\\/])?tool-agent[\\/-][^(]*\(.*error TS/.test(line))
  // The mistake in the last line shows that the compiler has read this file and the declarations.
  const intended = faults.find((line) => /^tool-agent-types\.ts.*TS2322.*'Agent'/.test(line))
  if (intended === undefined) return `The check of the declarations did not run:\n${stdout}`
  return faults.filter((line) => line !== intended).join('\n')
}

/** Starts a server and waits until it answers for the path `ready`. */
export async function serve(
  command: Command,
  cwd: string,
  env: Readonly<Record<string, string>>,
  ready = '',
): Promise<Running> {
  const port = await freePort()
  const [file = '', ...args] = command.map((one) => one.replaceAll('{port}', String(port)))
  let output = ''
  const child = spawn(file, args, {
    cwd,
    detached: true,
    // Some servers end when their input does.
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...environment(cwd), PORT: String(port), ...env },
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const stop = async () => {
    // The whole group, because tools start processes of their own.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await Promise.race([ended, pause(5_000)])
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
  }
  const until = Date.now() + 180_000
  for (const host of endlessly(['127.0.0.1', 'localhost'])) {
    const isReady = await fetch(`http://${host}:${port}/${ready}`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return { url: `http://${host}:${port}/`, stop }
    if (child.exitCode !== null || Date.now() > until) {
      await stop()
      throw new Error(`${command.join(' ')} does not answer:\n${output.slice(-2000)}`)
    }
    await pause(200)
  }
  throw new Error('unreachable')
}

/** Serves a folder as a plain server does. */
export async function serveFolder(folder: string, endpoint: string): Promise<Running> {
  const server = await serveStatic({ folders: { '/': folder }, relay: { '/v1': endpoint } })
  return { url: `${server.url}/`, stop: () => server.close() }
}

function* endlessly<T>(items: readonly T[]): Generator<T> {
  for (;;) yield* items
}

/** Without the settings of the test runner, and with the commands of the project. */
function environment(cwd: string): NodeJS.ProcessEnv {
  const { NODE_ENV: _nodeEnv, NODE_OPTIONS: _nodeOptions, FORCE_COLOR: _color, ...env } = process.env
  return {
    ...env,
    PATH: [join(cwd, 'node_modules/.bin'), join(root, 'node_modules/.bin'), env['PATH']].join(':'),
    NEXT_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NG_CLI_ANALYTICS: 'false',
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port')
  return address.port
}
