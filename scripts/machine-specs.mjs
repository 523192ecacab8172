// Which specs may notice the machine: those that use recorded material from outside of the project, and those that measure
// layout. `npm run test:elsewhere` runs them without that material and with other fonts. Found by their text, so that no
// list has to be kept.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The module that reads recorded material. */
const corpora = 'test/support/lab/corpora.ts'
/** What a page or a test says where something is, or how large. */
const measures =
  /\b(?:boundingBox|getBoundingClientRect|getClientRects|elementFromPoint|toBeInViewport|screenshot|(?:scroll|client|offset)(?:Height|Width|(?:Top|Left)\b(?!\s*=[^=])))\b/

/**
 * The spec files of `test/`, and whether each may notice the machine.
 * @param {string} root
 * @returns {Map<string, boolean>} Absolute paths.
 */
export function machineSpecs(root) {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const specs = files.filter((name) => name.endsWith('.spec.ts') && !name.includes('node_modules'))
  /** @type {Map<string, boolean>} */
  const usesCorpora = new Map([[join(root, corpora), true]])
  return new Map(
    specs.map((name) => {
      const file = join(root, 'test', name)
      return [file, measures.test(readFileSync(file, 'utf8')) || uses(file, usesCorpora)]
    }),
  )
}

/** Whether a module of the tests imports one that is known to. @param {string} file @param {Map<string, boolean>} known */
function uses(file, known) {
  const before = known.get(file)
  if (before !== undefined) return before
  known.set(file, false)
  const found = importsOf(file).some((one) => uses(one, known))
  known.set(file, found)
  return found
}

/** The files of `test/` that a file imports. @param {string} file */
function importsOf(file) {
  return [...readFileSync(file, 'utf8').matchAll(/\bfrom '(\.{1,2}\/[^']+)'/g)]
    .map(([, path = '']) => resolve(dirname(file), path.replace(/\.js$/, '.ts')))
    .filter((path) => path.includes('/test/') && existsSync(path))
}
