// Which tests may notice the machine: those of specs that use recorded material from outside of the project, and those
// that measure layout. `npm run test:elsewhere` runs them without that material and with other fonts. Found by their
// text, so that no list has to be kept.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** The module that reads recorded material. */
const corpora = 'test/support/lab/corpora.ts'
/** What a page or a test says where something is, or how large. */
const measures =
  /\b(?:boundingBox|getBoundingClientRect|getClientRects|elementFromPoint|toBeInViewport|screenshot|(?:scroll|client|offset)(?:Height|Width|(?:Top|Left)\b(?!\s*=[^=])))\b/

/**
 * The tests that may notice the machine, as `test/some.spec.ts:12`, or the file alone if a hook of it may.
 * @param {string} root
 * @returns {string[]}
 */
export function machineTests(root) {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const specs = files.filter((name) => name.endsWith('.spec.ts') && !name.includes('node_modules'))
  /** @type {Map<string, boolean>} */
  const known = new Map([[resolve(root, corpora), true]])
  return specs.flatMap((name) => {
    const file = resolve(root, 'test', name)
    const code = readFileSync(file, 'utf8')
    const recorded = importsOf(file, code).flatMap((one) => (uses(one.file, known) ? one.names : []))
    const lines = noticingLines(code, recorded)
    const path = relative(root, file)
    return lines === 'all' ? [path] : lines.map((line) => `${path}:${line}`)
  })
}

/**
 * The lines of the tests that measure or use recorded material, themselves or by a function of their file; all if a
 * hook does.
 * @param {string} code
 * @param {readonly string[]} recorded Names that are imported from modules that read recorded material.
 * @returns {'all' | number[]}
 */
export function noticingLines(code, recorded = []) {
  /** @type {{ start: number, text: string }[]} */
  const tests = []
  /** @type {string[]} */
  const hooks = []
  /** The text of each function and constant, by name. @type {Map<string, string>} */
  const declared = new Map()
  const textOf = (/** @type {{ start: number, end: number }} */ node) => code.slice(node.start, node.end)
  const { program } = parseSync('spec.ts', code)
  for (const statement of /** @type {any[]} */ (program.body)) {
    const what = statement.declaration ?? statement
    for (const one of what.declarations ?? [what]) if (one.id?.name) declared.set(one.id.name, textOf(one))
  }
  walk(program, (node) => {
    if (node.type !== 'CallExpression' || !/Function/.test(node.arguments.at(-1)?.type ?? '')) return
    const called = textOf(node.callee)
    if (/^test(\.(only|skip|fixme|fail))?$/.test(called)) tests.push({ start: node.start, text: textOf(node) })
    else if (/^test\.(before|after)(Each|All)$/.test(called)) hooks.push(textOf(node))
  })
  const noticing = new Set(recorded)
  const notices = (/** @type {string} */ text) =>
    measures.test(text) || [...noticing].some((name) => new RegExp(`(?<![\\w$.])${name}\\b`).test(text))
  for (let before = -1; before < noticing.size;) {
    before = noticing.size
    for (const [name, text] of declared) if (notices(text)) noticing.add(name)
  }
  if (hooks.some(notices)) return 'all'
  return tests.filter(({ text }) => notices(text)).map(({ start }) => code.slice(0, start).split('\n').length)
}

/** @param {any} node @param {(node: any) => void} visit */
function walk(node, visit) {
  if (Array.isArray(node)) for (const one of node) walk(one, visit)
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node)
    for (const value of Object.values(node)) walk(value, visit)
  }
}

/** Whether a module of the tests imports one that is known to. @param {string} file @param {Map<string, boolean>} known */
function uses(file, known) {
  const before = known.get(file)
  if (before !== undefined) return before
  known.set(file, false)
  const found = importsOf(file, readFileSync(file, 'utf8')).some((one) => uses(one.file, known))
  known.set(file, found)
  return found
}

/** The files of `test/` that a file imports, and the names of what it imports. @param {string} file @param {string} code */
function importsOf(file, code) {
  return [...code.matchAll(/^import ([^;'"]*?) from '(\.{1,2}\/[^']+)'/gm)]
    .map(([, what = '', path = '']) => ({
      file: resolve(dirname(file), path.replace(/\.js$/, '.ts')),
      // `test` of a module with fixtures that read recorded material is not looked into.
      names: (what.match(/[\w$]+/g) ?? []).filter((name) => !/^(type|as|from|test|expect)$/.test(name)),
    }))
    .filter((one) => one.file.includes('/test/') && existsSync(one.file))
}
