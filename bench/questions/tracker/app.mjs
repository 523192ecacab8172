// An issue tracker that reads and writes with POST /graphql, with a palette of commands and labels in a combobox.

/** @type {import('../server.mjs').App} */
export const app = {
  name: 'tracker',
  data: () => ({
    issues: [
      { id: 7, title: 'Login fails on Safari', labels: ['bug'], open: true, votes: 3, comments: ['Seen on 17.2.'] },
      { id: 8, title: 'Dark theme', labels: [], open: true, votes: 9, comments: [] },
      { id: 9, title: 'Typo on the start page', labels: ['docs'], open: true, votes: 1, comments: [] },
      { id: 10, title: 'Old proposal', labels: [], open: true, votes: 0, comments: [] },
    ],
    watching: [],
    density: 'cosy',
  }),
  handle({ path, body, operation }, data) {
    if (path !== '/graphql') return undefined
    const { id, value } = body.variables ?? {}
    const at = data.issues.findIndex((/** @type {{ id: number }} */ one) => one.id === id)
    const issue = data.issues[at]
    const run = {
      AddLabel: () => issue.labels.push(value),
      CloseIssue: () => Object.assign(issue, { open: false }),
      AddComment: () => issue.comments.push(value),
      WatchIssue: () => data.watching.push(id),
      DeleteIssue: () => data.issues.splice(at, 1),
      SetTitle: () => Object.assign(issue, { title: value }),
    }[String(operation)]
    run?.()
    return { json: { data: { issues: data.issues, issue } } }
  },
  effectOf({ method, operation, body }) {
    if (method === 'GET' || /^\s*query\b/.test(body?.query)) return 'view'
    if (operation === 'SetTitle') return 'value'
    return operation === 'DeleteIssue' ? 'destroy' : 'send'
  },
  jobs: [
    {
      name: 'read',
      task: 'What is said about the login?',
      effects: [],
      async policy({ read, click, wait }) {
        await read()
        await click('Login fails on Safari')
        await wait({ text: 'Seen on 17.2.' })
      },
    },
    {
      name: 'votes',
      task: 'Which issue has the most votes? Only those without a label.',
      effects: [],
      async policy({ read, click, fill }) {
        await read()
        await click('Votes')
        await fill({ Label: 'No label' })
        await read()
      },
      done: async ({ page }) => (await page.locator('.issue').first().textContent())?.includes('Dark theme'),
    },
    {
      name: 'pages',
      task: 'Look at the second page and come back.',
      effects: [],
      async policy({ read, click, wait }) {
        await read()
        await click('Next')
        await wait({ text: 'Page 2' })
        await read()
        await click('Previous')
        await wait({ text: 'Page 1' })
      },
    },
    {
      name: 'label',
      task: 'Label the dark theme as design.',
      effects: ['send POST /graphql AddLabel'],
      async policy({ read, click, wait, choose }) {
        await read()
        await click('Dark theme')
        await wait({ text: 'No comments' })
        await read()
        await click('Labels')
        await choose('Labels', 'design')
      },
      done: ({ data }) => data.issues[1].labels.includes('design'),
    },
    {
      name: 'close',
      task: 'Close the typo.',
      effects: ['send POST /graphql CloseIssue'],
      async policy({ read, click, wait }) {
        await read()
        await click('Typo on the start page')
        await wait({ text: 'No comments' })
        await read()
        await click('Close issue')
      },
      done: ({ data }) => data.issues[2].open === false,
    },
    {
      name: 'comment',
      task: 'Comment on the login: Fixed in 17.3.',
      effects: ['send POST /graphql AddComment'],
      async policy({ read, click, wait, fill }) {
        await read()
        await click('Login fails on Safari')
        await wait({ text: 'Seen on 17.2.' })
        await fill({ 'Write a comment': 'Fixed in 17.3.' })
        await click('Comment', { role: 'button' })
      },
      done: ({ data }) => data.issues[0].comments.includes('Fixed in 17.3.'),
    },
    {
      name: 'delete',
      task: 'Delete the old proposal.',
      effects: ['destroy POST /graphql DeleteIssue'],
      async policy({ read, click, wait }) {
        await read()
        await click('Next')
        await wait({ text: 'Page 2' })
        await read()
        await click('Old proposal')
        await wait({ text: 'No comments' })
        await read()
        await click('More')
        await read()
        await click('Delete issue')
        await read()
        await click('Yes, delete')
      },
      done: ({ data }) => data.issues.length === 3,
    },
    {
      name: 'palette-watch',
      task: 'Watch the dark theme with the palette.',
      effects: ['send POST /graphql WatchIssue'],
      async policy({ read, click, press, use, wait }) {
        await read()
        await click('Dark theme')
        await wait({ text: 'No comments' })
        await press('Control+k')
        await read()
        await use('form_fill', { fields: [{ field: 'Command', value: 'watch' }] })
        // Where filling alone runs the command, the palette is gone.
        if (/"Command"/.test(await read())) await press('Enter', 'Command')
      },
      done: ({ data }) => data.watching.includes(8),
    },
    {
      name: 'palette-compact',
      task: 'Use the compact view, with the palette.',
      effects: [],
      async policy({ read, click, press }) {
        await read()
        await press('Control+k')
        await read()
        await click('Compact view', { role: 'option' })
      },
      done: ({ page }) => page.evaluate(() => localStorage.getItem('density') === 'compact'),
    },
    {
      name: 'rename',
      task: 'Rename "Dark theme" to "Dark colours".',
      effects: [],
      async policy({ read, click, wait, fill }) {
        await read()
        await click('Dark theme')
        await wait({ text: 'No comments' })
        await fill({ Title: 'Dark colours' })
      },
      done: ({ data }) => data.issues[1].title === 'Dark colours',
    },
  ],
}
