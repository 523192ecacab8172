// A team in React with React Query: a panel that slides in, roles in boxes, and dialogs at the end of the body.
import { spa, stateApi } from './serve.mjs'

const member = (/** @type {number} */ id, /** @type {string} */ name, /** @type {string} */ role) => ({
  id,
  name,
  role,
})

export const app = spa({
  name: 'team',
  group: 'spa',
  title: 'Team',
  page: 'team.jsx',
  region: '.list',
  data: () => ({
    members: [member(1, 'Ada Stone', 'Admin'), member(2, 'Tom Reed', 'Guest'), member(3, 'Kim Lee', 'Editor')],
  }),
  handle: stateApi,
  jobs: [
    {
      name: 'role',
      task: 'Make Tom an editor.',
      effects: [],
      changes: [{ what: 'set members "Tom Reed" role = "Editor"', effect: 'send', says: ['Editor', 'Tom Reed'] }],
      async policy({ read, click }) {
        await read()
        await click('Tom Reed')
        await read()
        await click('Guest ▾')
        await read()
        await click('Editor', { near: 'Guest ▾' })
      },
    },
    {
      name: 'remove',
      task: 'Kim has left. Take her out of the team.',
      effects: [],
      changes: [{ what: 'remove members "Kim Lee"', effect: 'destroy', says: ['remove', 'Kim Lee'] }],
      async policy({ read, click }) {
        await read()
        await click('Remove', { near: 'Kim Lee' })
        await read()
        await click('Yes')
      },
    },
    {
      name: 'invite',
      task: 'Add new@x.example to the team.',
      effects: [],
      changes: [{ what: 'add members "new@x.example"', effect: 'send', says: ['add to team', 'new@x.example'] }],
      async policy({ read, click, fill }) {
        await read()
        await click('New person')
        await read()
        await fill({ Email: 'new@x.example' })
        await click('Add to team')
      },
    },
    {
      name: 'search',
      task: 'Is a Kim in the team, and what is her role?',
      effects: [],
      changes: [],
      region: '',
      async policy({ read, fill, click }) {
        await read()
        await fill({ 'Search people': 'kim' })
        await click('Kim Lee')
        await read()
        await click('Close')
      },
    },
  ],
})
