// The frameworks and bundlers that the integration test builds, in the order of its table.
import type { Project } from './projects.js'

const vite = { VITE_ENDPOINT: '{endpoint}' }
const esbuild = ['esbuild', 'main.js', '--bundle', '--format=esm', '--splitting', '--outdir=out/esbuild']
/** The step for bundlers that leave the worker out; see docs/frameworks.md. */
const copyWorker = (into: string): string =>
  `mkdir -p ${into}/tool-agent && cp -r node_modules/tool-agent/dist/worker.js node_modules/tool-agent/dist/models ${into}/tool-agent/ && cp public/index.html ${into}/`
const shell = (command: string): readonly string[] => ['sh', '-c', command]

/** Those of the default run. They use packages that this project has, so nothing is downloaded. */
export const quick: readonly Project[] = [
  {
    name: 'Plain HTML',
    folder: 'examples/plain-html',
    links: {},
    env: { MODEL_ENDPOINT: '{endpoint}' },
    production: ['node', 'server.mjs'],
  },
  {
    name: 'Vite (React)',
    folder: 'examples/react-vite',
    links: {
      react: 'test/frameworks/node_modules',
      'react-dom': 'test/frameworks/node_modules',
      scheduler: 'test/frameworks/node_modules',
      vite: 'node_modules',
    },
    // Vite compiles JSX by itself; the plugin, which is not a package of this project, adds hot reload of components.
    edits: {
      'vite.config.ts': ["import react from '@vitejs/plugin-react'", 'const react = () => ({ name: "none" })'],
    },
    env: vite,
    build: ['vite', 'build', '--logLevel', 'error'],
    production: 'dist',
    development: ['vite', '--port', '{port}', '--strictPort', '--host', '127.0.0.1'],
  },
]

/** Those of the long run. Their packages come from npm. */
export const long: readonly Project[] = [
  {
    name: 'Headless',
    folder: 'examples/headless',
    env: { MODEL_ENDPOINT: '{endpoint}' },
    production: ['node', 'server.mjs'],
    hasOwnView: true,
  },
  ...(
    [
      ['React', 'react', ['tsc', '-p', '.']],
      ['Vue', 'vue', ['vue-tsc', '-p', '.']],
      ['Svelte', 'svelte', ['svelte-check', '--fail-on-warnings']],
    ] as const
  ).map(([name, entry, check]): Project => ({
    name: `Vite ${name}`,
    folder: `examples/${entry}-vite`,
    entry,
    env: vite,
    check,
    build: ['vite', 'build', '--logLevel', 'error'],
    production: 'dist',
    development: ['vite', '--port', '{port}', '--strictPort', '--host', '127.0.0.1'],
  })),
  ...(['turbopack', 'webpack'] as const).map((bundler): Project => ({
    name: `Next.js ${bundler}`,
    folder: 'examples/nextjs',
    entry: 'react',
    env: { NEXT_PUBLIC_ENDPOINT: '{endpoint}' },
    check: shell('next typegen && tsc -p .'),
    build: ['next', 'build', `--${bundler}`],
    production: ['next', 'start', '-p', '{port}', '-H', '127.0.0.1'],
    development: ['next', 'dev', `--${bundler}`, '-p', '{port}', '-H', '127.0.0.1'],
  })),
  {
    name: 'webpack',
    folder: 'test/integrations/bundlers',
    build: shell('webpack --mode production && cp public/index.html out/webpack/'),
    production: 'out/webpack',
    development: ['webpack', 'serve', '--mode', 'development', '--port', '{port}', '--host', '127.0.0.1'],
    query: '?endpoint={endpoint}',
  },
  {
    name: 'esbuild',
    folder: 'test/integrations/bundlers',
    build: shell(
      `${esbuild.join(' ')} --minify --define:process.env.NODE_ENV='"production"' && ${copyWorker('out/esbuild')}`,
    ),
    production: 'out/esbuild',
    development: [...esbuild, '--servedir=out/esbuild', '--serve=127.0.0.1:{port}'],
    query: '?endpoint={endpoint}&worker=/tool-agent/worker.js',
  },
  {
    name: 'Rollup',
    folder: 'test/integrations/bundlers',
    build: shell(`rollup -c --silent && ${copyWorker('out/rollup')}`),
    production: 'out/rollup',
    query: '?endpoint={endpoint}&worker=/tool-agent/worker.js',
  },
  {
    name: 'Nuxt',
    folder: 'test/integrations/nuxt',
    entry: 'vue',
    tsconfig: '.nuxt/tsconfig.app.json',
    env: { NUXT_PUBLIC_ENDPOINT: '{endpoint}', HOST: '127.0.0.1' },
    check: shell('nuxt prepare && vue-tsc --noEmit -p .nuxt/tsconfig.app.json'),
    build: ['nuxt', 'build'],
    production: ['node', '.output/server/index.mjs'],
    development: ['nuxt', 'dev', '--port', '{port}', '--host', '127.0.0.1'],
  },
  {
    name: 'Astro',
    folder: 'test/integrations/astro',
    env: { PUBLIC_ENDPOINT: '{endpoint}' },
    check: ['astro', 'check'],
    build: ['astro', 'build', '--silent'],
    production: 'dist',
    development: ['astro', 'dev', '--port', '{port}', '--host', '127.0.0.1'],
  },
  {
    name: 'Angular',
    folder: 'examples/angular',
    edits: { 'angular.json': ['http://127.0.0.1:8790/v1', '{endpoint}'] },
    check: ['ngc', '-p', 'tsconfig.json', '--noEmit'],
    build: ['ng', 'build'],
    production: 'dist',
    development: ['ng', 'serve', '--port', '{port}', '--host', '127.0.0.1', '--no-open'],
  },
  {
    name: 'SvelteKit',
    folder: 'test/integrations/sveltekit',
    entry: 'svelte',
    env: vite,
    check: shell('svelte-kit sync && svelte-check --fail-on-warnings'),
    build: ['vite', 'build', '--logLevel', 'error'],
    production: 'build',
    development: ['vite', 'dev', '--port', '{port}', '--strictPort', '--host', '127.0.0.1'],
  },
]
