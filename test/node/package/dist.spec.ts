// The built package without a browser: its imports, its size, that Node can load it, and that a consumer's compiler
// accepts the declarations.
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
import { dirname, join, posix, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { alone, licenses } from '../../../scripts/build.mjs'
import { expect, root, test } from '../../support/project/dist.js'
import { importsOf } from '../../support/project/project-rules.js'
import { packInto } from '../../support/project/package.js'

interface PackageJson {
  readonly exports: Record<string, string | { types: string; default?: string }>
  readonly sideEffects: readonly string[]
  readonly dependencies: Record<string, string>
  readonly peerDependencies: Record<string, string>
}
/** Entries that import their framework, which is not a package of this project. wrappers.spec.ts runs them. */
const frameworkEntries = ['./react', './vue']
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageJson
const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** A page author's script that uses every entry, with its types. */
const consumer = `
import 'tool-agent/inspector'
import { createAgent, defineTool, type Agent } from 'tool-agent'
import { createAgent as headless, ToolAgentError, type TurnResult } from 'tool-agent/agent'
import { chatCompletions } from 'tool-agent/models'
import { mcpTools } from 'tool-agent/mcp'
import { readTools } from 'tool-agent/tools'
import { postgresStore, SessionServer, sqliteStore, upgradeHandler } from 'tool-agent/server'
import type { PostgresPool, SqliteHandle, UpgradeOptions, UpgradeRequest } from 'tool-agent/server'
import { scriptedModel, storeConformance, type ScriptedStep } from 'tool-agent/testing'
import { memoryStore, serve } from 'tool-agent/worker'
import { z } from 'zod'

const agent: Agent = createAgent({ endpoint: '/v1', model: 'm' })
const element = document.querySelector('tool-agent')!
element.agent = agent
element.registerTool(readTools())
element.registerToolProvider(mcpTools({ url: '/mcp', onElicitation: ({ ask }) => ask() }))
agent.registerTool(defineTool({
  name: 'find', inputSchema: z.object({ query: z.string() }),
  execute: ({ query }) => query.toUpperCase(),
}))
// @ts-expect-error the tool's input has no such property
defineTool({ name: 'find', inputSchema: z.object({ query: z.string() }), execute: ({ other }) => other })
const result: Promise<TurnResult> = headless().send('hello')
const steps: ScriptedStep[] = [{ calls: [{ name: 'find' }] }, 'Found.', ({ messages }) => messages[0]?.role ?? '']
const tested = headless({ modelAdapter: scriptedModel(steps) })
const cases = storeConformance({ create: () => new Map(), open: (disk) => memoryStore(disk) }).map(({ title }) => title)
export const storeOf = (db: SqliteHandle, user: string) => sqliteStore(db).forUser(user)
export const sharedStoreOf = (pool: PostgresPool, user: string) => postgresStore(pool).forUser(user)
const order = defineTool({
  name: 'order', contextSchema: z.object({ user: z.string() }),
  execute: (_input, { toolContext }) => toolContext.user.toUpperCase(),
})
export const serverOf = (db: SqliteHandle, options: UpgradeOptions<UpgradeRequest & { headers: { cookie?: string } }>) =>
  upgradeHandler(new SessionServer({ store: sqliteStore(db), model: scriptedModel([]), tools: [order] }), options)
export { cases, chatCompletions, memoryStore, result, tested, serve, ToolAgentError }
`

function scripts(dist: string): { path: string; code: string }[] {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  return files
    .filter((file) => file.endsWith('.js'))
    .map((path) => ({ path, code: readFileSync(join(dist, path), 'utf8') }))
}

/** A file and everything that it imports statically. */
function graph(dist: string, file: string): { path: string; code: string }[] {
  const all = new Map(scripts(dist).map((script) => [script.path, script]))
  const found = new Set([file])
  for (const path of found) {
    const script = all.get(path)
    if (script === undefined) throw new Error(`${file} imports ${path}, which does not exist`)
    for (const { to, kind } of importsOf(script))
      if (kind === 'static' && to !== undefined) found.add(to.replace(/\.ts$/, '.js'))
  }
  return [...found].map((path) => all.get(path)!)
}

/**
 * The sources of a source map as absolute paths with slashes. A build inside `node_modules` lists packages by relative
 * paths without that name.
 */
function sourcesOf(map: string): string[] {
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }
  return sources.map((source) => resolve(dirname(map), source).replaceAll('\\', '/'))
}

/** Absolute paths of the sources of a file. */
function inside(dist: string, file: string): string[] {
  const map = join(dist, `${file}.map`)
  return existsSync(map) ? sourcesOf(map) : []
}

test('every export of package.json has its file and its declarations', ({ dist }) => {
  for (const target of Object.values(packageJson.exports).flatMap((one) =>
    typeof one === 'string' ? [one] : Object.values(one),
  )) {
    if (target.startsWith('./dist/') && !target.includes('*'))
      expect(existsSync(join(dist, target.slice('./dist/'.length))), target).toBe(true)
  }
})

test('only the entries of frameworks import a package, which is their framework', ({ dist }) => {
  const bare = scripts(dist)
    .flatMap(importsOf)
    .filter(({ to, kind }) => to !== undefined && kind !== 'type' && !/^[\w.-]+\.(?:js|ts)$/.test(to))
  expect(bare.map(({ from, to }) => `${from}: ${to}`).sort()).toEqual([
    'react.js: react',
    'react.js: react-dom',
    'vue.js: vue',
  ])
  expect(Object.keys(packageJson.peerDependencies)).toEqual(expect.arrayContaining(['react', 'react-dom', 'vue']))
})

test('every file exports what other files import from it', ({ dist }) => {
  const exported = new Map<string, Set<string>>()
  const used: { from: string; file: string; name: string }[] = []
  for (const { path, code } of scripts(dist)) {
    const { staticImports, staticExports } = parseSync(path, code).module
    const entries = staticExports.flatMap((one) => one.entries)
    exported.set(path, new Set(entries.flatMap(({ exportName }) => exportName.name ?? [])))
    const imported = [
      ...staticImports.flatMap((one) =>
        one.entries.map(({ importName }) => [one.moduleRequest.value, importName.name] as const),
      ),
      ...entries.map(({ moduleRequest, importName }) => [moduleRequest?.value, importName.name] as const),
      // The namespace of a module, or one of its names.
      ...[...code.matchAll(/import\(["`](\.\/[\w.-]+)["`]\)\.then\(([\w$]+)=>\2\.([\w$]+)/g)].map(
        ([, file, , name]) => [file, name] as const,
      ),
    ]
    for (const [request, name] of imported)
      if (request?.startsWith('./') && name != null)
        used.push({ from: path, file: posix.join(posix.dirname(path), request), name })
  }
  expect(used.length).toBeGreaterThan(500)
  expect(used.filter(({ file, name }) => exported.get(file)?.has(name) !== true)).toEqual([])
})

test('the panel imports no file that is found only after the panel is parsed', ({ dist }) => {
  const panel = readdirSync(dist).find((file) => /^panel-[\w-]+\.js$/.test(file))!
  const loaded = new Set(graph(dist, 'tool-agent.js').map(({ path }) => path))
  expect(
    graph(dist, panel)
      .map(({ path }) => path)
      .filter((path) => path !== panel && !loaded.has(path)),
  ).toEqual([])
})

for (const path of Object.keys(alone).map((name) => `${name}.js`)) {
  test(`${path} imports no other file`, ({ dist }) => {
    const code = readFileSync(join(dist, path), 'utf8')
    expect(importsOf({ path, code }).filter(({ to }) => to !== undefined)).toEqual([])
  })

  test(`exactly one file references ${path}, by the expression that bundlers recognize`, ({ dist }) => {
    const naming = scripts(dist)
      .filter(({ code }) => code.includes(`new URL("./${path}",import.meta.url)`))
      .map((script) => script.path)
    expect(naming).toHaveLength(1)
    // It is loaded when an agent connects.
    const lazy = graph(dist, 'agent.js').flatMap(importsOf)
    expect(lazy.filter(({ kind }) => kind === 'dynamic').map(({ to }) => to?.replace(/\.ts$/, '.js'))).toContain(
      naming[0],
    )
  })
}

test('the worker loads its model provider from a URL that bundlers do not follow', ({ dist }) => {
  expect(inside(dist, 'models/openai.js').some((source) => source.endsWith('/src/host/models/openai/index.ts'))).toBe(
    true,
  )
  expect(
    inside(dist, 'worker.js').filter((source) =>
      /\/src\/host\/models\/(?:chat|openai|anthropic|sse|text)|eventsource-parser/.test(source),
    ),
  ).toEqual([])
  const code = readFileSync(join(dist, 'worker.js'), 'utf8')
  expect(code.match(/\bimport\s*\(/g)).toHaveLength(1)
  expect(code).toMatch(/import\(\s*\/\* @vite-ignore \*\/\s*\/\* webpackIgnore: true \*\/\s*`\$\{\w+\}`\)/)
})

test('an error of a separately built file is an instance of ToolAgentError', async ({ dist }) => {
  const { ToolAgentError } = (await import(join(dist, 'host.js'))) as typeof import('../../../src/worker.js')
  const { provider } = (await import(
    join(dist, 'models/openai.js')
  )) as typeof import('../../../src/host/models/openai/index.js')
  const model = provider({
    endpoint: 'not a url',
    credentials: 'same-origin',
    stream: true,
    limits: { responseBytes: 1 },
    headers: async () => ({}),
  })
  const request = { system: '', messages: [], tools: [], toolChoice: 'auto', model: 'm' } as const
  const thrown: unknown = await model
    .stream(request, new AbortController().signal)
    [Symbol.asyncIterator]()
    .next()
    .catch((error: unknown) => error)
  expect((thrown as Error).constructor).not.toBe(ToolAgentError)
  expect(thrown instanceof ToolAgentError && thrown.code).toBe('invalid-option')
  expect(new TypeError('no') instanceof ToolAgentError).toBe(false)
})

test('tool-agent/agent does not include Lit, and only the entry of a server includes zod', ({ dist }) => {
  const graphOf = (file: string) => graph(dist, file).flatMap(({ path }) => inside(dist, path))
  expect(
    scripts(dist).some(({ path }) => inside(dist, path).some((source) => /\/node_modules\/lit-html\//.test(source))),
  ).toBe(true)
  expect(graphOf('agent.js').filter((source) => /\/node_modules\/(?:@lit|lit)/.test(source))).toEqual([])
  for (const file of ['tool-agent.js', 'agent.js', 'tools.js', 'models.js', 'host.js', 'testing.js', 'worker.js']) {
    expect(
      graphOf(file).filter((source) => /\/node_modules\/zod/.test(source)),
      file,
    ).toEqual([])
  }
})

test('no file has the messages of zod in other languages than English', ({ dist }) => {
  const locales = scripts(dist).flatMap(({ path }) =>
    inside(dist, path).filter((source) => /\/zod\/v4\/locales\/(?!en\.js$)/.test(source)),
  )
  expect(locales).toEqual([])
  expect(inside(dist, 'server.js').some((source) => source.endsWith('/zod/v4/locales/en.js'))).toBe(true)
})

test('tool-agent/mcp loads the client of MCP by import(), compiles no code, and is part of no other entry', ({
  dist,
}) => {
  const own = graph(dist, 'mcp.js').map(({ path }) => path)
  expect(own.flatMap((path) => inside(dist, path)).filter((source) => source.includes('/node_modules/'))).toEqual([])
  const client = readdirSync(dist).filter((file) => /^(?:mcp-server|sign-in-dialog)-[\w-]+\.js$/.test(file))
  expect(client).toHaveLength(2)
  for (const path of [...own, ...client])
    expect(readFileSync(join(dist, path), 'utf8'), path).not.toMatch(/\bFunction\b ?[(`,;]|\beval\(/)
  for (const name of ['tool-agent.js', 'agent.js', 'tools.js', 'inspector.js'])
    for (const { path } of graph(dist, name))
      expect(inside(dist, path).filter((source) => /\/src\/mcp\/|@modelcontextprotocol/.test(source))).toEqual([])
})

test('sideEffects lists every file that defines an element', ({ dist }) => {
  const defining = scripts(dist)
    .filter(({ code }) => /customElements\.define\(/.test(code))
    .map(({ path }) => `./dist/${path}`)
  expect(defining.length).toBeGreaterThan(0)
  const listed = packageJson.sideEffects.map(
    (pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`),
  )
  expect(defining.filter((file) => !listed.some((pattern) => pattern.test(file)))).toEqual([])
})

test('every entry can be imported without a browser', { tag: '@F14' }, ({ dist }) => {
  for (const [name, target] of Object.entries(packageJson.exports)) {
    // Some entries have only types.
    if (typeof target === 'string' || target.default === undefined || frameworkEntries.includes(name)) continue
    const file = join(dist, target.default.slice('./dist/'.length))
    const { stderr, stdout, status } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
      const entry = await import(${JSON.stringify(`file://${file}`)})
      console.log(JSON.stringify(Object.keys(entry)))`,
      ],
      { encoding: 'utf8' },
    )
    expect(stderr, name).toBe('')
    expect(status, name).toBe(0)
    expect((JSON.parse(stdout) as string[]).length, name).toBeGreaterThan(0)
  }
})

test('the definitions of the page tools load without their code', ({ dist }) => {
  const [definitions = ''] = readdirSync(dist).filter((file) => /^tool-lists-.*\.js$/.test(file))
  const code = readFileSync(join(dist, definitions), 'utf8')
  const needed = importsOf({ path: definitions, code }).filter(({ kind }) => kind === 'static')
  expect(needed.map(({ to = '' }) => to.replace(/-.*/, ''))).toEqual(needed.map(() => 'agent'))
  const sources = sourcesOf(join(dist, `${definitions}.map`))
  expect(sources.filter((path) => /\/read\/|\/fill\/form-fill|\/sensitive-terms\.ts$/.test(path))).toEqual([])
  expect(sources.some((path) => path.endsWith('/watch-passwords.ts'))).toBe(true)
})

test('what sends a message is one file, without the code of the page tools', ({ dist }) => {
  const client = readdirSync(dist).find((file) => /^agent-client-[\w-]+\.js$/.test(file))!
  const chunks = graph(dist, client).map(({ path }) => path.replace(/-[\w-]{8}\.js$/, ''))
  expect(chunks.toSorted()).toEqual(['agent', 'agent-client'])
})

test('the declarations import exactly the packages in dependencies', { tag: '@S33' }, ({ dist }) => {
  const types = join(dist, 'types')
  // A consumer's compiler only reads the declarations that the entries import.
  const files = new Set(
    // Not the types for frameworks: who imports them has the framework.
    Object.entries(packageJson.exports).flatMap(([name, one]) =>
      typeof one === 'string' || one.default === undefined || frameworkEntries.includes(name)
        ? []
        : [one.types.slice('./dist/types/'.length)],
    ),
  )
  const packages = new Set<string>()
  for (const path of files) {
    for (const { to } of importsOf({ path, code: readFileSync(join(types, path), 'utf8') })) {
      if (to === undefined) continue
      if (to.endsWith('.ts')) files.add(to.replace(/(?:\.d)?\.ts$/, '.d.ts'))
      else packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to)
    }
  }
  expect([...packages].sort()).toEqual(Object.keys(packageJson.dependencies).sort())
})

test('the packed package has the files that consumers need and passes a strict type check', async ({ dist }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-consumer-'))
  try {
    const files = packInto(dist, join(folder, 'node_modules/tool-agent'))
    expect(files).toEqual(
      expect.arrayContaining([
        'package.json',
        'README.md',
        'LICENSE',
        'dist/tool-agent.js',
        ...Object.keys(alone).map((name) => `dist/${name}.js`),
        'dist/licenses.md',
        'dist/integrity.json',
        'dist/types/index.d.ts',
        'dist/relay.js',
        'examples/relay/server.mjs',
        'skills/tool-agent/SKILL.md',
        'cli/init/templates/react/Assistant.tsx',
      ]),
    )
    expect(
      files.filter(
        (file) =>
          !/^(?:dist\/|docs\/|examples\/relay\/|skills\/|cli\/init\/templates\/|package\.json$|README\.md$|LICENSE$)/.test(
            file,
          ),
      ),
    ).toEqual([])
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
    // Symbolic links, so that the compiler also finds the dependencies of these packages.
    for (const name of [...Object.keys(packageJson.dependencies), 'zod']) {
      mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'page.ts'), consumer)
    for (const moduleResolution of ['bundler', 'nodenext']) {
      const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--types', '']
      const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext'
      const run = spawnSync(
        process.execPath,
        [tsc, 'page.ts', '--ignoreConfig', '--module', module, '--moduleResolution', moduleResolution, ...options],
        { cwd: folder, encoding: 'utf8' },
      )
      expect(run.stdout + run.stderr, moduleResolution).toBe('')
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test(
  'every bundled package has its licence text, and one without a text fails the build',
  { tag: '@S33' },
  ({ dist }) => {
    const text = readFileSync(join(dist, 'licenses.md'), 'utf8')
    const sections = text.split(/^## (?=\S+ \d+\.\d+\.\d+ \()/m).slice(1)
    expect(sections.map((section) => /^\S+/.exec(section)?.[0])).toEqual(
      expect.arrayContaining(['@cfworker/json-schema', 'lit-html']),
    )
    for (const section of sections) expect(section.length, section.slice(0, 60)).toBeGreaterThan(500)
    const folder = mkdtempSync(join(tmpdir(), 'tool-agent-licences-'))
    try {
      const modules = join(folder, 'node_modules/without-licence')
      mkdirSync(modules, { recursive: true })
      writeFileSync(
        join(modules, 'package.json'),
        '{ "name": "without-licence", "version": "1.0.0", "license": "MIT" }',
      )
      const chunk = { moduleIds: [join(modules, 'index.js')] }
      expect(() => licenses([chunk])).toThrow(/without-licence ships no licence file.*scripts\/licenses/)
      writeFileSync(join(modules, 'LICENSE'), 'The licence text')
      expect(licenses([chunk])).toContain('## without-licence 1.0.0 (MIT)\n\nThe licence text')
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
