// The examples of frameworks without their packages: each names the version of the SDK and files that exist, and the one
// for Next.js compiles against the packed package. The integration test builds and opens all of them in the long run.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { typeErrorsOf } from '../../support/project/compile.js'
import { expect, root, test } from '../../support/project/dist.js'

interface PackageJson {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}
const packageOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson

test('every example depends on this version, and its README names the commands to run it', () => {
  const folder = join(root, 'examples')
  const names = readdirSync(folder).filter((name) => name !== 'relay' && name !== 'README.md')
  expect(names).toEqual(
    expect.arrayContaining(['angular', 'headless', 'nextjs', 'plain-html', 'react-vite', 'svelte-vite', 'vue-vite']),
  )
  const list = readFileSync(join(folder, 'README.md'), 'utf8')
  for (const name of names) {
    expect(list, 'examples/README.md').toContain(`[${name}](${name})`)
    expect(packageOf(join(folder, name)).dependencies['tool-agent'], name).toBe(packageOf(root).version)
    expect(readFileSync(join(folder, name, 'README.md'), 'utf8'), name).toMatch(/npm install && [^\n]*npm start/)
  }
})

test('the example for Next.js compiles in strict mode', ({ dist }) => {
  const folder = join(root, 'examples/nextjs')
  const names = readdirSync(join(folder, 'app'), { recursive: true, encoding: 'utf8' })
  const files = Object.fromEntries(
    names
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => [`app/${name}`, readFileSync(join(folder, 'app', name), 'utf8')]),
  )
  const needed = ['@types/react', '@types/node', 'undici-types', 'csstype', '@standard-schema/spec']
  const packages = Object.fromEntries(needed.map((name) => [name, join(root, 'node_modules')]))
  const { compilerOptions } = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object
  }
  // Only the declarations of Next.js itself need `skipLibCheck`.
  const more = { ...compilerOptions, skipLibCheck: false, incremental: false, plugins: [], types: ['node'] }
  expect(typeErrorsOf(files, { dist, packages, more })).toBe('')
})
