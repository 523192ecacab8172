// Three tea shops that were written from the documentation alone (test/trial), with the packed package and packages from
// npm. Each one builds and passes its own test, and this test fails when the shop is broken.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { candidates } from '../../../scripts/browsers.mjs'
import { prepare, run, type Command } from '../../support/integrations/projects.js'
import { expect, test } from '../../support/integrations/packed-test.js'

test.skip(({ browserName }) => browserName !== 'chromium', 'the result does not depend on the browser')

/** One text of a file, and what stands there instead. */
type Edit = readonly [file: string, text: string, replacement: string]
interface Broken {
  readonly name: string
  readonly edits: readonly Edit[]
  /** What the test of the shop says. */
  readonly failure: RegExp
}
const build: Command = ['npm', 'run', 'build']
const cartHasChanged = `throw new Error('The cart has changed. Call check_out again.')`

const shops: readonly { name: string; build?: Command; broken: readonly Broken[] }[] = [
  {
    name: 'plain-html',
    broken: [
      {
        name: 'the cart forgets the first product',
        edits: [['shop.js', 'quantities.set(id, wanted)', 'quantities.clear(), quantities.set(id, wanted)']],
        failure: /\+ actual - expected[^]*-\s+'2 × Assam black tea'/,
      },
      {
        name: 'the order is sent without a question',
        edits: [
          ['assistant.js', 'question(_input', 'needsApproval: false,\n    question(_input'],
          ['assistant.js', cartHasChanged, '{}'],
        ],
        failure: /nothing is ordered before the answer/,
      },
      {
        name: 'the result of the order has the id of the visitor',
        edits: [['server.mjs', '{ number: placed.number, total: placed.total }', 'placed']],
        failure: /the model never sees the id of the visitor/,
      },
    ],
  },
  {
    name: 'react',
    build,
    broken: [
      {
        name: 'the cart forgets the first product, because it is the one of the last render',
        edits: [['src/App.tsx', 'withMore(newest.current.cart,', 'withMore(cart,']],
        failure: /-\s+'1 × Assam black tea'|did not match the regular expression \/1 × Sencha green tea, 2 × Jasmine/,
      },
      {
        name: 'the order is sent without a question',
        edits: [
          ['src/App.tsx', 'question: (_input', 'needsApproval: false,\n    question: (_input'],
          ['src/App.tsx', 'const shop = asked.current.get(toolCallId)\n', 'const shop = newest.current\n'],
        ],
        failure: /nothing is ordered before the answer/,
      },
      {
        name: 'finding products throws',
        edits: [
          ['src/shop.ts', 'const words = query', "if (query !== '') throw new Error('Broken')\n  const words = query"],
        ],
        failure: /-\s+'Sencha green tea, €9.50'/,
      },
    ],
  },
  {
    name: 'express',
    build,
    broken: [
      {
        name: 'the server forgets how many',
        edits: [['server.mjs', 'had + quantity', 'had + 1']],
        failure: /did not match the regular expression \/2 × Glass teapot/,
      },
      {
        name: 'the question names another sum',
        edits: [['src/assistant.ts', 'value: euro(total)', 'value: euro(lines[0]!.price)']],
        failure: /did not match the regular expression .*70\\\.50/,
      },
      {
        name: 'the relay answers everybody',
        edits: [['server.mjs', '  user,\n', "  user: () => 'anybody',\n"]],
        failure: /nobody is signed in/,
      },
    ],
  },
]

for (const shop of shops) {
  test(
    `the shop in ${shop.name} builds and passes its own test, which fails when the shop is broken`,
    { tag: '@long' },
    ({ tarball }) => {
      test.setTimeout(900_000)
      const made = prepare({ name: shop.name, folder: `test/trial/${shop.name}` }, tarball, '')
      if ('problem' in made) {
        console.log(`SKIPPED ${shop.name}: ${made.problem}`)
        test.skip(true, made.problem)
        return
      }
      const { folder, remove } = made
      const path = candidates('chromium')[0]?.path
      /** Builds the shop and runs its test. */
      const tried = () => {
        if (shop.build !== undefined) {
          const { status, stdout, stderr } = run(shop.build, folder)
          expect(status === 0 ? '' : stdout + stderr, 'the build').toBe('')
        }
        const { status, stdout, stderr } = run(
          ['npm', 'test'],
          folder,
          path === undefined ? {} : { CHROMIUM_PATH: path },
        )
        return { status, output: stdout + stderr }
      }
      try {
        const { status, output } = tried()
        expect(status, output).toBe(0)
        for (const { name, edits, failure } of shop.broken) {
          const restore = edits.map(([file, text, replacement]) => edit(join(folder, file), text, replacement))
          const broken = tried()
          expect(broken.output, name).toMatch(failure)
          expect(broken.status, name).toBe(1)
          for (const one of restore.reverse()) one()
        }
      } finally {
        remove()
      }
    },
  )
}

/** Replaces a text that the file has once. Returns what undoes it. */
function edit(path: string, text: string, replacement: string): () => void {
  const before = readFileSync(path, 'utf8')
  expect(before.split(text).length, `${text} in ${path}`).toBe(2)
  writeFileSync(
    path,
    before.replace(text, () => replacement),
  )
  return () => writeFileSync(path, before)
}
