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
import { languageTables, referenceTables } from '../../../scripts/reference.mjs'
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
    if (name === '--tool-agent-user-background') {
      const [light, dark] = [12, 22].map((part) => `color-mix(in srgb, var(--_accent) ${part}%, var(--_bg))`)
      return preset !== 'accent, 12 %; 22 % if dark' || !code.includes(`var(${name}, light-dark( ${light}, ${dark} ))`)
    }
    if (preset === 'the colour of the site') return !code.includes(`var(${name}, light-dark(`)
    if (relative.has(preset)) return !code.includes(`var(${name}, var(--_${preset}))`)
    // The unit of the styles is 16 pixels, unless the visitor has chosen another text size.
    const inUnits = `calc(${String(Number.parseFloat(preset) / 16).replace(/^0/, '')} * var(--_rem))`
    return ![preset, inUnits].some((written) => code.includes(`var(${name}, ${written}`))
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

test('the tables of docs/reference.md and docs/languages.md are those of the docstrings and texts', async () => {
  for (const [name, tables] of [
    ['docs/reference.md', await referenceTables()],
    ['docs/languages.md', await languageTables()],
  ] as const) {
    const page = readFileSync(join(root, name), 'utf8')
    expect(page === withTables(page, tables), 'run `node scripts/reference.mjs`').toBe(true)
  }
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

/** What Svelte and Angular declare that the types and an example need; the packages are not installed here. */
const frameworks = {
  '@angular/core/index.d.ts': `export interface Signal<T> { (): T }
export interface WritableSignal<T> extends Signal<T> { set(value: T): void; asReadonly(): Signal<T> }
export declare function signal<T>(first: T): WritableSignal<T>
export declare abstract class DestroyRef { abstract onDestroy(callback: () => void): () => void }
export declare function inject<T>(token: abstract new (...args: never) => T): T
`,
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
import { ToolAgent, useAgent, useAgentState, useTool, useToolRenderer, type ToolCallProps } from 'tool-agent/react'

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
function Products({ input, state, output, error }: ToolCallProps<{ text: string }, { id: string }[]>) {
  if (state === 'done') return <p>{input.text}: {output.map(({ id }) => id.trim())}</p>
  return <p>{state === 'failed' ? error.code : state}</p>
}
export function Shop({ user }: { user?: string }) {
  const agent = useAgent()
  const cards = useToolRenderer(agent, 'search', Products)
  const { todos, count } = useAgentState(agent, ({ todos, messages }) => ({ todos, count: messages.length }))
  const questions = useAgentState(undefined, ({ questions }) => questions, (one, other) => one.length === other.length)
  return <>{cards}{todos.map(({ text }) => text)}{count.toFixed()}{questions.map((part) => part.call.name)}{user}</>
}
// @ts-expect-error no such property of an agent
export const useNothing = () => useAgentState(createAgent(), ({ todo }) => todo)
// @ts-expect-error a card has no property "title"
export const useCard = () => useToolRenderer(createAgent(), 'x', ({ title }: { title: string }) => <p>{title}</p>)
// @ts-expect-error no such layout
export const layout = <ToolAgent layout="round" />
// @ts-expect-error no such group of page tools
export const groups = <ToolAgent pageTools="read fil" />
export const list = <ToolAgent pageTools={['read', 'act']} />
// @ts-expect-error no such group of page tools
export const wrongList = <ToolAgent pageTools={['reed']} />
// @ts-expect-error no such property
export const typo = <ToolAgent endpiont="/v1" />
// @ts-expect-error not one of the values
export const approval = <ToolAgent approval="allways" />
// @ts-expect-error no such event
export const event = <ToolAgent onToolAgentEnd={() => {}} />
// @ts-expect-error a number
export const useWrong = () => useTool({ name: 'x', inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, execute: ({ n }) => n.trim() })
`,
  'vue-wrapper.ts': `import { h, ref } from 'vue'
import { ToolAgent, useAgent, useAgentState, useTool, useToolRenderer, type ToolAgentExposed } from 'tool-agent/vue'

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
  const todos = useAgentState(agent, ({ todos }) => todos)
  // @ts-expect-error it is read only
  todos.value = []
  useToolRenderer(agent, 'search', { render: () => h('p', todos.value.map(({ text }) => text.trim())) })
  return () => h(ToolAgent, { agent: agent.value, layout: 'sidebar', ref: shown,
    onToolAgentTurnEnd: ({ reason }) => reason.length })
}
export const props: InstanceType<typeof ToolAgent>['$props'] = { pageTools: 'read' }
export const list: InstanceType<typeof ToolAgent>['$props'] = { pageTools: ['read', 'fill'] }
// @ts-expect-error no such layout
export const wrong: InstanceType<typeof ToolAgent>['$props'] = { layout: 'round' }
// @ts-expect-error no such group of page tools
export const groups: InstanceType<typeof ToolAgent>['$props'] = { pageTools: 'read fil' }
// @ts-expect-error not one of the values
export const approval: InstanceType<typeof ToolAgent>['$props'] = { approval: 'allways' }
`,
  'events.ts': `import type { ToolAgentEventMap } from 'tool-agent'

const element = document.querySelector('tool-agent')!
element.addEventListener('tool-agent-turn-end', ({ reason, error }) => reason.trim() + (error?.code ?? ''))
document.addEventListener('tool-agent-tool-result', ({ call, result }) => call.name.trim() + (result.error?.code ?? ''))
window.addEventListener('tool-agent-feedback', ({ message, rating }) => [message.id, rating === 'good'])
document.querySelector('main')!.addEventListener('tool-agent-todos-change', ({ todos }) => todos.map(({ text }) => text))
const names: (keyof ToolAgentEventMap)[] = ['tool-agent-error', 'tool-agent-session-change']
export const last: ToolAgentEventMap['tool-agent-approval-request'] | undefined = undefined
// @ts-expect-error no such event
names.push('tool-agent-end')
// @ts-expect-error its fields are on the event
element.addEventListener('tool-agent-error', ({ detail }) => detail)
`,
  'agent-signal.ts': readFileSync(join(root, 'examples/angular/src/agent-signal.ts'), 'utf8'),
  'store.ts': `import type { Readable } from './svelte-store.js'
import { agentState, createAgent, type Todo } from 'tool-agent/agent'

export const store: Readable<readonly Todo[]> = agentState(createAgent(), ({ todos }) => todos)
`,
  'svelte-store.ts': `/** As in svelte/store. */
export interface Readable<T> {
  subscribe(this: void, run: (value: T) => void, invalidate?: () => void): () => void
}
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
    for (const [name, exported] of [
      ['svelte', { './elements': { types: './elements.d.ts' } }],
      ['@angular/core', { '.': { types: './index.d.ts' } }],
    ] as const)
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
