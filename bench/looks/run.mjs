// `npm run looks -- shoot|pairs|tally`: the blind choice between our panel and those of three other products. `before`:
// our panel as an earlier build shows it, beside the present one.
import { parseArgs } from 'node:util'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeBefore, writePairs } from './pairs.mjs'
import { shoot } from './shoot.mjs'
import { writeResults } from './tally.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const log = (/** @type {string} */ text) => void process.stdout.write(`${text}\n`)

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { dist: { type: 'string', default: join(root, 'dist') }, seed: { type: 'string' } },
})
const [command = '', ...only] = positionals

if (command === 'shoot') await shoot({ dist: values.dist, only, log })
else if (command === 'pairs') await writePairs({ seed: values.seed, log })
else if (command === 'before' && only[0] !== undefined)
  await writeBefore({ before: resolve(only[0]), dist: values.dist, log })
else if (command === 'tally') writeResults(log)
else {
  log(
    'npm run looks -- shoot [parts of "product state size"] [--dist folder] | pairs [--seed number] | before folder | tally',
  )
  process.exitCode = 1
}
