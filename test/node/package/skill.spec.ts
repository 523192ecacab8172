// The skill for coding agents: its form, its links, and its code. Examples run as those of docs/ do; the others compile
// against the packed package.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { typeErrorsOf } from '../../support/project/compile.js'
import { blocksOf, examplesOf, runExample, typeErrors } from '../../support/project/docs.js'
import { expect, root, test } from '../../support/project/dist.js'

const skill = readFileSync(join(root, 'skills/tool-agent/SKILL.md'), 'utf8')
const [, front = '', text = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(skill) ?? []
const { prelude, examples } = examplesOf(text)

test('the frontmatter names and describes the skill as agents expect it', () => {
  const { name, description, ...more } = parse(front) as Record<string, string>
  expect(more).toEqual({})
  // The name of the folder; the limits are those of the format.
  expect(name).toBe('tool-agent')
  expect(description?.length).toBeGreaterThan(100)
  expect(description?.length).toBeLessThan(1024)
  expect(text.split('\n').length, 'lines that an agent reads at once').toBeLessThan(500)
})

test('every file, command and entry that it names exists', () => {
  const { scripts, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
    exports: Record<string, unknown>
  }
  expect(scripts).toBeDefined()
  const files = [...text.matchAll(/`(docs\/[\w/-]+\.md)`/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  const entries = [...text.matchAll(/'tool-agent(\/[\w/-]+)?'/g)].map(([, path = '']) => `.${path}`)
  expect(entries.filter((entry) => !(entry in exports))).toEqual([])
  const usage = readFileSync(join(root, 'cli/arguments.ts'), 'utf8')
  for (const [, name] of text.matchAll(/npx tool-agent (\w+)/g)) expect(usage).toContain(`Usage: tool-agent ${name}`)
})

test('the examples compile', ({ dist }) => {
  expect(typeErrors(text, dist)).toBe('')
})

for (const example of examples) {
  test(`the example below “${example.title}” prints what it says`, async () => {
    const faults = await runExample(example, prelude)
    expect(faults, faults.join('\n')).toEqual([])
  })
}

test('the element, the component, the evaluation and the relay compile against the package', ({ dist }) => {
  const code = (language: string) =>
    blocksOf(text)
      .filter((block) => block.language === language && block.marks.has('fragment'))
      .map((block) => block.code)
  const [html = ''] = code('html')
  const script = /<script type="module">([^]*)<\/script>/.exec(html)?.[1] ?? ''
  const [component = ''] = code('tsx')
  const [evaluation = ''] = code('js')
  const [relay = ''] = code('ts')
  const files = {
    'page.ts': script.replace("querySelector('tool-agent')", "querySelector('tool-agent')!"),
    'assistant.tsx': component,
    'evals.ts': evaluation,
    'relay.ts': relay,
  }
  for (const [name, one] of Object.entries(files)) expect(one, name).toContain('import ')
  const modules = join(root, 'node_modules')
  const names = [
    '@types/react',
    'csstype',
    '@standard-schema/spec',
    '@types/node',
    'undici-types',
    'playwright',
    'playwright-core',
  ]
  const packages = Object.fromEntries(names.map((name) => [name, modules]))
  expect(typeErrorsOf(files, { dist, packages, more: { skipLibCheck: true, types: ['node'] } })).toBe('')
})
