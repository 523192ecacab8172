// `tool-agent init` in a small project of each framework: what it adds, that it asks, that a second call changes nothing, and
// that `--remove` restores every byte. The long run builds and opens these projects (init.spec.ts of the browser specs).
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test as base } from 'playwright/test'
import { runInit } from '../../../cli/init/run-init.js'
import {
  bodyInsertion,
  configInsertion,
  importInsertion,
  layoutInsertion,
  masked,
  scriptImport,
  siblingInsertions,
  withInsertions,
  type Insertion,
} from '../../../cli/init/insert.js'
import { frameworkNames, type Framework } from '../../../cli/init/project.js'
import { root } from '../../support/project/build-once.js'
import { filesOf, projectFolder, projects, type Files } from '../../support/project/init-projects.js'

const templates = pathToFileURL(join(root, 'cli/init/templates/'))

interface Called {
  readonly isDone: boolean
  readonly printed: string
  readonly asked: readonly string[]
}

interface Init {
  (options?: { remove?: boolean; yes?: boolean; answer?: boolean }): Promise<Called>
  readonly folder: string
  read(path: string): string
  write(path: string, text: string): void
}

const test = base.extend<{ project: (files: Files) => Init }>({
  project: async ({}, use) => {
    const folders: string[] = []
    await use((files) => {
      const folder = projectFolder(files)
      folders.push(folder)
      const init = async ({ remove = false, yes = false, answer }: Parameters<Init>[0] = {}): Promise<Called> => {
        const printed: string[] = []
        const asked: string[] = []
        const ask =
          answer === undefined
            ? undefined
            : (question: string) => {
                asked.push(question)
                return Promise.resolve(answer)
              }
        const isDone = await runInit({ folder, remove, yes }, { templates, print: (text) => printed.push(text), ask })
        return { isDone, printed: printed.join(''), asked }
      }
      return Object.assign(init, {
        folder,
        read: (path: string) => readFileSync(join(folder, path), 'utf8'),
        write: (path: string, text: string) => writeFileSync(join(folder, path), text),
      })
    })
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  },
})

/** The files that exist before, with the lines that are added to each. Other files are new. */
const edited: Readonly<Record<Framework, Readonly<Record<string, readonly string[]>>>> = {
  html: { 'index.html': ['<tool-agent endpoint="/models/openai"', 'src="assistant/assistant.js"'] },
  vite: { 'index.html': ['<tool-agent endpoint="/models/openai"', 'src="/src/assistant/assistant.ts"'] },
  react: {
    'src/main.tsx': ["import { Assistant } from './assistant/Assistant'", '    <Assistant />'],
    'vite.config.ts': [
      "import { assistantRelay } from './assistant-relay.ts'",
      '  plugins: [assistantRelay(), react()],',
    ],
  },
  vue: {
    'src/App.vue': ["import Assistant from './assistant/Assistant.vue'", '  <Assistant />'],
    'vite.config.ts': ["import { assistantRelay } from './assistant-relay'", '  plugins: [assistantRelay(), vue()],'],
  },
  svelte: {
    'src/App.svelte': ["  import Assistant from './assistant/Assistant.svelte'", '<Assistant />'],
    'vite.config.ts': [
      "import { assistantRelay } from './assistant-relay'",
      '  plugins: [assistantRelay(), svelte()],',
    ],
  },
  next: {
    'app/layout.tsx': ['import { Assistant } from "./_assistant/assistant";', '        <Assistant />'],
  },
  angular: {
    'src/app/app.ts': ["import { Assistant } from './assistant/assistant';", '  imports: [Assistant, Shop],'],
    'src/app/app.html': ['<app-assistant />'],
    'angular.json': ['"output": "/tool-agent/models" }'],
  },
  nuxt: { 'app/app.vue': ['  <Assistant />'] },
  astro: {
    'src/layouts/Layout.astro': ["import Assistant from '../assistant/Assistant.astro'", '<Assistant />'],
    'astro.config.mjs': ["import { assistantRelay } from './assistant-relay.mjs';", 'integrations: [assistantRelay()]'],
  },
}

for (const [framework, files] of Object.entries(projects) as [Framework, Files][]) {
  test.describe(frameworkNames[framework], () => {
    test('adds element, tools, relay and evaluation; a second call changes nothing; --remove restores every byte', async ({
      project,
    }) => {
      const init = project(files)
      const before = filesOf(init.folder)
      const { isDone, printed } = await init({ yes: true })
      expect(isDone).toBe(true)
      expect(printed).toContain(`tool-agent for ${frameworkNames[framework]}:`)
      expect(printed, 'nothing is left to the user').not.toContain('by hand')
      const after = filesOf(init.folder)
      for (const [path, text] of Object.entries(before)) {
        const lines = edited[framework][path]
        if (lines === undefined) expect(after[path], `${path} stays as it is`).toBe(text)
        else {
          for (const line of lines) expect(after[path], path).toContain(line)
          // Nothing was taken away: what was there is there, in the same order.
          expect(isSubsequence(text, after[path] ?? ''), path).toBe(true)
        }
      }
      expect(Object.keys(edited[framework]).filter((path) => !(path in before))).toEqual([])
      const added = Object.keys(after).filter((path) => !(path in before))
      const texts = added.map((path) => after[path]).join('\n')
      expect(Object.values(after).join('\n'), 'it reads the page').toMatch(/page-?tools="read fill"/i)
      for (const part of ['find_notes', 'needsApproval: true', 'createRelay(', 'MODEL_API_KEY', 'defineEvals('])
        expect(texts).toContain(part)
      for (const path of added.filter((one) => !one.startsWith('.tool-agent/'))) {
        expect(printed, 'the diff').toContain(`+++ b/${path}`)
        expect(after[path], `${path}: a placeholder`).not.toMatch(/\{(?:evals|command|url)\}/)
        for (const [, document = ''] of (after[path] ?? '').matchAll(/node_modules\/tool-agent\/(docs\/[\w.-]+\.md)/g))
          expect(existsSync(join(root, document)), document).toBe(true)
      }
      expect(texts, 'no key of anybody').not.toMatch(/sk-\w/)

      const second = await init({ yes: true })
      expect(second).toMatchObject({ isDone: true, printed: expect.stringContaining('is already there') })
      expect(filesOf(init.folder)).toEqual(after)

      const removed = await init({ remove: true, yes: true })
      expect(removed.isDone).toBe(true)
      expect(removed.printed).not.toContain('These stay')
      expect(filesOf(init.folder)).toEqual(before)
      expect(await init({ remove: true, yes: true })).toMatchObject({
        isDone: true,
        printed: expect.stringContaining('There is nothing to remove'),
      })
    })
  })
}

test('without a terminal it shows the diff, writes nothing and says so', async ({ project }) => {
  const init = project(projects.react)
  const before = filesOf(init.folder)
  const { isDone, printed } = await init()
  expect(isDone).toBe(false)
  expect(printed).toContain('+++ b/src/assistant/Assistant.tsx')
  expect(printed).toContain('+    <Assistant />\n')
  expect(printed).toContain('-  plugins: [react()],\n+  plugins: [assistantRelay(), react()],\n')
  expect(printed).toMatch(/Nothing was changed, because nobody can be asked here\. Add --yes to do it\.\n$/)
  expect(filesOf(init.folder)).toEqual(before)
})

test('in a terminal it asks, and only yes writes', async ({ project }) => {
  const init = project(projects.html)
  const before = filesOf(init.folder)
  const refused = await init({ answer: false })
  expect(refused).toMatchObject({ isDone: false, asked: ['Write these changes?'] })
  expect(refused.printed).toMatch(/Nothing was changed\.\n$/)
  expect(filesOf(init.folder)).toEqual(before)
  expect(await init({ answer: true })).toMatchObject({ isDone: true })
  const after = filesOf(init.folder)
  expect(after).not.toEqual(before)
  expect(await init({ remove: true, answer: false })).toMatchObject({ isDone: false, asked: ['Remove this?'] })
  expect(await init({ remove: true })).toMatchObject({ isDone: false })
  expect(filesOf(init.folder)).toEqual(after)
})

test('says what comes next: the package, the key, the commands, in the words of the package manager', async ({
  project,
}) => {
  const plain = await project(projects.vue)({ yes: true })
  expect(plain.printed, 'the name on npm is not ours yet').toContain(
    '  1. npm install ../tool-agent-0.1.0.tgz, the file that npm pack wrote; npm install tool-agent once it is on npm\n',
  )
  expect(plain.printed).toContain('the relay in assistant-relay.ts is for development')
  const { printed: route } = await project(projects.next)({ yes: true })
  expect(route).toContain('For visitors: app/models/[...path]/route.ts refuses everybody in production')
  expect(plain.printed).toContain('The assistant reads the page and fills its forms.')
  expect(plain.printed).toContain('MODEL_API_KEY=… into .env.local, which must not be committed')
  expect(plain.printed).toContain('npm install --save-dev playwright')
  expect(plain.printed).toContain('and write MODEL_ENDPOINT=http://127.0.0.1:8790/v1 instead\n')
  expect(plain.printed).toContain('Stop that server, and run npx tool-agent eval evals/assistant.mjs')
  const html = await project(projects.html)({ yes: true })
  expect(html.printed, 'dev serves the page').toContain(
    'Set MODEL_API_KEY in the environment, and run node assistant/server.mjs. Without a key: npx tool-agent dev\n',
  )
  const files = {
    ...projects.vite,
    'pnpm-lock.yaml': '',
    'package.json': '{ "devDependencies": { "tool-agent": "0.1.0", "vite": "8.3.8" } }',
  }
  const { printed } = await project(files)({ yes: true })
  expect(printed).not.toContain('add tool-agent')
  expect(printed).toContain('pnpm add -D playwright')
})

test('--remove leaves what was changed by hand, names it, and removes its own lines from files that were edited since', async ({
  project,
}) => {
  const init = project(projects.react)
  await init({ yes: true })
  init.write('src/assistant/tools.ts', '// mine\n')
  init.write('src/main.tsx', `// a new first line\n${init.read('src/main.tsx')}`)
  init.write('vite.config.ts', init.read('vite.config.ts').replace('assistantRelay(), ', 'assistantRelay(),'))
  mkdirSync(join(init.folder, 'evals/more'))
  const { isDone, printed } = await init({ remove: true, yes: true })
  expect(isDone).toBe(true)
  expect(printed).toContain('These stay, because they are yours now')
  expect(printed).toContain('  src/assistant/tools.ts was changed by hand\n')
  expect(printed).toMatch(
    / {2}vite\.config\.ts: what was added was changed by hand\. It was:\n {4}import \{ assistantRelay \}/,
  )
  expect(init.read('src/main.tsx')).toBe(`// a new first line\n${projects.react['src/main.tsx']}`)
  expect(init.read('vite.config.ts')).toContain('assistantRelay(),react()')
  const left = Object.keys(filesOf(init.folder)).filter((path) => !(path in projects.react))
  expect(left).toEqual(['evals/more/', 'src/assistant/tools.ts'])
})

test('a file that is in the way, and a page that has the assistant, are never touched', async ({ project }) => {
  const inTheWay = project({ ...projects.react, 'src/assistant/tools.ts': '// mine\n' })
  const before = filesOf(inTheWay.folder)
  await expect(inTheWay({ yes: true })).rejects.toThrow(
    'src/assistant/tools.ts exists already, and nothing is overwritten',
  )
  expect(filesOf(inTheWay.folder)).toEqual(before)
  const there = project({ 'index.html': '<body><tool-agent endpoint="/v1"></tool-agent></body>' })
  await expect(there({ yes: true })).rejects.toThrow('index.html uses tool-agent already')
})

test('if a file cannot be written, nothing is', async ({ project }) => {
  const init = project({ ...projects.react, evals: 'a file where a folder must be\n' })
  const before = filesOf(init.folder)
  await expect(init({ yes: true })).rejects.toThrow(/Nothing was changed/)
  expect(filesOf(init.folder)).toEqual(before)
})

test('a page of Vite gets the element in its index.html, whatever library draws it', async ({ project }) => {
  const page = projects.vite['index.html']!.replace('/src/main.ts', '/src/index.tsx')
  for (const library of ['preact', 'solid-js', '@builder.io/qwik', 'lit']) {
    const init = project({
      'package.json': `{ "type": "module", "dependencies": { "${library}": "1" }, "devDependencies": { "vite": "8" } }`,
      'index.html': page,
      'src/index.tsx': 'render(() => <App />, document.body)\n',
      'tsconfig.json': projects.vite['tsconfig.json']!,
    })
    const { isDone, printed } = await init({ yes: true })
    expect(isDone, library).toBe(true)
    expect(printed, library).not.toContain('by hand')
    expect(init.read('index.html'), library).toContain('src="/src/assistant/assistant.ts"')
    expect(init.read('src/index.tsx'), library).toBe('render(() => <App />, document.body)\n')
  }
})

test('what is no project is an error that says what was looked for, and how to do it by hand', async ({ project }) => {
  for (const [files, message] of [
    [
      {},
      /no project was found in .*Looked for a package\.json with next, nuxt, astro, @angular\/core or vite, and for an index\.html/,
    ],
    [{ 'package.json': '{ "dependencies": { "@sveltejs/kit": "2", "vite": "8" } }' }, /SvelteKit .* has no template/],
    [{ 'package.json': '{ "dependencies": { "webpack": "5" } }', 'index.html': '' }, /webpack .* has no template/],
    [{ 'package.json': '{ "dependencies": { "preact": "10" } }', 'index.html': '' }, /Preact .* has no template/],
    [{ 'package.json': '{ "dependencies": { "next": "16" } }', 'pages/index.js': '' }, /Only the App Router/],
    [{ 'package.json': '{ "dependencies": { "vite": "8" } }' }, /no index\.html in its own folder/],
    [{ 'package.json': '{ "dependencies": { "vite": "8" } }', 'index.html': '<p>' }, /loads no script/],
    [
      {
        'package.json': '{ "dependencies": { "vite": "8", "vue": "3" } }',
        'index.html': '<script src="/main.js"></script>',
        'main.js': '',
      },
      /there is no App\.vue/,
    ],
  ] as [Files, RegExp][]) {
    const failure = project(files)({ yes: true })
    await expect(failure).rejects.toThrow(message)
    await expect(failure).rejects.toThrow(/By hand .*docs\/start\.md/)
  }
  await expect(project({ 'package.json': '{' })({ yes: true })).rejects.toThrow('package.json is not valid JSON')
  const broken = project({
    ...projects.html,
    '.tool-agent/init.json': '{ "files": { "../x": "" }, "edits": {}, "folders": [] }',
  })
  await expect(broken({ remove: true, yes: true })).rejects.toThrow('.tool-agent/init.json cannot be read')
})

test('where an edit is not certain, the new files come with the lines to add by hand, until they are there', async ({
  project,
}) => {
  const main = 'import { render } from "./render"\nrender(App)\n'
  const config = "import { defineConfig } from 'vite'\nexport default defineConfig(({ mode }) => ({ plugins: [] }))\n"
  const init = project({ ...projects.react, 'src/main.tsx': main, 'vite.config.ts': config })
  const { printed } = await init({ yes: true })
  expect(init.read('src/main.tsx')).toBe(main)
  expect(init.read('vite.config.ts')).toBe(config)
  const hand = [
    "  src/main.tsx, at the top, and beside <App />:\n    import { Assistant } from './assistant/Assistant'\n    <Assistant />\n",
    "  vite.config.ts, at the top, and in `plugins`:\n    import { assistantRelay } from './assistant-relay.ts'\n    assistantRelay(),\n",
  ]
  for (const text of hand) expect(printed).toContain(text)
  expect((await init({ yes: true })).printed).toContain(hand.join(''))
  init.write('src/main.tsx', "import { Assistant } from './assistant/Assistant'\nrender(<><App /><Assistant /></>)\n")
  const again = (await init({ yes: true })).printed
  expect(again).not.toContain('src/main.tsx')
  expect(again).toContain(hand[1])
})

for (const [settings, ending] of [
  ['{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true } }', '.ts'],
  ['{ "compilerOptions": { "module": "NodeNext" } }', '.js'],
  ['{ "compilerOptions": { "moduleResolution": "bundler" } }', ''],
] as const)
  test(`the configuration of Vite names the relay as its TypeScript demands: "${ending}"`, async ({ project }) => {
    const { ['vite.config.ts']: config = '', ...others } = projects.react
    const init = project({ ...others, 'tsconfig.node.json': settings, 'vite.config.ts': config })
    await init({ yes: true })
    const line = `import { assistantRelay } from './assistant-relay${ending}'`
    expect(init.read('vite.config.ts')).toContain(line)
    const without = project({ ...others, 'tsconfig.node.json': settings })
    await without({ yes: true })
    expect(without.read('vite.config.ts')).toContain(line)
  })

test('a project in JavaScript gets files without types', async ({ project }) => {
  const init = project({
    'package.json': '{ "dependencies": { "vite": "8", "vue": "3" } }',
    'index.html': '<script type="module" src="./src/main.js"></script>',
    'src/main.js': '',
    'src/App.vue': '<script setup>\n</script>\n<template>\n</template>\n',
    'vite.config.js': 'export default {}\n',
  })
  await init({ yes: true })
  const after = filesOf(init.folder)
  expect(Object.keys(after).filter((path) => path.endsWith('.ts'))).toEqual([])
  expect(after['assistant-relay.js']).toContain("import { loadEnv } from 'vite'")
  expect(after['assistant-relay.js']).toContain('export function assistantRelay() {')
  expect(after['src/assistant/Assistant.vue']).toContain('<script setup>')
  expect(after['vite.config.js']).toBe(
    "import { assistantRelay } from './assistant-relay.js'\nexport default { plugins: [assistantRelay()] }\n",
  )
})

test('files keep their line ends', async ({ project }) => {
  const crlf = projects.react['vite.config.ts']!.replaceAll('\n', '\r\n')
  const init = project({ ...projects.react, 'vite.config.ts': crlf })
  await init({ yes: true })
  expect(init.read('vite.config.ts')).toContain('assistantRelay(), react()')
  expect(init.read('vite.config.ts').replaceAll('\r\n', '')).not.toContain('\n')
  await init({ remove: true, yes: true })
  expect(init.read('vite.config.ts')).toBe(crlf)
})

test.describe('insertions', () => {
  const done = (code: string, insertions: Insertion | undefined | readonly Insertion[]) =>
    insertions === undefined ? undefined : withInsertions(code, [insertions].flat() as Insertion[])

  test('comments and strings are no code, and what does not balance is not certain', () => {
    const code = "a(\"(\") // {\n/* [ */ `${b} {` '\\'(' it's\n"
    expect(masked(code)).toHaveLength(code.length)
    expect(masked(code)).not.toMatch(/[{[]/)
    expect(masked('f({)')).toBeUndefined()
    expect(masked('f(')).toBeUndefined()
  })

  test('an import comes after the last one, in its style', () => {
    const add = (code: string) => done(code, importInsertion(code, '{ a }', './a'))
    expect(add("import b from 'b'\nb()\n")).toBe("import b from 'b'\nimport { a } from './a'\nb()\n")
    expect(add('import {\n  b,\n} from "b";\nimport "c";\n')).toBe(
      'import {\n  b,\n} from "b";\nimport "c";\nimport { a } from "./a";\n',
    )
    expect(add("import b from 'b'")).toBe("import b from 'b'\nimport { a } from './a'\n")
    expect(add("import type { B } from 'b'\nconst c = await import('c')\n")).toContain(
      "'b'\nimport { a } from './a'\nconst",
    )
    expect(add("// import x from 'x'\nb()\n")).toBe("import { a } from './a'\n// import x from 'x'\nb()\n")
    expect(add("'use client'\nb()\n")).toBeUndefined()
    expect(add("const b = require('b')\n")).toBeUndefined()
  })

  test('a plugin goes into the list of the configuration, and nowhere else', () => {
    const add = (code: string) => done(code, configInsertion(code, 'plugins', 'x()'))
    for (const [code, expected] of [
      ['export default defineConfig({ plugins: [a()] })', 'export default defineConfig({ plugins: [x(), a()] })'],
      ['export default defineConfig({ plugins: [] })', 'export default defineConfig({ plugins: [x()] })'],
      [
        'defineConfig({\n  plugins: [\n    a(),\n  ],\n})',
        'defineConfig({\n  plugins: [\n    x(),\n    a(),\n  ],\n})',
      ],
      ['export default defineConfig({})', 'export default defineConfig({ plugins: [x()] })'],
      ['export default {\n  base: "/",\n}', 'export default {\n  plugins: [x()],\n  base: "/",\n}'],
      ['export default { base: "/" }', 'export default { plugins: [x()], base: "/" }'],
      [
        'defineConfig({\n  worker: { plugins: [b()] },\n  plugins: [a()],\n})',
        'defineConfig({\n  worker: { plugins: [b()] },\n  plugins: [x(), a()],\n})',
      ],
      ['// plugins: [\nexport default { plugins: [a()] }', '// plugins: [\nexport default { plugins: [x(), a()] }'],
    ] as const)
      expect(add(code)).toBe(expected)
    for (const code of [
      'export default defineConfig(({ mode }) => ({ plugins: [a()] }))',
      'export default config',
      'const plugins = [a()]\nexport default { plugins }',
      'export default { plugins: list() }',
      'export default { ...base }',
      'export default { "plugins": [a()] }',
      'export default defineConfig({}); other.defineConfig({})',
    ])
      expect(add(code), code).toBeUndefined()
  })

  test('an element goes before the end of the body, not into a script or a comment', () => {
    const add = (html: string) => done(html, bodyInsertion(html, ['<x></x>', '<y></y>']))
    expect(add('<body>\n  <p>\n</body>')).toBe('<body>\n  <p>\n  <x></x>\n  <y></y>\n</body>')
    expect(add('\t<body>\n\t</body>')).toBe('\t<body>\n\t\t<x></x>\n\t\t<y></y>\n\t</body>')
    expect(add('<body><p></body>')).toBe('<body><p>\n<x></x>\n<y></y>\n</body>')
    expect(add('<p>\n</html>\n')).toBe('<p>\n<x></x>\n<y></y>\n</html>\n')
    expect(add('<p>')).toBe('<p>\n<x></x>\n<y></y>\n')
    const tricky = '<body>\n<script>"</body>"</script>\n<!-- </body> -->\n</BODY>\n'
    expect(add(tricky)).toBe(tricky.replace('</BODY>', '  <x></x>\n  <y></y>\n</BODY>'))
    expect(add('<body></body><body></body>')).toBeUndefined()
    expect(add('<frameset></frameset>')).toBeUndefined()
  })

  test('a component goes beside the root of React, into the layout of Next.js and into a script', () => {
    const beside = (code: string) => done(code, siblingInsertions(code, '<X />'))
    expect(beside('render(<App />)')).toBe('render(<><App /><X /></>)')
    expect(beside('render(\n  <App />,\n)')).toBe('render(\n  <><App /><X /></>,\n)')
    expect(beside('<A b={1}>\n  <App />\n</A>')).toBe('<A b={1}>\n  <App />\n  <X />\n</A>')
    expect(beside('<A><App name="x" /></A>')).toBe('<A><App name="x" /><X /></A>')
    for (const code of ['{ok && <App />}', '<App>a</App>', 'f(<App />); f(<App />)', 'const a = <App />', '// <App />'])
      expect(beside(code), code).toBeUndefined()
    const layout = (code: string) => done(code, layoutInsertion(code, '<X />'))
    expect(layout('({children}) => <body>{children}</body>')).toBe('({children}) => <body>{children}<X /></body>')
    expect(layout('<body><P>{children}</P></body>')).toBeUndefined()
    const script = (code: string) => done(code, scriptImport(code, { names: 'X', from: './x' }))
    expect(script("<script>\n  import a from 'a'\n</script>\n")).toBe(
      "<script>\n  import a from 'a'\n  import X from './x'\n</script>\n",
    )
    expect(script('<script>\n</script>\n')).toBe("<script>\nimport X from './x'\n</script>\n")
    expect(script('<script module>\n</script>\n')).toBeUndefined()
    expect(script('<p></p>')).toBeUndefined()
  })
})

/** Whether the characters of `text` are in `longer` in this order. */
function isSubsequence(text: string, longer: string): boolean {
  let at = -1
  return [...text].every((sign) => (at = longer.indexOf(sign, at + 1)) >= 0)
}
