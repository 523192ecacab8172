#!/usr/bin/env node
// The command `tool-agent`. `dev` serves a folder and a model for development. `eval` runs the tasks of a file with a real
// model in a browser. `attack` looks for what a page lets a model do that obeys an attacker. Built into one file for Node
// (dist/cli.mjs); nothing here is part of a page.
import { runAttack } from './attack/run-attack.js'
import { parseArguments, usage, UsageError, type Command } from './arguments.js'
import { startDevServer } from './dev-server.js'
import { runEvals } from './run-evals.js'

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
    case 'dev':
      process.stdout.write((await startDevServer(asked.settings, process.env)).message)
      return
    case 'attack':
      process.exitCode = (await runAttack(asked.settings)) ? 0 : 1
      return
    case 'eval':
      process.exitCode = (await runEvals(asked.settings)) ? 0 : 1
  }
}
