// The process of a server, and the next one, which has loaded its code and waits.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Session } from '../../../../src/core/data/session.js'
import type { Command } from './serve.js'

/** What a process prints. */
interface Line {
  readonly port?: number
  readonly session?: Session | null
}

/** How a process of a server is started. */
export interface ServerCommand {
  /** A Node that has the driver. */
  readonly node: string
  /** The program beside this one. */
  readonly program: 'run' | 'run-before'
  readonly args: readonly string[]
}

class Loaded {
  readonly child: ChildProcessWithoutNullStreams
  /** Its exit code, null if it was killed. */
  readonly ended: Promise<number | null>
  readonly #lines: AsyncIterator<string>
  errors = ''
  // Answers come in the order of the commands.
  #last: Promise<unknown> = Promise.resolve()

  constructor({ node, program, args }: ServerCommand) {
    const file = fileURLToPath(new URL(`${program}.mjs`, import.meta.url))
    this.child = spawn(node, ['--no-warnings', file, 'serve', ...args])
    this.ended = once(this.child, 'exit').then(([code]) => code as number | null)
    this.child.stdin.on('error', () => undefined)
    this.child.stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString()))
    this.#lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]()
    this.#last = this.#next()
  }

  async #next(): Promise<Line> {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error(`The process of the server ended: ${this.errors.slice(-2_000)}`)
    return JSON.parse(value as string) as Line
  }

  ask(command: Command): Promise<Line> {
    const answer = this.#last.then(() => {
      this.child.stdin.write(`${JSON.stringify(command)}\n`)
      return this.#next()
    })
    this.#last = answer.catch(() => undefined)
    return answer
  }
}

/** Servers on one database, one after another. */
export class ServerProcess {
  readonly #command: ServerCommand
  readonly #place: string
  readonly #pageWait: () => number
  #next: Loaded
  #running: Loaded | undefined
  /** Of the server that runs; undefined while none does. */
  port: number | undefined
  /** What processes that were not killed have failed with. */
  readonly failures: string[] = []
  /** Resolves when what was asked of it last is done. */
  #changed: Promise<void> = Promise.resolve()

  constructor(command: ServerCommand, place: string, pageWait: () => number) {
    this.#command = command
    this.#place = place
    this.#pageWait = pageWait
    this.#next = new Loaded(command)
  }

  start(): Promise<void> {
    return this.#change(async () => {
      if (this.#running) return
      this.#running = this.#next
      this.#next = new Loaded(this.#command)
      this.port = (await this.#running.ask({ open: this.#place, pageWait: this.#pageWait() })).port
    })
  }

  /** Ends the process, at once or as its author would. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const running = this.#running
    if (signal === 'SIGKILL') {
      // Now, in the middle of what it does.
      this.port = undefined
      running?.child.kill(signal)
    }
    return this.#change(async () => {
      if (!running || running !== this.#running) return
      this.port = undefined
      this.#running = undefined
      running.child.kill(signal)
      if (await running.ended) this.failures.push(`a server failed: ${running.errors.slice(-2_000)}`)
    })
  }

  /** It stands still, and goes on after so many milliseconds as if no time had passed. */
  pause(ms: number): void {
    const child = this.#running?.child
    child?.kill('SIGSTOP')
    setTimeout(() => child?.kill('SIGCONT'), ms)
  }

  /** What is stored. */
  async read(user: string, id: string): Promise<Session | undefined> {
    return (await this.#running?.ask({ read: id, user }))?.session ?? undefined
  }

  async close(): Promise<void> {
    await this.end('SIGKILL')
    this.#next.child.kill('SIGKILL')
    await this.#next.ended
  }

  #change(work: () => Promise<void>): Promise<void> {
    const done = this.#changed.then(work)
    this.#changed = done.catch(() => undefined)
    return done
  }
}
