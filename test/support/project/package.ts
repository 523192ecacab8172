// The package as npm would install it, from a given build.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from '../../../scripts/lint.mjs'

/** Packs with `npm pack`, unpacks into `target`, and returns the paths of the packed files. */
export function packInto(dist: string, target: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-pack-'))
  try {
    // A source file that must not be packed.
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'src/index.ts'), '')
    const { tarball, files } = pack(dist, folder)
    mkdirSync(target, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
    return files
  } finally {
    rmSync(folder, { recursive: true })
  }
}
