// TiddlyWiki, as one page that its own command writes, with a few notes. The state is what the wiki holds in the page.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packages } from '../../../questions/server.mjs'

const notes = [
  { title: 'Trips', text: 'Oslo in May, Lima in July.', tags: 'travel' },
  { title: 'Bread', text: 'Flour, water, salt and time.', tags: 'kitchen' },
  { title: 'Soup', text: 'Leeks and potatoes.', tags: 'kitchen' },
]

/** @type {Promise<string> | undefined} */
let rendered
/** @returns {Promise<string>} */
const renderWiki = () =>
  new Promise((resolve) => {
    const { TiddlyWiki } = createRequire(join(packages, 'index.js'))('tiddlywiki')
    const wiki = TiddlyWiki()
    wiki.boot.argv = [join(packages, 'tiddlywiki/editions/empty')]
    wiki.boot.boot(() => {
      for (const note of notes) wiki.wiki.addTiddler(note)
      wiki.wiki.addTiddler({ title: '$:/DefaultTiddlers', text: 'Trips Bread' })
      resolve(wiki.wiki.renderTiddler('text/plain', '$:/core/save/all'))
    })
  })

const note = (/** @type {any} */ state, /** @type {string} */ title) =>
  state.notes.find((/** @type {{ title: string }} */ one) => one.title === title)

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'tiddlywiki',
  needs: 'tiddlywiki',
  folder: join(packages, 'tiddlywiki'),
  data: () => ({}),
  handle: ({ path }) => (path === '/' ? (rendered ??= renderWiki()).then((html) => ({ html })) : undefined),
  state: ({ page }) =>
    page.evaluate(() => {
      const { wiki } = /** @type {any} */ (window).$tw
      const titles = wiki.filterTiddlers('[!is[system]!has[draft.of]sort[title]]')
      return {
        siteTitle: wiki.getTiddlerText('$:/SiteTitle'),
        notes: titles.map((/** @type {string} */ title) => {
          const { text, tags } = wiki.getTiddler(title).fields
          return { title, text, tags: [...(tags ?? [])] }
        }),
      }
    }),
  tasks: [
    {
      name: 'create',
      task: 'Write a note "Tea" with the text: Two minutes.',
      goal: { title: 'Tea' },
      mistake: { title: 'Coffee' },
      // The notes are sorted by title.
      want: (state) => state.notes.splice(2, 0, { title: 'Tea', text: 'Two minutes.', tags: [] }),
      async policy({ read, click, fieldHolding, use, find }, { title }) {
        await read()
        await click('new tiddler')
        const name = await fieldHolding('New Tiddler')
        await use('form_fill', { fields: [{ field: name, value: title }] })
        const text = await find('Type the text for this tiddler')
        await use('form_fill', { fields: [{ field: text, value: 'Two minutes.' }] })
        await click('Confirm changes to this tiddler')
        await read()
      },
    },
    {
      name: 'edit',
      task: 'Add rye to the bread: "Flour, rye, water, salt and time."',
      goal: { title: 'Bread', text: 'Flour, water, salt and time.' },
      mistake: { title: 'Trips', text: 'Oslo in May, Lima in July.' },
      want: (state) => (note(state, 'Bread').text = 'Flour, rye, water, salt and time.'),
      async policy({ read, click, fieldHolding, use }, { title, text }) {
        await read()
        await click('Edit this tiddler', { role: 'button', beside: title })
        const field = await fieldHolding(text)
        await use('form_fill', { fields: [{ field, value: 'Flour, rye, water, salt and time.' }] })
        await click('Confirm changes to this tiddler')
        await read()
      },
    },
    {
      name: 'search',
      task: 'Which note mentions potatoes?',
      goal: { words: 'potatoes' },
      mistake: { words: 'flour' },
      want: (state) => (state.answer = 'Soup'),
      async policy({ read, fill }, { words }) {
        await read()
        await fill({ search: words })
        const page = await read()
        const [, results = ''] = /matches([\s\S]*)/i.exec(page) ?? []
        return ['Soup', 'Bread', 'Trips'].find((title) => results.includes(title))
      },
    },
    {
      name: 'delete',
      task: 'Delete the note about trips.',
      goal: { title: 'Trips' },
      mistake: { title: 'Bread' },
      want: (state) => state.notes.splice(2, 1),
      async policy({ read, click }, { title }) {
        await read()
        await click('Edit this tiddler', { role: 'button', beside: title })
        await read()
        await click('Delete this tiddler')
        await read()
      },
    },
    {
      name: 'site-title',
      task: 'Call the wiki "Kitchen book".',
      goal: { name: 'Kitchen book' },
      mistake: { name: 'Kitchen' },
      want: (state) => (state.siteTitle = 'Kitchen book'),
      async policy({ read, click, fieldHolding, use }, { name }) {
        await read()
        await click('control panel')
        const field = await fieldHolding('My TiddlyWiki')
        await use('form_fill', { fields: [{ field, value: name }] })
      },
    },
    {
      name: 'tag',
      task: 'Tag the trips as plans, too.',
      goal: { title: 'Trips' },
      mistake: { title: 'Bread' },
      want: (state) => note(state, 'Trips').tags.push('plans'),
      async policy({ read, click, find, use }, { title }) {
        await read()
        await click('Edit this tiddler', { role: 'button', beside: title })
        await read()
        const field = await find('tag name')
        await use('form_fill', { fields: [{ field, value: 'plans' }] })
        await click('add', { role: 'button' })
        await click('Confirm changes to this tiddler')
        await read()
      },
    },
  ],
}
