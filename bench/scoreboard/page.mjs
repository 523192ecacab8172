// From the kept results to docs/scoreboard.md. Everything on the page comes from here and from results.json.
import { median } from '../support/numbers.mjs'
import { chooseTasks } from '../tasks/results.mjs'

/**
 * How a product did one task. `no action`: it has no action for a part of the task. `pagesLeft`: how often another page was
 * loaded on the way.
 * @typedef {{ verdict: 'yes' | 'no action' | 'no', reason?: string, steps: number, chars?: number, pagesLeft?: number }} Entry
 */

/** @typedef {'tool-agent' | 'page-agent'} Product */
/** @typedef {{ kind: string, task: string } & Partial<Record<Product, Entry>>} Row */
/** What results.json holds. @typedef {{ versions: Record<string, string>, results: Record<string, Row> }} Kept */
/** @typedef {{ label: string, kind: string, task: string } & Record<Product, Entry>} Compared */

const products = /** @type {const} */ (['tool-agent', 'page-agent'])

/**
 * What is kept of a run.
 * @param {import('../tasks/results.mjs').Result & { lacks?: string[], pagesLeft?: number }} result
 * @returns {Entry}
 */
export function entryOf({ passed, problem, requests, lacks = [], pagesLeft = 0 }) {
  const { count, chars } = requests
  const figures = { steps: count, ...(chars === undefined ? {} : { chars }), ...(pagesLeft > 0 ? { pagesLeft } : {}) }
  if (passed) return { verdict: 'yes', ...figures }
  if (lacks.length > 0) return { verdict: 'no action', reason: [...new Set(lacks)].join(', '), ...figures }
  if (problem === undefined)
    return { verdict: 'no', reason: 'not right at the end; no call told a problem', ...figures }
  return { verdict: 'no', reason: problem.split('\n')[0] ?? '', ...figures }
}

const titles = new Map(
  Object.entries({
    forms: 'Forms',
    widgets: 'Widgets, with the markup of component libraries',
    'jquery-ui': 'Widgets of jQuery UI',
    mail: 'A mail client of boxes and icons',
    lists: 'Lists, tables and trees',
    apps: 'Menus, dialogs, tabs, wizards',
    unmarked: 'Boxes, icons and symbols instead of buttons',
    webmcp: 'Forms that the page offers as tools',
    applications: 'Applications of this project',
    'npm applications': 'Applications of others, from npm',
  }),
)

/** The kind under which a task is listed: the folder of a page, or the kind of the application. @param {Compared} one */
const groupOf = ({ label, kind }) => (kind === 'pages' ? String(label.split('/')[0]) : kind)

const cells = (/** @type {readonly (string | number)[]} */ list) => `| ${list.join(' | ')} |`
/** A table of which the first column is text and the others numbers. @param {readonly (string | number)[][]} lines */
const figureTable = ([head = [], ...lines]) =>
  [cells(head), `|---|${'--:|'.repeat(head.length - 1)}`, ...lines.map(cells)].join('\n')

/** @param {number} value */
const plain = (value) => Math.round(value).toLocaleString('en-US')

/** @param {readonly Compared[]} some @param {Product} product @param {Entry['verdict']} verdict */
const count = (some, product, verdict) => some.filter((one) => one[product].verdict === verdict).length

/** @param {string} title @param {readonly Compared[]} some */
const summaryLine = (title, some) => [
  title,
  some.length,
  count(some, 'tool-agent', 'yes'),
  count(some, 'page-agent', 'yes'),
  count(some, 'page-agent', 'no action'),
  count(some, 'page-agent', 'no'),
]

/** Steps and characters of the tasks that both do, which are the same tasks. @param {readonly Compared[]} all */
function costTable(all) {
  const both = all.filter((one) => products.every((product) => one[product].verdict === 'yes'))
  const inApps = both.filter((one) => products.every((product) => one[product].chars !== undefined))
  const line = (
    /** @type {string} */ what,
    /** @type {readonly Compared[]} */ some,
    /** @type {'steps' | 'chars'} */ of,
  ) => [
    what,
    ...products.map((product) => plain(median(some.map((one) => one[product][of] ?? 0)))),
    ...products.map((product) => plain(some.reduce((sum, one) => sum + (one[product][of] ?? 0), 0))),
  ]
  return figureTable([
    ['', ...products.map((product) => `${product}, median`), ...products.map((product) => `${product}, all`)],
    line(`steps, of ${both.length} tasks`, both, 'steps'),
    line(`steps, of ${inApps.length} tasks in applications`, inApps, 'steps'),
    line(`characters to the model, of ${inApps.length} tasks in applications`, inApps, 'chars'),
  ])
}

/** @param {Entry} entry */
const verdictOf = ({ verdict, reason = '' }) => {
  // A reason may contain what a page or a pattern wrote.
  const text = reason.replace(/\s+/g, ' ').replace(/[|<>*_`{}[\]\\]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  if (verdict === 'yes') return 'yes'
  return `**${verdict}**: ${text}`
}

/**
 * docs/scoreboard.md.
 * @param {Kept} kept
 */
export function pageOf({ versions, results }) {
  const { pages, inApps } = chooseTasks([])
  const all = [...pages, ...inApps].flatMap(({ label }) => {
    const kept = results[label]
    const { 'tool-agent': own, 'page-agent': other } = kept ?? {}
    return kept && own && other ? [{ ...kept, label, 'tool-agent': own, 'page-agent': other }] : []
  })
  const groups = [...titles].map(([group, title]) => ({ title, some: all.filter((one) => groupOf(one) === group) }))
  const used = groups.filter(({ some }) => some.length > 0)
  const across = all.filter(({ 'page-agent': { pagesLeft = 0, verdict } }) => pagesLeft > 0 && verdict === 'yes').length
  const of = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `# Scoreboard

What the tools of tool-agent and of [page-agent](https://github.com/alibaba/page-agent) can do: the same ${all.length} tasks,
done by the same scripted model with each of them, and judged by the same state of the page or its server.
\`npm run scoreboard\` runs the tasks and writes this page. Nothing in it is written by hand.

**Contents**

[Results](#results) · [Every task](#every-task) · [How it was measured](#how-it-was-measured) ·
[What this does not show](#what-this-does-not-show) · [Running it](#running-it)

## Results

With ${of.slice(0, -1).join(', ')} and ${of.at(-1)}.

- **Right**: the state at the end is the wanted one.
- **No action**: page-agent has no action for a part of the task, such as pressing a key or dragging, and no other way was
  found with the actions that it has.
- **Failed**: it has the actions, and the state was not right at the end.

${figureTable([
  ['', 'tasks', 'tool-agent: right', 'page-agent: right', 'page-agent: no action', 'page-agent: failed'],
  ...used.map(({ title, some }) => summaryLine(title, some)),
  summaryLine('**all**', all),
])}

What the tasks cost that both do:

${costTable(all)}

A step is one request to the model. page-agent sends the state of the page with each request, so it needs no step to
read. tool-agent reads with a tool, and fills all fields of a form in one call. Characters are counted in applications,
where both run with their whole loop.

## Every task

${used
  .map(
    ({ title, some }) => `### ${title}

| task | what a user asks | tool-agent | page-agent |
|---|---|---|---|
${some.map((one) => cells([one.label, one.task, ...products.map((product) => verdictOf(one[product]))])).join('\n')}`,
  )
  .join('\n\n')}

## How it was measured

- **The tasks** are those of \`npm run tasks\`. Some are on small pages (\`bench/tasks/\`), whose own script decides whether
  a task is done. The others are in applications, ours and unchanged ones from npm; there the state of the server or page
  at the end has to be the wanted one, and nothing else may have changed.
- **The model** is a script for each task, a *policy*. It finds names in what the product tells a model, calls tools, and
  never sees the document. The policies are the same for both products. What differs is the part below them
  (\`bench/tasks/hands.mjs\` and \`bench/tasks/page-agent/hands.mjs\`), which turns “click Save in this row” into calls.
- **page-agent** runs as its package is meant to: its own loop, its own requests with its browser state, and its own
  actions: \`click_element_by_index\`, \`input_text\`, \`select_dropdown_option\`, \`scroll\`, \`scroll_horizontally\`,
  \`wait\` and \`done\`. \`execute_javascript\` is an experimental option that is off by default, and is not used. Two
  settings are not the defaults: the limit of 40 steps is raised, so that no task ends because of it, and the animated
  glow over the page is off.
- **What page-agent gets on top.** Elements are found by text, attributes, labels and neighbouring lines, and again after a
  second if they are not there yet; a box without a name, by the text before it. Where a key or hovering is wanted,
  another way is tried first: a button beside the field, or a click, which also tells the page that the pointer is over an
  element. A day is chosen in a calendar by turning its pages. In a long list, the distance to scroll is calculated from
  the numbers that are shown. Forms that the page offers as tools are filled as other forms.
- **A page that is left.** page-agent is a script of the page, and its task ends when another page is loaded. Here it is
  started again in the next page with the same task, and the policy goes on. ${across} of the tasks that it does right
  need this.
- **tool-agent** has its page tools alone on small pages, and its whole element with default settings in applications.
  There it asks before actions that matter, and the mouse allows each of them. page-agent asks nothing.

## What this does not show

- **What a model would do.** A script does not misread, and has no ideas of its own. The scoreboard shows what can be done
  with the tools and the text that they give, not how often a model does it.
- **Whether it is safe.** The questions of tool-agent take the time of a person, and stop what nobody wanted. Nothing here
  counts for or against that.
- **Tasks that somebody else chose.** We wrote the tasks and the policies, and tool-agent was improved with them. So its
  own figure says little about other pages; the reasons of page-agent say which kinds of controls to try.
- **False successes.** The actions of page-agent report that they were done, not what the page holds then, so what they
  report cannot be checked by the same rule.
- **What page-agent does beyond one page.** Its browser extension works across tabs and sites, and is not part of this.
- **Time.** page-agent waits so that a person can follow. See [Performance](performance.md).
- **Tools of your own.** Both take functions of a page as tools. With such a tool, each of these tasks can be done.

## Running it

<!-- fragment: commands -->
\`\`\`sh
npm run build
npm run scoreboard
\`\`\`

It needs the packages of \`bench/\` and \`test/frameworks/\`. \`bench/scoreboard/results.json\` keeps how each task ended;
\`-- --missing\` goes on after a run that was stopped, \`-- mail\` runs some tasks again, and \`-- --page\` only writes this
page.
`
}
