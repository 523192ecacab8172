// A board of cards: columns, drag and drop, titles that a double click edits, and a menu on the right click.
import { fileURLToPath } from 'node:url'

const card = (/** @type {number} */ id, /** @type {string} */ title, more = {}) => ({
  id,
  title,
  text: '',
  labels: [],
  members: [],
  due: '',
  checks: [],
  ...more,
})

/** @param {any} data @param {number} id @param {string} column @param {number | null} before */
function place(data, id, column, before) {
  for (const one of data.columns) one.cards = one.cards.filter((/** @type {number} */ other) => other !== id)
  const { cards } = data.columns.find((/** @type {{ id: string }} */ one) => one.id === column)
  cards.splice(before === null ? cards.length : cards.indexOf(before), 0, id)
}

const cardOf = (/** @type {any} */ data, /** @type {number} */ id) =>
  data.cards.find((/** @type {{ id: number }} */ one) => one.id === id)

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'board',
  folder: fileURLToPath(new URL('.', import.meta.url)),
  data: () => ({
    columns: [
      { id: 'ideas', title: 'Ideas', cards: [1, 2, 3] },
      { id: 'doing', title: 'Doing', cards: [4, 5] },
      { id: 'done', title: 'Done', cards: [6] },
    ],
    cards: [
      card(1, 'Write the announcement', { checks: ['Draft', 'Review'].map((title) => ({ title, done: false })) }),
      card(2, 'Record a video', { members: ['Kim'] }),
      card(3, 'Ask the press'),
      card(4, 'Fix the sign-up form', { labels: ['bug'], due: '2026-06-12' }),
      card(5, 'Draw the icons', { members: ['Lina'] }),
      card(6, 'Choose a name'),
    ],
  }),
  handle({ method, path, body }, data) {
    if (path === '/api/board') return { json: data }
    if (path === '/api/cards') {
      const from = body.copy === undefined ? {} : cardOf(data, body.copy)
      const made = card(data.cards.length + 1, body.title, structuredClone(from))
      made.id = data.cards.length + 1
      data.cards.push(made)
      const column = data.columns.find(
        (/** @type {any} */ one) => one.id === body.column || one.cards.includes(from.id),
      )
      column.cards.push(made.id)
      return { json: made }
    }
    const [, id, action] = /^\/api\/cards\/(\d+)(\/place)?$/.exec(path) ?? []
    const found = cardOf(data, Number(id))
    if (!found) return undefined
    if (action) place(data, found.id, body.column, body.before)
    else if (method === 'PATCH') Object.assign(found, body)
    else if (method === 'DELETE') {
      data.cards.splice(data.cards.indexOf(found), 1)
      for (const one of data.columns) one.cards = one.cards.filter((/** @type {number} */ other) => other !== found.id)
    }
    return { json: {} }
  },
  tasks: [
    {
      name: 'move-to-column',
      task: 'Move the sign-up form to Done.',
      goal: { title: 'Fix the sign-up form' },
      mistake: { title: 'Draw the icons' },
      want: (state) => place(state, 4, 'done', null),
      async policy({ read, drag }, { title }) {
        await read()
        await drag(title, 'Add a card to Done', 'before')
      },
    },
    {
      name: 'reorder',
      task: 'Put "Ask the press" first among the ideas.',
      goal: { before: 'Write the announcement' },
      mistake: { before: 'Record a video' },
      want: (state) => place(state, 3, 'ideas', 1),
      async policy({ read, drag }, { before }) {
        await read()
        await drag('Ask the press', before, 'before')
      },
    },
    {
      name: 'rename',
      task: 'Rename "Record a video" to "Record two videos".',
      needs: "page_click({ how: 'double' })",
      goal: { title: 'Record a video' },
      mistake: { title: 'Ask the press' },
      want: (state) => (cardOf(state, 2).title = 'Record two videos'),
      async policy({ elementWith, use, fieldHolding, press }, { title }) {
        await use('page_click', { target: await elementWith(title), how: 'double' })
        const field = await fieldHolding(title)
        await use('form_fill', { fields: [{ field, value: 'Record two videos' }] })
        await press('Enter', field)
      },
    },
    {
      name: 'label-by-menu',
      task: 'Label the icons as urgent, with the menu of the card.',
      needs: "page_click({ how: 'right' })",
      goal: { label: 'Label urgent' },
      mistake: { label: 'Label bug' },
      want: (state) => cardOf(state, 5).labels.push('urgent'),
      async policy({ read, click }, { label }) {
        await read()
        await click('Draw the icons', { how: 'right' })
        await read()
        await click(label)
      },
    },
    {
      name: 'add',
      task: 'Add the card "Send the letter" to Doing.',
      goal: { field: 'Add a card to Doing' },
      mistake: { field: 'Add a card to Ideas' },
      want(state) {
        state.cards.push(card(7, 'Send the letter'))
        state.columns[1].cards.push(7)
      },
      async policy({ read, fill, press }, { field }) {
        await read()
        await fill({ [field]: 'Send the letter' })
        await press('Enter', field)
      },
    },
    {
      name: 'details',
      task: 'The announcement is due on 1 July 2026, its draft is done, and Ada joins.',
      goal: { title: 'Write the announcement', member: 'Ada' },
      mistake: { title: 'Write the announcement', member: 'Lina' },
      want(state) {
        Object.assign(cardOf(state, 1), { due: '2026-07-01', members: ['Ada'] })
        cardOf(state, 1).checks[0].done = true
      },
      async policy({ read, click, wait, fill }, { title, member }) {
        await read()
        await click(title)
        await wait({ text: 'Description' })
        await read()
        await fill({ Due: '2026-07-01' })
        await fill({ Draft: true })
        await click('+')
        await read()
        await click(member, { role: 'menuitem' })
        await click('Close')
      },
    },
    {
      name: 'finish-with-icon',
      task: 'Finish "Ask the press" with the check mark on its card, and delete "Choose a name".',
      needs: 'controls with equal names told apart by their card',
      goal: { title: 'Ask the press' },
      mistake: { title: 'Record a video' },
      want(state) {
        place(state, 3, 'done', null)
        state.columns[2].cards.shift()
        state.cards.pop()
      },
      async policy({ read, click }, { title }) {
        await read()
        await click('✓', { inside: title })
        await read()
        await click('🗑', { inside: 'Choose a name' })
      },
    },
    {
      name: 'remove-member',
      task: 'Kim does not record the video.',
      goal: { title: 'Record a video' },
      mistake: { title: 'Draw the icons' },
      want: (state) => (cardOf(state, 2).members = []),
      async policy({ read, click, wait }, { title }) {
        await read()
        await click(title)
        await wait({ text: 'Description' })
        await read()
        await click('×')
      },
    },
  ],
}
