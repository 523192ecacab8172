// The package as npm would install it, from a given build.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './dist.js'

/** Packs with `npm pack`, unpacks into `target`, and returns the paths of the packed files. */
export function packInto(dist: string, target: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-pack-'))
  try {
    const { scripts: _scripts, ...packageJson } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as Record<string, unknown>
    writeFileSync(join(folder, 'package.json'), JSON.stringify(packageJson))
    for (const file of ['README.md', 'LICENSE']) cpSync(join(root, file), join(folder, file))
    cpSync(dist, join(folder, 'dist'), { recursive: true })
    // A source file that must not be packed.
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'src/index.ts'), '')
    const printed = execFileSync('npm', ['pack', '--json', '--silent'], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    const [packed] = JSON.parse(printed) as { filename: string; files: { path: string }[] }[]
    if (packed === undefined) throw new Error(`npm pack printed ${printed}`)
    mkdirSync(target, { recursive: true })
    execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', target, '--strip-components=1'])
    return packed.files.map(({ path }) => path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
