// The rows of the bench: what each measures, its file, and the aims that its figures are compared with.

import { scenarios } from '../scripts/budget.mjs'

/**
 * A limit for one figure, or for the ratio of two. Each figure is named by what was measured and for which product.
 * Without `atMost` it is only shown.
 * @typedef {object} Aim
 * @property {string} text
 * @property {readonly [what: string, product: string]} of
 * @property {readonly [what: string, product: string]} [over] with it, the limit is for the ratio
 * @property {number} [atMost]
 */

/**
 * @typedef {object} Row
 * @property {string} name also the name of its file in `bench/rows`
 * @property {string} about
 * @property {readonly Aim[]} aims at least one
 * @property {true} [hasNoPage] it needs no browser
 * @property {true} [isLong] it runs only if it is named
 * @property {() => Promise<{ run: (lab: import('./support/lab.mjs').Lab) => Promise<import('./support/lab.mjs').Figure[]> }>} load
 */

/** The pages of the row `page_read`: name and number of elements. */
export const readPages = /** @type {const} */ (['google_store', 'singaporeair', 'synthetic'])

/** @type {readonly Row[]} */
export const rows = [
  {
    name: 'bytes',
    about: 'what Chromium fetches, gzip: ours in the scenarios of `npm run budget`, and a message with each peer',
    aims: [
      {
        text: 'closed launcher: at most half of page-agent',
        of: ['closed', 'ours'],
        over: ['a message', 'page-agent'],
        atMost: 0.5,
      },
      {
        text: 'visible panel: at most deep-chat',
        of: ['visible', 'ours'],
        over: ['a message', 'deep-chat'],
        atMost: 1,
      },
      ...Object.entries(scenarios).map(([name, { kib }]) => ({
        text: `${name}: at most the ${kib} KiB of the budget`,
        of: /** @type {const} */ ([name, 'ours']),
        atMost: kib,
      })),
    ],
    load: () => import('./rows/bytes.mjs'),
  },
  {
    name: 'start',
    about: 'from the navigation to the first paint of the panel and to the first request',
    aims: [
      {
        text: 'first paint: at most deep-chat',
        of: ['first paint', 'ours'],
        over: ['first paint', 'deep-chat'],
        atMost: 1,
      },
      {
        text: 'first request: at most 1.2 of deep-chat',
        of: ['first request', 'ours'],
        over: ['first request', 'deep-chat'],
        atMost: 1.2,
      },
    ],
    load: () => import('./rows/start.mjs'),
  },
  {
    name: 'enter',
    about: 'from the Enter key to the request, after a second of typing',
    aims: [
      {
        text: 'at most 1.2 of deep-chat',
        of: ['Enter to request', 'ours'],
        over: ['Enter to request', 'deep-chat'],
        atMost: 1.2,
      },
      {
        text: 'with page tools: at most 1.4 of deep-chat, which has none',
        of: ['Enter to request', 'ours, page tools'],
        over: ['Enter to request', 'deep-chat'],
        atMost: 1.4,
      },
      { text: 'no file after Enter', of: ['files after Enter', 'ours'], atMost: 0 },
      { text: 'with page tools: no file after Enter', of: ['files after Enter', 'ours, page tools'], atMost: 0 },
    ],
    load: () => import('./rows/enter.mjs'),
  },
  {
    name: 'host_page',
    about: 'what a page pays, with a processor that is 4 times slower',
    aims: [
      { text: 'closed: adds no blocking time', of: ['added blocking time', 'ours, closed'], atMost: 0 },
      { text: 'closed: no layout shift', of: ['layout shift', 'ours, closed'], atMost: 0 },
      {
        text: 'closed: the INP of the page without it',
        of: ['INP', 'ours, closed'],
        over: ['INP', 'no agent'],
        atMost: 1,
      },
      { text: 'streaming 10,000 tokens: INP under 100 ms', of: ['INP', 'ours, streaming'], atMost: 100 },
    ],
    load: () => import('./rows/host-page.mjs'),
  },
  {
    name: 'stage',
    about:
      'jobs that fill, ask and are undone, with what is drawn on the page and without, 4 times slower; and their heap',
    aims: [
      { text: 'INP: at most 1.1 of stage="off"', of: ['INP', 'stage auto'], over: ['INP', 'stage off'], atMost: 1.1 },
      {
        text: 'frames: at most 1.1 of stage="off"',
        of: ['frame, 95th percentile', 'stage auto'],
        over: ['frame, 95th percentile', 'stage off'],
        atMost: 1.1,
      },
      { text: 'layout shift: at most 0.02', of: ['layout shift', 'stage auto'], atMost: 0.02 },
      {
        text: 'heap after 50 jobs: at most 1.1 of stage="off"',
        of: ['heap after all jobs', 'stage auto'],
        over: ['heap after all jobs', 'stage off'],
        atMost: 1.1,
      },
    ],
    load: () => import('./rows/stage.mjs'),
  },
  {
    name: 'paint',
    about:
      'what one step costs the main thread of a page that shows the panel: of a model that answers at once, and of one that takes 250 ms',
    aims: [
      { text: 'quick steps: at most one frame per step', of: ['frames', 'quick steps'], atMost: 1 },
      { text: 'slow steps: at most 3 layouts per step', of: ['layouts', 'slow steps'], atMost: 3 },
      {
        text: 'slow steps: at most 8 recalculations of style',
        of: ['recalculations of style', 'slow steps'],
        atMost: 8,
      },
    ],
    load: () => import('./rows/paint.mjs'),
  },
  {
    name: 'step',
    about: 'one step of a turn of 20 steps',
    aims: [
      {
        text: "durable: at most 1.2 of TanStack's client, which does not wait for its writes",
        of: ['one step', 'ours, durable'],
        over: ['one step', 'TanStack client, IndexedDB'],
        atMost: 1.2,
      },
      {
        text: 'with calls that must not run twice, beside the same',
        of: ['one step', 'ours, durable, not repeatable'],
        over: ['one step', 'TanStack client, IndexedDB'],
      },
      {
        text: 'with the panel: at most 1.5 of the one without',
        of: ['one step', 'ours with panel, durable'],
        over: ['one step', 'ours, durable'],
        atMost: 1.5,
      },
      {
        text: 'in memory: at most 1.1 of the AI SDK',
        of: ['one step', 'ours, memory'],
        over: ['one step', 'AI SDK stream'],
        atMost: 1.1,
      },
    ],
    load: () => import('./rows/step.mjs'),
  },
  {
    name: 'burst',
    about: 'drawing 10,000 tokens that arrive within a third of a second',
    aims: [
      {
        text: 'longest task: at most 0.7 of marked once per frame',
        of: ['longest task', 'ours'],
        over: ['longest task', 'marked per frame'],
        atMost: 0.7,
      },
    ],
    load: () => import('./rows/burst.mjs'),
  },
  {
    name: 'sessions',
    about: 'a question and its answer in long sessions',
    aims: [
      {
        text: '10,000 messages: at most 6 ms more than 100, beyond what fetch adds',
        of: ['added beyond fetch', '10,000 messages'],
        atMost: 6,
      },
    ],
    load: () => import('./rows/sessions.mjs'),
  },
  {
    name: 'page_read',
    about: 'reading a page for the model, beside page-agent',
    aims: readPages.flatMap((name) => [
      {
        text: `${name}: at most the time of page-agent`,
        of: /** @type {const} */ ([`${name}: main CPU`, 'ours']),
        over: /** @type {const} */ ([`${name}: main CPU`, 'page-agent']),
        atMost: 1,
      },
      {
        text: `${name}: at most the characters of page-agent for the whole page`,
        of: /** @type {const} */ ([`${name}: characters, whole page`, 'ours']),
        over: /** @type {const} */ ([`${name}: characters, whole page`, 'page-agent']),
        atMost: 1,
      },
    ]),
    load: () => import('./rows/page-read.mjs'),
  },
  {
    name: 'form_fill',
    about: 'filling 100 plain fields',
    aims: [
      {
        text: 'at most a tenth of the time of page-agent',
        of: ['100 fields', 'ours'],
        over: ['100 fields', 'page-agent'],
        atMost: 0.1,
      },
      {
        text: 'at most the main CPU of page-agent',
        of: ['main CPU', 'ours'],
        over: ['main CPU', 'page-agent'],
        atMost: 1,
      },
    ],
    load: () => import('./rows/form-fill.mjs'),
  },
  {
    name: 'booking',
    about: 'filling a booking form, with a scripted model that acts on what it reads',
    aims: [
      { text: 'at most 2 model steps', of: ['model steps', 'ours'], atMost: 2 },
      { text: 'at most 15,000 characters to the model', of: ['characters to the model', 'ours'], atMost: 15_000 },
    ],
    load: () => import('./rows/booking.mjs'),
  },
  {
    name: 'cache',
    about: 'how much of a request that was sent before a request does not begin with, and what conversations cost',
    aims: [
      'three pages',
      '20 steps',
      'todos with reminders',
      'clearing',
      'compaction',
      'a late tool',
      'a provider',
      'edit',
      'regenerate',
      'a reload',
      'another tab',
      'a sub-agent',
    ].map((name) => ({ text: `${name}: at most 5 %`, of: [`${name}: most that is lost`, 'ours'], atMost: 5 })),
    load: () => import('./rows/cache.mjs'),
  },
  {
    name: 'tools',
    about: 'the longest task of registering 500 tools, of searching 5,000, and of a second tab that mirrors',
    aims: [
      { text: '500 tools: no task over 50 ms', of: ['longest task', 'registering 500 tools'], atMost: 50 },
      { text: '5,000 tools: no task over 50 ms', of: ['longest task', 'searching 5,000 tools'], atMost: 50 },
      {
        text: '5,000 tools: a first request of at most 8,000 characters',
        of: ['first request', 'searching 5,000 tools'],
        atMost: 8_000,
      },
      { text: 'mirror: no task over 50 ms', of: ['longest task', 'mirror of 5,000 tokens'], atMost: 50 },
    ],
    load: () => import('./rows/tools.mjs'),
  },
  {
    name: 'relay',
    about: 'the relay beside a bare proxy that checks nothing',
    aims: [
      {
        text: 'stream: at most twice the CPU',
        of: ['stream: CPU per request', 'ours'],
        over: ['stream: CPU per request', 'bare proxy'],
        atMost: 2,
      },
    ],
    load: () => import('./rows/relay.mjs'),
  },
  {
    name: 'server',
    about: 'a server with 1,000 sockets and 200 turns at once, beside the same turns in hosts of one process',
    aims: [
      { text: 'no turn fails', of: ['turns that failed', 'server'], atMost: 0 },
      { text: 'no tool call is lost or runs twice', of: ['tool calls lost or twice', 'server'], atMost: 0 },
      { text: 'no error of a socket', of: ['errors of sockets', 'server'], atMost: 0 },
      { text: 'an idle socket: at most 32 KiB of heap', of: ['idle sockets: heap, each', 'server'], atMost: 32 },
      { text: 'one that has gone: at most 8 KiB', of: ['when all have gone: heap, each', 'server'], atMost: 8 },
      {
        text: 'a turn: at most 1.5 of the CPU',
        of: ['CPU per turn', 'server'],
        over: ['CPU per turn', 'in process'],
        atMost: 1.5,
      },
      ...['the page', 'the server'].flatMap((where) =>
        ['p50', 'p99'].map((part) => ({
          text: `step with a tool of ${where}, ${part}: beside a host in the process and a round trip`,
          of: /** @type {const} */ ([`step with a tool of ${where}, ${part}`, 'server']),
          over: /** @type {const} */ ([`step with a tool of ${where}, ${part}`, 'in process, and a round trip']),
        })),
      ),
    ],
    hasNoPage: true,
    load: () => import('./rows/server.mjs'),
  },
  {
    name: 'cluster',
    about: 'two server processes on one PostgreSQL with 2,000 sockets, half of them linked, and 200 turns at once',
    aims: [
      { text: 'no turn fails', of: ['turns that failed', 'cluster'], atMost: 0 },
      { text: 'no tool call is lost or runs twice', of: ['tool calls lost or twice', 'cluster'], atMost: 0 },
      { text: 'no error of a socket', of: ['errors of sockets', 'cluster'], atMost: 0 },
      ...['p50', 'p99'].map((part) => ({
        text: `step with a tool of the page, ${part}: linked beside local`,
        of: /** @type {const} */ ([`step with a tool of the page, ${part}`, 'linked']),
        over: /** @type {const} */ ([`step with a tool of the page, ${part}`, 'local']),
      })),
    ],
    hasNoPage: true,
    isLong: true,
    load: () => import('./rows/cluster.mjs'),
  },
  {
    name: 'growth',
    about: 'a PostgreSQL with 10,000 turns of two server processes, then 5,000 while a backup runs',
    aims: ['cluster', 'with a backup'].flatMap((product) =>
      [
        'turns that failed',
        'tool calls lost or twice',
        'errors of sockets',
        'rows left: mail',
        'rows left: leases',
      ].map((what) => ({
        text: `${what}, ${product}: none`,
        of: /** @type {const} */ ([what, product]),
        atMost: 0,
      })),
    ),
    hasNoPage: true,
    isLong: true,
    load: () => import('./rows/growth.mjs'),
  },
]
