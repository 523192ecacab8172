// `npm run site [-- folder] [-- --base /path/]`: writes the documentation site into dist-site/, with the playground and
// llms.txt. VitePress makes the pages from docs/, README.md and what TypeDoc says about the entries. The packages of both are
// in site/, and are installed when they are missing. After that it needs no network.
import { spawn } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installPackages } from './install-packages.mjs'
import { writeLlms } from './llms.mjs'
import { requireNode } from './node-version.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes the whole site.
 * @param {string} outDir Emptied first.
 * @param {string} base The path below which it will be served, with a slash at both ends.
 */
export async function buildSite(outDir, base = '/') {
  installPackages(join(root, 'site'), 'site')
  await rm(outDir, { recursive: true, force: true })
  const generated = join(root, 'site/generated')
  await rm(generated, { recursive: true, force: true })
  await run('typedoc/bin/typedoc', ['--options', 'site/typedoc.mjs'])
  await writeMoved(generated)
  await run('vitepress/bin/vitepress.js', ['build', 'site', '--outDir', outDir], { SITE_BASE: base })
  // Images of the docs keep the addresses that they had before VitePress.
  await cp(join(root, 'docs/images'), join(outDir, 'images'), { recursive: true })
  await writeLlms(outDir)
  await buildPlayground(join(outDir, 'playground'))
}

/** A page for each address that no page has any more. Its script goes on to the new one. @param {string} folder */
async function writeMoved(folder) {
  const moved = JSON.parse(await readFile(join(root, 'site/moved.json'), 'utf8'))
  for (const [address, target] of Object.entries(moved)) {
    if (address.includes('#')) continue
    const path = join(folder, address.replace(/\.html$/, '.md'))
    await mkdir(join(path, '..'), { recursive: true })
    const [page = '', id] = target.split('#')
    const link = `/${page.replace(/\.html$/, '.md')}${id === undefined ? '' : `#${id}`}`
    await writeFile(path, `---\nsearch: false\n---\n\n# Moved\n\nThis page is now [a part of another page](${link}).\n`)
  }
}

/** Runs a command of the packages of the site. @param {string} bin @param {string[]} args @param {Record<string, string>} [env] */
async function run(bin, args, env = {}) {
  const command = [join(root, 'site/node_modules', bin), ...args]
  const child = spawn(process.execPath, command, { cwd: root, env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const status = await new Promise((done) => child.on('close', done))
  if (status !== 0) throw new Error(`${bin} failed:\n${output}`)
}

/** Writes the playground. Its pages choose their model themselves. @param {string} outDir */
async function buildPlayground(outDir) {
  const { build } = await import('vite')
  await build({ root, base: './', logLevel: 'warn', build: { outDir, emptyOutDir: true } })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode()
  const { values, positionals } = parseArgs({ options: { base: { type: 'string' } }, allowPositionals: true })
  const outDir = resolve(root, positionals[0] ?? 'dist-site')
  await buildSite(outDir, values.base)
  process.stdout.write(`The pages and the playground are in ${outDir}\n`)
}
