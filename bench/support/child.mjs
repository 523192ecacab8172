// A process of the bench, which answers one command after another over the channel of `fork`, and ends with this one.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Milliseconds that a command may take. */
const patience = 180_000

/**
 * Starts a module beside this file. Resolves with its first message.
 * @param {string} file @param {readonly string[]} args @param {{ execArgv?: readonly string[] }} [options]
 */
export async function startChild(file, args, { execArgv = [] } = {}) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [...args], { execArgv: [...execArgv] })
  /** @returns {Promise<any>} */
  const next = async () => {
    const ended = new AbortController()
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(patience)])
    const exit = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`${file} ${args.join(' ')} ended with ${code}`)
    })
    try {
      const [message] = await Promise.race([once(child, 'message', { signal }), exit])
      return message
    } finally {
      exit.catch(() => undefined)
      ended.abort()
    }
  }
  return {
    first: await next(),
    /** Sends a command, and resolves with the answer. @param {import('node:child_process').Serializable} command */
    async ask(command) {
      child.send(command)
      return next()
    },
    /** Ends the process. */
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      if (child.connected) child.disconnect()
      else child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * The child's end: says `first`, and answers commands. The process ends when the one that forked it has gone.
 * @param {unknown} first @param {(command: any) => unknown} answer
 */
export function answerParent(first, answer) {
  process.on('message', async (command) => process.send?.((await answer(command)) ?? null))
  process.on('disconnect', () => process.exit())
  process.send?.(first)
}
