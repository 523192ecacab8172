// Measures what a visitor downloads, compressed with gzip. `npm run budget` prints the table and fails above a limit; a
// test checks the same limits. Reads the built files: their imports and the source lists of their source maps.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { parseSync } from 'rolldown/utils'
import { requireNode } from './node-version.mjs'

/** In KiB. A limit may have slack: no code exists for bytes alone. */
export const limits = { entry: 20, closed: 24, visible: 60, worker: 40, page: 145 }

/**
 * What an element with `page-tools="read fill"` loads besides `tool-agent.js` until somebody is about to write, by a
 * source of the chunk. A browser test compares both stages with what a page loads.
 */
const stageSources = {
  closed: [/\/src\/page-tools\/definitions\/tool-lists\.ts$/],
  visible: [/\/src\/page-tools\/definitions\/tool-lists\.ts$/, /\/src\/ui\/panel\/create-panel\.ts$/],
}

/**
 * Chunks that a usual visit does not load, by their sources. A usual visit sends messages, calls the page's tools and the
 * page tools, fills a form, shows an answer in Markdown, in English, and moves the pointer over the answer. A browser test
 * makes this visit and compares the chunks that it loads.
 */
const rarelyLoaded = [
  {
    why: 'tools with an uncommon JSON Schema',
    inside:
      /\/(?:node_modules\/@cfworker\/json-schema\/|src\/page\/(?:schema\/structure|validation\/json-schema-check)\.ts$)/,
  },
  { why: 'zod schemas that cannot convert themselves', inside: /\/node_modules\/(zod|zod-to-json-schema)\// },
  { why: 'pages without a worker', inside: /\/src\/host\// },
  { why: 'failed and refused calls', inside: /\/src\/page\/answers\/tool-errors\.ts$/ },
  { why: 'hints for page authors', inside: /\/src\/page\/hints\/lint-tool\.ts$/ },
  {
    why: 'the options headers, hooks.beforeModel and modelAdapter',
    inside: /\/src\/page\/answers\/(?:option-answers|before-model)\.ts$/,
  },
  { why: 'callTool()', inside: /\/src\/page\/(?:tools\/call-tool|connected\/manual-call)\.ts$/ },
  {
    why: 'decisions, regenerating, older messages, stored sessions, traces',
    inside: /\/src\/page\/connected\/(?:rare-methods|decisions|stored-sessions)\.ts$/,
  },
  { why: 'tool providers', inside: /\/src\/page\/tools\/provider-tools\.ts$/ },
  { why: 'turns that a reload interrupted', inside: /\/src\/page\/link\/wait-for-page\.ts$/ },
  { why: 'pages that a tool call opened', inside: /\/src\/page\/link\/page-change\.ts$/ },
  { why: 'saving a conversation as a file', inside: /\/src\/ui\/panel\/save-file\.ts$/ },
  { why: 'the option output of send()', inside: /\/src\/page\/output\/output\.ts$/ },
  { why: 'the property shortcut', inside: /\/src\/ui\/element\/shortcut\.ts$/ },
  { why: 'the property sidebar', inside: /\/src\/ui\/layout\/push-page\.ts$/ },
  {
    why: 'phones, touch screens, low windows and forced colours',
    inside: /\/src\/ui\/(?:styles\/adapted|layout\/adapt-panel)\.ts$/,
  },
  {
    why: 'floating panels and sidebars',
    inside: /\/src\/ui\/(?:(?:styles|layout)\/floating|i18n\/en-floating)\.ts$/,
  },
  { why: 'resizing a panel', inside: /\/src\/ui\/layout\/resize-panel\.ts$/ },
  {
    why: 'text that the visitor has selected',
    inside:
      /\/src\/(?:ui\/(?:selection\/selection|styles\/selection|i18n\/en-selection)|page-tools\/read\/selected-text\.run)\.ts$/,
  },
  { why: 'step()', inside: /\/src\/page\/connected\/stepped-turn\.ts$/ },
  { why: 'debug and exportTrace()', inside: /\/src\/page\/trace\/(?!recorder)/ },
  {
    why: 'invalid arguments',
    inside:
      /\/src\/page\/(?:validation\/(?:validation-chunk|coerce|validation-issue|json-schema-issues|plain-part)|schema\/(?:types|dialects))\.ts$/,
  },
  {
    why: 'schemas of zod and other libraries',
    inside: /\/src\/page\/schema\/(?:library-(?:schemas|check)|zod|inline)\.ts$/,
  },
  {
    why: 'approvals',
    inside: /\/src\/(?:ui\/(?:styles\/approval|i18n\/en-approval|approval\/[\w-]+))\.ts$/,
  },
  { why: 'act tools', inside: /\/src\/page-tools\/act\// },
  {
    why: 'fields with options, limits or a format, and values that the page wrote in another form',
    inside: /\/src\/page-tools\/fill\/(?:choices|match-field|other-fields|plan-special|parse-values)\.ts$/,
  },
  { why: 'fields that offer suggestions', inside: /\/src\/page-tools\/fill\/pop-ups\/suggestions\.ts$/ },
  { why: 'months and states named in another way', inside: /\/src\/page-tools\/fill\/option-codes\.ts$/ },
  { why: 'dates and times', inside: /\/src\/page-tools\/fill\/dates\.ts$/ },
  { why: 'date pickers drawn by a script', inside: /\/src\/page-tools\/fill\/pop-ups\/(?:plain-)?calendar\.ts$/ },
  { why: 'fields that open a list', inside: /\/src\/page-tools\/fill\/pop-ups\/combobox\.ts$/ },
  {
    why: 'fields that take no text: checkboxes, selects, sliders; rich text',
    inside: /\/src\/page-tools\/fill\/(?:checkboxes|sliders|widgets)\.ts$/,
  },
  {
    why: 'pages with tables, many links, or clickable boxes without a role; large pages',
    inside: /\/src\/page-tools\/(?:read\/(?:clickables|data-tables|read-in-pieces)|dom\/short-targets)\.run\.ts$/,
  },
  {
    why: 'fields without a name or with equal labels, with options, and those of libraries',
    inside: /\/src\/(?:page-tools\/read\/uncommon\/|core\/state\/memoize\.ts$)/,
  },
  { why: 'arguments of page_read', inside: /\/src\/page-tools\/read\/(?:find-part|outline-piece)\.run\.ts$/ },
  {
    why: 'dom_query, page_wait, form_undo',
    inside: /\/src\/page-tools\/(?:read\/query|fill\/undo)\/[\w-]+\.run\.ts$/,
  },
  {
    why: 'names of secrets outside of password fields',
    inside: /\/src\/page-tools\/sensitive\/harmless-phrases\.ts$/,
  },
  { why: 'CSS selectors written by the model', inside: /\/src\/page-tools\/sensitive\/(?:selectors|public-tree)\.ts$/ },
  { why: 'agents inside calls', inside: /\/src\/ui\/message\/call\/call-activity\.ts$/ },
  { why: 'scrolling up', inside: /\/src\/ui\/(?:styles\/)?message\/reading-back\.ts$/ },
  {
    why: 'expanded tool call cards',
    inside:
      /\/src\/ui\/(?:message\/(?:call\/call-body|values\/(?:partial-json|value-view))|i18n\/en-body|styles\/message\/call-body)\.ts$/,
  },
  { why: 'task lists', inside: /\/src\/ui\/(?:styles\/todos|panel\/todo-view)\.ts$/ },
  {
    why: 'the list of conversations',
    inside: /\/src\/ui\/(?:(?:styles|panel)\/session-(?:menu|days)|i18n\/en-menu)\.ts$/,
  },
  {
    why: 'attached files',
    inside: /\/src\/(?:ui\/(?:attachments\/|styles\/(?:attachments|file-view)\.ts|i18n\/attachment-words\.ts))/,
  },
  {
    why: 'the built-in model of the browser',
    inside: /\/src\/(?:page\/browser-model\/|ui\/(?:styles\/)?message\/model-download\.ts)/,
  },
  { why: 'editing a message, comments on a rating', inside: /\/src\/ui\/(?:styles\/)?message\/message-forms\.ts$/ },
  {
    why: 'notices: errors, retries, unusual ends of a turn, other tabs, follow-ups',
    inside: /\/src\/ui\/(?:panel\/notice-view|i18n\/en-notices|styles\/notices)\.ts$/,
  },
  {
    why: 'pages in other languages than English',
    inside: /\/src\/ui\/i18n\/(?:languages\/\w+|languages|counting)\.ts$/,
  },
  {
    why: 'page tools in other languages, and what few visits call',
    inside: /\/src\/page-tools\/(?:summaries|languages\/\w+)\.ts$/,
  },
  { why: 'uncommon character references in Markdown', inside: /\/src\/ui\/markdown\/rare\/entity-names\.ts$/ },
  {
    why: 'tables and HTML in Markdown',
    inside: /\/src\/ui\/(?:markdown\/rare\/rare-blocks|styles\/message\/tables)\.ts$/,
  },
  { why: 'very long texts', inside: /\/src\/ui\/message\/values\/long-text\.ts$/ },
]
/** A chunk counts as rarely loaded only if all of its sources from these folders are listed above. */
const ours = /\/src\/(?:page|ui|page-tools)\//

/** @typedef {{ file: string, size: number, statics: string[], dynamics: string[], sources: string[] }} Part */

/** @param {string} dist */
export function measure(dist) {
  /** @type {Map<string, Part>} */
  const parts = new Map()
  /** @param {string} file @returns {Part} */
  const read = (file) => {
    const known = parts.get(file)
    if (known) return known
    const code = readFileSync(join(dist, file))
    const map = join(dist, `${file}.map`)
    const { module } = parseSync(file, code.toString('utf8'))
    /** @param {{ value?: string, start: number, end: number } | undefined | null} request */
    const name = (request) =>
      request?.value ?? code.toString('utf8').slice((request?.start ?? 0) + 1, (request?.end ?? 1) - 1)
    const statics = [
      ...module.staticImports.map((one) => one.moduleRequest),
      ...module.staticExports.flatMap((one) => one.entries.map((entry) => entry.moduleRequest)),
    ].filter((request) => request != null)
    const part = {
      file,
      size: gzipSync(code, { level: 9 }).length,
      statics: [...new Set(statics.map(name))].map(plain),
      dynamics: [...new Set(module.dynamicImports.map((one) => name(one.moduleRequest)))]
        .filter((one) => /^\.\/[\w.-]+\.js$/.test(one))
        .map(plain),
      sources: existsSync(map) ? sourcesOf(map) : [],
    }
    parts.set(file, part)
    return part
  }

  /** A file and everything that it imports statically. @param {string} file @param {Set<string>} into */
  const withStatics = (file, into = new Set()) => {
    if (into.has(file)) return into
    into.add(file)
    for (const one of read(file).statics) withStatics(one, into)
    return into
  }

  const entry = withStatics('tool-agent.js')
  /** @param {readonly RegExp[]} sources */
  const entryWith = (sources) => {
    const files = new Set(entry)
    for (const lazy of [...entry].flatMap((file) => read(file).dynamics))
      if (read(lazy).sources.some((source) => sources.some((one) => one.test(source)))) withStatics(lazy, files)
    return files
  }
  const closed = entryWith(stageSources.closed)
  const visible = entryWith(stageSources.visible)
  const worker = withStatics('worker.js')
  const provider = withStatics('models/openai.js')
  const page = new Set([...entry, ...worker, ...provider])
  /** @type {{ file: string, why: string }[]} */
  const left = []
  for (const file of page) {
    for (const lazy of read(file).dynamics) {
      const part = read(lazy)
      const own = part.sources.filter((source) => ours.test(source))
      const reason = rarelyLoaded.find(
        ({ inside }) =>
          part.sources.some((source) => inside.test(source)) && own.every((source) => inside.test(source)),
      )
      if (reason) left.push({ file: lazy, why: reason.why })
      // A loop over a Set also visits the items that are added while it runs.
      else for (const one of withStatics(lazy)) page.add(one)
    }
  }
  /** @param {Iterable<string>} files */
  const sum = (files) => [...files].reduce((total, file) => total + read(file).size, 0) / 1024
  return {
    sizes: {
      entry: sum(entry),
      closed: sum(closed),
      visible: sum(visible),
      worker: sum(worker),
      page: sum(page),
    },
    stages: { closed: [...closed], visible: [...visible] },
    rows: [...page].map((file) => ({
      file,
      size: read(file).size / 1024,
      part:
        Object.entries({ entry, closed, visible, worker, model: provider }).find(([, files]) => files.has(file))?.[0] ??
        'later',
    })),
    left: [...new Map(left.map((one) => [one.file, { ...one, size: read(one.file).size / 1024 }])).values()],
  }
}

/** One sentence per limit that is exceeded. @param {ReturnType<typeof measure>['sizes']} sizes */
export function exceededLimits(sizes) {
  return Object.entries(limits).flatMap(([name, limit]) => {
    const size = sizes[/** @type {keyof typeof limits} */ (name)]
    return size > limit ? [`${name}: ${size.toFixed(2)} KiB, at most ${limit} KiB are allowed`] : []
  })
}

/** @param {string} dist */
export function table(dist) {
  const { sizes, rows, left } = measure(dist)
  /** @param {number} size */
  const kib = (size) => size.toFixed(1).padStart(7)
  return [
    'gzip KiB',
    ...rows.map((row) => `${kib(row.size)}  ${row.part.padEnd(7)} ${row.file}`),
    ...left.map((row) => `${kib(row.size)}  rare    ${row.file} (${row.why})`),
    `${kib(sizes.entry)}  of ${limits.entry}: entry, tool-agent.js with its static imports`,
    `${kib(sizes.closed)}  of ${limits.closed}: closed, what a closed panel with page tools loads`,
    `${kib(sizes.visible)}  of ${limits.visible}: visible, what a visible panel with page tools loads until somebody writes`,
    `${kib(sizes.worker)}  of ${limits.worker}: worker`,
    `${kib(sizes.page)}  of ${limits.page}: visit, everything that a page with chat and page tools usually loads`,
  ].join('\n')
}

/**
 * The sources of a source map as absolute paths with slashes. A build inside `node_modules` lists packages by relative
 * paths without that name.
 * @param {string} map
 * @returns {string[]}
 */
export function sourcesOf(map) {
  /** @type {{ sources: string[] }} */
  const { sources } = JSON.parse(readFileSync(map, 'utf8'))
  return sources.map((source) => resolve(dirname(map), source).replaceAll('\\', '/'))
}

/** @param {string} specifier */
function plain(specifier) {
  return specifier.replace(/^\.\//, '')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode()
  const dist = fileURLToPath(new URL('../dist', import.meta.url))
  if (!existsSync(join(dist, 'tool-agent.js'))) {
    process.stderr.write('dist/ does not exist: run `npm run build` first\n')
    process.exit(1)
  }
  process.stdout.write(`${table(dist)}\n`)
  const exceeded = exceededLimits(measure(dist).sizes)
  for (const line of exceeded) process.stderr.write(`Over budget: ${line}\n`)
  process.exitCode = exceeded.length > 0 ? 1 : 0
}
