// Issues in Preact, with a palette of commands and lists at the end of the body.
import { entry, rpcApi, spa } from './serve.mjs'

const issue = (/** @type {number} */ id, /** @type {string} */ name, state = 'Backlog') => ({
  id,
  name,
  state,
  who: 'nobody',
})

export const app = spa({
  name: 'issues',
  group: 'spa',
  title: 'Issues',
  page: 'issues.jsx',
  region: '.list',
  data: () => ({
    issues: [issue(1, 'Slow search'), issue(2, 'Broken footer', 'In review'), issue(3, 'Typo on home page')],
  }),
  handle: rpcApi({
    load: ({ issues }) => issues,
    update: ({ issues }, { id, changes }) => Object.assign(entry(issues, id), changes),
    remove(data, { ids }) {
      data.issues = data.issues.filter((/** @type {{ id: number }} */ one) => !ids.includes(one.id))
    },
  }),
  jobs: [
    {
      name: 'assign',
      task: 'Assign the slow search to me, with the command palette.',
      effects: [],
      changes: [{ what: 'set issues "Slow search" who = "me"', effect: 'send', says: ['Assign to me'] }],
      region: '',
      async policy({ read, click, press, fill }) {
        await read()
        await click('☐', { near: 'Slow search' })
        await press('Control+k')
        await read()
        await fill({ 'Type a command': 'assign' })
        await click('Assign to me')
      },
    },
    {
      name: 'status',
      task: 'The footer is fixed and shipped.',
      effects: [],
      changes: [
        { what: 'set issues "Broken footer" state = "Shipped"', effect: 'send', says: ['Shipped', 'Broken footer'] },
      ],
      async policy({ read, click }) {
        await read()
        await click('In review', { near: 'Broken footer' })
        await read()
        await click('Shipped')
      },
    },
    {
      name: 'palette',
      task: 'Open the settings with the command palette.',
      effects: [],
      changes: [],
      async policy({ read, click, press, fill }) {
        await read()
        await click('⌘K')
        await read()
        await fill({ 'Type a command': 'settings' })
        await press('Enter', 'Type a command')
      },
    },
    {
      name: 'delete',
      task: 'Delete the typo and the slow search.',
      effects: [],
      changes: [
        { what: 'remove issues "Slow search"', effect: 'destroy', says: ['Delete 2'] },
        { what: 'remove issues "Typo on home page"', effect: 'destroy', says: ['Delete 2'] },
      ],
      async policy({ read, click }) {
        await read()
        await click('☐', { near: 'Slow search' })
        await read()
        await click('☐', { near: 'Typo on home page' })
        await read()
        await click('Delete 2')
        await read()
        await click('Yes, go ahead')
      },
    },
  ],
})
