// Posts with a rich-text editor (Quill from npm), tags, and questions before a post is published or deleted.
import { fileURLToPath } from 'node:url'

const byId = (/** @type {any} */ state, /** @type {number} */ id) =>
  state.posts.find((/** @type {{ id: number }} */ one) => one.id === id)

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'cms',
  needs: 'quill',
  folder: fileURLToPath(new URL('.', import.meta.url)),
  data: () => ({
    posts: [
      { id: 1, title: 'Opening hours', html: '<p>We open at nine.</p>', tags: ['news'], state: 'draft' },
      { id: 2, title: 'Summer menu', html: '<p>Soup and bread.</p><p>Cold tea.</p>', tags: [], state: 'draft' },
      { id: 3, title: 'Old notice', html: '<p>Closed on Monday.</p>', tags: ['old', 'news'], state: 'published' },
    ],
  }),
  handle({ method, path, body }, data) {
    if (path === '/api/posts' && method === 'GET') return { json: data.posts }
    if (path === '/api/posts') {
      const made = { id: data.posts.length + 1, title: '', html: '', tags: [], state: 'draft' }
      data.posts.push(made)
      return { json: made }
    }
    const [, id] = /^\/api\/posts\/(\d+)$/.exec(path) ?? []
    const found = byId(data, Number(id))
    if (!found) return undefined
    if (method === 'DELETE') data.posts.splice(data.posts.indexOf(found), 1)
    else Object.assign(found, body)
    return { json: found }
  },
  tasks: [
    {
      name: 'write',
      task: 'Write a post "Picnic" with the text: We meet at noon.',
      goal: { title: 'Picnic' },
      mistake: { title: 'Opening hours' },
      want: (state) =>
        state.posts.push({ id: 4, title: 'Picnic', html: '<p>We meet at noon.</p>', tags: [], state: 'draft' }),
      async policy({ read, click, wait, fill, find, use }, { title }) {
        await read()
        await click('New post')
        await wait({ text: 'Publish' })
        await read()
        await fill({ Title: title })
        await use('form_fill', { fields: [{ field: await find('Write here'), value: 'We meet at noon.' }] })
        await click('Save')
      },
    },
    {
      name: 'replace-text',
      task: 'The opening hours now say: We open at ten.',
      goal: { post: 'Opening hours' },
      mistake: { post: 'Summer menu' },
      want: (state) => (byId(state, 1).html = '<p>We open at ten.</p>'),
      async policy({ read, click, find, use }, { post }) {
        await read()
        await click(post)
        await read()
        await use('form_fill', { fields: [{ field: await find('Write here'), value: 'We open at ten.' }] })
        await click('Save')
      },
    },
    {
      name: 'list',
      task: 'Make the whole text of the opening hours a list with bullets.',
      goal: { kind: 'bullet' },
      mistake: { kind: 'ordered' },
      want: (state) => (byId(state, 1).html = '<ul><li>We open at nine.</li></ul>'),
      async policy({ read, click, findText }, { kind }) {
        await read()
        await click('Opening hours')
        await read()
        await click('Write here')
        await click(await findText(`list: ${kind}`).catch(() => findText(kind)))
        await click('Save')
      },
    },
    {
      name: 'all-bold',
      task: 'Make all of the opening hours bold.',
      goal: { style: 'bold' },
      mistake: { style: 'italic' },
      want: (state) => (byId(state, 1).html = '<p><strong>We open at nine.</strong></p>'),
      async policy({ read, click, press }, { style }) {
        await read()
        await click('Opening hours')
        await read()
        await click('Write here')
        await press('Control+a')
        await click(style)
        await click('Save')
      },
    },
    {
      name: 'word-bold',
      task: 'Make the word "tea" in the summer menu bold.',
      needs: 'page_press({ select })',
      goal: { word: 'tea' },
      mistake: { word: 'Cold' },
      want: (state) => (byId(state, 2).html = '<p>Soup and bread.</p><p>Cold <strong>tea</strong>.</p>'),
      async policy({ read, click, find, use }, { word }) {
        await read()
        await click('Summer menu')
        await read()
        await use('page_press', { target: await find('Write here'), select: word, key: 'Control+b' })
        await click('Save')
      },
    },
    {
      name: 'tags',
      task: 'The old notice has the tag archive and no longer the tag news.',
      goal: { remove: 'news' },
      mistake: { remove: 'old' },
      want: (state) => (byId(state, 3).tags = ['old', 'archive']),
      async policy({ read, click, fill, press }, { remove }) {
        await read()
        await click('Old notice')
        await read()
        await click('×', { near: remove })
        await fill({ 'Add a tag': 'archive' })
        await press('Enter', 'Add a tag')
        await click('Save')
      },
    },
    {
      name: 'publish',
      task: 'Publish the summer menu with the title "Menu for July".',
      goal: { button: 'Yes' },
      mistake: { button: 'Not now' },
      want: (state) => Object.assign(byId(state, 2), { title: 'Menu for July', state: 'published' }),
      async policy({ read, click, fill }, { button }) {
        await read()
        await click('Summer menu')
        await read()
        await fill({ Title: 'Menu for July' })
        await click('Publish')
        await read()
        await click(button)
      },
    },
    {
      name: 'delete',
      task: 'Delete the old notice.',
      goal: { post: 'Old notice' },
      mistake: { post: 'Summer menu' },
      want: (state) => state.posts.pop(),
      async policy({ read, click }, { post }) {
        await read()
        await click(post)
        await read()
        await click('Delete')
        await read()
        await click('Yes')
      },
    },
  ],
}
