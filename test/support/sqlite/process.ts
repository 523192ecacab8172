// A process of its own that uses sqliteStore: the tests start it, read the lines that it prints, and kill it.
// Arguments: the driver, its folder, a command, and what the command needs.
import { writeSync } from 'node:fs'
import { conformanceCommand } from './conformance.js'
import { driver, type DriverName } from './driver.js'
import { holdCommand, writeCommand } from './killed.js'
import { scenarios } from './scenarios.js'

const [name = '', folder = '', command = '', ...rest] = process.argv.slice(2)
const open = driver(name as DriverName, folder)

/** Prints a line at once, so that it is not lost when the process is killed. */
function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`)
}

if (command === 'conformance') await conformanceCommand(open, say, rest[0]!)
else if (command === 'hold') await holdCommand(open, say, rest[0]!)
else if (command === 'write')
  await writeCommand(open, say, { file: rest[0]!, seed: Number(rest[1]), acked: Number(rest[2]) })
else say(await scenarios[command]!(open, rest[0]!))
