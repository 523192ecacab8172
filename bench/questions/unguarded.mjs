// A build of the package without the guard that stops effects while an action runs, to see what the guard is good for.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { build } from '../../scripts/build.mjs'

const file = 'src/page-tools/effects/action-guard.ts'
/** The beginnings of the two methods that decide, and what makes them let everything pass. */
const openings = [
  ['  require(what: StoppedEffect): void {\n', '    if (what) return\n'],
  ['  #permits(what: StoppedEffect): boolean {\n', '    if (what) return true\n'],
]

/**
 * Builds a changed copy of the project in a temporary folder.
 * @param {string} root
 * @returns {Promise<{ dist: string, remove: () => void }>}
 */
export async function buildUnguarded(root) {
  const copy = mkdtempSync(join(tmpdir(), 'unguarded-'))
  const left = /^(?:node_modules|dist|test|test-results|\.git)$/
  cpSync(root, copy, { recursive: true, filter: (from) => !left.test(relative(root, from).split(sep)[0] ?? '') })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  let code = readFileSync(join(copy, file), 'utf8')
  for (const [opening = '', early = ''] of openings) {
    if (!code.includes(opening)) throw new Error(`${file} has no ${JSON.stringify(opening)}`)
    code = code.replace(opening, opening + early)
  }
  writeFileSync(join(copy, file), code)
  await build({ root: copy, declarations: false })
  return { dist: join(copy, 'dist'), remove: () => rmSync(copy, { recursive: true }) }
}
