// A mail client of rows and icons without roles.

/** @type {import('../task-run.mjs').Task[]} */
export const tasks = [
  {
    name: 'open',
    page: 'mail',
    query: '?task=open',
    task: 'Open the message about holiday plans.',
    needs: 'clickable elements without a role',
    goal: { subject: 'Holiday plans' },
    mistake: { subject: 'Lunch?' },
    async policy({ read, click }, { subject }) {
      await read()
      await click(subject)
    },
  },
  {
    name: 'star',
    page: 'mail',
    query: '?task=star',
    task: 'Mark the minutes of Monday with a star.',
    needs: 'clickable elements without a role',
    goal: { subject: 'Minutes of Monday' },
    mistake: { subject: 'Holiday plans' },
    async policy({ read, click }, { subject }) {
      await read()
      await click('Not starred', { beside: subject })
    },
  },
  {
    name: 'archive',
    page: 'mail',
    query: '?task=archive',
    task: 'Archive the message about lunch.',
    needs: 'Font Awesome names',
    goal: { subject: 'Lunch?' },
    mistake: { subject: 'Minutes of Monday' },
    async policy({ read, click }, { subject }) {
      await read()
      await click('archive', { near: subject })
    },
  },
  {
    name: 'trash',
    page: 'mail',
    query: '?task=trash',
    task: 'Delete the message of the bank.',
    needs: 'Font Awesome names',
    goal: { subject: 'Your statement' },
    mistake: { subject: 'Holiday plans' },
    async policy({ read, click }, { subject }) {
      await read()
      await click('trash', { near: subject })
    },
  },
  {
    name: 'compose',
    page: 'mail',
    query: '?task=compose',
    task: 'Write to ada@example.org, subject Hello: "See you on Friday."',
    needs: 'clickable elements without a role',
    goal: { text: 'See you on Friday.' },
    mistake: { text: 'See you on Monday.' },
    async policy({ read, fields, fill, click }, { text }) {
      await read()
      await click('Compose')
      /** @type {{ fields: { label: string, placeholder?: string }[] }} */
      const list = JSON.parse(await fields())
      const to = list.fields.find((one) => one.label === 'To' || one.placeholder === 'To')?.label ?? 'To'
      await fill({ [to]: 'ada@example.org', Subject: 'Hello', 'Message body': text })
      await click('Send')
    },
  },
  {
    name: 'reply',
    page: 'mail',
    query: '?task=reply',
    task: 'Answer Tom: "Yes, gladly."',
    needs: 'clickable elements without a role',
    goal: { subject: 'Lunch?' },
    mistake: { subject: 'Holiday plans' },
    async policy({ read, fill, click }, { subject }) {
      await read()
      await click(subject)
      await click('Reply')
      await fill({ 'Message body': 'Yes, gladly.' })
      await click('Send')
    },
  },
  {
    name: 'search',
    page: 'mail',
    query: '?task=search',
    task: 'Search the mail for Lina and open the minutes.',
    needs: 'clickable elements without a role',
    goal: { subject: 'Minutes of Monday' },
    mistake: { subject: 'Holiday plans' },
    async policy({ read, fill, click }, { subject }) {
      await read()
      await fill({ 'Search mail': 'Lina' })
      await read()
      await click(subject)
    },
  },
]
