// Settings whose controls are boxes: the state of a toggle is a class, actions of a row appear on hover, names are edited
// in place, and each change is saved at once.
import { fileURLToPath } from 'node:url'

const byId = (/** @type {any[]} */ list, /** @type {number} */ id) => list.find((one) => one.id === id)

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'settings',
  folder: fileURLToPath(new URL('.', import.meta.url)),
  data: () => ({
    general: { name: 'Acme', theme: 'Light', zone: 'UTC', compact: false, avatars: true },
    notifications: { mentions: true, assignments: true, summary: false, news: true },
    members: [
      { id: 1, name: 'Ada Byron', mail: 'ada@example.org', role: 'Admin', suspended: false },
      { id: 2, name: 'Kim Lee', mail: 'kim@example.org', role: 'Member', suspended: false },
      { id: 3, name: 'Tom Reed', mail: 'tom@example.org', role: 'Member', suspended: false },
    ],
    labels: [
      { id: 1, name: 'Bug', colour: 'red' },
      { id: 2, name: 'Wish', colour: 'green' },
    ],
    deleted: false,
  }),
  handle({ method, path, body }, data) {
    if (path === '/api/settings') return { json: data }
    if (path === '/api/workspace') return { json: (data.deleted = true) }
    const [, kind = '', id] = /^\/api\/(\w+)(?:\/(\d+))?$/.exec(path) ?? []
    if (!Object.hasOwn(data, kind)) return undefined
    const found = id === undefined ? data[kind] : byId(data[kind], Number(id))
    if (method === 'DELETE') data[kind].splice(data[kind].indexOf(found), 1)
    else Object.assign(found, body)
    return { json: {} }
  },
  tasks: [
    {
      name: 'toggle',
      task: 'Turn compact lists on.',
      goal: { setting: 'Compact lists' },
      mistake: { setting: 'Show avatars' },
      want: (state) => (state.general.compact = true),
      async policy({ read, click }, { setting }) {
        await read()
        await click('toggle', { inside: setting })
      },
    },
    {
      name: 'toggles-by-state',
      task: 'Turn every notification off except mentions.',
      goal: { keep: 'Mentions' },
      mistake: { keep: 'Assignments' },
      want: (state) => Object.assign(state.notifications, { assignments: false, news: false }),
      async policy({ read, click, find, use, isOn }, { keep }) {
        await read()
        await click('Notifications')
        for (const setting of ['Mentions', 'Assignments', 'Weekly summary', 'Product news']) {
          if (setting === keep) continue
          await read()
          const ref = await find('', { near: setting })
          if (await isOn(ref)) await use('page_click', { target: ref })
        }
      },
    },
    {
      name: 'theme',
      task: 'Use the dark theme.',
      goal: { theme: 'Dark' },
      mistake: { theme: 'System' },
      want: (state) => (state.general.theme = 'Dark'),
      async policy({ read, click }, { theme }) {
        await read()
        await click(theme)
      },
    },
    {
      name: 'which-theme',
      task: 'Which theme is used?',
      goal: { from: ['Light', 'Dark', 'System'] },
      mistake: { from: ['Dark', 'System'] },
      want: (state) => (state.answer = 'Light'),
      async policy({ read, isOn }, { from }) {
        await read()
        for (const theme of from) if (await isOn(theme)) return theme
        return undefined
      },
    },
    {
      name: 'zone-and-name',
      task: 'The workspace is called Apex, and its time zone is Lima.',
      goal: { zone: 'Lima' },
      mistake: { zone: 'Tokyo' },
      want: (state) => Object.assign(state.general, { name: 'Apex', zone: 'Lima' }),
      async policy({ read, click, fill, wait }, { zone }) {
        await read()
        await fill({ 'Workspace name': 'Apex' })
        await wait({ text: 'Saved' }).catch(() => undefined)
        await read()
        await click('UTC')
        await read()
        await click(zone)
      },
    },
    {
      name: 'role',
      task: 'Make Kim an admin.',
      goal: { member: 'Kim Lee' },
      mistake: { member: 'Tom Reed' },
      want: (state) => (byId(state.members, 2).role = 'Admin'),
      async policy({ read, click }, { member }) {
        await read()
        await click('Members')
        await read()
        await click('Member', { inside: member })
        await read()
        // The entries of the menu come after the page; the first "Admin" is the role of somebody else.
        await click('Admin', { inside: 'Admin ✓' }).catch(() => click('Admin', { near: 'Guest', role: 'clickable' }))
      },
    },
    {
      name: 'suspend',
      task: 'Suspend Tom.',
      needs: 'controls with equal names told apart by their row',
      goal: { member: 'Tom Reed' },
      mistake: { member: 'Kim Lee' },
      want: (state) => (byId(state.members, 3).suspended = true),
      async policy({ read, click }, { member }) {
        await read()
        await click('Members')
        await read()
        await click('⋯', { inside: member })
        await read()
        await click('Suspend')
      },
    },
    {
      name: 'label',
      task: 'Call the label Wish "Idea", and make it blue.',
      goal: { colour: 'blue' },
      mistake: { colour: 'red' },
      want: (state) => Object.assign(byId(state.labels, 2), { name: 'Idea', colour: 'blue' }),
      async policy({ read, click, fieldHolding, use, press }, { colour }) {
        await read()
        await click('Labels')
        await read()
        await click('Wish')
        const field = await fieldHolding('Wish')
        await use('form_fill', { fields: [{ field, value: 'Idea' }] })
        await press('Enter', field)
        await read()
        await click(colour, { inside: 'Idea' })
      },
    },
    {
      name: 'danger',
      task: 'Delete the workspace Acme for ever.',
      goal: { name: 'Acme' },
      mistake: { name: 'acme' },
      want: (state) => (state.deleted = true),
      async policy({ read, click, find, use }, { name }) {
        await read()
        await click('Danger zone')
        await read()
        await click('Delete workspace')
        await read()
        await use('form_fill', { fields: [{ field: await find('', { role: 'textbox' }), value: name }] })
        await read()
        await click('Delete for ever')
      },
    },
  ],
}
