#!/usr/bin/env node
// The command `tool-agent`. `dev` serves a folder and a model for development. `eval` runs the tasks of a file with a real
// model in a browser. `attack` looks for what a page lets a model do that obeys an attacker. Built into one file for Node (dist/cli.mjs); nothing here is part of a page.
import { runAttack } from './attack/run-attack.js'
import { parseArguments, usage, UsageError } from './arguments.js'
import { startDevServer } from './dev-server.js'
import { runEvals } from './run-evals.js'

try {
  const settings = parseArguments(process.argv.slice(2), process.env)
  if (settings === 'help') process.stdout.write(`${usage}\n`)
  else if ('folder' in settings) process.stdout.write((await startDevServer(settings, process.env)).message)
  else if ('pages' in settings) process.exitCode = (await runAttack(settings)) ? 0 : 1
  else process.exitCode = (await runEvals(settings)) ? 0 : 1
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
