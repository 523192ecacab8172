// `npm run freeze`: compares what a move of code must not change with its last recording: see test/freeze. The recording is
// in `$FREEZE`, or in test-frozen beside the project's files; `npm run freeze -- --update-snapshots` makes it anew.
import { fileURLToPath } from 'node:url'

process.env['FREEZE'] ??= fileURLToPath(new URL('../test-frozen', import.meta.url))
process.argv.push('--project=freeze', '--reporter=line')
await import('./test.mjs')
