// A board of cards in React with zustand. Changes are shown at once, and the whole state goes to one address.
import { spa, stateApi } from './serve.mjs'

const card = (/** @type {string} */ id, /** @type {string} */ name, /** @type {string} */ column, who = 'Ada') => ({
  id,
  name,
  column,
  who,
})

export const app = spa({
  name: 'board',
  group: 'spa',
  title: 'Board',
  page: 'board.jsx',
  region: '.board',
  data: () => ({
    columns: [
      { id: 'todo', name: 'To do' },
      { id: 'doing', name: 'In progress' },
      { id: 'done', name: 'Done' },
    ],
    cards: [
      card('c1', 'Fix login', 'todo'),
      card('c2', 'Write docs', 'todo', 'Tom'),
      card('c3', 'New logo', 'doing'),
      card('c4', 'Kick-off', 'done', 'Tom'),
    ],
  }),
  handle: stateApi,
  jobs: [
    {
      name: 'move',
      task: 'The login is fixed. Move its card to Done.',
      effects: [],
      changes: [{ what: 'set cards "Fix login" column = "done"', effect: 'send', says: ['Fix login', 'Kick-off'] }],
      async policy({ read, drag }) {
        await read()
        await drag('Fix login', 'Kick-off', 'after')
      },
    },
    {
      name: 'archive',
      task: 'Archive the card about the docs.',
      effects: [],
      changes: [{ what: 'remove cards "Write docs"', effect: 'destroy', says: ['archive', 'Write docs'] }],
      async policy({ read, click }) {
        await read()
        await click('⋯', { near: 'Write docs' })
        await read()
        await click('Archive')
      },
    },
    {
      name: 'rename',
      task: 'Call the card "New logo" "Logo and colours".',
      effects: [],
      changes: [
        { what: 'set cards "New logo" name = "Logo and colours"', effect: 'value', says: ['Logo and colours'] },
      ],
      async policy({ read, click, fill }) {
        await read()
        await click('New logo')
        await read()
        await click('Rename')
        await read()
        await fill({ 'Card title': 'Logo and colours' })
      },
    },
    {
      name: 'add',
      task: 'Add a card: Test on phones.',
      effects: [],
      changes: [{ what: 'add cards "Test on phones"', effect: 'send', says: ['Put on board', 'Test on phones'] }],
      async policy({ read, click, fill }) {
        await read()
        await click('+ Add a card')
        await read()
        await fill({ 'What needs to be done?': 'Test on phones' })
        await click('Put on board')
      },
    },
    {
      name: 'look',
      task: 'Which cards does Tom have, and what does the one about docs say?',
      effects: [],
      changes: [],
      region: '',
      async policy({ read, click }) {
        await read()
        await click('Tom')
        await read()
        await click('Write docs')
        await read()
        await click('Close panel')
      },
    },
  ],
})
