// The AI SDK and the client of AG-UI as second readers of the same bytes. Their packages are in `test/providers`.
import { spawn, spawnSync } from 'node:child_process'
import type { JsonObject, JsonValue } from '../../../src/core/data/json.js'
import { installPackages, packageFolder } from './installed-packages.js'

const folder = packageFolder('providers')

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
  return printed('compare.mjs', { provider, answers }) as SdkAnswer[]
}

/** What the client of AG-UI makes of runs, and its schema of inputs. */
export interface AgUiReading {
  /** What is wrong with each input; empty for none. */
  readonly faults: readonly string[]
  readonly results: readonly {
    readonly messages: readonly JsonObject[]
    readonly state: JsonValue
    readonly error?: string
  }[]
}

/** Reads runs with the client of AG-UI. `messages`, `state`: the conversation before each run. */
export function readWithAgUi(
  inputs: readonly JsonValue[],
  runs: readonly { messages: readonly JsonValue[]; state: JsonValue; body: string }[],
): AgUiReading {
  return printed('ag-ui.mjs', { inputs, runs }) as AgUiReading
}

function printed(script: string, input: unknown): unknown {
  installPackages('providers')
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], {
    cwd: folder,
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`)
  return JSON.parse(stdout) as unknown
}

/** Runs adapt.mjs, which uses models of the AI SDK with `fromAiSdk`. Resolves with what it prints. */
export async function adaptSdkModels(input: { readonly models: string; readonly endpoint: string }): Promise<unknown> {
  installPackages('providers')
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
