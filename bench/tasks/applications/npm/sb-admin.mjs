// The pages of the administration template SB Admin 2, with DataTables and Bootstrap. They have no server of their own:
// the state is what a page shows.
import { join } from 'node:path'
import { packages } from '../../../questions/server.mjs'

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'sb-admin',
  needs: 'startbootstrap-sb-admin-2',
  folder: join(packages, 'startbootstrap-sb-admin-2'),
  data: () => ({}),
  state: ({ page }) =>
    page.evaluate(() => ({
      path: location.pathname,
      isNarrow: document.body.classList.contains('sidebar-toggled'),
      isCardOpen: document.querySelector('#collapseCardExample')?.classList.contains('show') ?? null,
      rows: document.querySelectorAll('#dataTable tbody tr').length,
    })),
  tasks: [
    {
      name: 'search-table',
      task: 'How many employees are in Tokyo?',
      path: '/tables.html',
      goal: { words: 'Tokyo' },
      mistake: { words: 'London' },
      want: (state) => Object.assign(state, { rows: 5, answer: '5' }),
      async policy({ read, find, use }, { words }) {
        await read()
        const field = await find('Search', { role: 'searchbox' })
        await use('form_fill', { fields: [{ field, value: words }] })
        return /of (\d+) entries \(filtered/.exec(await read())?.[1]
      },
    },
    {
      name: 'sort-table',
      task: 'Who is the youngest employee?',
      path: '/tables.html',
      goal: { column: 'Age' },
      mistake: { column: 'Office' },
      want: (state) => (state.answer = 'Tatyana Fitzpatrick'),
      async policy({ read, click, firstCell }, { column }) {
        await read()
        await click(column)
        return firstCell('Salary')
      },
    },
    {
      name: 'page-table',
      task: 'Show 25 employees per page, and tell who is the first on the third page.',
      path: '/tables.html',
      goal: { page: '3' },
      mistake: { page: '2' },
      want: (state) => Object.assign(state, { rows: 7, answer: 'Tiger Nixon' }),
      async policy({ read, fields, use, click, firstCell }, { page }) {
        await read()
        const [, label = ''] = /"label":"([^"]*entries[^"]*)"/.exec(await fields()) ?? []
        await use('form_fill', { fields: [{ field: label, value: '25' }] })
        await read()
        await click(page, { role: 'link' })
        return firstCell('Salary')
      },
    },
    {
      name: 'alert',
      task: 'What do the alerts say was deposited?',
      path: '/index.html',
      goal: { button: 'Alerts' },
      mistake: {},
      want: (state) => (state.answer = '$290.29'),
      async policy({ read, find, use }, { button }) {
        await read()
        // The bell has no name but its count.
        if (button) await use('page_click', { target: await find('3+').catch(() => find(button)) })
        return /\$[\d.,]+ has been/.exec(await read())?.[0].replace(' has been', '') ?? 'nothing'
      },
    },
    {
      name: 'menu-to-page',
      task: 'Open the page with the buttons, from the menu of components.',
      path: '/index.html',
      goal: { entry: 'Buttons' },
      mistake: { entry: 'Cards' },
      want: (state) => Object.assign(state, { path: '/buttons.html' }),
      async policy({ read, click }, { entry }) {
        await read()
        await click('Components')
        await read()
        await click(entry)
        await read()
      },
    },
    {
      name: 'log-out',
      task: 'Log out.',
      path: '/index.html',
      goal: { button: 'Logout' },
      mistake: { button: 'Cancel' },
      want: (state) => Object.assign(state, { path: '/login.html' }),
      async policy({ read, click }, { button }) {
        await read()
        await click('Douglas McGee')
        await read()
        await click('Logout')
        await read()
        await click(button, { near: 'Ready to Leave?' })
        await read()
      },
    },
    {
      name: 'narrow-menu',
      task: 'Make the side menu narrow.',
      path: '/index.html',
      goal: { name: 'sidebar' },
      mistake: { name: 'Search' },
      want: (state) => (state.isNarrow = true),
      async policy({ read, click }, { name }) {
        await read()
        await click(name, { role: 'button' })
      },
    },
    {
      name: 'close-card',
      task: 'Close the collapsable card.',
      path: '/cards.html',
      goal: { card: 'Collapsable Card Example' },
      mistake: { card: 'Dropdown Card Example' },
      want: (state) => (state.isCardOpen = false),
      async policy({ read, click }, { card }) {
        await read()
        await click(card)
      },
    },
  ],
}
