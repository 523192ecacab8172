// Pages whose server draws each view, so that what only shows something is sent as well: with htmx and Turbo, and as
// Livewire, LiveView, JSF and server actions do.
import { entry, spa } from './serve.mjs'

/** What a page shows now. @typedef {{ isOpenOnly: boolean, opened?: number }} View */
/** @typedef {(name: string, label: string, id?: number) => string} Control how a framework writes what can be pressed */
/** @typedef {{ filter: string, resolve: string, open: string, done: string, back: string, since: string }} Words */

/** @type {Words} */
const english = { filter: 'Only open', resolve: 'Resolve', open: 'open', done: 'done', back: 'Back', since: 'Since' }
/** @type {Words} */
const german = {
  filter: 'Nur offene',
  resolve: 'Erledigen',
  open: 'offen',
  done: 'erledigt',
  back: 'Zurück',
  since: 'Seit',
}
/** @type {Words} */
const french = {
  filter: 'En cours',
  resolve: 'Résoudre',
  open: 'ouvert',
  done: 'résolu',
  back: 'Retour',
  since: 'Depuis',
}

/** The views of the pages: a server keeps them beside its data. @type {WeakMap<object, View>} */
const views = new WeakMap()

/** Does what a press means. @param {any} data @param {string} name @param {number} [id] */
function act(data, name, id) {
  const view = views.get(data) ?? { isOpenOnly: false }
  views.set(data, view)
  if (name === 'filter') view.isOpenOnly = !view.isOpenOnly
  if (name === 'open' && id !== undefined) view.opened = id
  if (name === 'close') delete view.opened
  if (name === 'resolve') entry(data.tickets, id).isDone = true
}

/** @param {any} data @param {Control} control @param {Words} words */
function draw(data, control, words) {
  const view = views.get(data) ?? { isOpenOnly: false }
  const shown = data.tickets.filter((/** @type {{ isDone: boolean }} */ one) => !view.isOpenOnly || !one.isDone)
  const opened = data.tickets.find((/** @type {{ id: number }} */ one) => one.id === view.opened)
  const rows = shown.map(
    (/** @type {any} */ one) =>
      `<div class="row">${control('open', one.name, one.id)}<span>${one.isDone ? words.done : words.open}</span>${control('resolve', words.resolve, one.id)}</div>`,
  )
  const details = opened ? `<p>${words.since} ${opened.since}</p>${control('close', words.back)}` : ''
  return `<div class="bar">${control('filter', words.filter)}</div><div class="list">${rows.join('')}</div>${details}`
}

/** Frames of Turbo and parts of htmx have an address for each press. @param {import('../server.mjs').Received} request @param {any} data */
function actByPath({ path }, data) {
  const [, name = '', id] = /^\/tickets\/(\w+)(?:\/(\d+))?$/.exec(path) ?? []
  if (name) act(data, name, id === undefined ? undefined : Number(id))
  return name !== ''
}

/**
 * @type {Record<string, { words: Words, language?: string, page?: string, control: Control, frame?: string,
 *   handle?: import('./serve.mjs').Handle }>}
 */
const kinds = {
  htmx: {
    words: french,
    language: 'fr',
    page: 'htmx.js',
    control: (name, label, id) =>
      `<div class="btn" hx-post="/tickets/${name}${id ? `/${id}` : ''}" hx-target="#view">${label}</div>`,
  },
  turbo: {
    words: english,
    page: 'turbo.js',
    frame: 'turbo-frame',
    control: (name, label, id) =>
      name === 'resolve'
        ? `<form method="post" action="/tickets/resolve/${id}"><button>${label}</button></form>`
        : `<a href="/tickets/${name}${id ? `/${id}` : ''}">${label}</a>`,
  },
  livewire: {
    words: english,
    control: (name, label, id) => `<div class="btn" wire:click="${name}(${id ?? ''})">${label}</div>`,
    handle({ path, body }, data, html) {
      if (path !== '/livewire/update') return undefined
      const [{ method, params }] = body.components[0].calls
      act(data, method, params[0])
      return { json: { components: [{ snapshot: '{}', effects: { html: html() } }] } }
    },
  },
  'live-view': {
    words: english,
    control: (name, label, id) =>
      `<div class="btn" phx-click="${name}"${id ? ` phx-value-id="${id}"` : ''}>${label}</div>`,
  },
  faces: {
    words: german,
    language: 'de',
    control: (name, label, id) => `<a href="#" id="f:${name}:${id ?? ''}">${label}</a>`,
    handle({ path, body }, data, html) {
      if (path !== '/tickets.xhtml') return undefined
      const [, name, id] = body['jakarta.faces.source'].split(':')
      act(data, name, Number(id))
      return {
        text: `<partial-response><changes><update id="view"><![CDATA[${html()}]]></update></changes></partial-response>`,
      }
    },
  },
  actions: {
    words: english,
    control: (name, label, id) => `<div class="btn" data-key="${name} ${id ?? ''}">${label}</div>`,
    handle({ method, path, body, headers }, data, html) {
      const names = new Map([
        ['40a1f3', 'filter'],
        ['40b7c9', 'open'],
        ['40d2e8', 'close'],
        ['40e6aa', 'resolve'],
      ])
      const name = names.get(String(headers['next-action']))
      if (method !== 'POST' || path !== '/' || !name) return undefined
      act(data, name, body[0] ?? undefined)
      return { text: `1:${JSON.stringify(html())}` }
    },
  },
}

export const apps = Object.entries(kinds).map(
  ([name, { words, language = 'en', page = 'remote.js', control, frame = 'div', handle }]) => {
    const html = (/** @type {any} */ data) => draw(data, control, words)
    const wrapped = (/** @type {any} */ data) => `<${frame} id="view" class="${name}">${html(data)}</${frame}>`
    return spa({
      name,
      group: 'server-driven',
      language,
      title: 'Tickets',
      page,
      body: (data) => `<main><h1>Tickets</h1>${wrapped(data)}</main>`,
      region: '.list',
      data: () => ({
        tickets: ['Lift', 'Printer', 'Heating'].map((one, at) => ({
          id: at + 1,
          name: one,
          isDone: at === 1,
          since: `${at + 2} July`,
        })),
      }),
      handle(request, data) {
        if (handle) return handle(request, data, () => html(data))
        if (!actByPath(request, data)) return undefined
        if (frame === 'div') return { text: html(data) }
        return request.method === 'GET' ? { html: wrapped(data) } : { to: '/tickets/shown' }
      },
      socket(message, data) {
        const { event, value } = message[4]
        act(data, event, value.id === null ? undefined : Number(value.id))
        return ['4', '7', 'lv:phx-F1', 'phx_reply', { status: 'ok', response: { html: html(data) } }]
      },
      jobs: [
        {
          name: 'resolve',
          task: 'The heating works again. Resolve its ticket.',
          effects: [],
          changes: [{ what: 'set tickets "Heating" isDone = true', effect: 'send', says: [words.resolve, 'Heating'] }],
          async policy({ read, click }) {
            await read()
            await click(words.resolve, { inside: 'Heating' })
          },
        },
        {
          name: 'look',
          task: 'Which tickets are open, and since when is the lift broken?',
          effects: [],
          changes: [],
          region: '',
          async policy({ read, click }) {
            await read()
            await click(words.filter)
            await click('Lift')
            await read()
            await click(words.back)
          },
        },
      ],
    })
  },
)
