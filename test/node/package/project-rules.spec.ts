// The project rules. Each test first shows that its rule finds a violation in a sample, then checks the project.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { playwrightDisables } from '../../../scripts/browsers.mjs'
import { entries, mcpEntries } from '../../../scripts/build.mjs'
import {
  findClockReads,
  findEffectImports,
  findEventsOutsideHands,
  findHeaderViolations,
  findImportCycles,
  findImportViolations,
  findInjectionSinks,
  findLanguageViolations,
  findLazyImportsInFolders,
  findLongLines,
  findMachinePaths,
  findTestViolations,
  findVersionRanges,
  findWaits,
  importRulesFile,
  importsOf,
  type AllowedImports,
  type ImportRules,
  type Source,
} from '../../support/project/project-rules.js'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const roots = [
  'src/ui/element/define.ts',
  mcpEntries.mcp,
  ...['tool-agent', 'agent', 'inspector'].map(
    (name) => Object.entries(entries).find(([key]) => key === name)?.[1] ?? name,
  ),
]

function typescript(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.includes('/node_modules/'))
    .map((path) => ({ path, code: readFileSync(join(root, path), 'utf8') }))
}
const sources = typescript('src')

/** Every `allowed-imports.json` in src/, by its folder. */
const rules: ImportRules = Object.fromEntries(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith(`/${importRulesFile}`))
    .map((path) => [
      path.slice(0, -importRulesFile.length),
      JSON.parse(readFileSync(join(root, path), 'utf8')) as AllowedImports,
    ]),
)

function sample(path: string, code: string): Source {
  return { path, code }
}

test.describe('imports', () => {
  const violations = (path: string, code: string) =>
    findImportViolations([sample(path, code)], { rules, roots: ['src/index.ts'] })

  test('an import that no allowed-imports.json allows is a violation', () => {
    for (const [path, code] of [
      ['src/core/loop/turn-loop.ts', "import { serve } from '../../host/serve.js'"],
      ['src/core/loop/turn-loop.ts', "export * from '../../page/agent.js'"],
      ['src/core/loop/turn-loop.ts', "import { z } from 'zod'"],
      ['src/core/data/tool.ts', "import type { Reminded } from '../prompt/reminder.js'"],
      ['src/core/loop/turn-loop.ts', "type T = import('lit').LitElement"],
      ['src/core/loop/turn-loop.ts', "const a = await import('../../ui/element.js')"],
      ['src/host/serve.ts', "import { openDB } from 'idb'"],
      ['src/host/serve.ts', "import { createParser } from 'eventsource-parser'"],
      ['src/host/serve.ts', "import type { Agent } from '../page/agent.js'"],
      ['src/page/agent.ts', "import { html } from 'lit'"],
      ['src/page/agent.ts', "const host = await import('../host/serve.js')"],
      ['src/page/client/spawn.ts', "import { serveInPage } from '../../host/in-page.js'"],
      ['src/page-tools/dom/dom.ts', "import { createAgent } from '../../page/agent.js'"],
      ['src/page-tools/dom/dom.ts', "import { type Tool } from '../../page/tools/tool.js'"],
      ['src/ui/element/element.ts', "import { readTools } from '../../page-tools/definitions/tool-lists.js'"],
      ['src/ui/element/element.ts', "import { agentTool } from '../../page/tools/agent-tool.js'"],
      ['src/ui/element/element.ts', "import de from '../i18n/languages/de.js'"],
      ['src/ui/element/element.ts', "import { lookalike } from 'lithium'"],
      ['src/ui/element/element.ts', 'const a = await import(name)'],
      ['src/host/models/resolve-model.ts', 'const a = await import(url)'],
      ['src/other/file.ts', "import { a } from '../core/json.js'"],
      ['src/index.ts', "import { html } from 'lit'"],
    ] as const)
      expect(violations(path, code), `${path}: ${code}`).toHaveLength(1)
  })

  test('an import that allowed-imports.json allows is no violation', () => {
    for (const [path, code] of [
      ['src/core/loop/turn-loop.ts', "import { a } from '../data/json.js'"],
      [
        'src/page/tools/tool.ts',
        "import type { JsonObject } from '../../core/data/json.js'; import type { A } from '@standard-schema/spec'",
      ],
      [
        'src/host/store/indexed-db.ts',
        "import { openDB } from 'idb'; import type { Store } from '../../core/data/store.js'",
      ],
      ['src/host/models/resolve-model.ts', 'const a = await import(/* @vite-ignore */ /* webpackIgnore: true */ url)'],
      ['src/page/client/spawn.ts', "const host = await import('../../host/in-page.js')"],
      ['src/page/schema/zod.ts', "const { toJSONSchema } = await import('zod/v4/core')"],
      ['src/page-tools/dom/dom.ts', "import type { Tool } from '../../page/tools/tool.js'"],
      [
        'src/ui/element/element.ts',
        "import { Agent } from '../../page/agent.js'; import { repeat } from 'lit/directives/repeat.js'; import en from '../i18n/en.js'",
      ],
      [
        'src/ui/element/element.ts',
        "const de = await import('../i18n/languages/de.js'); const tools = await import('../../page-tools/definitions/tool-lists.js')",
      ],
      [
        'src/ui/i18n/languages/de.ts',
        "import type { Words } from '../en.js'; import { countingIn } from '../counting.js'",
      ],
      ['src/ui/element/define.ts', "import { ToolAgent } from './tool-agent-element.js'"],
    ] as const)
      expect(violations(path, code), `${path}: ${code}`).toEqual([])
  })

  test('a package that must load by import() may be imported in a file that only loads by import()', () => {
    const checker = sample('src/page/checker.ts', "import { zodToJsonSchema } from 'zod-to-json-schema'")
    const lazily = sample('src/index.ts', "const checker = () => import('./page/checker.js')")
    const atOnce = sample('src/index.ts', "import './page/checker.js'")
    expect(findImportViolations([lazily, checker], { rules, roots: ['src/index.ts'] })).toEqual([])
    expect(findImportViolations([atOnce, checker], { rules, roots: ['src/index.ts'] })).toEqual([
      'src/page/checker.ts imports zod-to-json-schema: allowed by import() only',
    ])
  })

  test('imports in comments and strings do not count', () => {
    expect(importsOf(sample('src/core/a.ts', '// import a from "b"\nconst s = `import a from "b"`'))).toEqual([])
  })

  test('a permission for a file does not hold for the other files of its folder', () => {
    const code = "const host = await import('../../host/in-page.js')"
    expect(violations('src/page/client/spawn.ts', code)).toEqual([])
    expect(violations('src/page/client/connection.ts', code)).toHaveLength(1)
  })

  test('every allowed-imports.json lists only names that its folder uses', () => {
    const unused = Object.entries(rules).flatMap(([folder, rule]) => {
      const lists = [[folder, rule] as const].concat(
        Object.entries(rule.files ?? {}).map(([file, own]) => [`${folder}${file}`, own] as const),
      )
      return lists.flatMap(([place, { static: all = [], dynamic = [], types = [] }]) =>
        [...all, ...dynamic, ...types]
          .filter(
            (name) =>
              !sources.some(
                (source) =>
                  source.path.startsWith(place) && importsOf(source).some(({ to = '' }) => to.startsWith(name)),
              ),
          )
          .map((name) => `${place}: ${name}`),
      )
    })
    expect(unused).toEqual([])
  })

  test('src/ has no import that its folder does not allow', () => {
    expect(sources.length).toBeGreaterThan(20)
    expect(Object.keys(rules).length).toBeGreaterThan(4)
    expect(findImportViolations(sources, { rules, roots })).toEqual([])
  })

  test('src/ has no import cycle', () => {
    const a = sample('src/core/a.ts', "import type { B } from './b.js'")
    const b = sample('src/core/b.ts', "export * from './c.js'")
    const c = sample('src/core/c.ts', "import './a.js'")
    expect(findImportCycles([a, b, c])).toEqual(['src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts'])
    // A chunk that imports what loads it is a cycle, too.
    expect(findImportCycles([a, b, sample('src/core/c.ts', "const a = import('./a.js')")])).toHaveLength(1)
    expect(findImportCycles(sources)).toEqual([])
  })
})

test('nothing inside a folder is loaded by import(), except languages', () => {
  const code = "const a = () => import('./a.js')"
  expect(findLazyImportsInFolders(sample('src/mcp/b.ts', code))).toEqual([
    'src/mcp/b.ts loads src/mcp/a.ts by import(): a folder is in one chunk',
  ])
  expect(findLazyImportsInFolders(sample('src/ui/i18n/languages/b.ts', code))).toEqual([])
  expect(findLazyImportsInFolders(sample('src/mcp/b.ts', code.replace('./', './server/')))).toEqual([])
  expect(sources.flatMap(findLazyImportsInFolders)).toEqual([])
})

test.describe('code', () => {
  test('an import only for its effect is a violation, because bundlers drop it', () => {
    const violationsIn = (code: string) => findEffectImports({ path: 'src/a.ts', code })
    expect(violationsIn("import './b.js'")).toHaveLength(1)
    expect(violationsIn("async function f() { await import('./b.js') }")).toHaveLength(1)
    expect(violationsIn("if (x) import('./b.js')")).toHaveLength(1)
    expect(violationsIn("import { b } from './b.js'\nimport type { C } from './c.js'\nb()")).toEqual([])
    expect(violationsIn("void import('./b.js').then((loaded) => loaded.b())")).toEqual([])
  })

  test('src/ imports no file only for its effect, except those that define an element', () => {
    const defining = new Set(['src/index.ts', 'src/ui/attachments/attachments.ts'])
    expect(sources.flatMap((source) => (defining.has(source.path) ? [] : findEffectImports(source)))).toEqual([])
  })

  test('src/ has no any, no decorator, and console only in log.ts of page/ and relay/', () => {
    const code =
      '// any console\nconst company: unknown = "any"; let x: any; @customElement("x-y") class A {}; console.log(1); globalThis.console.warn(2)'
    expect(findLanguageViolations(sample('src/ui/a.ts', code))).toEqual([
      'src/ui/a.ts:2 any',
      'src/ui/a.ts:2 a decorator, which Vite does not transform',
      'src/ui/a.ts:2 console',
      'src/ui/a.ts:2 console',
    ])
    expect(findLanguageViolations(sample('src/page/log.ts', 'console.log(1)'))).toEqual([])
    expect(sources.flatMap(findLanguageViolations)).toEqual([])
  })

  test('src/ reads documents by unclobbered(), because named elements of a page hide their properties', () => {
    for (const code of ['document.body', 'window.document.createElement("p")', 'element.ownerDocument.defaultView'])
      expect(findLanguageViolations(sample('src/ui/a.ts', code)), code).toHaveLength(1)
    expect(findLanguageViolations(sample('src/ui/a.ts', 'unclobbered(document).body; f(a.ownerDocument)'))).toEqual([])
  })

  test('src/ never turns a string into markup or code', { tag: '@S30' }, () => {
    for (const code of [
      'element.innerHTML = text',
      "element['outerHTML'] = text",
      'html`<p .innerHTML=${text}></p>`',
      "element.insertAdjacentHTML('beforeend', text)",
      'document.write(text)',
      'document?.writeln(text)',
      "import { unsafeHTML } from 'lit/directives/unsafe-html.js'",
      'html`<iframe srcdoc=${text}></iframe>`',
      'frame.srcdoc = text',
      "frame.setAttribute('srcdoc', text)",
      "button.setAttribute('onclick', text)",
      'new DOMParser()',
      'eval(text)',
      '(0, globalThis.eval)(text)',
      "new Function('a', text)",
      'Function(text)',
      "setTimeout('run()', 1)",
      'window.setInterval(`run(${a})`, 1)',
    ])
      expect(findInjectionSinks(sample('src/ui/a.ts', code)).length, code).toBeGreaterThan(0)
    for (const code of [
      '// innerHTML',
      'setTimeout(() => run(), 1)',
      'evaluate(text)',
      'stream.write(text)',
      "const mute = new Set(['srcdoc'])",
      'if (a instanceof Function) b()',
    ]) {
      expect(findInjectionSinks(sample('src/ui/a.ts', code)), code).toEqual([])
    }
    // A command of Redis, whose script is a constant.
    const redis = /^src\/relay\/redis-limiter\.ts:\d+ client\.eval\(/
    expect(sources.flatMap(findInjectionSinks).filter((one) => !redis.test(one))).toEqual([])
  })

  test('core reads neither the clock nor random values', () => {
    expect(
      findClockReads(sample('src/core/a.ts', 'const a = [Date.now(), new Date(), Math.random(), new Date(at)]')),
    ).toHaveLength(3)
    expect(sources.filter(({ path }) => path.startsWith('src/core/')).flatMap(findClockReads)).toEqual([])
  })

  test('core uses no global of the DOM, of Node or of a worker', () => {
    expect(checkCore()).toBe('')
    const names = ['document', 'setTimeout', 'process', 'postMessage', 'indexedDB', 'performance', 'crypto']
    const faults = checkCore(names.map((name, index) => `export const here${index} = ${name}\n`).join(''))
    for (const name of names) expect(faults).toContain(`'${name}'`)
  })

  test('page tools wait for the page by until() alone', () => {
    for (const code of [
      'for (const start = performance.now(); performance.now() - start < 50;) { await draw() }',
      'while (isOpen()) await waitForPageUpdates()',
      'for (let looks = 0; looks < 9; looks++) { await pause(5); signal.throwIfAborted() }',
      'await new Promise((resolve) => { setTimeout(resolve, 50) })',
      'new Promise((resolve) => requestAnimationFrame(() => resolve()))',
    ])
      expect(findWaits(sample('src/page-tools/a.ts', code)), code).toHaveLength(1)
    for (const code of [
      'while (!isLate()) { press(); await waitForPageUpdates() }',
      'for (const one of all) await read(one)',
      'setTimeout(() => end(), 50)',
      'new Promise((resolve) => { release = resolve })',
    ])
      expect(findWaits(sample('src/page-tools/a.ts', code)), code).toEqual([])
    const others = sources.filter(({ path }) => /^src\/page-tools\/(?!waiting\/)/.test(path))
    expect(others.flatMap(findWaits), 'use page-tools/waiting/until.ts').toEqual([])
  })

  test('every file has a header comment', () => {
    expect(findHeaderViolations(sample('src/a.ts', 'const a = 1\n'))).toHaveLength(1)
    expect(findHeaderViolations(sample('src/a.ts', '// Reads forms.\n'))).toEqual([])
    expect(sources.flatMap(findHeaderViolations)).toEqual([])
  })

  test('src/ui uses no method that old libraries of pages replace', () => {
    const replaced =
      /\.(?:(?:append|prepend|before|after|replaceWith|replaceChildren|scrollTo)\(|remove\(\))|\bArray\.from\(/
    const uses = ({ path, code }: Source): string[] =>
      code
        .split('\n')
        .flatMap((line, index) =>
          !/^\s*(?:\/\/|\*|\/\*)/.test(line) && replaced.test(line) ? [`${path}:${index + 1}`] : [],
        )
    expect(uses(sample('a.ts', '// box.remove()\nbox.remove()\nlist.remove(1)\nArray.from(set)'))).toEqual([
      'a.ts:2',
      'a.ts:4',
    ])
    expect(sources.filter(({ path }) => path.startsWith('src/ui/')).flatMap(uses), 'use ui/element/nodes.ts').toEqual(
      [],
    )
  })

  test('no length of a style depends on the root element of the page', () => {
    const rootLengths = ({ path, code }: Source): string[] =>
      code.split('\n').flatMap((line, index) => {
        const [length] = /\b[\d.]+r(?:em|lh|ex|ch|cap|ic)\b/.exec(line) ?? []
        return length === undefined ? [] : [`${path}:${index + 1} has ${length}; use var(--_rem) of page-look.ts`]
      })
    expect(rootLengths(sample('a.css', 'a { gap: .5em }\np { margin: 1.5rem }'))).toEqual([
      'a.css:2 has 1.5rem; use var(--_rem) of page-look.ts',
    ])
    const themes = readdirSync(join(root, 'themes')).map((file) =>
      sample(`themes/${file}`, readFileSync(join(root, 'themes', file), 'utf8')),
    )
    expect([...sources, ...themes].flatMap(rootLengths)).toEqual([])
  })

  test('only the hand of the page tools makes events', () => {
    for (const code of [
      "on.dispatchEvent(new KeyboardEvent('keydown'))",
      "const make = () => new (viewOf(on).PointerEvent)('click')",
      "page.createEvent('TextEvent')",
      'on.dispatchEvent(event)',
    ])
      expect(findEventsOutsideHands(sample('src/page-tools/fill/a.ts', code)), code).not.toEqual([])
    expect(findEventsOutsideHands(sample('src/page-tools/hands/a.ts', "new KeyboardEvent('keydown')"))).toEqual([])
    expect(sources.flatMap(findEventsOutsideHands)).toEqual([])
  })

  test('no line of src/ is longer than 120 columns', () => {
    expect(findLongLines(sample('src/a.ts', `${'a'.repeat(120)}\n${'a'.repeat(121)}\n`))).toEqual([
      'src/a.ts:2 has 121 columns, at most 120 are allowed',
    ])
    expect(sources.flatMap(findLongLines)).toEqual([])
  })
})

test.describe('project', () => {
  test('every file passes the type check', () => {
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', root, '--pretty', 'false'], { encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  test('dependencies have exact versions', { tag: '@S33' }, () => {
    expect(
      findVersionRanges({
        dependencies: { a: '^1.0.0', b: '1.0.0' },
        devDependencies: { c: 'latest', d: '1.0.0-rc.1', e: '1.x' },
      }),
    ).toEqual(['dependencies: a ^1.0.0', 'devDependencies: c latest', 'devDependencies: e 1.x'])
    for (const file of [
      'package.json',
      'test/frameworks/package.json',
      'test/providers/package.json',
      'test/telemetry/package.json',
      'test/widgets/package.json',
    ]) {
      expect(findVersionRanges(JSON.parse(readFileSync(join(root, file), 'utf8')))).toEqual([])
    }
  })

  test('the tests switch off in Chromium what Playwright does', () => {
    const bundle = readFileSync(join(root, 'node_modules/playwright-core/lib/coreBundle.js'), 'utf8')
    const list = /disabledFeatures = (\[[^\]]*\])/.exec(bundle)?.[1] ?? ''
    expect([...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name)).toEqual(playwrightDisables)
  })

  test('no file contains a path that exists on one machine only', () => {
    const home = ['', 'home', 'ada', 'x'].join('/')
    expect(
      findMachinePaths(
        sample('a.md', `see ${home}, (${['', 'root', 'x'].join('/')}) and ${['C:', 'Users', 'ada'].join('\\')}\\x`),
        '/srv/checkout',
      ),
    ).toHaveLength(3)
    expect(
      findMachinePaths(
        sample('a.md', `in ${['', 'srv', 'checkout'].join('/')}/src`),
        ['', 'srv', 'checkout'].join('/'),
      ),
    ).toHaveLength(1)
    expect(
      findMachinePaths(
        sample('a.md', 'https://example.org/home/ada/x, /usr/bin/chromium, /roots/a, ./home/a/b'),
        '/srv/checkout',
      ),
    ).toEqual([])
    expect(tracked().flatMap((file) => findMachinePaths(file, root))).toEqual([])
  })

  test('no test uses .only or waits for a fixed time', () => {
    const code =
      "test.only('a', f); test.describe.only('b', f); await page.waitForTimeout(5); const s = 'test.only('; // it.only("
    expect(findTestViolations(sample('test/a.spec.ts', code))).toHaveLength(3)
    expect(typescript('test').flatMap(findTestViolations)).toEqual([])
  })

  test('every promise, fault and threat in docs/guarantees.md has a tag, and every tag is that of a test', () => {
    const tagged = new Set(
      typescript('test').flatMap(({ code }) =>
        [...code.matchAll(/['"`]@?([RCFS]\d+(?:\.\d+)?)['"`]/g)].map(([, tag]) => tag),
      ),
    )
    const page = readFileSync(join(root, 'docs/guarantees.md'), 'utf8')
    const untested = (text: string) =>
      [...text.matchAll(/`@([RCFS]\d+(?:\.\d+)?)`/g)].map(([, tag]) => tag).filter((tag) => !tagged.has(tag))
    // In two parts, because the tags of this file count, too.
    expect(untested('A promise. `@R1.1` `@F' + '999`')).toEqual(['F' + '999'])
    expect(untested(page)).toEqual([])
    // Items of numbered lists, and rows of the two tables whose last column is for tags.
    const untagged = (text: string) =>
      text
        .split(/\n(?=\d+\. |\| |#|\n)/)
        .filter((part, index, all) => {
          const isInTable = all
            .slice(0, index)
            .findLast((one) => /\| tags? \|$|^#/m.test(one))
            ?.startsWith('| ')
          return /^\d+\. /.test(part) || (isInTable === true && /^\| (?!\*\*|:?-)/.test(part))
        })
        .filter((part) => !/`@[RCFS]\d/.test(part))
    const sampled =
      '1. Kept. `@R1.1`\n2. Only said.\n\n## Faults\n| fault | tag |\n|---|---|\n| told | `@F1` |\n| untold | |'
    expect(untagged(sampled)).toEqual(['2. Only said.', '| untold | |'])
    expect(untagged(page)).toEqual([])
  })

  test('site and playground have one mark, and colours and fonts from one file', () => {
    const read = (path: string) => readFileSync(join(root, path), 'utf8')
    expect(read('site/public/icon.svg')).toBe(read('playground/shared/icon.svg'))
    for (const path of ['site/.vitepress/theme/style.css', 'playground/shared/site.css'])
      expect(read(path)).toMatch(/^@import '[./a-z]*brand\.css';$/m)
    expect(read('site/.vitepress/theme/style.css')).not.toMatch(/--vp-(?:c-(?:bg|text)|font)[a-z0-9-]*: (?!var\()/)
  })

  test('the commands of the README are scripts, and CI runs npm test', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    for (const command of ['npm ci && npm start', 'npm ci && npm test']) expect(readme).toContain(command)
    for (const name of ['start', 'test'])
      expect(existsSync(join(root, scripts[name]?.replace(/^node /, '') ?? '?'))).toBe(true)
    const ci = readFileSync(join(root, '.ci/run'), 'utf8')
    expect(ci).toMatch(/^npm test /m)
  })
})

/** The compiler's errors for core/ without the DOM. With `extra`, for a file with this code beside it instead. */
function checkCore(extra?: string): string {
  if (extra === undefined) return compile(join(root, 'tsconfig.core.json'))
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-core-'))
  try {
    for (const file of ['tsconfig.json', 'tsconfig.core.json', 'test/support/project/core-globals.d.ts'])
      cpSync(join(root, file), join(folder, file))
    cpSync(join(root, 'src/core/data/json.ts'), join(folder, 'src/core/data/json.ts'))
    writeFileSync(join(folder, 'src/core/extra.ts'), extra)
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    return compile(join(folder, 'tsconfig.core.json'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function compile(project: string): string {
  return spawnSync(process.execPath, [tsc, '-p', project, '--pretty', 'false'], { encoding: 'utf8' }).stdout
}

/** Text files that git tracks. Without a git folder: all files outside of the ignored folders. */
function tracked(): Source[] {
  const list = existsSync(join(root, '.git'))
    ? execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
    : readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
        (path) => !/^(?:node_modules|dist|test-results)\b/.test(path),
      )
  return list
    .filter(
      (path) =>
        !['.png', '.webp', '.jpg', '.ico', '.woff2', '.gz', '.zip'].includes(extname(path)) &&
        !path.startsWith('test/corpora/'),
    )
    .filter((path) => existsSync(join(root, path)) && !path.endsWith('/'))
    .flatMap((path) => {
      try {
        return [{ path, code: readFileSync(join(root, path), 'utf8') }]
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EISDIR') return []
        throw error
      }
    })
}
