// A calendar of pages from the server: forms that post and are redirected, links to another site, and a download.

/** @typedef {{ id: number, day: number, title: string, guests: string[] }} Entry */

const style =
  '<style>body { font: 15px sans-serif; width: 760px; padding: 12px } td { border: 1px solid silver; width: 90px; height: 44px; vertical-align: top } form.inline { display: inline }</style>'
const page = (/** @type {string} */ body, title = 'Calendar') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">${style}</head><body><nav><a href="/">Month</a> <a href="/agenda">Agenda</a> <a href="/preferences">Preferences</a></nav>${body}</body></html>`

/** @param {any} data @param {number} month */
function monthPage(data, month) {
  const cells = Array.from({ length: 28 }, (_, at) => {
    const entries = month === 6 ? data.entries.filter((/** @type {Entry} */ one) => one.day === at + 1) : []
    const links = entries.map((/** @type {Entry} */ one) => `<br><a href="/events/${one.id}">${one.title}</a>`).join('')
    return `${at % 7 === 0 ? '<tr>' : ''}<td>${at + 1}${links}</td>`
  })
  return page(`<h1>${['May', 'June', 'July'][month - 5]} 2026</h1><p><a href="/?month=${month - 1}" rel="prev">Earlier</a> <a href="/?month=${month + 1}" rel="next">Later</a> <a href="/new">New event</a></p>
<table><tbody>${cells.join('')}</tbody></table><p><a href="/calendar.ics" download>Export</a> <a href="mailto:calendar@example.org?subject=Subscribe">Subscribe by mail</a> <a href="{{other}}/holidays">Public holidays</a></p>`)
}

/** @param {Entry} entry */
const eventPage = (entry) =>
  page(
    `<h1>${entry.title}</h1><p>${entry.day} June 2026</p><p>Guests: ${entry.guests.join(', ') || 'none'}</p>
<form method="post" action="/events/${entry.id}/guests"><label>Invite <input type="email" name="guest" required></label> <button>Send invitation</button></form>
<form method="post" action="/events/${entry.id}" class="inline"><label>Day <select name="day" onchange="this.form.submit()">${Array.from({ length: 28 }, (_, at) => `<option ${at + 1 === entry.day ? 'selected' : ''}>${at + 1}</option>`).join('')}</select></label></form>
<form method="post" action="/events/${entry.id}" class="inline"><input type="hidden" name="_method" value="delete"><button aria-label="Cancel event">🗑</button></form>
<details><summary>History</summary><p>Created by Ada.</p></details>
<p><a href="{{other}}/share?event=${entry.id}" target="_blank">Share with another calendar</a></p>`,
    entry.title,
  )

/** @type {import('../server.mjs').App} */
export const app = {
  name: 'calendar',
  data: () => ({
    entries: [
      { id: 1, day: 4, title: 'Dentist', guests: [] },
      { id: 2, day: 12, title: 'Board meeting', guests: ['kim@example.org'] },
      { id: 3, day: 20, title: 'Picnic', guests: [] },
    ],
    preferences: { weekStart: 'Monday' },
  }),
  handle({ method, path, query, body }, data) {
    if (path === '/') return { html: monthPage(data, Number(query.get('month') ?? 6)) }
    if (path === '/calendar.ics') return { file: { name: 'calendar.ics', text: 'BEGIN:VCALENDAR' } }
    if (path === '/agenda') {
      const words = (query.get('q') ?? '').toLowerCase()
      const found = data.entries.filter((/** @type {Entry} */ one) => one.title.toLowerCase().includes(words))
      return {
        html: page(
          `<h1>Agenda</h1><form><input type="search" name="q" aria-label="Search events"> <button>Search</button></form><ul>${found.map((/** @type {Entry} */ one) => `<li><a href="/events/${one.id}">${one.title}</a> on ${one.day} June</li>`).join('')}</ul>`,
        ),
      }
    }
    if (path === '/new') {
      return {
        html: page(
          '<h1>New event</h1><form method="post" action="/events"><p><label>Title <input name="title" required></label></p><p><label>Day of June <input type="number" name="day" min="1" max="28" required></label></p><button>Create</button></form>',
        ),
      }
    }
    if (path === '/preferences' && method === 'PUT') return { json: Object.assign(data.preferences, body) }
    if (path === '/preferences') {
      return {
        html: page(
          `<h1>Preferences</h1><fieldset><legend>First day of the week</legend>${['Monday', 'Sunday'].map((day) => `<label><input type="radio" name="start" value="${day}" ${data.preferences.weekStart === day ? 'checked' : ''}> ${day}</label>`).join('')}</fieldset><script>document.querySelector('fieldset').onchange = (event) => fetch('/preferences', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ weekStart: event.target.value }) })</script>`,
        ),
      }
    }
    if (path === '/events' && method === 'POST') {
      data.entries.push({ id: data.entries.length + 1, day: Number(body.day), title: body.title, guests: [] })
      return { to: '/' }
    }
    const [, id, action] = /^\/events\/(\d+)(\/guests)?$/.exec(path) ?? []
    const entry = data.entries.find((/** @type {Entry} */ one) => one.id === Number(id))
    if (!entry) return undefined
    if (method === 'GET') return { html: eventPage(entry) }
    if (body._method === 'delete') {
      data.entries.splice(data.entries.indexOf(entry), 1)
      return { to: '/' }
    }
    if (action) entry.guests.push(body.guest)
    else entry.day = Number(body.day)
    return { to: path.replace('/guests', '') }
  },
  effectOf({ method, body, path }) {
    if (method === 'GET') return 'go'
    if (path === '/preferences') return 'value'
    return body?._method === 'delete' ? 'destroy' : 'send'
  },
  jobs: [
    {
      name: 'look',
      task: 'Who comes to the board meeting?',
      effects: [],
      async policy({ read, click, sees }) {
        await read()
        await click('Board meeting')
        await read()
        if (!sees('kim@example.org')) throw new Error('The guests are not shown')
      },
    },
    {
      name: 'months',
      task: 'Show July, then June again.',
      effects: [],
      async policy({ read, click, wait }) {
        await read()
        await click('Later')
        await wait({ text: 'July 2026' })
        await read()
        await click('Earlier')
        await wait({ text: 'June 2026' })
      },
    },
    {
      name: 'search',
      task: 'Find the picnic in the agenda and read its history.',
      effects: [],
      async policy({ read, click, fill, submit }) {
        await read()
        await click('Agenda')
        await read()
        await fill({ 'Search events': 'picnic' })
        await submit()
        await read()
        await click('Picnic')
        await read()
        await click('History')
      },
      done: ({ page: shown }) => shown.locator('details[open]').isVisible(),
    },
    {
      name: 'create',
      task: 'Lunch with Tom on 9 June.',
      effects: ['send POST /events'],
      async policy({ read, click, fill, submit }) {
        await read()
        await click('New event')
        await read()
        await fill({ Title: 'Lunch with Tom', 'Day of June': 9 })
        await submit()
      },
      done: ({ data }) => data.entries[3]?.day === 9,
    },
    {
      name: 'invite',
      task: 'Invite Lina and Tom to the picnic.',
      effects: ['send POST /events/3/guests', 'send POST /events/3/guests'],
      async policy({ read, click, fill }) {
        await read()
        await click('Picnic')
        for (const guest of ['lina@example.org', 'tom@example.org']) {
          await read()
          await fill({ Invite: guest })
          await click('Send invitation')
        }
      },
      done: ({ data }) => data.entries[2].guests.length === 2,
    },
    {
      name: 'move',
      task: 'The dentist is on 5 June instead.',
      // The list submits its form as soon as it changes.
      effects: ['send POST /events/1'],
      async policy({ read, click, use }) {
        await read()
        await click('Dentist')
        await read()
        // The page is loaded again while the call runs, so its result may be lost.
        await use('form_fill', { fields: [{ field: 'Day', value: '5' }] }).catch(() => undefined)
      },
      done: ({ data }) => data.entries[0].day === 5,
    },
    {
      name: 'cancel',
      task: 'The picnic is off.',
      effects: ['destroy POST /events/3'],
      async policy({ read, click }) {
        await read()
        await click('Picnic')
        await read()
        await click('Cancel event')
      },
      done: ({ data }) => data.entries.length === 2,
    },
    {
      name: 'export',
      task: 'Export the calendar, and start weeks on Sunday.',
      effects: ['outside download calendar.ics'],
      async policy({ read, click, fill }) {
        await read()
        await click('Export')
        await click('Preferences')
        await read()
        await fill({ 'First day of the week': 'Sunday' })
      },
      done: ({ data }) => data.preferences.weekStart === 'Sunday',
    },
    {
      name: 'subscribe',
      task: 'Subscribe to the calendar by mail.',
      effects: ['outside address mailto:calendar@example.org'],
      async policy({ read, click }) {
        await read()
        await click('Subscribe by mail')
      },
    },
    {
      name: 'share',
      task: 'Share the board meeting with another calendar.',
      effects: ['outside other site GET /share'],
      async policy({ read, click }) {
        await read()
        await click('Board meeting')
        await read()
        await click('Share with another calendar')
      },
    },
  ],
}
