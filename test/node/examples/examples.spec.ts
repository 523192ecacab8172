// The examples of frameworks without their packages: each names the version of the SDK and files that exist, and the one
// for Next.js compiles against the packed package. The integration test builds and opens all of them in the long run.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, root, test } from '../../support/project/dist.js'
import { packInto } from '../../support/project/package.js'

interface PackageJson {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}
const packageOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson

test('every example depends on this version, and its README names commands to run it', () => {
  const folder = join(root, 'examples')
  const names = readdirSync(folder).filter((name) => name !== 'relay')
  expect(names).toEqual(
    expect.arrayContaining(['angular', 'headless', 'nextjs', 'plain-html', 'react-vite', 'svelte-vite', 'vue-vite']),
  )
  for (const name of names) {
    expect(packageOf(join(folder, name)).dependencies['tool-agent'], name).toBe(packageOf(root).version)
    expect(readFileSync(join(folder, name, 'README.md'), 'utf8'), name).toMatch(/npm install && [^\n]*npm start/)
  }
})

test('the example for Next.js compiles in strict mode', ({ dist }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-nextjs-'))
  try {
    cpSync(join(root, 'examples/nextjs/app'), join(folder, 'app'), { recursive: true })
    const modules = join(folder, 'node_modules')
    packInto(dist, join(modules, 'tool-agent'))
    for (const name of ['@types/react', '@types/node', 'undici-types', 'csstype', '@standard-schema/spec']) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
    }
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'examples/nextjs/tsconfig.json'), 'utf8')) as {
      compilerOptions: object
    }
    // Only the declarations of Next.js itself need `skipLibCheck`.
    const options = { ...compilerOptions, skipLibCheck: false, incremental: false, plugins: [], types: ['node'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['app'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
      cwd: folder,
    })
    expect(stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
