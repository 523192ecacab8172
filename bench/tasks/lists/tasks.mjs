// Lists, tables and trees.

/** @type {import('../task-run.mjs').Task[]} */
export const tasks = [
  {
    name: 'table-actions',
    task: 'Block Bob Rossi.',
    goal: { user: 'Bob Rossi' },
    mistake: { user: 'Ada King' },
    async policy({ read, click }, { user }) {
      await read()
      await click('Block', { near: user })
    },
  },
  {
    name: 'table-sort',
    task: 'Sort by population, and answer which country is the largest.',
    goal: { column: 'Population' },
    mistake: { column: 'Name' },
    async policy({ read, click, firstCell, fill }, { column }) {
      await read()
      await click(column)
      await fill({ 'Largest country': await firstCell('Population') })
      await click('Answer')
    },
  },
  {
    name: 'pages',
    task: 'Pay invoice 1024.',
    goal: { invoice: 'Invoice 1024' },
    mistake: { invoice: 'Invoice 1023' },
    async policy({ read, sees, click }, { invoice }) {
      await read()
      for (let page = 2; page <= 3 && !sees(invoice); page++) {
        await click(String(page), { role: 'link' })
        await read()
      }
      await click('Pay', { near: invoice })
    },
  },
  {
    name: 'infinite',
    task: 'Like post 34.',
    needs: 'page_scroll',
    goal: { post: 'Like post 34' },
    mistake: { post: 'Like post 33' },
    async policy({ read, scrollTo, click }, { post }) {
      await read()
      await scrollTo(post)
      await click(post)
    },
  },
  {
    name: 'virtual',
    task: 'Mark entry 150 of the log.',
    needs: 'page_scroll',
    goal: { entry: 'Mark entry 150' },
    mistake: { entry: 'Mark entry 149' },
    async policy({ read, find, scrollTo, click }, { entry }) {
      await read()
      await scrollTo(entry, await find('Entries').catch(() => find('Mark entry 1')))
      await click(entry)
    },
  },
  {
    name: 'load-more',
    task: 'Report the comment of Eve.',
    goal: { author: 'Eve' },
    mistake: { author: 'Dan' },
    async policy({ read, click, wait, sees }, { author }) {
      await read()
      for (let tries = 0; tries < 3 && !sees(`${author} wrote`); tries++) {
        await click('Show more comments')
        await wait({ still: true })
        await read()
      }
      await click('Report', { near: `${author} wrote` })
    },
  },
  {
    name: 'tree',
    task: 'Select the letters below the pictures.',
    goal: { folder: 'Pictures' },
    mistake: { folder: 'Documents' },
    async policy({ read, click }, { folder }) {
      await read()
      await click(folder)
      await read()
      await click('Letters', { near: folder })
    },
  },
  {
    name: 'todo',
    task: 'Bread is bought. Remove the call, and add "Water plants".',
    goal: { remove: 'Call Kim' },
    mistake: { remove: 'Pay rent' },
    async policy({ read, fill, submit, click }, { remove }) {
      await read()
      await fill({ 'Buy bread': true })
      await click('Remove', { near: remove })
      await fill({ 'New task': 'Water plants' })
      await submit()
    },
  },
  {
    name: 'cart',
    task: 'Order three teas and two cups without the spoon, with the voucher SPRING.',
    goal: { voucher: 'SPRING' },
    mistake: { voucher: 'SUMMER' },
    async policy({ fields, fill, click }, { voucher }) {
      await fields()
      await fill({ 'Quantity of Tea': 3, Voucher: voucher })
      await click('Remove Spoon')
      await click('Apply')
      await click('Order')
    },
  },
  {
    name: 'grid',
    task: 'Reserve seats C2 and C3.',
    goal: { seats: ['Seat C2', 'Seat C3'] },
    mistake: { seats: ['Seat B2', 'Seat B3'] },
    async policy({ read, click }, { seats }) {
      await read()
      for (const seat of seats) await click(seat)
      await click('Confirm')
    },
  },
]
