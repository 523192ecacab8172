// Compiles files of a page author against the packed package, with strict settings.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './build-once.js'
import { packInto } from './package.js'

/** The compiler's errors for these files, with the packed package and packages of a folder. */
export function typeErrorsOf(
  files: Record<string, string>,
  options: { dist: string; packages: Record<string, string>; more?: object },
): string {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-compile-'))
  try {
    const modules = join(folder, 'node_modules')
    packInto(options.dist, join(modules, 'tool-agent'))
    for (const [name, place] of Object.entries(options.packages)) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(place, name), join(modules, name), 'junction')
    }
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
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
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts', '**/*.tsx'] }))
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
