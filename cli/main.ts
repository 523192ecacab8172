#!/usr/bin/env node
// The command `tool-agent`. `init` adds the assistant to a project. `dev` serves a folder and a model for development. `eval`
// runs the tasks of a file with a real model in a browser. `attack` looks for what a page lets a model do that obeys an
// attacker. Built into one file for Node (dist/cli.mjs); nothing here is part of a page.
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { runAttack } from './attack/run-attack.js'
import { parseArguments, usage, UsageError, type Command } from './arguments.js'
import { startDevServer } from './dev-server.js'
import { runInit } from './init/run-init.js'
import { runEvals } from './run-evals.js'

/** Beside the sources and, in the package, beside `dist`. */
const templates = new URL('../cli/init/templates/', import.meta.url)
/** The folder of this file in the package; from the sources, that of a build. */
const sdk = fileURLToPath(new URL('../dist/', import.meta.url))
const isTerminal = process.stdin.isTTY && process.stdout.isTTY

try {
  await run(parseArguments(process.argv.slice(2), process.env))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}

async function run(asked: Command): Promise<void> {
  switch (asked.command) {
    case 'help':
      process.stdout.write(`${usage}\n`)
      return
    case 'init':
      process.exitCode = (await runInit(asked.settings, { templates, print, ask: isTerminal ? ask : undefined }))
        ? 0
        : 1
      return
    case 'dev':
      process.stdout.write((await startDevServer(asked.settings, process.env, sdk)).message)
      return
    case 'attack':
      process.exitCode = (await runAttack(asked.settings)) ? 0 : 1
      return
    case 'eval':
      process.exitCode = (await runEvals(asked.settings)) ? 0 : 1
  }
}

function print(text: string): void {
  process.stdout.write(text)
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} (y/N) `)).trim())
  } finally {
    terminal.close()
  }
}
