// The framework recipes of docs/recipes.md, unchanged: Next.js compiles against the types of the package. The long run
// installs Svelte and Angular and compiles theirs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test as withFrameworks } from '../../support/page/frameworks.js'
import { builtFolder, expect, root, test } from '../../support/project/dist.js'
import { packInto } from '../../support/project/package.js'

const page = readFileSync(join(root, 'docs/recipes.md'), 'utf8')

/** The first block of a section in a language. */
function blockOf(heading: string, language: string): string {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const code = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(section)?.[1]
  if (code === undefined) throw new Error(`docs/recipes.md has no block of ${language} below ${heading}`)
  return code
}

const agent =
  "import { createAgent } from 'tool-agent/agent'\nexport const agent = createAgent({ endpoint: '/v1', model: 'm' })\n"

/** The compiler's errors for these files, with the packed package and packages of a folder. */
function errorsOf(
  files: Record<string, string>,
  options: { dist: string; packages: Record<string, string>; more?: object },
): string {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-recipes-'))
  try {
    const modules = join(folder, 'node_modules')
    packInto(options.dist, join(modules, 'tool-agent'))
    for (const [name, place] of Object.entries(options.packages)) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(place, name), join(modules, name), 'junction')
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const compilerOptions = {
      strict: true,
      noUnusedLocals: true,
      noEmit: true,
      skipLibCheck: false,
      jsx: 'react-jsx',
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'bundler',
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      types: [],
      ...options.more,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
      cwd: folder,
    })
    return stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the recipe for Next.js compiles in strict mode', ({ dist }) => {
  const modules = join(root, 'node_modules')
  const packages = { '@types/react': modules, csstype: modules, '@standard-schema/spec': modules }
  const code = blockOf('Next.js', 'tsx')
  expect(code.startsWith("'use client'\n"), 'Next.js accepts the directive at the beginning only').toBe(true)
  expect(errorsOf({ 'assistant.tsx': code }, { dist, packages })).toBe('')
})

withFrameworks('the recipes for Svelte and Angular compile', { tag: '@long' }, async () => {
  const packages = join(root, 'test/frameworks/node_modules')
  const compiler = createRequire(join(root, 'test/frameworks/package.json'))('svelte/compiler') as {
    compile(code: string, options: object): { warnings: { message: string }[]; js: { code: string } }
  }
  const { warnings, js } = compiler.compile(blockOf('Svelte', 'svelte'), { filename: 'Assistant.svelte' })
  expect(warnings.map(({ message }) => message)).toEqual([])
  expect(js.code).toContain('tool-agent')

  const dist = await builtFolder()
  const angular = { '@angular/core': packages, rxjs: packages, '@standard-schema/spec': join(root, 'node_modules') }
  const files = { 'agent.ts': agent, 'assistant.ts': blockOf('Angular', 'ts') }
  expect(errorsOf(files, { dist, packages: angular, more: { experimentalDecorators: true, skipLibCheck: true } })).toBe(
    '',
  )
})
