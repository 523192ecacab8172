// Starts processes that use one PostgreSQL.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'rolldown'
import { buildOnce, filesBelow, root } from '../project/build-once.js'
import { packageFolder } from '../project/installed-packages.js'
import type { Command } from './process.js'

/** A running process. */
export interface ServerProcess {
  /** What the process answers. */
  ask(command: Command): Promise<unknown>
  /** Ends it as a crash does. */
  kill(): Promise<void>
}

/** Starts a process. `clock`: the milliseconds by which its clock is wrong. */
export async function startProcess(
  place: { readonly folder: string; readonly schema: string },
  name: string,
  clock: number,
): Promise<ServerProcess> {
  const program = join(await builtProgram(), 'process.mjs')
  const args = [program, packageFolder('postgres'), place.folder, place.schema, String(clock), name]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async ask(command) {
      child.stdin.write(`${command}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`The process ended: ${child.exitCode}`)
      return JSON.parse(value) as unknown
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function builtProgram(): Promise<string> {
  const files = [
    'package-lock.json',
    ...(await filesBelow('src', ['.ts'])),
    ...(await filesBelow('test/support/postgres', ['.ts'])),
    'test/support/server/cuts/clock.ts',
  ]
  return buildOnce('postgres', files, async (folder) => {
    await build({
      cwd: root,
      input: { process: 'test/support/postgres/process.ts' },
      platform: 'node',
      tsconfig: false,
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      output: { dir: folder, format: 'es', entryFileNames: '[name].mjs', codeSplitting: false },
    })
  })
}
