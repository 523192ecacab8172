// Small applications: calendar, menus, tabs, wizard, dialogs, keyboard-only widgets.

/** @type {import('../task-run.mjs').Task[]} */
export const tasks = [
  {
    name: 'calendar',
    task: 'Add the event Dentist on 23 July 2026 at 15:30.',
    needs: 'clickable elements without a role',
    goal: { day: '23' },
    mistake: { day: '22' },
    async policy({ read, fill, click }, { day }) {
      await read()
      await click('Next month')
      await read()
      await click(day)
      await fill({ Title: 'Dentist', 'Starts at': '15:30' })
      await click('Save event')
    },
  },
  {
    name: 'menubar',
    task: 'Share the text by link.',
    needs: 'page_click({ hover })',
    goal: { entry: 'By link' },
    mistake: { entry: 'By mail' },
    async policy({ read, click }, { entry }) {
      await read()
      await click('File', { hover: true })
      await click('Share', { hover: true })
      await click(entry)
    },
  },
  {
    name: 'row-hover',
    task: 'Add Red Sun to the queue.',
    needs: 'page_click({ hover })',
    goal: { song: 'Red Sun' },
    mistake: { song: 'Blue Moon' },
    async policy({ read, use, click }, { song }) {
      await read()
      await use('page_click', { target: song, hover: true })
      await click('Add to queue', { near: song })
    },
  },
  {
    name: 'kebab',
    task: 'Archive the project Gemini.',
    goal: { project: 'Gemini' },
    mistake: { project: 'Apollo' },
    async policy({ read, click }, { project }) {
      await read()
      await click('More', { near: project })
      await click('Archive')
    },
  },
  {
    name: 'tabs',
    task: 'Turn on two-factor sign-in.',
    goal: { on: true },
    mistake: { on: false },
    async policy({ read, click, fill }, { on }) {
      await read()
      await click('Security', { role: 'tab' })
      await fill({ 'Two-factor sign-in': on })
      await click('Save')
    },
  },
  {
    name: 'wizard',
    task: 'Insure a Gazelle bike worth 1200 euros against theft and damage.',
    goal: { cover: 'Theft and damage' },
    mistake: { cover: 'Theft' },
    async policy({ read, fields, fill, submit }, { cover }) {
      await read()
      for (const values of [{ Brand: 'Gazelle' }, { 'Value in euros': 1200 }, { 'Step 3 of 4: Cover': cover }]) {
        const list = await fields()
        const [[wanted, value]] = /** @type {[[string, unknown]]} */ (Object.entries(values))
        // The group of radio buttons has no name of its own.
        const label = list.includes(`"${wanted}"`) ? wanted : (/"label":"([^"]*)"/.exec(list)?.[1] ?? wanted)
        await fill({ [label]: value })
        await submit()
      }
      await submit()
    },
  },
  {
    name: 'cookie-wall',
    task: 'Subscribe ada@example.org to the letter; no cookies.',
    goal: { answer: 'Continue without accepting' },
    mistake: { answer: 'Accept' },
    async policy({ read, click, fill, submit }, { answer }) {
      await read()
      await click(answer)
      await fill({ 'Get our letter': 'ada@example.org' })
      await submit()
    },
  },
  {
    name: 'scroll-agree',
    task: 'Agree to the terms.',
    needs: 'page_scroll',
    goal: { button: 'I agree' },
    mistake: { button: 'I do not agree' },
    async policy({ read, find, use, click }, { button }) {
      await read()
      await use('page_scroll', { target: await find('Terms', { role: 'region' }), to: 'bottom' })
      await click(button)
    },
  },
  {
    name: 'palette',
    task: 'Restart the server with the command palette.',
    needs: 'page_press',
    goal: { presses: 1 },
    mistake: { presses: 0 },
    async policy({ read, press }, { presses }) {
      await read()
      await press('Control+k')
      for (let count = 0; count < presses; count++) await press('ArrowDown', 'Command')
      await press('Enter', 'Command')
    },
  },
  {
    name: 'keyboard-list',
    task: 'Remove Bridges from the reading list.',
    needs: 'page_press',
    goal: { presses: 1 },
    mistake: { presses: 2 },
    async policy({ read, press }, { presses }) {
      await read()
      for (let count = 0; count < presses; count++) await press('ArrowDown', 'Articles')
      await press('Delete', 'Articles')
    },
  },
  {
    name: 'undo-toast',
    task: 'Delete the note Ideas, and undo it.',
    goal: { note: 'Ideas' },
    mistake: { note: 'Shopping' },
    async policy({ read, click }, { note }) {
      await read()
      await click('Delete', { near: note })
      await click('Undo')
    },
  },
  {
    name: 'drawer',
    task: 'Show blue shirts up to 40 euros.',
    goal: { colour: 'Blue' },
    mistake: { colour: 'Red' },
    async policy({ read, click, fields, fill }, { colour }) {
      await read()
      await click('Filters')
      const [, limit = ''] = /"label":"(Up to[^"]*)"/.exec(await fields()) ?? []
      await fill({ [colour]: true, [limit]: '40' })
      await click('Show results')
    },
  },
]
