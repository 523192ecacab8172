// The rules of this project's code as pure functions. Each takes sources and returns one sentence per violation. The
// bundler's parser reads the files, so that words in comments and strings do not count as code.
import { posix } from 'node:path'
import { parseSync, type ESTree } from 'rolldown/utils'

export interface Source {
  /** Relative to the project, with slashes. */
  readonly path: string
  readonly code: string
}

export interface Import {
  readonly from: string
  /** A path in the project for a relative import, otherwise the specifier. Undefined if the path is computed. */
  readonly to: string | undefined
  readonly kind: 'static' | 'dynamic' | 'type'
}

// --- Reading -----------------------------------------------------------------------------------------------------

type Node = { readonly type: string } & Record<string, unknown>

const parsed = new Map<
  string,
  { readonly program: ESTree.Program; readonly comments: readonly { start: number; end: number }[] }
>()

function parse({ path, code }: Source) {
  const key = `${path}\0${code}`
  const known = parsed.get(key)
  if (known) return known
  const { program, comments, errors } = parseSync(path, code)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const result = { program, comments }
  parsed.set(key, result)
  return result
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Every node, parents first. */
function* nodes(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* nodes(one)
  } else if (isNode(value)) {
    yield value
    for (const [key, child] of Object.entries(value)) {
      if (key !== 'type' && typeof child === 'object') yield* nodes(child)
    }
  }
}

function nodesOf(source: Source): Iterable<Node> {
  return nodes(parse(source).program)
}

/** The code with spaces in place of comments, so that offsets stay the same. */
function withoutComments(source: Source): string {
  let code = source.code
  for (const { start, end } of parse(source).comments) {
    code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end)
  }
  return code
}

function lineAt(source: Source, offset: unknown): string {
  return `${source.path}:${source.code.slice(0, Number(offset)).split('\n').length}`
}

/** The dotted name of an expression (`document.write`), or the last name in it if it is more than names and dots. */
function nameOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (value.type === 'Identifier') return String(value['name'])
  if (Array.isArray(value['expressions'])) return nameOf(value['expressions'].at(-1))
  // Parentheses, optional chains, `as` and `!`.
  if (isNode(value['expression'])) return nameOf(value['expression'])
  if (value.type !== 'MemberExpression') return ''
  const property = value['property']
  const last = value['computed'] === true ? (literal(property) ?? '') : nameOf(property)
  return `${nameOf(value['object'])}.${last}`.replace(/^\./, '')
}

function literal(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'Literal' && typeof value['value'] === 'string') return value['value']
  const quasis = value['quasis']
  if (value.type !== 'TemplateLiteral' || !Array.isArray(quasis) || quasis.length !== 1) return undefined
  return (quasis[0] as { value: { cooked: string } }).value.cooked
}

// --- Imports -----------------------------------------------------------------------------------------------------

export function importsOf(source: Source): Import[] {
  const found: Import[] = []
  const add = (specifier: string | undefined, kind: Import['kind']) =>
    found.push({ from: source.path, to: specifier && resolved(source.path, specifier), kind })
  for (const node of nodesOf(source)) {
    const specifier = literal(node['source'])
    switch (node.type) {
      case 'ImportDeclaration':
        add(specifier, node['importKind'] === 'type' ? 'type' : 'static')
        break
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (specifier !== undefined) add(specifier, node['exportKind'] === 'type' ? 'type' : 'static')
        break
      case 'TSImportType':
        add(specifier ?? literal(node['argument']), 'type')
        break
      case 'ImportExpression':
        add(specifier, 'dynamic')
        break
    }
  }
  return found
}

function resolved(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
}

/** The file in a folder that lists what its files may import. */
export const importRulesFile = 'allowed-imports.json'

/** What the files of a folder may import besides the other files of their part (`src/core/`, `src/host/`, …). */
export interface AllowedImports {
  /** They may not import the other files of their part: the lowest floor of it. */
  readonly alone?: true
  /** By any kind of import. A folder ends in a slash; a package includes its subpaths. */
  readonly static?: readonly string[]
  /** By `import()` and `import type` only, so that no page loads it before it needs it. */
  readonly dynamic?: readonly string[]
  /** By `import type` only. */
  readonly types?: readonly string[]
  /** More permissions for single files of the folder, by file name. */
  readonly files?: Readonly<Record<string, AllowedImports>>
}

/** The `allowed-imports.json` files, by the path of their folder with a slash at the end. */
export type ImportRules = Readonly<Record<string, AllowedImports>>

/** Files directly in src/ are entries: they may import anything in src/, but no package. */
const entryPath = /^src\/[^/]+\.ts$/

function isCoveredBy(to: string, pattern: string): boolean {
  return to === pattern || to.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`)
}

/**
 * The imports that no `allowed-imports.json` allows. The permissions of a folder also hold for its subfolders. A file
 * that is itself only loaded by `import()` may import statically what is listed under `dynamic`, because only the graph
 * of `roots` (what a page loads first) must stay free of it.
 */
export function findImportViolations(
  sources: readonly Source[],
  { rules, roots }: { readonly rules: ImportRules; readonly roots: readonly string[] },
): string[] {
  const all = sources.flatMap(importsOf)
  const loadedFirst = staticClosure(all, roots)
  return all.flatMap(({ from, to, kind }) => {
    const violation = (reason: string) => [`${from} imports ${to ?? 'a computed path'}: ${reason}`]
    if (to === undefined) {
      return kind === 'dynamic' && importsProviderFile(sources, from) ? [] : violation('the path must be a string')
    }
    if (entryPath.test(from)) return to.startsWith('src/') ? [] : violation('an entry may import only src/')
    const part = /^src\/[^/]+\//.exec(from)?.[0] ?? ''
    if (rules[part] === undefined) return violation(`${part} has no allowed-imports.json`)
    const own = Object.keys(rules).find((folder) => from.startsWith(folder) && rules[folder]?.alone) ?? part
    const permissions = permissionsOf(from, rules)
    const allows = (list: 'static' | 'dynamic' | 'types') =>
      permissions.some((one) => one[list]?.some((pattern) => isCoveredBy(to, pattern)))
    if (allows('dynamic')) {
      if (kind !== 'static' || (!to.startsWith('src/') && !loadedFirst.has(from))) return []
      return violation('allowed by import() only')
    }
    if (to.startsWith(own) || allows('static')) return []
    if (allows('types')) return kind === 'type' ? [] : violation('allowed by import type only')
    return violation('not in allowed-imports.json')
  })
}

/** Everything that applies to a file: the rules of all folders above it, and what those say about the file itself. */
function permissionsOf(path: string, rules: ImportRules): AllowedImports[] {
  return Object.entries(rules).flatMap(([folder, rule]) => {
    if (!path.startsWith(folder)) return []
    const own = rule.files?.[path.slice(folder.length)]
    return own ? [rule, own] : [rule]
  })
}

/** The page names the file of a model provider, so that one `import()` has a computed path. It is marked as such. */
function importsProviderFile(sources: readonly Source[], path: string): boolean {
  return (
    path.startsWith('src/host/') &&
    sources.some((source) => source.path === path && /import\(\s*\/\* @vite-ignore \*\//.test(source.code))
  )
}

function staticClosure(imports: readonly Import[], roots: readonly string[]): Set<string> {
  const reached = new Set(roots)
  // A loop over a Set also visits the items that are added while it runs.
  for (const file of reached) {
    for (const { from, to, kind } of imports)
      if (from === file && kind === 'static' && to !== undefined) reached.add(to)
  }
  return reached
}

/** The folder whose files load each other by `import()`: one language each. */
const languages = 'src/ui/i18n/languages'

/** The files that load a file of their own folder by `import()`. Only the borders of chunks are lazy. */
export function findLazyImportsInFolders(source: Source): string[] {
  const folder = posix.dirname(source.path)
  if (folder === languages) return []
  return importsOf(source)
    .filter(
      ({ to, kind }) => kind === 'dynamic' && to !== undefined && to.startsWith('src/') && posix.dirname(to) === folder,
    )
    .map(({ to }) => `${source.path} loads ${to} by import(): a folder is in one chunk`)
}

/**
 * The imports of a file only for its effect: `import './x.js'` and an unused `import('./x.js')`. A bundler may drop them,
 * because package.json lists few files in `sideEffects`.
 */
export function findEffectImports(source: Source): string[] {
  const found: string[] = []
  for (const node of nodesOf(source)) {
    const statement = node.type === 'ExpressionStatement' ? (node['expression'] as Node) : undefined
    const value = statement?.type === 'AwaitExpression' ? (statement['argument'] as Node) : statement
    const hasNoNames = node.type === 'ImportDeclaration' && (node['specifiers'] as unknown[]).length === 0
    if (value?.type === 'ImportExpression' || hasNoNames) {
      const from = ((value ?? node)['source'] as Node)['value']
      found.push(`${source.path} imports ${String(from)} only for its effect: call a function of it instead`)
    }
  }
  return found
}

/** Each import cycle once, including `import type`. Files that need each other belong in one file. */
export function findImportCycles(sources: readonly Source[]): string[] {
  const edges = new Map(sources.map((source) => [source.path, importsOf(source).flatMap(({ to }) => to ?? [])]))
  const cycles = new Map<string, string>()
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      const cycle = trail.slice(start)
      cycles.set([...cycle].sort().join(), `${[...cycle, path].join(' → ')}`)
      return
    }
    if (done.has(path)) return
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const { path } of sources) visit(path, [])
  return [...cycles.values()]
}

// --- Code --------------------------------------------------------------------------------------------------------

/** The files that write to the console. The relay runs on a server, without the files of a page. */
const logFiles: ReadonlySet<string> = new Set(['src/page/log.ts', 'src/relay/log.ts'])

/** `any` as a type, decorators, and `console` outside the log files. */
export function findLanguageViolations(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    const at = lineAt(source, node['start'])
    if (node.type === 'TSAnyKeyword') return [`${at} any`]
    if (node.type === 'Decorator') return [`${at} a decorator, which Vite does not transform`]
    if (node.type === 'Identifier' && node['name'] === 'console' && !logFiles.has(source.path)) return [`${at} console`]
    // Named elements of the page hide the properties of its document.
    if (node.type === 'MemberExpression' && /(?:^|\.)(?:document|ownerDocument)$/.test(nameOf(node['object'])))
      return [`${at} a property of a document without unclobbered()`]
    return []
  })
}

const sinkWords =
  /\b(?:innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment|srcdoc(?=\s*=)|DOMParser|unsafeHTML|unsafeSVG|unsafeMathML|unsafeStatic)\b/g
const sinkCalls = /(?:^|\.)(?:eval|Function|execScript|document\.write(?:ln)?)$/
const timers = /(?:^|\.)(?:setTimeout|setInterval)$/

/**
 * Places that turn a string into markup or code. The names also count inside templates, where Lit sets the property.
 */
export function findInjectionSinks(source: Source): string[] {
  const words = [...withoutComments(source).matchAll(sinkWords)].map(
    (match) => `${lineAt(source, match.index)} ${match[0]}`,
  )
  const calls = [...nodesOf(source)].flatMap((node) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return []
    const name = nameOf(node['callee'])
    const first = (node['arguments'] as unknown[])[0]
    const isText = isNode(first) && (first.type === 'TemplateLiteral' || literal(first) !== undefined)
    const isAttribute = /(?:^|\.)setAttribute$/.test(name) && /^(?:srcdoc|on\w+)$/.test(literal(first) ?? '')
    return isAttribute || sinkCalls.test(name) || (timers.test(name) && isText)
      ? [`${lineAt(source, node['start'])} ${name}(…)`]
      : []
  })
  return [...words, ...calls]
}

/** Reads of the clock and of random values. `core/` receives both as arguments. */
export function findClockReads(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return []
    const name = nameOf(node['callee'])
    const isNow = name === 'Date' && (node['arguments'] as unknown[]).length === 0
    return isNow || name === 'Date.now' || name === 'Math.random' ? [`${lineAt(source, node['start'])} ${name}()`] : []
  })
}

const turns = /^(?:pause|nextTask|waitForFrame|waitForPageUpdates)$/
const timersOfWaits = /^(?:\w+\.)?(?:setTimeout|setInterval|requestAnimationFrame|requestIdleCallback|MessageChannel)$/

/** Waits that are written by hand: timers that settle a promise, and loops that poll the page. */
export function findWaits(source: Source): string[] {
  const calleeOf = (node: Node): string =>
    node.type === 'CallExpression' || node.type === 'NewExpression' ? nameOf(node['callee']) : ''
  const isTurn = (statement: Node): boolean => {
    const { expression } = statement as { readonly expression?: unknown }
    if (!isNode(expression)) return false
    if (calleeOf(expression).endsWith('.throwIfAborted')) return true
    const { argument } = expression as { readonly argument?: unknown }
    return expression.type === 'AwaitExpression' && isNode(argument) && turns.test(calleeOf(argument))
  }
  return [...nodesOf(source)].flatMap((node) => {
    const at = lineAt(source, node['start'])
    const inside = (): Node[] => [...nodes(node)]
    if (calleeOf(node) === 'Promise')
      return inside().some((one) => timersOfWaits.test(calleeOf(one))) ? [`${at} a timer in a promise`] : []
    if (!/^(?:For|While|DoWhile)/.test(node.type)) return []
    const body = node['body'] as Node
    const statements = body.type === 'BlockStatement' ? (body['body'] as readonly Node[]) : [body]
    const polls = statements.length > 0 && statements.every(isTurn)
    const all = inside()
    const readsClock = all.some((one) => calleeOf(one) === 'performance.now')
    return polls || (readsClock && all.some(({ type }) => type === 'AwaitExpression'))
      ? [`${at} a loop that waits`]
      : []
  })
}

/** What tells the page of the end of a request that was held or stopped, which no hand does. */
const requestFiles: ReadonlySet<string> = new Set([
  'src/page-tools/border/held-xhr.ts',
  'src/page-tools/effects/page-requests.ts',
])

/** Events that the page tools make or dispatch outside of their hand. */
export function findEventsOutsideHands(source: Source): string[] {
  const { path } = source
  if (!path.startsWith('src/page-tools/') || path.startsWith('src/page-tools/hands/') || requestFiles.has(path))
    return []
  return [...nodesOf(source)].flatMap((node) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return []
    const name = nameOf(node['callee'])
    const isMade = node.type === 'NewExpression' && /(?:^|\.)\w*Event$/.test(name)
    return isMade || /(?:^|\.)(?:dispatchEvent|createEvent)$/.test(name)
      ? [`${lineAt(source, node['start'])} ${name}: what a hand does belongs in src/page-tools/hands/`]
      : []
  })
}

/** A file without a header comment. */
export function findHeaderViolations(source: Source): string[] {
  return source.code.startsWith('//') ? [] : [`${source.path} has no header comment that says what the file does`]
}

export const maxColumns = 120

/** Lines with more columns than the formatter allows: it does not break strings, templates and comments. */
export function findLongLines({ path, code }: Source): string[] {
  return code.split('\n').flatMap((line, index) => {
    const columns = Array.from(line).length
    return columns > maxColumns
      ? [`${path}:${index + 1} has ${columns} columns, at most ${maxColumns} are allowed`]
      : []
  })
}

/** Calls that skip other tests or wait for a fixed time. */
export function findTestViolations(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    if (node.type !== 'CallExpression') return []
    const name = nameOf(node['callee'])
    if (/(?:^|\.)(?:test|it|describe)(?:\.\w+)*\.only$/.test(name)) return [`${lineAt(source, node['start'])} ${name}`]
    if (/(?:^|\.)waitForTimeout$/.test(name)) return [`${lineAt(source, node['start'])} ${name}`]
    return []
  })
}

// --- The rest of the project -------------------------------------------------------------------------------------

/** Dependencies with a version range instead of an exact version. Peer dependencies may have ranges. */
export function findVersionRanges(packageJson: Record<string, unknown>): string[] {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((list) =>
    Object.entries((packageJson[list] ?? {}) as Record<string, string>)
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${list}: ${name} ${version}`),
  )
}

/** Paths that exist on one machine only: home folders and the folder of this checkout. */
export function findMachinePaths(source: Source, checkout: string): string[] {
  const homes = String.raw`(?:/(?:home|Users)/[\w.-]+/|/roo[t]/|\b[A-Z]:\\+Users\\)`
  const here = checkout.length > 5 ? `|${checkout.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}` : ''
  return [...source.code.matchAll(new RegExp(`(?<![\\w./:-])${homes}${here}`, 'g'))].map(
    (match) => `${lineAt(source, match.index)} ${match[0]}`,
  )
}
