// Bundles the program that plays worlds and the code of their pages, and runs it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'rolldown'
import { guestProtocol } from '../../../../src/server/protocol/server-messages.js'
import { buildOnce, filesBelow, root } from '../../project/build-once.js'

/** What the program prints: the laws that a seed breaks, or at the end what has happened in all of them. */
export type CutsLine =
  | { readonly seed: number; readonly broken: readonly string[] }
  | { readonly seeds: number; readonly sums: Readonly<Record<string, number>> }
  | { readonly plan: readonly string[]; readonly lines: readonly string[] }

/** Runs a command of run.ts. @throws if it ends before its last line */
export async function runCuts(...args: readonly string[]): Promise<CutsLine[]> {
  const child = spawn(process.execPath, [join(await builtCuts(), 'run.mjs'), ...args])
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const lines: CutsLine[] = []
  for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line) as CutsLine)
  const last = lines.at(-1)
  if (last === undefined || !('seeds' in last)) throw new Error(`cuts ${args.join(' ')} ended too early: ${errors}`)
  return lines
}

/** The folder with `run.mjs`, and `run-before.mjs` and `page-before.js`, which speak the version before. */
async function builtCuts(): Promise<string> {
  const files = [
    'package-lock.json',
    ...(await filesBelow('src', ['.ts'])),
    ...(await filesBelow('test/support/server/cuts', ['.ts'])),
    'test/support/lab/generator.ts',
    'test/support/sqlite/driver.ts',
  ]
  return buildOnce('cuts', files, buildCuts)
}

async function buildCuts(folder: string): Promise<void> {
  const common = {
    cwd: root,
    tsconfig: false as const,
    external: ['ws'],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    // A page loads no worker here.
    onLog: () => undefined,
  }
  for (const [name, plugins] of [
    ['', undefined],
    ['-before', versionBefore],
  ] as const) {
    await build({
      ...common,
      plugins,
      input: { run: 'test/support/server/cuts/run.ts' },
      platform: 'node',
      output: { dir: folder, format: 'es', entryFileNames: `[name]${name}.mjs`, codeSplitting: false },
    })
    await build({
      ...common,
      plugins,
      input: { page: 'test/support/server/cuts/page.ts' },
      platform: 'browser',
      output: {
        dir: folder,
        format: 'iife',
        name: 'CutPage',
        entryFileNames: `[name]${name}.js`,
        codeSplitting: false,
      },
    })
  }
}

/** This code as if it had been built before the newest version of the messages between page and server. */
const versionBefore = {
  name: 'version-before',
  transform(code: string, id: string): string | undefined {
    if (!id.endsWith('/server-messages.ts')) return undefined
    const before = code
      .replace(`guestProtocol = ${guestProtocol}`, `guestProtocol = ${guestProtocol - 1}`)
      .replace('oldestProtocol = guestProtocol - 1', 'oldestProtocol = guestProtocol')
    if (before.split('\n').filter((line, at) => line !== code.split('\n')[at]).length !== 2)
      throw new Error('The versions are not found in server-messages.ts.')
    return before
  },
}
