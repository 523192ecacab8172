// The checks of `npm run lint`, one test per check, and that each of them reports a violation.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, packageChecks, runCheck, sourceChecks } from '../../../scripts/lint.mjs'
import { expect, root, test } from '../../support/project/dist.js'

test.describe.configure({ mode: 'parallel' })

for (const [name, command] of Object.entries(sourceChecks)) {
  test(`${name}: ${command.join(' ')} finds no problem`, async () => {
    const { ok, output } = await runCheck(command)
    expect(ok, output).toBe(true)
  })
}

test('npm publish corrects nothing in package.json', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-lint-'))
  try {
    const before = readFileSync(join(root, 'package.json'), 'utf8')
    writeFileSync(join(folder, 'package.json'), before)
    execFileSync('npm', ['pkg', 'fix'], { cwd: folder, stdio: 'ignore', shell: process.platform === 'win32' })
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual(JSON.parse(before))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('no script refers to a source map, because the package contains none', ({ dist }) => {
  const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => /\.m?js$/.test(file))
  expect(scripts.length).toBeGreaterThan(20)
  expect(scripts.filter((file) => readFileSync(join(dist, file), 'utf8').includes('sourceMappingURL='))).toEqual([])
})

test('publint and attw find no problem in the packed package', async ({ dist }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-lint-'))
  try {
    const { tarball } = pack(dist, folder)
    for (const [name, command] of Object.entries(packageChecks)) {
      const { ok, output } = await runCheck([...command, tarball])
      expect(ok, `${name}: ${output}`).toBe(true)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('publint and attw reject a package whose declarations are missing', { tag: '@long' }, async ({ dist }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-lint-'))
  try {
    const broken = join(folder, 'broken')
    cpSync(dist, broken, { recursive: true })
    rmSync(join(broken, 'types/agent.d.ts'))
    const target = join(folder, 'package')
    mkdirSync(target)
    const { tarball } = pack(broken, target)
    for (const command of Object.values(packageChecks)) {
      expect((await runCheck([...command, tarball])).ok, command[0]).toBe(false)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('oxfmt and oxlint reject a nested ternary and a wrong format', async () => {
  const folder = mkdtempSync(join(root, 'node_modules/.cache/tool-agent-lint-'))
  try {
    const file = join(folder, 'sample.ts')
    writeFileSync(file, 'export const a = (b: number) => b > 1 ? "x" : b > 0 ? "y" : "z";\n')
    // Both skip node_modules unless the file is outside of it, so they check a copy of their settings.
    for (const name of ['.oxfmtrc.json', '.oxlintrc.json']) cpSync(join(root, name), join(folder, name))
    expect(readFileSync(file, 'utf8')).toContain('?')
    const lint = await runCheck(['oxlint', '--no-ignore', '-c', join(root, '.oxlintrc.json'), file])
    expect(lint.output).toContain('no-nested-ternary')
    expect(lint.ok).toBe(false)
    const format = await runCheck(['oxfmt', '--check', '-c', join(root, '.oxfmtrc.json'), '--with-node-modules', file])
    expect(format.ok).toBe(false)
    expect(format.output).toContain('sample.ts')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
