// The examples of docs/: each compiles with a page author's settings and prints what its comments expect. The first
// tests show that the checker rejects small pages with one mistake each.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '../../support/project/dist.js'
import { examplesOf, linkFaults, textBeside, runExample, typeErrors, withPrelude } from '../../support/project/docs.js'

const folder = fileURLToPath(new URL('../../../docs', import.meta.url))
const fence = '```'
const preludeText = `<!-- prelude -->\n${fence}ts\nimport { createAgent } from 'tool-agent/agent'\n\nconst agent = createAgent({ endpoint: '/v1', model: 'm' })\n${fence}\n`

function small(code: string, marks = '', language = 'ts'): string {
  return `# Small\n\n## One\n\n${preludeText}\n${marks}${fence}${language}\n${code}\n${fence}\n`
}

async function faultsOf(markdown: string): Promise<string[]> {
  const { prelude, examples } = examplesOf(markdown)
  return (await Promise.all(examples.map((example) => runExample(example, prelude)))).flat()
}

test.describe('the checker', () => {
  const send = "const { text } = await agent.send('Hello')\nconsole.log(text)   // → Hi."

  test('accepts an example that prints what it says', async () => {
    expect(await faultsOf(small(send, "<!-- model: 'Hi.' -->\n"))).toEqual([])
    expect(
      await faultsOf(
        `${small(send, "<!-- model: 'Hi.' -->\n")}\n<!-- sent: 0.messages.1 -->\n${fence}json\n{ "content": "Hel…" }\n${fence}\n`,
      ),
    ).toEqual([])
  })

  test('rejects an example whose output, requests or warnings differ', async () => {
    expect(await faultsOf(small(send, "<!-- model: 'Hello.' -->\n"))).toEqual([
      expect.stringMatching(/says {3}Hi\.\n {2}was {4}Hello\./),
    ])
    expect(await faultsOf(small(send, "<!-- model: 'Hi.', 'Ho.' -->\n"))).toEqual([
      expect.stringContaining('1 replies left over'),
    ])
    expect((await faultsOf(small(send))).join()).toContain('more than its script has')
    expect(await faultsOf(small(`${send}\n// → And more.`, "<!-- model: 'Hi.' -->\n"))).toHaveLength(1)
    expect(await faultsOf(small(`for (const one of [1, 2]) console.log(one)   // → 1`))).toHaveLength(1)
    expect(await faultsOf(small(`if (!agent) console.log('never')   // → never`))).toHaveLength(1)
    expect((await faultsOf(small(`console.log(agent.status)   // → ready\nthrow new Error('no')`))).join()).toContain(
      'no',
    )
    expect(
      await faultsOf(small(`console.log(agent.status)   // → ready\nconsole.warn('[tool-agent] Oh')`)),
    ).toHaveLength(1)
    expect(await faultsOf(small(`console.log(agent.status)   // → ready\n// warns: Oh`))).toHaveLength(1)
    expect(
      await faultsOf(
        `${small(send, "<!-- model: 'Hi.' -->\n")}\n<!-- sent: 0.messages.1 -->\n${fence}json\n{ "content": "Hola" }\n${fence}\n`,
      ),
    ).toHaveLength(1)
  })

  test('rejects a block that checks nothing or that it would skip', () => {
    for (const [code, marks, language, why] of [
      ["await agent.send('Hello')", '', 'ts', /checks nothing/],
      ['console.log(agent.status)', '', 'ts', /no expected output/],
      ['console.log(agent.status)   // → …', '', 'ts', /matches any text/],
      ['const a = 1\n// → 1', '', 'ts', /must follow its console\.log/],
      ['npm install', '', 'sh', /unsupported language 'sh'/],
      ['{ "a": 1 }', '', 'json', /path where it was sent/],
      ['console.log(1)   // → 1', '<!-- fragment -->\n', 'ts', /why it cannot run/],
      ['console.log(1)   // → 1', '<!-- models: 1 -->\n', 'ts', /unknown mark/],
      ['console.log(1)   // → 1', '<!-- model: 1 -->\n\n', 'ts', /directly above/],
    ] as const)
      expect(() => examplesOf(small(code, marks, language)), code).toThrow(why)
    expect(() => examplesOf(`  ${fence}ts\n  a()\n  ${fence}\n`)).toThrow(/at the margin/)
    expect(examplesOf(small('a()', '<!-- fragment: its page is not ours -->\n')).examples).toEqual([])
  })

  test('reports a type error at its line of the page', ({ dist }) => {
    const wrong = small('const { texts } = await agent.send(5)\nconsole.log(texts)   // → undefined')
    expect(typeErrors(wrong, dist)).toMatch(/line-12\.ts\(13,9\): error TS2339[^]*line-12\.ts\(13,36\): error TS2345/)
  })

  test('reports a broken link and a section that the contents leave out', () => {
    const page = '[a](#one) [b](#two) [c](x.md) [d](y.md#one) [e](y.md#two)\n\n## One\n\n## Three\n'
    expect(linkFaults(page, (path) => (path === 'y.md' ? '# Y\n\n## One\n' : undefined))).toEqual([
      'no heading has the id #two',
      'the file x.md does not exist',
      'y.md has no heading with the id #two',
      "the contents leave out 'Three'",
    ])
  })
})

for (const name of [
  'start.md',
  'frameworks.md',
  'models.md',
  'tools.md',
  'offering-tools.md',
  'tool-context.md',
  'running-tools.md',
  'tool-results.md',
  'approval.md',
  'loop.md',
  'tool-errors.md',
  'agents-as-tools.md',
  'todos.md',
  'text-protocol.md',
  'observability.md',
  'sessions.md',
  'testing.md',
  'webmcp.md',
  'mcp.md',
  'relay.md',
  'server.md',
  'privacy.md',
  'debugging.md',
  'reference.md',
  'theming.md',
  'headless.md',
  'languages.md',
  'recipes.md',
  'comparison.md',
  'scoreboard.md',
]) {
  test.describe(`docs/${name}`, () => {
    const read = (file: string) => readFileSync(join(folder, file), 'utf8')
    const page = withPrelude(read(name), read)
    const { prelude, examples } = examplesOf(page)

    test('every example compiles', ({ dist }) => {
      expect(typeErrors(page, dist)).toBe('')
    })

    test('every link works, and the contents list every section', () => {
      expect(linkFaults(page, textBeside(join(folder, name)))).toEqual([])
      expect(
        readFileSync(join(folder, '../README.md'), 'utf8').includes(`](docs/${name})`),
        'the README links to it',
      ).toBe(true)
    })

    for (const example of examples) {
      test(`${example.title}`, async () => {
        const faults = await runExample(example, prelude)
        expect(faults, faults.join('\n')).toEqual([])
      })
    }
  })
}
