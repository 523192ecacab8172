// Installs the packages of the bench on first use and bundles the peers, as the build of a user would.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { installPackages } from '../../scripts/install-packages.mjs'

const folder = fileURLToPath(new URL('..', import.meta.url))

/** The bundled peers: each is a file of `bench/peers`. */
export const peers = ['page-agent', 'deep-chat', 'ai', 'tanstack', 'marked']

/** Installs the packages of the bench where they are missing. */
export function installPeers() {
  installPackages(folder, 'bench')
}

/** Bundles peers, each into a folder of its own. @param {string} outdir @param {readonly string[]} [some] default: all */
export async function bundlePeers(outdir, some = peers) {
  const esbuild = createRequire(`${folder}package.json`)('esbuild')
  await Promise.all(
    some.map((peer) =>
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
