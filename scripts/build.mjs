// Builds dist/: the entries with their lazy chunks, the worker and the model providers as files without
// imports, the declarations, and the licences of all bundled packages. Uses Rolldown instead of Vite's `build`, because
// Vite wraps each `import()` in a preloader for HTML pages and rewrites `new URL('./worker.js', import.meta.url)`,
// which a consumer's bundler must find unchanged.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { appendFile, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import remapping from '@jridgewell/remapping'
import MagicString from 'magic-string'
import { litApart } from './lit-apart.mjs'
import { elements, frameworkTypes, manifestOf } from './manifest.mjs'
import { requireNode } from './node-version.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The entries for pages: file in dist/ without its extension, and source. */
export const entries = {
  'tool-agent': 'src/index.ts',
  agent: 'src/agent.ts',
  tools: 'src/tools.ts',
  inspector: 'src/inspector.ts',
}
/** The entry with the MCP client. Built separately, so that no file that a usual visit loads depends on it. */
export const mcpEntries = { mcp: 'src/mcp.ts' }
/** The entries for frameworks, one file each. They import the framework and `tool-agent.js`. */
export const frameworkEntries = { react: 'src/react.ts', vue: 'src/vue.ts' }
/** The entries for Node, servers, custom workers and tests. Built separately, so that they share no chunk with a page. */
const hostEntries = {
  models: 'src/models.ts',
  host: 'src/worker.ts',
  testing: 'src/testing.ts',
}
/** A server of conversations, one file without imports: it reads messages with zod, so nothing is loaded later. */
const serverEntries = { server: 'src/server.ts' }
/** The relay, one file without imports for servers: Node and edge runtimes. */
const relayEntries = { relay: 'src/relay.ts' }
/** The command `tool-agent`, for Node. It includes the offline model of the playground. */
export const cliEntry = 'cli/main.ts'
/** Files that import no other file, because a consumer's bundler may move each of them separately. */
export const alone = {
  worker: 'src/host/worker.ts',
  ...Object.fromEntries(modelFolders().map((name) => [`models/${name}`, `src/host/models/${name}/index.ts`])),
}

/** The folders of `host/models/` that are a file of their own: providers, fallback models, the text protocol. */
function modelFolders() {
  const folder = join(root, 'src/host/models')
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'index.ts')))
}

/**
 * Builds everything. `outDir` is emptied first.
 * @param {{ root?: string, outDir?: string, declarations?: boolean }} [options]
 * @returns {Promise<import('rolldown').OutputChunk[]>}
 */
export async function build({ root: from = root, outDir = 'dist', declarations = true } = {}) {
  const out = resolve(from, outDir)
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const chunks = [
    ...(await bundle(from, out, entries, { codeSplitting: { groups } }, [runtimeInAgent])),
    ...(await bundle(from, out, mcpEntries, {}, [mcpClientAlone, zodWithoutEval])),
    ...(await bundle(from, out, hostEntries, {})),
    ...(await bundle(from, out, serverEntries, { codeSplitting: false }, [withoutModelFiles])),
    ...(await bundle(from, out, relayEntries, { codeSplitting: false })),
    ...(await bundle(from, out, frameworkEntries, { banner: clientDirective }, [withFrameworkOutside])),
  ]
  for (const [name, source] of Object.entries(alone)) {
    chunks.push(...(await bundle(from, out, { [name]: source }, { codeSplitting: false }, [withoutModelFiles])))
  }
  chunks.push(...(await bundleCommand(from, out)))
  await writeFile(join(out, 'licenses.md'), licenses(chunks))
  await writeFile(join(out, 'integrity.json'), `${JSON.stringify(integrity(out), null, 2)}\n`)
  await cp(join(from, 'themes'), join(out, 'themes'), { recursive: true })
  if (declarations) {
    declare(from, out)
    const all = elements()
    await writeFile(join(out, 'custom-elements.json'), `${JSON.stringify(manifestOf(all), null, 2)}\n`)
    for (const [name, text] of Object.entries(frameworkTypes(all))) await writeFile(join(out, 'types', name), text)
    // The tag `<tool-agent>` in templates, for everyone who imports the entry.
    await appendFile(join(out, 'types/vue.d.ts'), "export type * from './vue-elements.js'\n")
  }
  return chunks
}

/** Files that always load together form one chunk with their imports, because many small chunks compress worse. */
const groups = [
  {
    name: 'agent',
    // With what a later chunk uses as well, which would otherwise load with the element.
    test: /[\\/]src[\\/](?:agent|page[\\/]trusted-types|page[\\/]early-border|core[\\/]loading[\\/]load-explained|core[\\/]data[\\/]action|ui[\\/]element[\\/]nodes|ui[\\/]i18n[\\/]unloaded|ui[\\/]styles[\\/]page-look|ui[\\/]isolation[\\/]\w[\w-]*)\.ts$/,
    priority: 4,
  },
  { name: 'panel', test: /[\\/]src[\\/]ui[\\/]panel[\\/]create-panel\.ts$/, priority: 1 },
  { name: 'conversation', test: /[\\/]src[\\/]ui[\\/]conversation\.ts$/ },
  // The definitions come first, so that they do not load the code of the tools that they share files with.
  { name: 'tool-lists', test: /[\\/]src[\\/]page-tools[\\/]definitions[\\/]/, priority: 3 },
  { name: 'page-tools', test: /[\\/]src[\\/]page-tools[\\/]implementation\.ts$/, priority: 1 },
  // Before the page tools, which share files with it: the first message must not wait for them.
  { name: 'agent-client', test: /[\\/]src[\\/]page[\\/]client[\\/]agent-client\.ts$/, priority: 2 },
]

/**
 * @param {string} from @param {string} out @param {Record<string, string>} input
 * @param {import('rolldown').OutputOptions} output @param {import('rolldown').Plugin[]} [plugins]
 */
async function bundle(from, out, input, output, plugins = []) {
  const { build } = await import('rolldown')
  const result = await build({
    cwd: from,
    input: Object.fromEntries(Object.entries(input).map(([name, source]) => [name, join(from, source)])),
    platform: 'browser',
    tsconfig: false,
    preserveEntrySignatures: 'strict',
    // `sideEffects` in package.json lists files of dist/. Without this, the line that defines the element is dropped.
    treeshake: { moduleSideEffects: (id) => (id.includes('node_modules') ? undefined : true) },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [litApart, litWithoutDocument, plainStrings, tightStyles, ...plugins],
    onLog(level, log, report) {
      // Every warning is a defect of the package: a missing name, an import cycle, an unresolved import.
      if (level === 'warn' && log.code !== 'PLUGIN_TIMINGS') throw new Error(`${log.code ?? ''} ${log.message}`)
      report(level, log)
    },
    output: {
      dir: out,
      format: 'es',
      entryFileNames: '[name].js',
      // A chunk of a package is named after the package, because its first file is often just `index.js`.
      chunkFileNames: (chunk) => `${packageName(chunk.facadeModuleId) ?? '[name]'}-[hash].js`,
      minify: true,
      // Licences are in licenses.md. A consumer's bundler needs the annotations.
      comments: { legal: false, annotation: true, jsdoc: false },
      // Without a comment in the file, because the package does not contain the maps.
      sourcemap: 'hidden',
      ...output,
    },
  })
  return result.output.filter((file) => file.type === 'chunk')
}

/**
 * One file for Node. Packages are imported from the project that runs the command.
 * @param {string} from @param {string} out
 */
async function bundleCommand(from, out) {
  const { build } = await import('rolldown')
  const result = await build({
    cwd: from,
    input: join(from, cliEntry),
    platform: 'node',
    tsconfig: false,
    external: (id) => id.startsWith('node:'),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    output: { file: join(out, 'cli.mjs'), format: 'es', codeSplitting: false, comments: { legal: false } },
  })
  return result.output.filter((file) => file.type === 'chunk')
}

/**
 * Replaces the code of a chunk, and adapts its source map.
 * @param {import('rolldown').OutputChunk} chunk @param {MagicString} code
 */
function replaceCode(chunk, code) {
  if (!code.hasChanged()) return
  const map = code.generateMap({ hires: true }).toString()
  chunk.code = code.toString()
  // A file that only exports from others has no map.
  if (!chunk.map) return
  // `ignoreList` has indexes of `sources`, from which remapping removes those without code.
  const { version, sources, sourcesContent, names, mappings, ignoreList } = remapping(
    [map, JSON.stringify(chunk.map)],
    () => null,
  )
  chunk.map = Object.assign(chunk.map, { version, sources, sourcesContent, names, mappings, ignoreList })
}

/**
 * Lit's browser files read `document` and `HTMLElement` when they load, so that a server could not import an entry.
 * Lit's files for Node avoid this too, but include an emulation of the DOM that is not needed here. And they call the
 * methods of the document, which a named element of the page hides: after `<img name=createElement>` nothing would be
 * drawn. So the methods are taken from the class.
 * @type {import('rolldown').Plugin}
 */
const litWithoutDocument = {
  name: 'lit-without-document',
  transform: {
    filter: {
      id: /[\\/]node_modules[\\/](?:@lit[\\/]reactive-element[\\/]reactive-element|lit-html[\\/](?:lit-html|directive-helpers))\.js$/,
    },
    handler(code, id) {
      const name = /[,\s](\w+)=document,/.exec(code)?.[1] ?? 'document'
      const method = 'globalThis.Document?.prototype.$2.call($1,'
      /** @type {[RegExp, string][]} */
      const changes = id.endsWith('reactive-element.js')
        ? [[/extends HTMLElement\{/g, 'extends(globalThis.HTMLElement??class{}){']]
        : [[new RegExp(`\\b(${name})\\.(create[A-Z]\\w+)\\(`, 'g'), method]]
      if (id.endsWith('lit-html.js')) {
        changes.push([/(?<=[,\s]\w+=)document(?=,)/g, 'globalThis.document'])
        changes.push([new RegExp(`\\((\\w+\\?\\.creationScope\\?\\?${name})\\)\\.(importNode)\\(`, 'g'), method])
      }
      const missing = changes.find(([from]) => !code.match(from))
      if (missing) throw new Error(`${id} does not match ${missing[0]}. If it needs no change any more, remove this.`)
      return { code: changes.reduce((text, [from, to]) => text.replace(from, to), code), map: null }
    },
  },
}

/** React on a server loads such a file in the browser only. @param {{ name: string }} chunk */
const clientDirective = ({ name }) => (name === 'react' ? "'use client';" : '')

/**
 * Leaves the framework to the page, and imports the SDK from the built entry, so that it is loaded once.
 * @type {import('rolldown').Plugin}
 */
const withFrameworkOutside = {
  name: 'with-framework-outside',
  resolveId: {
    filter: { id: /^(?:react|react-dom|vue|\.{1,2}\/index\.js)$/ },
    handler: (id) => ({ id: id.startsWith('.') ? './tool-agent.js' : id, external: true }),
  },
}

/**
 * The client of MCP brings a validator for JSON Schema, which is not used: patterns of a foreign server could block the
 * page. Replaces the file that selects it.
 * @type {import('rolldown').Plugin}
 */
const mcpClientAlone = {
  name: 'mcp-client-alone',
  resolveId: {
    filter: { id: /^@modelcontextprotocol\/client\/_shims$/ },
    handler: (id) => `\0${id}`,
  },
  load: {
    filter: { id: /^\0@modelcontextprotocol\/client\/_shims$/ },
    handler: () => 'export const CORS_IS_POSSIBLE = true\nexport class DefaultJsonSchemaValidator {}',
  },
}

/**
 * zod tries `new Function` to find out whether it may compile schemas. A page with a strict policy would report that as a
 * violation, and the setting `jitless` would apply to the page's own zod as well.
 * @type {import('rolldown').Plugin}
 */
const zodWithoutEval = {
  name: 'zod-without-eval',
  transform: {
    filter: { id: /[\\/]node_modules[\\/]zod[\\/]v4[\\/]core[\\/](?:util|schemas)\.js$/ },
    handler(code, id) {
      const [from, to] = id.endsWith('util.js')
        ? [/allowsEval = (?:\/\*.*?\*\/ ?)?cached\(\(\) => \{/, 'allowsEval = cached(() => { return false;']
        : [/const jit = !core\.globalConfig\.jitless;/, 'const jit = false;']
      if (!from.test(code)) throw new Error(`${id} does not match ${from}: adapt zodWithoutEval`)
      return { code: code.replace(from, to), map: null }
    },
  },
}

/**
 * Removes comments and unnecessary spaces from styles, which the minifier treats as strings.
 * @type {import('rolldown').Plugin}
 */
const tightStyles = {
  name: 'tight-styles',
  transform: {
    filter: { id: /[\\/]src[\\/]ui[\\/].*styles?.*\.ts$/ },
    handler: (code) => ({
      code: code.replaceAll(/css`[^`]*`/g, (css) =>
        css
          .replaceAll(/\/\*.*?\*\//gs, '')
          .replaceAll(/\s+/g, ' ')
          .replaceAll(/ ?([{};,>]) ?/g, '$1')
          .replaceAll(/;}|: /g, (sign) => (sign === ': ' ? ':' : '}')),
      ),
      map: null,
    }),
  },
}

/**
 * Keeps model providers out of the worker. The page sends the worker their URLs, so that it loads only those it uses.
 * @type {import('rolldown').Plugin}
 */
const withoutModelFiles = {
  name: 'without-model-files',
  load: {
    filter: { id: /[\\/]src[\\/]host[\\/]models[\\/]provider-imports\.ts$/ },
    handler: () => 'export const bundledFiles = { providers: new Map() }',
  },
}

/**
 * The minifier writes strings as templates, but bundlers look for strings in `new URL()` and `import()`. Changes them
 * back. Both have the same length, so the source map stays correct.
 * @type {import('rolldown').Plugin}
 */
const plainStrings = {
  name: 'plain-strings',
  generateBundle(options, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue
      file.code = file.code.replace(/\b(new URL|import)\(`(\.\/[\w./-]+\.js)`(?=[,)])/g, '$1("$2"')
    }
  },
}

/**
 * Moves the bundler's helper functions from a chunk of their own to the chunk `agent`, which every entry loads first. A
 * browser finds a chunk only after it has parsed the file that imports it, so a chunk is one more round trip before the
 * first paint. The helpers are added at the end, so the source map stays correct.
 * @type {import('rolldown').Plugin}
 */
const runtimeInAgent = {
  name: 'runtime-in-agent',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const agent = chunks.find(({ name, isEntry }) => name === 'agent' && !isEntry)
    const runtime = chunks.find(({ name }) => name === 'rolldown-runtime')
    if (agent === undefined || runtime === undefined)
      throw new Error('There is no chunk agent or rolldown-runtime: adapt or remove runtimeInAgent')
    const [, code, list] = /^([^]*?)export ?\{([^}]*)\};?\s*$/.exec(runtime.code) ?? []
    const names = list?.split(',').map((one) => one.trim().split(' as ')) ?? []
    if (code === undefined || names.length === 0) throw new Error(`Unexpected code in ${runtime.fileName}`)
    // No minified name has this form.
    const rename = (/** @type {string | undefined} */ name) => `_${name}_`
    const given = names.map(([local, exported = local]) => `${exported}:${local}`)
    const taken = names.map(([local, exported = local]) => `${exported}:${rename(exported)}`)
    const helpers = `export const{${taken}}=(()=>{${code.trim()}return{${given}}})();\n`
    agent.code = agent.code.replace(/(\/\/# sourceMappingURL=.*)?\s*$/, (end) => helpers + end.trimStart())
    const imports = /import ?\{([^}]*)\} ?from ?["'`]\.\/rolldown-runtime-[\w-]+\.js["'`];?/
    const others = `from"./${agent.fileName}"`
    for (const chunk of chunks) {
      const [whole, names = ''] = (chunk.imports.includes(runtime.fileName) && imports.exec(chunk.code)) || []
      if (whole === undefined) continue
      const renamed = `import{${names.trim().replaceAll(/(?<=^|,)([\w$]+)( as [\w$]+)?/g, (_, name, as = ` as ${name}`) => rename(name) + as)}`
      const rest = chunk.code.indexOf('import{', chunk.code.indexOf(whole) + whole.length)
      const code = new MagicString(chunk.code)
      // Added to the import of other names, if it is the next one.
      if (rest >= 0 && chunk.code.indexOf('from', rest) === chunk.code.indexOf(others, rest))
        code.replace(whole, '').update(rest, rest + 'import{'.length, `${renamed},`)
      else code.replace(whole, `${renamed}}${others};`)
      replaceCode(chunk, code)
      if (chunk.code.includes(runtime.fileName))
        throw new Error(`Unexpected import of ${runtime.fileName} in ${chunk.fileName}`)
    }
    delete bundle[runtime.fileName]
  },
}

/**
 * The hash of every script, for the attribute `integrity` and for import maps. The keys are paths below `dist`.
 * @param {string} out
 */
function integrity(out) {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  return Object.fromEntries(
    files.sort().map((file) => {
      const hash = createHash('sha384').update(readFileSync(join(out, file)))
      return [file.replaceAll('\\', '/'), `sha384-${hash.digest('base64')}`]
    }),
  )
}

/** @param {string} from @param {string} out */
function declare(from, out) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const options = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--rootDir',
    'src',
    '--outDir',
    join(out, 'types'),
  ]
  execFileSync(process.execPath, [tsc, '-p', join(from, 'tsconfig.build.json'), ...options], {
    cwd: from,
    stdio: 'inherit',
  })
}

/**
 * The licence texts of the packages in these chunks. A package that ships no licence file needs its text in
 * `scripts/licenses/`, because the licences require the text to be distributed.
 * @param {{ moduleIds: string[] }[]} chunks
 */
export function licenses(chunks) {
  const folders = new Set(
    chunks.flatMap((chunk) => chunk.moduleIds.map(packageFolder)).filter((folder) => folder !== undefined),
  )
  const sections = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return `## ${name} ${version} (${license})\n\n${licenseText(folder, name)}\n`
  })
  return ['# Licences of the bundled packages\n', ...new Set(sections)].join('\n')
}

/** @param {string} folder @param {string} name */
function licenseText(folder, name) {
  const own = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  if (own !== undefined) return readFileSync(join(folder, own), 'utf8').trim()
  const kept = join(root, 'scripts/licenses', `${fileName(name)}.md`)
  if (existsSync(kept)) return readFileSync(kept, 'utf8').trim()
  throw new Error(`${name} ships no licence file: save its licence text as scripts/licenses/${fileName(name)}.md`)
}

/** `@cfworker/json-schema` → `cfworker-json-schema`. @param {string} name */
function fileName(name) {
  return name.replace('@', '').replace(/[\\/]/g, '-')
}

/** The name of the package that a module belongs to, as a file name. @param {string | null} id */
function packageName(id) {
  const name =
    id === null
      ? undefined
      : packageFolder(id)
          ?.split(/[\\/]node_modules[\\/]/)
          .at(-1)
  return name && fileName(name)
}

/** @param {string} id */
function packageFolder(id) {
  const match = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id.replace(/^\0/, ''))
  return match?.[1] !== undefined && existsSync(join(match[1], 'package.json')) ? match[1] : undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode()
  const chunks = await build()
  process.stdout.write(`${chunks.length} files in dist/\n`)
}
