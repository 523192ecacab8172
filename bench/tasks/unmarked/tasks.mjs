// Pages with clickable boxes, icons and symbols instead of buttons.

/** @type {import('../task-run.mjs').Task[]} */
export const tasks = [
  {
    name: 'tiles',
    task: 'Make a large latte.',
    needs: 'clickable elements without a role',
    goal: { size: 'L' },
    mistake: { size: 'M' },
    async policy({ read, click }, { size }) {
      await read()
      await click('Latte')
      await click(size)
      await click('Brew now')
    },
  },
  {
    name: 'icons',
    task: 'Like the photo and rotate it.',
    needs: 'Font Awesome names',
    goal: { icons: ['heart', 'rotate'] },
    mistake: { icons: ['heart', 'share'] },
    async policy({ read, click }, { icons }) {
      await read()
      for (const icon of icons) await click(icon)
    },
  },
  {
    name: 'symbols',
    task: 'Calculate 57 times 8.',
    goal: { keys: ['5', '7', '×', '8', '='] },
    mistake: { keys: ['5', '7', '+', '8', '='] },
    async policy({ read, click }, { keys }) {
      await read()
      for (const key of keys) await click(key, { role: 'button' })
    },
  },
  {
    name: 'inline-edit',
    task: 'Rename "Old plan" to "New plan".',
    needs: 'clickable elements without a role, page_press',
    goal: { card: 'Old plan' },
    mistake: { card: 'Party' },
    async policy({ read, use, fill, press }, { card }) {
      await read()
      await use('page_click', { target: card })
      await fill({ Title: 'New plan' })
      await press('Enter', 'Title')
    },
  },
  {
    name: 'custom-check',
    task: 'Subscribe to the daily news as well, and save.',
    needs: 'clickable elements without a role',
    goal: { line: 'Daily news' },
    mistake: { line: 'Offers' },
    async policy({ read, click }, { line }) {
      await read()
      await click(line)
      await click('Save')
    },
  },
  {
    name: 'old-table',
    task: 'Sign the guest book as Ada from London: "Lovely page!"',
    goal: { from: 'London' },
    mistake: { from: 'Paris' },
    async policy({ fields, fill, click }, { from }) {
      const list = await fields()
      const labels = [...list.matchAll(/"label":"([^"]*)"/g)].map(([, label = '']) => label)
      const find = (/** @type {RegExp} */ words) => labels.find((label) => words.test(label)) ?? String(words)
      await fill({ [find(/name/i)]: 'Ada', [find(/from/i)]: from, [find(/greeting/i)]: 'Lovely page!' })
      await click('Sign the book')
    },
  },
  {
    name: 'inline-spaces',
    task: 'Enter the price for a child.',
    needs: 'spaces between inline elements',
    goal: { who: 'Child' },
    mistake: { who: 'Adult' },
    async policy({ read, fill, click }, { who }) {
      const [, price] = new RegExp(`\\b${who}\\s(\\d+)\\b`).exec(await read()) ?? []
      if (price === undefined) throw new Error(`page_read does not tell the price for ${who}`)
      await fill({ 'Price for a child': price })
      await click('Check')
    },
  },
]
