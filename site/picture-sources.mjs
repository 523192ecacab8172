// What the pictures of README and docs show: the styles and the English words of the panel, and the pages that are photographed.
// `node site/screenshots.mjs` writes a hash of these files beside the pictures, and a test compares it.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['src/ui/styles', 'playground/hero', 'playground/launcher', 'playground/orders', 'playground/shop']
const files = [
  'src/ui/i18n/en.ts',
  'src/page-tools/summaries/summary-texts.ts',
  'playground/shared/brand.css',
  'playground/shared/site.css',
  'site/screenshots.mjs',
]

/** The file with the hash. */
export const hashFile = join(root, 'site/pictures.sha256')

/** The hash of everything that the pictures show, as it is now. */
export function hashOfSources() {
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  )
  const hash = createHash('sha256')
  for (const path of [...found, ...files].sort((one, other) => (one < other ? -1 : 1))) {
    // Git may have checked out other line ends.
    const text = readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')
    hash.update(`${path}\n${text.length}\n${text}`)
  }
  return hash.digest('hex')
}
