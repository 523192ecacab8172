// Loads a file with tasks. Node 22.18 and newer load TypeScript themselves; for older versions the file is bundled with
// the project's own Rolldown or Vite.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Eval, EvalSuite } from '../src/testing/define-eval.js'
import { UsageError } from './arguments.js'

export interface LoadedSuite {
  /** The absolute path of the file. */
  readonly file: string
  readonly evals: readonly Eval<never>[]
  readonly webServer: EvalSuite['webServer']
}

export async function loadSuite(path: string): Promise<LoadedSuite> {
  const file = resolve(path)
  if (!existsSync(file)) throw new UsageError(`eval: ${path} does not exist`)
  const { default: exported } = (await importFile(file)) as { default?: unknown }
  const suite = (Array.isArray(exported) || isEval(exported) ? { evals: [exported].flat() } : exported) as
    | Partial<EvalSuite<never>>
    | undefined
  const evals: readonly unknown[] = Array.isArray(suite?.evals) ? suite.evals : []
  if (evals.length === 0)
    throw new UsageError(`${path}: expected the default export to be defineEvals([…]) or defineEval({…})`)
  for (const one of evals) checkEval(one, path)
  const names = evals.map((one) => (one as Eval).name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`${path}: two tasks have the name ${JSON.stringify(twice)}`)
  return { file, evals: evals as readonly Eval<never>[], webServer: suite?.webServer }
}

function isEval(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'prompt' in value
}

function checkEval(value: unknown, path: string): void {
  const task = (value ?? {}) as Partial<Record<keyof Eval, unknown>>
  const wrong = (
    [
      ['name', typeof task.name === 'string' && task.name !== '', 'a text'],
      [
        'page',
        typeof task.page === 'string' || typeof (task.page as { html?: unknown })?.html === 'string',
        'a URL, a file or { html }',
      ],
      ['prompt', typeof task.prompt === 'string' && task.prompt.trim() !== '', 'a text'],
      ['check', typeof task.check === 'function', 'a function'],
    ] as const
  ).find(([, isValid]) => !isValid)
  if (wrong) throw new UsageError(`${path}: ${String(task.name ?? 'a task')}: ${wrong[0]}: expected ${wrong[2]}`)
}

async function importFile(file: string): Promise<unknown> {
  const isNative = 'typescript' in process.features && Boolean(process.features.typescript)
  if (!/\.[cm]?ts$/.test(file) || isNative) return import(pathToFileURL(file).href)
  const rolldown = await projectPackage('rolldown', file)
  if (rolldown) return bundled(rolldown as typeof import('rolldown'), file)
  const vite = (await projectPackage('vite', file)) as typeof import('vite') | undefined
  if (vite) return (await vite.runnerImport(file)).module
  throw new UsageError(
    `${file}: Node ${process.versions.node} cannot load TypeScript. Use Node 22.18 or newer, install vite, or write the ` +
      'tasks in a .mjs file.',
  )
}

async function bundled({ build }: typeof import('rolldown'), file: string): Promise<unknown> {
  // Beside the source, so that its packages are found.
  const out = join(dirname(file), `.evals-${process.pid}-${Date.now()}.mjs`)
  try {
    await build({
      input: file,
      platform: 'node',
      external: (id) => !id.startsWith('.') && !isAbsolute(id),
      output: { file: out, format: 'es' },
      logLevel: 'silent',
    })
    return await import(pathToFileURL(out).href)
  } finally {
    await rm(out, { force: true })
  }
}

/** A package of the project that uses this command: found from one of its files, or from the working directory. */
export async function projectPackage(name: string, file = join(process.cwd(), 'index.js')): Promise<unknown> {
  for (const from of [file, join(process.cwd(), 'index.js'), import.meta.url]) {
    let path: string
    try {
      path = createRequire(from).resolve(name)
    } catch {
      continue
    }
    return import(pathToFileURL(path).href)
  }
  return undefined
}
