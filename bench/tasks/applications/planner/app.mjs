// A week with events that are dragged and resized, and details in a popover whose buttons are icons.
import { fileURLToPath } from 'node:url'

const event = (/** @type {number} */ id, /** @type {string} */ title, more = {}) => ({
  id,
  title,
  day: 0,
  start: 9,
  hours: 1,
  kind: 'work',
  week: 0,
  ...more,
})

const named = (/** @type {any} */ state, /** @type {string} */ title) =>
  state.events.find((/** @type {{ title: string }} */ one) => one.title === title)

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'planner',
  folder: fileURLToPath(new URL('.', import.meta.url)),
  data: () => ({
    events: [
      event(1, 'Stand-up'),
      event(2, 'Dentist', { day: 1, start: 11, kind: 'home' }),
      event(3, 'Budget', { day: 2, start: 10, hours: 2 }),
      event(4, 'Interview', { day: 3, start: 14 }),
      event(5, 'Workshop', { day: 1, start: 9, hours: 2, week: 1 }),
    ],
  }),
  handle({ method, path, query, body }, data) {
    if (path === '/api/events' && method === 'GET')
      return {
        json: data.events.filter((/** @type {{ week: number }} */ one) => one.week === Number(query.get('week'))),
      }
    if (path === '/api/events') return { json: data.events.push({ id: data.events.length + 1, ...body }) }
    const [, id] = /^\/api\/events\/(\d+)$/.exec(path) ?? []
    const found = data.events.find((/** @type {{ id: number }} */ one) => one.id === Number(id))
    if (!found) return undefined
    if (method === 'DELETE') data.events.splice(data.events.indexOf(found), 1)
    else Object.assign(found, body)
    return { json: {} }
  },
  tasks: [
    {
      name: 'two-days-later',
      task: 'Move the stand-up to Wednesday at 8. One day is 150 pixels wide and one hour 40 high.',
      goal: { x: 300, y: -40 },
      mistake: { x: 150, y: -40 },
      want: (state) => Object.assign(named(state, 'Stand-up'), { day: 2, start: 8 }),
      async policy({ read, findText, use }, by) {
        await read()
        await use('page_drag', { target: await findText('Stand-up'), ...by })
      },
    },
    {
      name: 'onto-a-day',
      task: 'Move the interview to the time after the budget, on the same day.',
      goal: { title: 'Interview' },
      mistake: { title: 'Dentist' },
      want: (state) => Object.assign(named(state, 'Interview'), { day: 2, start: 12 }),
      async policy({ read, drag }, { title }) {
        await read()
        await drag(title, 'Budget', 'after')
      },
    },
    {
      name: 'longer',
      task: 'The dentist takes two hours. One hour is 40 pixels high; the lower edge of an event resizes it.',
      goal: { y: 40 },
      mistake: { y: 80 },
      want: (state) => (named(state, 'Dentist').hours = 2),
      async policy({ read, find, findText, use }, { y }) {
        await read()
        // An edge has no name; without a control for it, only the event itself can be named.
        const target = await find('resize', { inside: 'Dentist' }).catch(() => findText('Dentist'))
        await use('page_drag', { target, y })
      },
    },
    {
      name: 'create',
      task: 'Add "Review" on Friday at 8, for work.',
      goal: { title: 'Review' },
      mistake: { title: 'Preview' },
      want: (state) => state.events.push(event(6, 'Review', { day: 4, start: 8 })),
      async policy({ read, controlAfter, use, fill, click }, { title }) {
        // The hours are empty boxes: Friday is the fifth after its hour.
        await use('page_click', { target: await controlAfter('8:00', 4), how: 'double' })
        await read()
        await fill({ 'Add a title': title })
        // A box beside the calendar has the same name.
        await click('Work', { role: 'clickable' })
        await click('Save')
      },
    },
    {
      name: 'rename-home',
      task: 'Rename the dentist to "Doctor".',
      goal: { title: 'Dentist' },
      mistake: { title: 'Budget' },
      want: (state) => (named(state, 'Dentist').title = 'Doctor'),
      async policy({ read, click, fill }, { title }) {
        await read()
        await click(title)
        await read()
        await click('✎')
        await read()
        await fill({ 'Add a title': 'Doctor' })
        await click('Save')
      },
    },
    {
      name: 'delete-next-week',
      task: 'Delete the workshop of next week.',
      goal: { button: '›', title: 'Workshop' },
      mistake: { button: 'Today', title: 'Budget' },
      want: (state) => state.events.pop(),
      async policy({ read, click, wait }, { button, title }) {
        await read()
        await click(button)
        await wait({ text: title })
        await read()
        await click(title)
        await read()
        await click('🗑')
      },
    },
    {
      name: 'kind',
      task: 'The budget is an event of home, not of work.',
      goal: { kind: 'Home' },
      mistake: { kind: 'Work' },
      want: (state) => (named(state, 'Budget').kind = 'home'),
      async policy({ read, click }, { kind }) {
        await read()
        await click('Budget')
        await read()
        await click('✎')
        await read()
        await click(kind, { role: 'clickable' })
        await click('Save')
      },
    },
  ],
}
