// `npm run cuts`: plays conversations of a server while connections are cut, server and pages are killed, and disks are
// full, and prints what happened and the first seed that breaks a law, with all that happened in it.
// `--seeds 10000` and `--processes 1000` are the numbers of simulated worlds and of those with real processes; these are
// the defaults. `--seed 17` plays one simulated world again and prints it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const number = { type: /** @type {const} */ ('string') }
const { values } = parseArgs({ options: { seeds: number, processes: number, seed: number } })
const { seeds, processes, seed } = values
const { status } = spawnSync(
  process.execPath,
  [
    fileURLToPath(new URL('test.mjs', import.meta.url)),
    '--long',
    'server/cuts.spec.ts',
    '--project=node',
    '--workers=2',
    '--reporter=line',
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(seeds && { CUTS_SEEDS: seeds }),
      ...(processes && { CUTS_PROCESSES: processes }),
      ...(seed && { CUTS_SEED: seed }),
    },
  },
)
process.exitCode = status ?? 1
