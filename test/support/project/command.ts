// Runs the command `tool-agent` in a process of its own.
import { spawn } from 'node:child_process'
import { candidates } from '../../../scripts/browsers.mjs'

export interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Resolves when the process has ended. It has no model and no key but those of `env`. */
export function runCommand(
  file: string,
  { args, cwd, env = {} }: { args: readonly string[]; cwd: string; env?: Record<string, string> },
): Promise<Ended> {
  return new Promise((resolve) => {
    const { MODEL_ENDPOINT: _url, MODEL_NAME: _name, MODEL_API_KEY: _key, ...rest } = process.env
    const path = candidates('chromium')[0]?.path
    const child = spawn(process.execPath, [file, ...args], {
      cwd,
      env: { ...rest, ...(path && { CHROMIUM_PATH: path }), ...env },
    })
    const [output, errors] = ['', ''].map(() => [] as Buffer[]) as [Buffer[], Buffer[]]
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
    child.on('close', (code) =>
      resolve({ code, output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString() }),
    )
  })
}
