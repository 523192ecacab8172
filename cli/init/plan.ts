// What `tool-agent init` adds to a project: new files from the templates, and insertions into files that exist. Where an
// insertion is not certain, the plan has the lines that the user adds by hand.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { byHand, type Framework, type Project } from './project.js'
import { UsageError } from '../arguments.js'
import {
  bodyInsertion,
  configInsertion,
  importInsertion,
  layoutInsertion,
  scriptImport,
  siblingInsertions,
  templateInsertion,
  withInsertions,
  type Insertion,
} from './insert.js'

/** Lines that the user adds to a file. */
export interface ByHand {
  readonly file: string
  /** Where in the file. */
  readonly where: string
  readonly lines: readonly string[]
}

export interface Plan {
  readonly framework: Framework
  /** New files, by their paths. */
  readonly files: ReadonlyMap<string, string>
  /** Insertions, by the paths of files that exist. */
  readonly edits: ReadonlyMap<string, readonly Insertion[]>
  readonly byHand: readonly ByHand[]
  /** The file that keeps the key, if the framework reads one. */
  readonly envFile: string | undefined
  /** The commands that show the result, in this order. */
  readonly run: readonly string[]
  /** The same without a key. Undefined: `run`, with `tool-agent dev` as the endpoint. */
  readonly runWithoutKey?: string
  /** The file with the relay. */
  readonly relay: string
  /** Whether that file is a route of the built site, too. */
  readonly isRoute?: boolean
}

/** The file with the evaluation. */
export const evals = 'evals/assistant.mjs'
const tag = [
  '<tool-agent endpoint="/models/openai" model="gpt-5-mini" page-tools="read fill"',
  '  layout="floating" heading="Help"></tool-agent>',
]
/** A port that the development server of no framework has by default, so that another one does not get in the way. */
const evalPort = 4170

class Planner {
  readonly #project: Project
  readonly #templates: URL
  readonly #files = new Map<string, string>()
  readonly #edits = new Map<string, readonly Insertion[]>()
  readonly #byHand: ByHand[] = []

  constructor(project: Project, templates: URL) {
    this.#project = project
    this.#templates = templates
  }

  /** A new file. Placeholders are replaced; `remove` are what only TypeScript understands. */
  add(
    path: string,
    template: string,
    { values = {}, remove = [] }: { values?: Readonly<Record<string, string>>; remove?: readonly string[] } = {},
  ): void {
    let text = readFileSync(new URL(template, this.#templates), 'utf8')
    for (const [name, value] of Object.entries(values)) text = text.replaceAll(name, value)
    for (const one of remove) text = text.replaceAll(one, '')
    this.#files.set(path, text)
  }

  /**
   * Insertions into a file that exists, all or none. With none, the user gets the lines.
   * @throws UsageError if somebody has added the package there before
   */
  insert(file: string, insertions: readonly (Insertion | undefined)[] | undefined, hand: Omit<ByHand, 'file'>): void {
    if (this.#project.has(file) && /\btool-agent\b/.test(this.#project.read(file)))
      throw new UsageError(`init: ${file} uses tool-agent already, so nothing is added. ${byHand}`)
    const certain = insertions?.filter((one) => one !== undefined) ?? []
    if (insertions === undefined || certain.length < insertions.length) this.#byHand.push({ file, ...hand })
    else {
      const lineBreak = this.#project.read(file).includes('\r\n') ? '\r\n' : '\n'
      this.#edits.set(
        file,
        certain.map(({ at, text }) => ({ at, text: text.replaceAll(/\r?\n/g, lineBreak) })),
      )
    }
  }

  /** `command` and `url` are those of the server that the evaluation starts. */
  done({
    command,
    url,
    ...plan
  }: Omit<Plan, 'files' | 'edits' | 'byHand'> & {
    readonly command: string
    readonly url: string
  }): Plan {
    this.add(evals, 'evals.mjs', { values: { '{evals}': evals, '{command}': command, '{url}': url } })
    return { ...plan, files: this.#files, edits: this.#edits, byHand: this.#byHand }
  }
}

/**
 * The plan for a project.
 * @throws UsageError if a file of the framework is missing
 */
export function planFor(project: Project, framework: Framework, templates: URL): Plan {
  const planner = new Planner(project, templates)
  return plans[framework]({ project, planner, framework })
}

interface Setting {
  readonly project: Project
  readonly planner: Planner
  readonly framework: Framework
}

const plans: Readonly<Record<Framework, (setting: Setting) => Plan>> = {
  html: plainHtml,
  vite: vanilla,
  react,
  vue,
  svelte,
  angular,
  next,
  nuxt,
  astro,
}

function plainHtml({ project, planner, framework }: Setting): Plan {
  const lines = [...tag, '<script type="module" src="assistant/assistant.js"></script>']
  planner.add('assistant/assistant.js', 'html/assistant.js')
  planner.add('assistant/tools.js', 'tools.ts', { values: { "'tool-agent/agent'": "'/tool-agent/agent.js'" } })
  planner.add('assistant/server.mjs', 'html/server.mjs')
  planner.insert('index.html', [bodyInsertion(project.read('index.html'), lines)], { where: 'before </body>', lines })
  const command = 'node assistant/server.mjs'
  return planner.done({
    framework,
    command,
    url: 'http://127.0.0.1:3000',
    envFile: undefined,
    run: [command],
    runWithoutKey: 'npx tool-agent dev',
    relay: 'assistant/server.mjs',
  })
}

function vanilla({ project, planner, framework }: Setting): Plan {
  const { folder, isTyped } = mainOf(project)
  const file = `${folder}assistant/assistant.${isTyped ? 'ts' : 'js'}`
  planner.add(file, 'vite/assistant.ts')
  planner.add(`${folder}assistant/tools.${isTyped ? 'ts' : 'js'}`, 'tools.ts')
  const lines = [...tag, `<script type="module" src="/${file}"></script>`]
  planner.insert('index.html', [bodyInsertion(project.read('index.html'), lines)], { where: 'before </body>', lines })
  return viteRest({ project, planner, framework })
}

function react({ project, planner, framework }: Setting): Plan {
  const { main, folder, isTyped } = mainOf(project)
  planner.add(`${folder}assistant/Assistant.${isTyped ? 'tsx' : 'jsx'}`, 'react/Assistant.tsx')
  planner.add(`${folder}assistant/tools.${isTyped ? 'ts' : 'js'}`, 'tools.ts')
  const code = project.read(main)
  const siblings = siblingInsertions(code, '<Assistant />')
  planner.insert(main, siblings && [importInsertion(code, '{ Assistant }', './assistant/Assistant'), ...siblings], {
    where: 'at the top, and beside <App />',
    lines: ["import { Assistant } from './assistant/Assistant'", '<Assistant />'],
  })
  return viteRest({ project, planner, framework })
}

function vue({ project, planner, framework }: Setting): Plan {
  const { folder, isTyped } = mainOf(project)
  const app = needed(project, `${folder}App.vue`)
  planner.add(`${folder}assistant/Assistant.vue`, 'vue/Assistant.vue', { remove: isTyped ? [] : [' lang="ts"'] })
  planner.add(`${folder}assistant/tools.${isTyped ? 'ts' : 'js'}`, 'tools.ts')
  const code = project.read(app)
  const names = { attribute: '\\bsetup\\b', names: 'Assistant', from: './assistant/Assistant.vue' }
  planner.insert(app, [scriptImport(code, names), templateInsertion(code, '<Assistant />')], {
    where: 'in <script setup>, and at the end of <template>',
    lines: ["import Assistant from './assistant/Assistant.vue'", '<Assistant />'],
  })
  return viteRest({ project, planner, framework })
}

function svelte({ project, planner, framework }: Setting): Plan {
  const { folder, isTyped } = mainOf(project)
  const app = needed(project, `${folder}App.svelte`)
  const remove = isTyped ? [] : [' lang="ts"', "  import type {} from 'tool-agent/svelte'\n"]
  planner.add(`${folder}assistant/Assistant.svelte`, 'svelte/Assistant.svelte', { remove })
  planner.add(`${folder}assistant/agent.${isTyped ? 'ts' : 'js'}`, 'svelte/agent.ts')
  planner.add(`${folder}assistant/tools.${isTyped ? 'ts' : 'js'}`, 'tools.ts')
  const code = project.read(app)
  // Markup may stand anywhere outside of the blocks.
  const markup = { at: code.length, text: `${code.endsWith('\n') ? '' : '\n'}\n<Assistant />\n` }
  planner.insert(app, [scriptImport(code, { names: 'Assistant', from: './assistant/Assistant.svelte' }), markup], {
    where: 'in <script>, and at the end',
    lines: ["import Assistant from './assistant/Assistant.svelte'", '<Assistant />'],
  })
  return viteRest({ project, planner, framework })
}

/**
 * How the configuration of Vite names a file beside it. Its TypeScript settings decide: newer ones demand an ending, and
 * Vite itself will. Older ones forbid `.ts`.
 */
function importEnding(project: Project, isTyped: boolean): '.ts' | '.js' | '' {
  if (!isTyped) return '.js'
  const file = project.first('tsconfig.node.json', 'tsconfig.json')
  const settings = file === undefined ? '' : project.read(file)
  if (/"allowImportingTsExtensions"\s*:\s*true/.test(settings)) return '.ts'
  return /"module(Resolution)?"\s*:\s*"node(next|16|18|20)"/i.test(settings) ? '.js' : ''
}

/** The relay as a plugin of Vite, and how to start it. */
function viteRest({ project, planner, framework }: Setting): Plan {
  const config = project.first(...['ts', 'mts', 'js', 'mjs', 'cts', 'cjs'].map((ending) => `vite.config.${ending}`))
  const isTyped = config === undefined ? project.usesTypeScript : config.endsWith('ts')
  const ending = isTyped ? 'ts' : 'js'
  const remove = isTyped ? [] : [', type Plugin', ': Plugin']
  const relay = `./assistant-relay${importEnding(project, isTyped)}`
  planner.add(`assistant-relay.${ending}`, 'vite/assistant-relay.ts', { remove })
  if (config === undefined)
    planner.add(`vite.config.${isTyped || project.isModule ? ending : 'mjs'}`, 'vite/vite.config.ts', {
      values: { '{relay}': relay },
    })
  else {
    const code = project.read(config)
    const insertions = [
      importInsertion(code, '{ assistantRelay }', relay),
      configInsertion(code, 'plugins', 'assistantRelay()'),
    ]
    planner.insert(config, insertions, {
      where: 'at the top, and in `plugins`',
      lines: [`import { assistantRelay } from '${relay}'`, 'assistantRelay(),'],
    })
  }
  return planner.done({
    framework,
    command: `npx vite --port ${evalPort} --strictPort`,
    url: `http://localhost:${evalPort}`,
    envFile: '.env.local',
    run: ['npx vite'],
    relay: `assistant-relay.${ending}`,
  })
}

function next({ project, planner, framework }: Setting): Plan {
  const layout = project.first(
    ...['src/app', 'app'].flatMap((folder) => ['tsx', 'jsx', 'js'].map((ending) => `${folder}/layout.${ending}`)),
  )
  if (layout === undefined)
    throw new UsageError(
      `init: this project has Next.js, but no app/layout.tsx. Only the App Router has a template. ${byHand}`,
    )
  const folder = posix.dirname(layout)
  const isTyped = layout.endsWith('.tsx')
  planner.add(`${folder}/_assistant/assistant.${isTyped ? 'tsx' : 'jsx'}`, 'next/assistant.tsx')
  planner.add(`${folder}/_assistant/tools.${isTyped ? 'ts' : 'js'}`, 'tools.ts')
  const relay = `${folder}/models/[...path]/route.${isTyped ? 'ts' : 'js'}`
  planner.add(relay, 'next/route.ts')
  const code = project.read(layout)
  const insertions = [
    importInsertion(code, '{ Assistant }', './_assistant/assistant'),
    layoutInsertion(code, '<Assistant />'),
  ]
  planner.insert(layout, insertions, {
    where: 'at the top, and after {children}',
    lines: ["import { Assistant } from './_assistant/assistant'", '<Assistant />'],
  })
  return planner.done({
    framework,
    command: `npx next dev --port ${evalPort}`,
    url: `http://localhost:${evalPort}`,
    envFile: '.env.local',
    run: ['npx next dev'],
    relay,
    isRoute: true,
  })
}

function nuxt({ project, planner, framework }: Setting): Plan {
  const app = needed(project, 'app/app.vue', 'app.vue')
  const folder = app === 'app.vue' ? '' : 'app/'
  planner.add(`${folder}components/Assistant.client.vue`, 'nuxt/Assistant.client.vue')
  planner.add(`${folder}assistant/tools.ts`, 'tools.ts')
  const relay = 'server/routes/models/[...path].post.ts'
  planner.add(relay, 'nuxt/route.post.ts')
  planner.insert(app, [templateInsertion(project.read(app), '<Assistant />')], {
    where: 'at the end of <template>',
    lines: ['<Assistant />'],
  })
  return planner.done({
    framework,
    command: `npx nuxt dev --port ${evalPort}`,
    url: `http://localhost:${evalPort}`,
    envFile: '.env',
    run: ['npx nuxt dev'],
    relay,
    isRoute: true,
  })
}

function astro({ project, planner, framework }: Setting): Plan {
  const config = project.first(...['mjs', 'ts', 'js', 'mts'].map((ending) => `astro.config.${ending}`))
  const code = config === undefined ? '' : project.read(config)
  const page = needed(project, 'src/layouts/Layout.astro', 'src/layouts/BaseLayout.astro', 'src/pages/index.astro')
  planner.add('src/assistant/Assistant.astro', 'astro/Assistant.astro')
  planner.add('src/assistant/tools.ts', 'tools.ts')
  const isRoute = /\badapter\s*:/.test(code)
  const relay = isRoute ? 'src/pages/models/[...path].ts' : 'assistant-relay.mjs'
  planner.add(relay, isRoute ? 'astro/route.ts' : 'astro/assistant-relay.mjs')
  if (!isRoute) {
    const insertions =
      config === undefined
        ? undefined
        : [
            importInsertion(code, '{ assistantRelay }', './assistant-relay.mjs'),
            configInsertion(code, 'integrations', 'assistantRelay()'),
          ]
    planner.insert(config ?? 'astro.config.mjs', insertions, {
      where: 'at the top, and in `integrations`',
      lines: ["import { assistantRelay } from './assistant-relay.mjs'", 'assistantRelay(),'],
    })
  }
  const text = project.read(page)
  const names = '../assistant/Assistant.astro'
  planner.insert(page, [frontmatterImport(text, names), bodyInsertion(text, ['<Assistant />'])], {
    where: 'between the lines ---, and before </body>',
    lines: [`import Assistant from '${names}'`, '<Assistant />'],
  })
  return planner.done({
    framework,
    command: `npx astro dev --port ${evalPort}`,
    url: `http://localhost:${evalPort}`,
    envFile: '.env',
    run: ['npx astro dev'],
    relay,
    isRoute,
  })
}

/** An import in the part of an Astro component between the lines `---`. */
function frontmatterImport(text: string, from: string): Insertion | undefined {
  const [, open = '', script] = /^(\uFEFF?\s*---[ \t]*\r?\n)([^]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/.exec(text) ?? []
  if (script === undefined)
    return text.includes('---') ? undefined : { at: 0, text: `---\nimport Assistant from '${from}'\n---\n\n` }
  const insertion = importInsertion(script, 'Assistant', from)
  return insertion && { at: open.length + insertion.at, text: insertion.text }
}

function angular({ project, planner, framework }: Setting): Plan {
  const app = needed(project, 'src/app/app.ts', 'src/app/app.component.ts')
  planner.add('src/app/assistant/assistant.ts', 'angular/assistant.ts')
  planner.add('src/app/assistant/tools.ts', 'tools.ts')
  planner.add('assistant/relay.mjs', 'angular/relay.mjs')
  planner.add('proxy.conf.json', 'angular/proxy.conf.json')
  const code = project.read(app)
  const lists = [...code.matchAll(/^[ \t]*imports\s*:\s*\[/gm)]
  const list = lists.length === 1 ? lists[0] : undefined
  const template = /\btemplateUrl\s*:\s*['"]\.\/([\w./-]+\.html)['"]/.exec(code)?.[1]
  const html = template && posix.join(posix.dirname(app), template)
  const isCertain = list !== undefined && html !== undefined && project.has(html)
  const item = list && {
    at: list.index + list[0].length,
    text: /^\s*\]/.test(code.slice(list.index + list[0].length)) ? 'Assistant' : 'Assistant, ',
  }
  planner.insert(app, isCertain ? [importInsertion(code, '{ Assistant }', './assistant/assistant'), item] : undefined, {
    where: 'at the top, and in `imports` of the component',
    lines: ["import { Assistant } from './assistant/assistant'", 'imports: [Assistant]'],
  })
  const markup = html !== undefined && project.has(html) ? project.read(html) : ''
  planner.insert(
    html ?? app,
    isCertain
      ? [{ at: markup.length, text: `${markup.endsWith('\n') || markup === '' ? '' : '\n'}<app-assistant />\n` }]
      : undefined,
    { where: 'at the end of the template', lines: ['<app-assistant />'] },
  )
  planner.insert(
    'angular.json',
    project.has('angular.json') ? [assetInsertion(project.read('angular.json'))] : undefined,
    {
      where: 'in "assets" of "build"',
      lines: workerAssets,
    },
  )
  return planner.done({
    framework,
    command: `npx ng serve --port ${evalPort} --proxy-config proxy.conf.json`,
    url: `http://localhost:${evalPort}`,
    envFile: undefined,
    run: ['node assistant/relay.mjs', 'npx ng serve --proxy-config proxy.conf.json'],
    relay: 'assistant/relay.mjs',
  })
}

const workerAssets = [
  '{ "glob": "worker.js", "input": "node_modules/tool-agent/dist", "output": "/tool-agent" }',
  '{ "glob": "*.js", "input": "node_modules/tool-agent/dist/models", "output": "/tool-agent/models" }',
]

/** The files of the worker in the assets of the build. Undefined if there is more than one list. */
function assetInsertion(json: string): Insertion | undefined {
  const [list, ...more] = json.matchAll(/"assets"\s*:\s*\[(\s*)(\])?/g)
  if (list === undefined || more.length > 0) return undefined
  const at = list.index + list[0].length - (list[1] ?? '').length - (list[2] ?? '').length
  const space = list[1] ?? ''
  const isEmpty = list[2] !== undefined
  const text = isEmpty
    ? workerAssets.join(', ')
    : workerAssets
        .map((one) => `${space.includes('\n') ? space : ''}${one},${space.includes('\n') ? '' : ' '}`)
        .join('')
  const insertion = { at, text }
  try {
    JSON.parse(withInsertions(json, [insertion]))
    return insertion
  } catch {
    return undefined
  }
}

/** The script that index.html of a Vite project loads, and its folder with a slash. */
function mainOf(project: Project): { main: string; folder: string; isTyped: boolean } {
  const html = project.read('index.html').replaceAll(/<!--[^]*?-->/g, '')
  const [main] = [...html.matchAll(/<script\b[^>]*\bsrc=["']\.?\/?([^"':]+\.[jt]sx?)["']/g)].map(
    ([, path = '']) => path,
  )
  if (main === undefined || !project.has(main))
    throw new UsageError(
      `init: index.html of this Vite project loads no script such as /src/main.ts${main === undefined ? '' : `: ${main} does not exist`}. ${byHand}`,
    )
  const folder = posix.dirname(main)
  return { main, folder: folder === '.' ? '' : `${folder}/`, isTyped: /\.tsx?$/.test(main) }
}

/** The first of these files. @throws UsageError if there is none */
function needed(project: Project, ...paths: readonly string[]): string {
  const found = project.first(...paths)
  if (found === undefined) throw new UsageError(`init: there is no ${paths.join(' or ')}. ${byHand}`)
  return found
}
