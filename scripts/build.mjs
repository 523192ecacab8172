// Makes dist/: the entries with their lazy chunks flat beside them, the worker and the provider as files that import no
// sibling, the declarations, and the licences of what is inside. Rolldown itself, not Vite's `build`: that one wraps
// each `import()` in a preloader for HTML pages and rewrites `new URL('./worker.js', import.meta.url)`, which bundlers
// of others must find as it is.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireNode } from './node-version.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** File in dist/ without its ending → source. */
export const entries = {
  'tool-agent': 'src/index.ts',
  agent: 'src/agent.ts',
  tools: 'src/tools.ts',
  inspector: 'src/inspector.ts',
}
/** For Node and for workers of others: built apart, so that they share no chunk with a page and bring nothing of it. */
const hostEntries = { models: 'src/models.ts', host: 'src/worker.ts', testing: 'src/testing.ts' }
/** These import no sibling: a bundler of others may move each of them by itself. */
export const alone = {
  worker: 'src/host/worker.ts',
  'models/openai': 'src/host/models/openai/index.ts',
  'models/text-protocol': 'src/host/models/text-protocol.ts',
}

/**
 * @param {{ root?: string, outDir?: string, declarations?: boolean }} [options] `outDir` is emptied first.
 * @returns {Promise<import('rolldown').OutputChunk[]>}
 */
export async function build({ root: from = root, outDir = 'dist', declarations = true } = {}) {
  const out = resolve(from, outDir)
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const chunks = [
    ...(await bundle(from, out, entries, { codeSplitting: { groups } })),
    ...(await bundle(from, out, hostEntries, {})),
  ]
  for (const [name, source] of Object.entries(alone)) {
    chunks.push(...(await bundle(from, out, { [name]: source }, { codeSplitting: false }, [withoutProviders])))
  }
  await writeFile(join(out, 'licenses.md'), licenses(chunks))
  if (declarations) declare(from, out)
  return chunks
}

/** What is always loaded together is one chunk: many small ones are larger. Each with all that it imports. */
const groups = [
  { name: 'agent', test: /[\\/]src[\\/](?:agent|ui[\\/]message[\\/]call-state)\.ts$/ },
  { name: 'panel', test: /[\\/]src[\\/]ui[\\/]panel[\\/]create-panel\.ts$/ },
  { name: 'page-tools', test: /[\\/]src[\\/]page-tools[\\/]tool-lists\.ts$/ },
  {
    name: 'answers',
    test: /[\\/]src[\\/]page[\\/](?:answers[\\/]answers-chunk|validation[\\/]json-schema-check)\.ts$/,
  },
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
    // package.json speaks of dist/; in the source every module counts, or the line that defines the element is dropped.
    treeshake: { moduleSideEffects: (id) => (id.includes('node_modules') ? undefined : true) },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      litWithoutDocument,
      plainStrings,
      tightStyles,
      lexerAlone,
      nativeCollections,
      idbWithoutIterators,
      ...plugins,
    ],
    onLog(level, log, report) {
      // A warning about what we publish is a defect: a name that is missing, a cycle, an import left bare.
      if (level === 'warn' && log.code !== 'PLUGIN_TIMINGS') throw new Error(`${log.code ?? ''} ${log.message}`)
      report(level, log)
    },
    output: {
      dir: out,
      format: 'es',
      entryFileNames: '[name].js',
      // Named by its package where the file that starts it is one of a package's many `index.js`.
      chunkFileNames: (chunk) => `${packageName(chunk.facadeModuleId) ?? '[name]'}-[hash].js`,
      minify: true,
      // Licences stand in licenses.md. Annotations are for the bundlers of others.
      comments: { legal: false, annotation: true, jsdoc: false },
      sourcemap: true,
      ...output,
    },
  })
  return result.output.filter((file) => file.type === 'chunk')
}

/**
 * Lit's browser files read two names of the DOM as they are loaded, so that no server could import an entry. Its files
 * for Node do what is done here, with an emulation of the DOM besides that nobody here needs.
 * @type {import('rolldown').Plugin}
 */
const litWithoutDocument = {
  name: 'lit-without-document',
  transform: {
    filter: {
      id: /[\\/]node_modules[\\/](?:@lit[\\/]reactive-element[\\/]reactive-element|lit-html[\\/]lit-html)\.js$/,
    },
    handler(code, id) {
      const [from, to] = id.endsWith('lit-html.js')
        ? [/([,\s]\w+)=document,/, '$1=globalThis.document??{createTreeWalker(){}},']
        : [/extends HTMLElement\{/, 'extends(globalThis.HTMLElement??class{}){']
      if (!from.test(code)) throw new Error(`${id} no longer reads ${from}: does it load without a document by now?`)
      return { code: code.replace(from, to), map: null }
    },
  },
}

/**
 * Styles are strings to the minifier: comments, line ends and the spaces around signs go here.
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
 * Of marked only the lexer is used, and of its dialects one. What that does not need goes, which no bundler can tell: a
 * default instance is made and given properties as the file is loaded, and tables hold the rules of all dialects.
 * @type {import('rolldown').Plugin}
 */
const lexerAlone = {
  name: 'lexer-alone',
  transform: {
    filter: { id: /[\\/]node_modules[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/ },
    handler: withLexerAlone,
  },
}

/** What src/ui/markdown/markdown-lexer.ts sets or leaves alone; nobody else makes a lexer. */
const dialect = { gfm: '!0', pedantic: '!1', breaks: '!1', silent: '!1', extensions: 'null', hooks: 'null' }

/** @param {string} source @param {string} id */
export async function withLexerAlone(source, id) {
  const { minifySync, parseSync } = await import('rolldown/utils')
  const local = /\b([\w$]+) as Lexer\b/.exec(source)?.[1]
  if (local === undefined) throw new Error(`${id} no longer exports its Lexer as it did`)
  const settled = source.replaceAll(/\bthis\.options\.(\w+)\b(?! ?=[^=])/g, (whole, /** @type {string} */ name) =>
    name in dialect ? dialect[/** @type {keyof typeof dialect} */ (name)] : whole,
  )
  const { code, map } = minifySync(id, settled, {
    module: true,
    sourcemap: true,
    compress: { target: 'es2022' },
    mangle: false,
  })
  let left = code
  // Blanks take the place of what goes, so the source map stays right. Each round may leave more that nothing needs.
  for (let before = ''; before !== left;) {
    before = left
    for (const { start, end } of unneeded(parseSync(id, left).program, local))
      left = left.slice(0, start) + left.slice(start, end).replace(/[^\n]/g, ' ') + left.slice(end)
  }
  return { code: `${left}\nexport { ${local} as Lexer }`, map: map ?? null }
}

/** @typedef {{ type: string, start: number, end: number, [key: string]: unknown }} Node */

/**
 * Statements and variables that the one class does not lead to, and what nothing asks for by name of its static members
 * and of objects that hold rules. @param {unknown} program @param {string} root @returns {Node[]}
 */
function unneeded(program, root) {
  /** @param {unknown} node @param {(node: Node) => void} visit */
  const walk = (node, visit) => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node) visit(/** @type {Node} */ (node))
    for (const value of Object.values(node)) walk(value, visit)
  }
  /** @param {unknown} node */
  const names = (node) => {
    /** @type {string[]} */
    const found = []
    walk(node, (one) => {
      if (one.type === 'Identifier') found.push(String(one['name']))
    })
    return found
  }
  /** @param {unknown} list */
  const nodes = (list) => /** @type {any[]} */ (list)
  const parts = nodes(/** @type {Node} */ (program)['body']).flatMap((node) => {
    if (node.type === 'VariableDeclaration')
      return nodes(node.declarations).map((one, index) => ({
        node: one,
        whole: node,
        next: node.declarations[index + 1],
        declares: names(one.id),
        uses: names(one.init),
      }))
    // A statement belongs to the name that it begins with.
    const declares = node.type === 'ExpressionStatement' ? names(node).slice(0, 1) : node.id ? names(node.id) : []
    return [{ node, whole: node, next: undefined, declares, uses: names(node) }]
  })
  const wanted = new Set([root])
  const kept = new Set()
  for (const name of wanted) {
    for (const part of parts) {
      if (!part.declares.includes(name) || kept.has(part)) continue
      kept.add(part)
      for (const use of part.uses) wanted.add(use)
    }
  }
  const asked = new Set()
  for (const { node } of kept) {
    walk(node, (one) => {
      if (one.type === 'MemberExpression' && !one['computed']) asked.add(/** @type {Node} */ (one['property'])['name'])
      if (one.type === 'ObjectPattern') for (const { key } of nodes(one['properties'])) asked.add(key?.name)
    })
  }
  /** @type {Node[]} */
  const gone = []
  const wholes = new Map()
  for (const part of parts) wholes.set(part.whole, [...(wholes.get(part.whole) ?? []), part])
  for (const [whole, of] of wholes) {
    const stay = of.filter((/** @type {unknown} */ one) => kept.has(one))
    if (stay.length === 0) gone.push(whole)
    // With the comma behind it, or before it where all behind it go, too.
    else
      for (const [index, part] of of.entries()) {
        if (kept.has(part)) continue
        const isLast = !of.slice(index).some((/** @type {unknown} */ one) => kept.has(one))
        gone.push({
          ...part.node,
          start: isLast ? of[index - 1].node.end : part.node.start,
          end: isLast ? part.node.end : part.next.start,
        })
      }
  }
  for (const { node } of kept) {
    const members =
      node.init?.type === 'ObjectExpression'
        ? node.init.properties
        : node.init?.type === 'ClassExpression'
          ? nodes(node.init.body.body).filter((one) => one.static)
          : []
    for (const one of members) {
      if (one.key?.type !== 'Identifier' || one.computed || asked.has(one.key.name)) continue
      gone.push({
        ...one,
        end:
          node.init.type === 'ObjectExpression' && one !== node.init.properties.at(-1)
            ? node.init.properties[node.init.properties.indexOf(one) + 1].start
            : one.end,
      })
    }
  }
  return gone
}

/**
 * What every browser has by now, in place of what a package brings for those of old.
 * @type {import('rolldown').Plugin}
 */
const nativeCollections = {
  name: 'native-collections',
  load: {
    filter: { id: /[\\/]dom-accessibility-api[\\/]dist[\\/]polyfills[\\/](?:SetLike|array\.from)\.mjs$/ },
    handler: (id) => (id.endsWith('SetLike.mjs') ? 'export default Set' : 'export default (list) => Array.from(list)'),
  },
}

/**
 * idb makes cursors iterable, which the store has no use for: it reads by key. The file that may import idb is held to it.
 * @type {import('rolldown').Plugin}
 */
const idbWithoutIterators = {
  name: 'idb-without-iterators',
  transform: {
    filter: {
      id: /[\\/]node_modules[\\/]idb[\\/]build[\\/]index\.js$|[\\/]src[\\/]host[\\/]store[\\/]indexed-db\.ts$/,
    },
    handler(code, id) {
      if (id.endsWith('.ts')) {
        if (/\bfor await\b|\biterate\b/.test(code))
          throw new Error(`${id} iterates over a cursor, which the build takes out of idb: see idbWithoutIterators`)
        return
      }
      const part = /const advanceMethodProps = [^]*?(?=export \{)/
      if (!part.test(code)) throw new Error(`${id} no longer has its iterators where they were`)
      return { code: code.replace(part, (text) => text.replaceAll(/[^\n]/g, ' ')), map: null }
    },
  },
}

/**
 * The worker is told where these are: what it had with it would be all providers in the end.
 * @type {import('rolldown').Plugin}
 */
const withoutProviders = {
  name: 'without-providers',
  load: {
    filter: { id: /[\\/]src[\\/]host[\\/]models[\\/]bundled-providers\.ts$/ },
    handler: () => 'export const bundledProviders = {}',
  },
}

/**
 * The minifier writes strings as templates. Bundlers of others look for strings in these two places, so they become
 * strings again; both are of one length, the source map stays right.
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

/** The licence text of each package that went into a chunk. @param {import('rolldown').OutputChunk[]} chunks */
function licenses(chunks) {
  const folders = new Set(
    chunks.flatMap((chunk) => chunk.moduleIds.map(packageFolder)).filter((folder) => folder !== undefined),
  )
  const sections = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
    return `## ${name} ${version} (${license})${text}\n`
  })
  return ['# Licences of the packages inside these files\n', ...new Set(sections)].join('\n')
}

/** `@cfworker/json-schema` → `cfworker-json-schema`. @param {string | null} id */
function packageName(id) {
  const folder = id === null ? undefined : packageFolder(id)
  return folder
    ?.split(/[\\/]node_modules[\\/]/)
    .at(-1)
    ?.replace('@', '')
    .replace(/[\\/]/g, '-')
}

/** @param {string} id */
function packageFolder(id) {
  const match = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id.replace(/^\0/, ''))
  return match?.[1] !== undefined && existsSync(join(match[1], 'package.json')) ? match[1] : undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode()
  const chunks = await build()
  const { table } = await import('./budget.mjs')
  process.stdout.write(`${chunks.length} files in dist/\n${table(join(root, 'dist'))}\n`)
}
