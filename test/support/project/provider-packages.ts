// The AI SDK as a second reader of the same bytes. Its packages are not among the project's own: the first spec that
// needs them installs them into `test/providers`.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../providers/', import.meta.url))

/** What the AI SDK gives for an answer. */
export interface SdkAnswer {
  readonly error?: string
  readonly text: string
  readonly reasoning: string
  readonly calls: [string, unknown][]
  /** The metadata of the reasoning, in order; null for reasoning without. */
  readonly metadata: (Record<string, Record<string, string>> | null)[]
  readonly finish?: string
  readonly raw?: string
  readonly usage?: {
    readonly inputTokens: { readonly total?: number; readonly cacheRead?: number }
    readonly outputTokens: { readonly total?: number; readonly reasoning?: number }
  }
}

/** Reads answers with the AI SDK's provider of this name. */
export function readWithSdk(provider: string, answers: readonly { stream: boolean; body: string }[]): SdkAnswer[] {
  install()
  const { stdout, stderr, status } = spawnSync(process.execPath, ['compare.mjs'], {
    cwd: folder,
    input: JSON.stringify({ provider, answers }),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`compare.mjs failed: ${stderr}`)
  return JSON.parse(stdout) as SdkAnswer[]
}

/** Runs adapt.mjs, which uses models of the AI SDK with `fromAiSdk`. Resolves with what it prints. */
export async function adaptSdkModels(input: { readonly models: string; readonly endpoint: string }): Promise<unknown> {
  install()
  // Not spawnSync, because the scripted server runs in this process.
  const child = spawn(process.execPath, ['adapt.mjs'], { cwd: folder })
  child.stdin.end(JSON.stringify(input))
  const [output, errors] = ['', ''].map(() => [] as Buffer[]) as [Buffer[], Buffer[]]
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (status !== 0) throw new Error(`adapt.mjs failed: ${Buffer.concat(errors).toString()}`)
  return JSON.parse(Buffer.concat(output).toString()) as unknown
}

/** Installs the packages where they are missing or older than the lockfile. */
function install(): void {
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return
  console.log('Installing the packages of the provider tests: npm ci in test/providers')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('npm ci failed in test/providers')
}
