// What `tool-agent init` knows of a project: its files, its packages, and which framework it uses.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../arguments.js'

export type Framework = 'html' | 'vite' | 'react' | 'vue' | 'svelte' | 'angular' | 'next' | 'nuxt' | 'astro'

/** The frameworks with the names that people know, in the order of the help. */
export const frameworkNames: Readonly<Record<Framework, string>> = {
  html: 'plain HTML',
  vite: 'Vite',
  react: 'Vite with React',
  vue: 'Vite with Vue',
  next: 'Next.js',
  svelte: 'Vite with Svelte',
  angular: 'Angular',
  nuxt: 'Nuxt',
  astro: 'Astro',
}

/** The files and packages of one folder. Paths are relative to it, with `/`. */
export class Project {
  readonly root: string
  /** The names of all packages in package.json. */
  readonly packages: ReadonlySet<string>
  /** Whether files that nothing names `.js` are ES modules. */
  readonly isModule: boolean

  /** @throws UsageError if package.json cannot be read */
  constructor(root: string) {
    this.root = root
    const json = this.#packageJson()
    const names = [json['dependencies'], json['devDependencies'], json['peerDependencies']].flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.keys(one) : [],
    )
    this.packages = new Set(names)
    this.isModule = json['type'] === 'module'
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path))
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8')
  }

  /** The first of these files that exists. */
  first(...paths: readonly string[]): string | undefined {
    return paths.find((path) => this.has(path))
  }

  get usesTypeScript(): boolean {
    return this.has('tsconfig.json')
  }

  /** The command that adds packages, by the lock file. */
  get install(): string {
    if (this.has('pnpm-lock.yaml')) return 'pnpm add'
    if (this.has('yarn.lock')) return 'yarn add'
    return this.first('bun.lock', 'bun.lockb') === undefined ? 'npm install' : 'bun add'
  }

  #packageJson(): Readonly<Record<string, unknown>> {
    if (!this.has('package.json')) return {}
    try {
      return JSON.parse(this.read('package.json').replace(/^\uFEFF/, '')) as Record<string, unknown>
    } catch (error) {
      throw new UsageError(`init: package.json is not valid JSON: ${(error as Error).message}`)
    }
  }
}

/** Packages that mean that a page is built by something that has no template. */
const others: readonly (readonly [name: string, called: string])[] = [
  ['@sveltejs/kit', 'SvelteKit'],
  ['react-scripts', 'Create React App'],
  ['@remix-run/react', 'Remix'],
  ['@react-router/dev', 'React Router as a framework'],
  ['gatsby', 'Gatsby'],
  ['@builder.io/qwik', 'Qwik'],
  ['solid-js', 'Solid'],
  ['preact', 'Preact'],
  ['webpack', 'webpack'],
  ['parcel', 'Parcel'],
  ['rollup', 'Rollup'],
  ['esbuild', 'esbuild'],
]

/** What a project may have beside Vite: its `index.html` is a page as any other, whatever draws in it. */
const besideVite: ReadonlySet<string> = new Set(['rollup', 'esbuild', 'preact', 'solid-js', '@builder.io/qwik'])

/**
 * The framework of a project.
 * @throws UsageError if there is none that has a template; it says what was looked for
 */
export function frameworkOf(project: Project): Framework {
  const { packages } = project
  if (packages.has('next')) return 'next'
  if (packages.has('nuxt')) return 'nuxt'
  if (packages.has('astro')) return 'astro'
  if (packages.has('@angular/core')) return 'angular'
  const other = others.find(([name]) => packages.has(name) && !(packages.has('vite') && besideVite.has(name)))
  if (other) throw new UsageError(`init: ${other[1]} (the package ${other[0]}) has no template. ${byHand}`)
  if (packages.has('vite')) {
    if (!project.has('index.html'))
      throw new UsageError(`init: this project has Vite, but no index.html in its own folder. ${byHand}`)
    // Preact often stands in for the package react.
    if (packages.has('react') && !packages.has('preact')) return 'react'
    if (packages.has('vue')) return 'vue'
    return packages.has('svelte') ? 'svelte' : 'vite'
  }
  if (project.has('index.html')) return 'html'
  throw new UsageError(
    `init: no project was found in ${project.root}. Looked for a package.json with next, nuxt, astro, @angular/core or vite, ` +
      `and for an index.html. Run the command in the folder of the project. ${byHand}`,
  )
}

/** Ends an error that this command cannot do anything about. */
export const byHand =
  'By hand it takes a tag and one function: node_modules/tool-agent/docs/start.md and frameworks.md show it.'
