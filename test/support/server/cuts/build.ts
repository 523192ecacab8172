// Bundles the program that plays worlds and the code of their pages, and runs it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'rolldown'
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

/** The folder with `run.mjs`. */
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
  await build({
    ...common,
    input: { run: 'test/support/server/cuts/run.ts' },
    platform: 'node',
    output: { dir: folder, format: 'es', entryFileNames: '[name].mjs', codeSplitting: false },
  })
  await build({
    ...common,
    input: { page: 'test/support/server/cuts/page.ts' },
    platform: 'browser',
    output: { dir: folder, format: 'iife', name: 'CutPage', entryFileNames: '[name].js', codeSplitting: false },
  })
}
