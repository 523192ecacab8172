// The documentation site with the playground, built once for each state of its sources.
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSite } from '../../../scripts/site.mjs'
import { buildOnce, filesBelow, root } from './build-once.js'

/** The path below which the built site expects to be served. */
export const siteBase = '/some/path/'

/** The folder of the built site. */
export async function builtSite(): Promise<string> {
  const own = await readdir(join(root, 'site'), { recursive: true, withFileTypes: true })
  const files = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'index.html',
    'vite.config.ts',
    'scripts/site.mjs',
    'scripts/llms.mjs',
    ...own
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name).slice(root.length))
      .filter((path) => !/(?:node_modules|generated|cache|\.temp)[\\/]/.test(path))
      .sort(),
    ...(await filesBelow('docs', ['.md', '.webp', '.svg'])),
    ...(await filesBelow('src', ['.ts', '.tsx'])),
    ...(await filesBelow('playground', ['.ts', '.css', '.html', '.svg', '.json'])),
    ...(await filesBelow('themes', ['.css'])),
  ]
  return buildOnce('site', files, (folder) => buildSite(folder, siteBase))
}

/** The addresses of the site before VitePress: pages, images, and pages with the id of a section. */
export function oldAddresses(): string[] {
  return readFileSync(join(root, 'test/fixtures/site-addresses.txt'), 'utf8').trim().split('\n')
}

/** A block of HTML of the README, by the name of its region. */
export function readmeBlock(region: string): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const code = new RegExp(`^<!-- #region ${region} -->\\n\`\`\`html\\n([^]*?)^\`\`\``, 'm').exec(readme)?.[1]?.trimEnd()
  if (code === undefined) throw new Error(`README.md has no block of HTML in the region ${region}`)
  return code
}
