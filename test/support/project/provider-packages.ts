// The AI SDK as a second reader of the same bytes. Its packages are not among the project's own: the first spec that
// needs them installs them into `test/providers`.
import { spawnSync } from 'node:child_process'
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
  /** The metadata of the reasoning, in order. */
  readonly metadata: Record<string, Record<string, string>>[]
  readonly finish?: string
  readonly raw?: string
  readonly usage?: {
    readonly inputTokens: { readonly total?: number; readonly cacheRead?: number }
    readonly outputTokens: { readonly total?: number; readonly reasoning?: number }
  }
}

/** Reads answers with the AI SDK's provider of this name. Installs it where it is missing or older than the lockfile. */
export function readWithSdk(provider: string, answers: readonly { stream: boolean; body: string }[]): SdkAnswer[] {
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(join(folder, 'package-lock.json')).mtimeMs) {
    console.log('Installing the packages of the provider tests: npm ci in test/providers')
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
    if (status !== 0) throw new Error('npm ci failed in test/providers')
  }
  const { stdout, stderr, status } = spawnSync(process.execPath, ['compare.mjs'], {
    cwd: folder,
    input: JSON.stringify({ provider, answers }),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`compare.mjs failed: ${stderr}`)
  return JSON.parse(stdout) as SdkAnswer[]
}
