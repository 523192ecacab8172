// Installs the packages of the bench on first use and bundles the peers, as the build of a user would.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('..', import.meta.url))

/** The bundled peers: each is a file of `bench/peers`. */
export const peers = ['page-agent', 'deep-chat', 'ai', 'tanstack', 'marked']

/** Installs `bench/package-lock.json` if it is not installed. @param {(text: string) => void} log */
export function installPeers(log) {
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return
  log('The packages of the bench are not installed yet. Installing them in bench/ with npm ci.')
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--silent'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
}

/** Bundles every peer into a folder of its own. @param {string} outdir */
export async function bundlePeers(outdir) {
  const esbuild = createRequire(`${folder}package.json`)('esbuild')
  await Promise.all(
    peers.map((peer) =>
      esbuild.build({
        absWorkingDir: folder,
        entryPoints: [`peers/${peer}.mjs`],
        outdir: `${outdir}/${peer}`,
        entryNames: 'index',
        bundle: true,
        splitting: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        platform: 'browser',
        define: { 'process.env.NODE_ENV': '"production"' },
        logLevel: 'error',
      }),
    ),
  )
}
