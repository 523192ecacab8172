// Widgets of jQuery UI.

/** @type {import('../task-run.mjs').Task[]} */
export const tasks = [
  {
    name: 'tabs',
    task: 'Download the invoice.',
    needs: 'tabs of jQuery UI',
    goal: { tab: 'Billing', button: 'Download invoice' },
    mistake: { tab: 'Privacy', button: 'Export my data' },
    async policy({ read, click }, { tab, button }) {
      await read()
      await click(tab)
      await click(button)
    },
  },
  {
    name: 'datepicker',
    task: 'Rent a bike from 5 June 2026 until 9 June 2026.',
    needs: 'read-only date fields, and the date format of the picker',
    goal: { until: '2026-06-09' },
    mistake: { until: '2026-06-08' },
    async policy({ fields, tryFill, fill, click }, { until }) {
      await fields()
      const reports = await tryFill({ From: '2026-06-05', To: until })
      if (reports[0] && !reports[0].ok) await fill({ From: '05.06.2026' })
      if (reports[1] && !reports[1].ok) throw new Error(`form_fill: To: ${reports[1].problem}`)
      await click('Rent')
    },
  },
  {
    name: 'autocomplete',
    task: 'Order four pieces of green curry.',
    needs: 'autocompletes that keep focus',
    goal: { article: 'Green curry' },
    mistake: { article: 'Green tea' },
    async policy({ read, choose, fill, click }, { article }) {
      await read()
      await choose('Article', 'Green', article)
      await fill({ Pieces: 4 })
      await click('Order')
    },
  },
  {
    name: 'dialog',
    task: 'Delete old.txt.',
    goal: { file: 'old.txt' },
    mistake: { file: 'plan.txt' },
    async policy({ read, click }, { file }) {
      await read()
      await click('Delete', { near: file })
      await click('Delete it')
    },
  },
  {
    name: 'menu',
    task: 'Export the document as text.',
    goal: { entry: 'As text' },
    mistake: { entry: 'As PDF' },
    async policy({ read, click }, { entry }) {
      await read()
      await click('Export')
      await click(entry)
    },
  },
  {
    name: 'slider',
    task: 'Set the bass to 65.',
    needs: 'page_press',
    goal: { presses: 3 },
    mistake: { presses: 2 },
    async policy({ controlOf, click, find, press }, { presses }) {
      const handle = await controlOf('slider', 'clickable', 'button', 'generic', 'link')
      for (let count = 0; count < presses; count++) await press('ArrowRight', handle)
      await find('Save')
      await click('Save')
    },
  },
  {
    name: 'selectmenu',
    task: 'Ship it fast, fully insured and wrapped as a gift.',
    goal: { speed: 'Fast' },
    mistake: { speed: 'Slow' },
    async policy({ fields, choose, fill, click }, { speed }) {
      await fields()
      await choose('Speed', speed)
      await fill({ Insurance: 'Full', 'Gift wrap': true })
      await click('Ship')
    },
  },
  {
    name: 'accordion',
    task: 'Add the cake to the list.',
    goal: { recipe: 'Cake', button: 'Add cake to the list' },
    mistake: { recipe: 'Soup', button: 'Add soup to the list' },
    async policy({ read, click }, { recipe, button }) {
      await read()
      await click(recipe)
      await click(button)
    },
  },
]
