// The house rules as pure functions from sources to sentences, one sentence a breach. The parser of the bundler reads
// the files, so a word in a comment or a string is never taken for code.
import { posix } from 'node:path'
import { parseSync, type ESTree } from 'rolldown/utils'

export interface Source {
  /** Relative to the project, with slashes. */
  readonly path: string
  readonly code: string
}

export interface Import {
  readonly from: string
  /** A path of the project for a relative one, else as it is written; undefined where it is computed. */
  readonly to: string | undefined
  readonly kind: 'static' | 'lazy' | 'type'
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

/** The text with blanks for comments, so that places stay. */
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

/** `document.write` → `document.write`; anything that is not names and dots → its last name. */
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
        add(specifier, 'lazy')
        break
    }
  }
  return found
}

function resolved(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
}

/** What a folder may import besides itself. A prefix ends in a slash; a package stands for its subpaths, too. */
interface Rule {
  readonly any?: readonly string[]
  readonly lazy?: readonly string[]
  readonly types?: readonly string[]
}

/** Which folder may import what. The longest path that fits a file is its rule; what a parent may, its parts may. */
const table: Record<string, Rule> = {
  'src/core/': { types: ['@standard-schema/spec'] },
  'src/host/': { any: ['src/core/'] },
  'src/host/store/indexed-db.ts': { any: ['idb'] },
  'src/host/models/openai/': { any: ['eventsource-parser'] },
  'src/page/': {
    any: ['src/core/'],
    types: ['@standard-schema/spec'],
    lazy: ['@cfworker/json-schema', 'zod-to-json-schema', 'zod/v4/core'],
  },
  'src/page/link/spawn.ts': { lazy: ['src/host/'] },
  'src/page-tools/': {
    any: ['src/core/', 'css-what', 'dom-accessibility-api'],
    types: ['src/page/'],
    lazy: ['@modelcontextprotocol/'],
  },
  'src/ui/': {
    any: ['src/core/', 'src/page/agent.ts', 'lit'],
    types: ['src/page/'],
    lazy: ['src/page-tools/', 'marked', 'src/ui/i18n/de.ts'],
  },
}
/** Files directly in src/ are entries and may import anything in it, but no package. */
const entry = /^src\/[^/]+\.ts$/
const fits = (to: string, pattern: string): boolean =>
  to === pattern || to.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`)

/**
 * Imports that the table does not allow. What may come by `import()` alone may stand in a static import of a file that
 * itself comes by `import()` alone: what counts is that no root's own graph has it.
 */
export function importBreaches(sources: readonly Source[], roots: readonly string[]): string[] {
  const all = sources.flatMap(importsOf)
  const atOnce = staticClosure(all, roots)
  return all.flatMap(({ from, to, kind }) => {
    const say = (why: string) => [`${from} imports ${to ?? 'something computed'}: ${why}`]
    if (to === undefined) return kind === 'lazy' && isHandedOver(sources, from) ? [] : say('the path must be a string')
    if (entry.test(from)) return to.startsWith('src/') ? [] : say('an entry imports src/ alone')
    const rules = Object.entries(table).filter(([path]) => (path.endsWith('/') ? from.startsWith(path) : from === path))
    const home = rules.find(([path]) => path.endsWith('/'))
    if (home === undefined) return say('its folder is not in the table of folders')
    const may = (list: keyof Rule) => rules.some(([, rule]) => rule[list]?.some((pattern) => fits(to, pattern)))
    if (may('lazy')) {
      if (kind !== 'static' || (!to.startsWith('src/') && !atOnce.has(from))) return []
      return say('by import() alone')
    }
    if (to.startsWith(home[0]) || may('any')) return []
    if (may('types')) return kind === 'type' ? [] : say('its types alone')
    return say(`${home[0]} may not`)
  })
}

/** A provider's file is named by the page: the one import whose path is not known here, and marked as such. */
function isHandedOver(sources: readonly Source[], path: string): boolean {
  return (
    path.startsWith('src/host/') &&
    sources.some((source) => source.path === path && /import\(\s*\/\* @vite-ignore \*\//.test(source.code))
  )
}

function staticClosure(imports: readonly Import[], roots: readonly string[]): Set<string> {
  const reached = new Set(roots)
  // The Set grows while it is walked, up to its new end.
  for (const file of reached) {
    for (const { from, to, kind } of imports)
      if (from === file && kind === 'static' && to !== undefined) reached.add(to)
  }
  return reached
}

/** Each circle of imports once, types included: what needs each other is one thing and stands in one place. */
export function importCycles(sources: readonly Source[]): string[] {
  const edges = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source).flatMap(({ to, kind }) => (to !== undefined && kind !== 'lazy' ? [to] : [])),
    ]),
  )
  const cycles = new Map<string, string>()
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      const circle = trail.slice(start)
      cycles.set([...circle].sort().join(), `${[...circle, path].join(' → ')}`)
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

/** `any` as a type, decorators, and `console` outside the one file that may. */
export function languageBreaches(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    const at = lineAt(source, node['start'])
    if (node.type === 'TSAnyKeyword') return [`${at} any`]
    if (node.type === 'Decorator') return [`${at} a decorator, which Vite does not lower`]
    if (node.type === 'Identifier' && node['name'] === 'console' && source.path !== 'src/page/log.ts')
      return [`${at} console`]
    return []
  })
}

const sinkWords =
  /\b(?:innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment|srcdoc(?=\s*=)|DOMParser|unsafeHTML|unsafeSVG|unsafeMathML|unsafeStatic)\b/g
const sinkCalls = /(?:^|\.)(?:eval|Function|execScript|document\.write(?:ln)?)$/
const timers = /(?:^|\.)(?:setTimeout|setInterval)$/

/** Ways from a string to markup or code. The words count in templates, too, where Lit would set the property. */
export function sinkBreaches(source: Source): string[] {
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

/** `core/` is given the time and random values; it does not ask for them. */
export function clockBreaches(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return []
    const name = nameOf(node['callee'])
    const isNow = name === 'Date' && (node['arguments'] as unknown[]).length === 0
    return isNow || name === 'Date.now' || name === 'Math.random' ? [`${lineAt(source, node['start'])} ${name}()`] : []
  })
}

/** A file opens with its place in the flow, in comment lines; a long one says there why it is. */
export function headerBreaches(source: Source): string[] {
  const header = /^(?:\/\/.*\n)+/.exec(source.code)?.[0] ?? ''
  const lines = source.code.split('\n').length - 1
  if (header === '') return [`${source.path} does not open with a comment that says its place`]
  if (lines > 300 && !/\bover 300 lines\b/i.test(header))
    return [`${source.path} has ${lines} lines; its header says no “Over 300 lines because …”`]
  return []
}

/** What makes a test run pass, or wait, for the wrong reason. */
export function testBreaches(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    if (node.type !== 'CallExpression') return []
    const name = nameOf(node['callee'])
    if (/(?:^|\.)(?:test|it|describe)(?:\.\w+)*\.only$/.test(name)) return [`${lineAt(source, node['start'])} ${name}`]
    if (/(?:^|\.)waitForTimeout$/.test(name)) return [`${lineAt(source, node['start'])} ${name}`]
    return []
  })
}

// --- The rest of the project -------------------------------------------------------------------------------------

/** Ranges where a version is wanted. A peer is somebody else's to choose. */
export function versionBreaches(packageJson: Record<string, unknown>): string[] {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((list) =>
    Object.entries((packageJson[list] ?? {}) as Record<string, string>)
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${list}: ${name} ${version}`),
  )
}

/** Places of one machine: somebody's home, or where this checkout happens to be. */
export function pathBreaches(source: Source, checkout: string): string[] {
  const homes = String.raw`(?:/(?:home|Users)/[\w.-]+/|/roo[t]/|\b[A-Z]:\\+Users\\)`
  const here = checkout.length > 5 ? `|${checkout.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}` : ''
  return [...source.code.matchAll(new RegExp(`(?<![\\w./:-])${homes}${here}`, 'g'))].map(
    (match) => `${lineAt(source, match.index)} ${match[0]}`,
  )
}
