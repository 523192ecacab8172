// The pages of the site in the order of the navigation, and the address of each file of the repository.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @typedef {object} Entry
 * @property {string} title in the navigation
 * @property {string} file the Markdown file, relative to the repository
 * @property {Entry[]} [inside] pages that are listed below this one
 *
 * @typedef {{ title: string, entries: Entry[] }} Section
 */

/** The entries of the package that the API describes. `file` is relative to the repository. */
export const apiEntries = [
  { name: 'agent', about: 'The agent without an element, for frameworks and for pages that have their own view.' },
  { name: 'tool-agent', about: 'The element, for bundlers and script tags.', file: 'src/index.ts' },
  { name: 'react', about: 'Components and hooks for React.' },
  { name: 'vue', about: 'Components and functions for Vue.' },
  { name: 'tools', about: 'The page tools and WebMCP, for pages that register them explicitly.' },
  { name: 'mcp', about: 'The tools of MCP servers. The client is loaded before the first step.' },
  { name: 'models', about: 'Model adapters, to pass as `modelAdapter` or to `serve`.' },
  { name: 'relay', about: 'The server between pages and models, for Node and for workers at the edge.' },
  { name: 'server', about: 'For a server that keeps conversations: a store in SQLite.' },
  {
    name: 'testing',
    about: 'For tests: a scripted model, traces that replay, what a store must pass, tasks for `npx tool-agent eval`.',
  },
  { name: 'worker', about: 'The host without a page, for a worker of your own and for Node.' },
  { name: 'inspector', about: 'Defines `<tool-agent-inspector>`, for developers.' },
].map(({ name, about, file = `src/${name}.ts` }) => ({
  name,
  about,
  file,
  specifier: name === 'tool-agent' ? name : `tool-agent/${name}`,
}))

/** Where TypeDoc writes its pages. */
export const generated = 'site/generated/'

/** The page of a file, such as `tools.md` for `docs/tools.md`; undefined for a file that is no page. @param {string} file */
export function pageOf(file) {
  if (file === 'README.md' || file === 'site/index.md') return 'index.md'
  if (file === 'docs/decisions/README.md') return 'decisions/index.md'
  if (/^docs\/.+\.md$/.test(file)) return file.slice('docs/'.length)
  if (file.startsWith(generated)) return file.slice(generated.length)
  return ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].includes(file) ? file.toLowerCase() : undefined
}

/** The address of a page or an image, such as `tools.html`; undefined for any other file. @param {string} file */
export function urlOf(file) {
  if (file.startsWith('docs/images/')) return file.slice('docs/'.length)
  return pageOf(file)?.replace(/\.md$/, '.html')
}

/** The id of a heading, as GitHub makes it. @param {string} text */
export function slugOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** The records by their number. @returns {Entry[]} */
function decisions() {
  return readdirSync(join(root, 'docs/decisions'))
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .sort()
    .map((name) => ({ title: name.slice(0, 4), file: `docs/decisions/${name}` }))
}

/** A page of docs/. @param {string} name @param {string} title @param {Entry[]} [inside] @returns {Entry} */
const page = (name, title, inside) => ({ title, file: `docs/${name}.md`, ...(inside ? { inside } : {}) })

/** @returns {Section[]} */
export function navigation() {
  return [
    {
      title: 'Get started',
      entries: [
        page('start', 'Get started'),
        page('frameworks', 'Frameworks'),
        page('recipes', 'Recipes'),
        page('comparison', 'Comparison', [page('scoreboard', 'Scoreboard')]),
      ],
    },
    {
      title: 'Tools',
      entries: [
        page('tools', 'Tools'),
        page('offering-tools', 'Offering tools'),
        page('tool-context', 'Tool context'),
        page('running-tools', 'Running tools'),
        page('tool-results', 'Tool results'),
        page('approval', 'Asking the user first'),
        page('loop', 'Steps, hooks and limits'),
        page('tool-errors', 'Tool errors'),
        page('agents-as-tools', 'Agents as tools'),
        page('todos', 'Todos and the reminder'),
        page('text-protocol', 'Models without tool calling'),
        page('observability', 'Observability'),
      ],
    },
    {
      title: 'Assistant',
      entries: [
        page('page-tools', 'Page tools'),
        page('sessions', 'Sessions'),
        page('models', 'Models'),
        page('mcp', 'MCP servers'),
        page('webmcp', 'WebMCP'),
      ],
    },
    {
      title: 'Interface',
      entries: [page('theming', 'Panel and theming'), page('languages', 'Languages'), page('headless', 'Headless')],
    },
    {
      title: 'Quality',
      entries: [page('testing', 'Testing and evaluation'), page('debugging', 'Debugging')],
    },
    {
      title: 'Production',
      entries: [
        page('relay', 'Relay'),
        page('server', 'Conversations on a server'),
        { title: 'Security', file: 'SECURITY.md' },
        page('privacy', 'Privacy and retention'),
        page('performance', 'Performance'),
        page('guarantees', 'Guarantees'),
      ],
    },
    {
      title: 'Reference',
      entries: [
        page('reference', 'Options and events'),
        {
          title: 'API',
          file: `${generated}api/index.md`,
          inside: apiEntries.map(({ name, specifier }) => ({ title: specifier, file: `${generated}api/${name}.md` })),
        },
        { title: 'Changelog', file: 'CHANGELOG.md' },
      ],
    },
    {
      title: 'Inside',
      entries: [
        page('architecture', 'Architecture'),
        page('life-of-a-turn', 'The life of a turn'),
        { title: 'Decisions', file: 'docs/decisions/README.md', inside: decisions() },
        { title: 'Contributing', file: 'CONTRIBUTING.md' },
      ],
    },
  ]
}
