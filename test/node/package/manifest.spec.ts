// The manifest of the elements equals the code: every part, custom property, slot and event that the code uses is
// documented, and nothing else is. Also the generated tables, and the types for React, Vue and Svelte.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { elements, themingTables, withTables } from '../../../scripts/manifest.mjs'
import { referenceTables } from '../../../scripts/reference.mjs'
import { expect, root, test } from '../../support/project/dist.js'
import { packInto } from '../../support/project/package.js'

const all = elements()
const main = all.find(({ tagName }) => tagName === 'tool-agent')!
const inspector = all.find(({ tagName }) => tagName === 'tool-agent-inspector')!
const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** The code of the panel, or of the inspector, without comments that start a line. */
function codeOf(which: 'panel' | 'inspector'): string {
  return readdirSync(join(root, 'src/ui'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && name.startsWith('inspector/') === (which === 'inspector'))
    .map((name) => readFileSync(join(root, 'src/ui', name), 'utf8').replaceAll(/^\s*(?:\*|\/\*\*|\/\/).*$/gm, ''))
    .join('\n')
}

const unique = (names: readonly string[]) => [...new Set(names)].sort()
const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort()

/** The names in `part="…"`, `['part', …]` and the classes of icon buttons, which are their parts, too. */
function partsIn(code: string): string[] {
  const texts = [
    ...code.matchAll(/\bpart="([^"]+)"/g),
    ...code.matchAll(/\bpart = '([^']+)'/g),
    ...code.matchAll(/\biconButton\(\{[^}]*\bkind: '([^']+)'/g),
    ...code.matchAll(/\bkind = '([^']+)'/g),
  ].map(([, text = '']) => text)
  return unique(
    texts.flatMap((text) => text.replaceAll(/\S*\$\{[^}]*\}\S*/g, '').split(/\s+/)).filter((name) => name !== ''),
  )
}

for (const [which, docs] of [
  ['panel', main],
  ['inspector', inspector],
] as const) {
  const code = codeOf(which)

  test(`the documented parts of the ${which} are those of the code`, () => {
    expect(namesOf(docs.parts)).toEqual(partsIn(code))
  })

  test(`the documented slots and events of the ${which} are those of the code`, () => {
    const slots = [...code.matchAll(/<slot name="([^"]+)"|slot\.name = '([^']+)'/g)].map(
      ([, one, two]) => one ?? two ?? '',
    )
    expect(namesOf(docs.slots)).toEqual(unique(slots))
    const events = [...code.matchAll(/super\('(tool-agent-[\w-]+)'/g)].map(([, name = '']) => name)
    expect(namesOf(docs.events)).toEqual(unique(events))
  })
}

test('the documented custom properties are those of the styles', () => {
  const used = (code: string) => unique(code.match(/--tool-agent-[\w-]+/g) ?? [])
  expect(namesOf(main.properties)).toEqual(used(codeOf('panel')))
  // The inspector shares the colours and fonts of the panel.
  const own = used(codeOf('inspector')).filter((name) => !main.properties.some((one) => one.name === name))
  expect(namesOf(inspector.properties)).toEqual(own)
})

test('a default in the docs is the default of the styles', () => {
  const code = codeOf('panel').replaceAll(/\s+/g, ' ')
  const relative = new Set(['surface', 'text', 'accent'])
  const wrong = main.properties.filter(({ name, default: preset = '' }) => {
    if (name === '--tool-agent-user-text') return !code.includes(`var(${name}, inherit)`)
    if (name === '--tool-agent-user-background')
      return preset !== 'accent, 12 %' || !code.includes(`var(${name}, color-mix(in srgb, var(--_accent) 12%, `)
    if (relative.has(preset)) return !code.includes(`var(${name}, var(--_${preset}))`)
    return !code.includes(`var(${name}, ${preset}`)
  })
  expect(wrong).toEqual([])
})

test('every attribute, property and method of the elements is documented', () => {
  for (const { members, methods, attributes, events } of all) {
    for (const one of [...members, ...methods, ...attributes, ...events])
      expect(one.description, `${one.name} needs a docstring`).not.toBe('')
  }
  expect(main.attributes.map(({ name }) => name)).toContain('page-tools')
  expect(main.members.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['agent', 'words', 'messageActions', 'messages']),
  )
  expect(main.methods.map(({ name }) => name)).toEqual(expect.arrayContaining(['send', 'registerTool', 'close']))
  const ownNames = main.members.map(({ name }) => name)
  expect(ownNames.length, 'no name twice').toBe(new Set(ownNames).size)
})

test('the tables of docs/theming.md are those of the doc tags', () => {
  const page = readFileSync(join(root, 'docs/theming.md'), 'utf8')
  expect(page === withTables(page, themingTables(all)), 'run `node scripts/manifest.mjs`').toBe(true)
})

test('the tables of docs/reference.md are those of the docstrings', () => {
  const page = readFileSync(join(root, 'docs/reference.md'), 'utf8')
  expect(page === withTables(page, referenceTables()), 'run `node scripts/reference.mjs`').toBe(true)
})

test('the build has the manifest at the place that package.json names', ({ dist }) => {
  const { customElements } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { customElements: string }
  expect(customElements).toBe('./dist/custom-elements.json')
  const manifest = JSON.parse(readFileSync(join(dist, 'custom-elements.json'), 'utf8')) as {
    schemaVersion: string
    modules: { path: string; declarations: { tagName: string; cssParts: unknown[] }[] }[]
  }
  expect(manifest.schemaVersion).toBe('1.0.0')
  expect(manifest.modules.flatMap((one) => one.declarations.map(({ tagName }) => tagName))).toEqual([
    'tool-agent',
    'tool-agent-inspector',
  ])
  for (const { path } of manifest.modules) expect(existsSync(join(dist, path.replace('dist/', ''))), path).toBe(true)
  expect(manifest.modules[0]?.declarations[0]?.cssParts).toHaveLength(main.parts.length)
})

/** What Svelte declares that the types of the package extend; the package itself is not installed here. */
const frameworks = {
  'svelte/elements.d.ts': `export interface HTMLAttributes<T extends EventTarget> { id?: string; onclick?: (event: { currentTarget: T }) => void }\nexport interface SvelteHTMLElements {}\n`,
}

/** How a page author uses the types. Each wrong line must be an error. */
const usage = {
  'react.tsx': `import 'tool-agent'
import 'tool-agent/inspector'
import type {} from 'tool-agent/jsx'
import { createAgent } from 'tool-agent/agent'

const agent = createAgent({ endpoint: '/v1', model: 'm' })
export const page = (
  <main>
    <tool-agent agent={agent} page-tools="read fill" layout="floating" open className="x" words={{ greeting: 'Hi' }}
      ref={(element) => { element?.send('Hi') }} ontool-agent-turn-end={({ reason }) => reason.length}>
      <strong slot="header">Ada</strong>
    </tool-agent>
    <tool-agent-inspector for="x" tab="calls" />
  </main>
)
// @ts-expect-error no such layout
export const layout = <tool-agent layout="round" />
// @ts-expect-error no such attribute
export const attribute = <tool-agent endpiont="/v1" />
// @ts-expect-error a text with values is a function
export const words = <tool-agent words={{ tasksDone: 'done' }} />
`,
  'wrapper.tsx': `import { useRef, useState } from 'react'
import type { ToolAgentElement } from 'tool-agent'
import { createAgent, defineTool } from 'tool-agent/agent'
import { ToolAgent, useAgent, useTool } from 'tool-agent/react'

const other = createAgent()
const defined = defineTool({ name: 'clear', execute: () => 'Cleared' })
export function App({ user }: { user?: string }) {
  const [query, setQuery] = useState('')
  const element = useRef<ToolAgentElement>(null)
  const agent = useAgent({ endpoint: '/v1', model: 'm', scope: user ?? '', headers: () => ({ authorization: query }) })
  useTool({
    name: 'search',
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, limit: { type: 'integer' } }, required: ['text'] },
    execute({ text, limit = 10 }, { signal }) {
      setQuery(text.trim())
      return signal.aborted ? [] : Array.from({ length: limit }, () => query)
    },
  })
  useTool(defined, { agent: other })
  useTool({ name: 'plain', execute: () => 1 })
  return (
    <ToolAgent agent={agent} ref={element} layout="sidebar" pageTools="read fill" className="x" aria-label="Help"
      toolContext={{ user: user ?? null }} onToolAgentTurnEnd={({ reason }) => reason.length} onClick={() => element.current?.send('Hi')}>
      <strong slot="header">Ada</strong>
    </ToolAgent>
  )
}
// @ts-expect-error no such layout
export const layout = <ToolAgent layout="round" />
// @ts-expect-error no such event
export const event = <ToolAgent onToolAgentEnd={() => {}} />
// @ts-expect-error a number
export const useWrong = () => useTool({ name: 'x', inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, execute: ({ n }) => n.trim() })
`,
  'vue-wrapper.ts': `import { h, ref } from 'vue'
import { ToolAgent, useAgent, useTool, type ToolAgentExposed } from 'tool-agent/vue'

export function setup() {
  const shown = ref<ToolAgentExposed>()
  const agent = useAgent(() => ({ endpoint: '/v1', model: 'm' }))
  void agent.value.send('Hi')
  useTool({
    name: 'search',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    execute: ({ text }) => text.trim(),
  })
  useTool(() => ({ name: 'plain', execute: () => 1 }), { agent })
  return () => h(ToolAgent, { agent: agent.value, layout: 'sidebar', ref: shown,
    onToolAgentTurnEnd: ({ reason }) => reason.length })
}
export const props: InstanceType<typeof ToolAgent>['$props'] = { pageTools: 'read' }
// @ts-expect-error no such layout
export const wrong: InstanceType<typeof ToolAgent>['$props'] = { layout: 'round' }
`,
  'vue.ts': `import type { GlobalComponents } from 'vue'
import type {} from 'tool-agent/vue'

type Props = InstanceType<GlobalComponents['tool-agent']>['$props']
export const props: Props = { pageTools: 'read', layout: 'sidebar', onToolAgentTurnEnd: ({ reason }) => reason.length }
// @ts-expect-error no such layout
export const wrong: Props = { layout: 'round' }
`,
  'svelte.ts': `import type { SvelteHTMLElements } from 'svelte/elements'
import type {} from 'tool-agent/svelte'

type Props = SvelteHTMLElements['tool-agent']
export const props: Props = { 'page-tools': 'read', 'ontool-agent-error': ({ error }) => error.message }
// @ts-expect-error no such event
export const wrong: Props = { 'ontool-agent-end': () => {} }
`,
}

test('the types for React, Vue and Svelte pass a strict check and reject mistakes', async ({ dist }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-types-'))
  try {
    const modules = join(folder, 'node_modules')
    packInto(dist, join(modules, 'tool-agent'))
    for (const name of ['@standard-schema/spec', '@types/react', 'csstype', 'vue']) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
    }
    for (const [path, text] of Object.entries(frameworks)) {
      mkdirSync(dirname(join(modules, path)), { recursive: true })
      writeFileSync(join(modules, path), text)
    }
    for (const [name, exported] of [['svelte', { './elements': { types: './elements.d.ts' } }]] as const)
      writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, version: '1.0.0', exports: exported }))
    for (const [name, text] of Object.entries(usage)) writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const moduleResolution of ['bundler', 'nodenext']) {
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            strict: true,
            skipLibCheck: false,
            exactOptionalPropertyTypes: true,
            noUnusedLocals: true,
            noUnusedParameters: true,
            verbatimModuleSyntax: true,
            noEmit: true,
            jsx: 'react-jsx',
            target: 'ES2022',
            module: moduleResolution === 'bundler' ? 'ESNext' : 'NodeNext',
            moduleResolution,
            lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
            types: [],
          },
          include: ['*.ts', '*.tsx'],
        }),
      )
      const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
        encoding: 'utf8',
        cwd: folder,
      })
      expect(stdout, moduleResolution).toBe('')
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
