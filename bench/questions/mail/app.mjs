// Mail with a list, icons in each row, keyboard shortcuts and a sender's link to unsubscribe.

const message = (
  /** @type {number} */ id,
  /** @type {string} */ from,
  /** @type {string} */ subject,
  unread = false,
) => ({
  id,
  from,
  subject,
  text: `About ${subject.toLowerCase()}.`,
  folder: 'inbox',
  unread,
  starred: false,
})

/** @type {import('../server.mjs').App} */
export const app = {
  name: 'mail',
  data: () => ({
    messages: [
      message(1, 'Lina Berg', 'Minutes of Monday'),
      message(2, 'Tom Reed', 'Lunch tomorrow'),
      message(3, 'Garden News', 'Spring offers', true),
      message(4, 'Bank', 'Your statement'),
      message(5, 'Kim Lee', 'Trip photos'),
      message(6, 'Lina Berg', 'Budget draft'),
    ],
    sent: [],
    signature: '',
  }),
  handle({ method, path, body }, data) {
    if (path === '/api/messages' && method === 'GET') return { json: data.messages }
    if (path === '/api/settings' && method === 'PATCH') return { json: Object.assign(data, body) }
    if (path === '/api/settings') return { json: { signature: data.signature } }
    if (path === '/api/send') return { status: 201, json: data.sent.push(body) }
    const [, id, action] = /^\/api\/messages\/(\d+)(?:\/(\w+))?$/.exec(path) ?? []
    const found = data.messages.find((/** @type {{ id: number }} */ one) => one.id === Number(id))
    if (!found) return undefined
    if (method === 'DELETE') data.messages.splice(data.messages.indexOf(found), 1)
    else if (action === 'archive') found.folder = 'archive'
    else if (action === 'read') found.unread = false
    else if (action === 'star') found.starred = !found.starred
    return { json: {} }
  },
  effectOf({ method, path }) {
    if (method === 'GET') return 'view'
    if (method === 'DELETE') return 'destroy'
    return path === '/api/settings' ? 'value' : 'send'
  },
  jobs: [
    {
      name: 'read',
      task: 'What does Tom write about lunch?',
      effects: [],
      async policy({ read, click, sees }) {
        await read()
        await click('Lunch tomorrow')
        await read()
        if (!sees('About lunch tomorrow')) throw new Error('The message is not shown')
      },
    },
    {
      name: 'read-unread',
      task: 'Open the spring offers.',
      // Opening an unread message tells the server.
      effects: ['send POST /api/messages/3/read'],
      async policy({ read, click }) {
        await read()
        await click('Spring offers')
        await read()
      },
      done: ({ data }) => data.messages[2].unread === false,
    },
    {
      name: 'search',
      task: 'Show me only the mail of Lina, the oldest first.',
      effects: [],
      async policy({ read, fill, click, sees }) {
        await read()
        await fill({ 'Search mail': 'Lina' })
        await click('Newest first')
        await read()
        if (sees('Trip photos')) throw new Error('The list is not filtered')
      },
      done: async ({ page }) => (await page.locator('.row').first().textContent())?.includes('Minutes'),
    },
    {
      name: 'folders',
      task: 'Is anything in the archive or among the sent mail?',
      effects: [],
      async policy({ read, click }) {
        await read()
        await click('Archive', { role: 'tab' })
        await read()
        await click('Sent', { role: 'tab' })
        await read()
        await click('Inbox', { role: 'tab' })
      },
    },
    {
      name: 'archive-key',
      task: 'Archive the bank statement.',
      effects: ['send POST /api/messages/4/archive'],
      async policy({ read, click, press }) {
        await read()
        await click('Your statement')
        await press('e')
      },
      done: ({ data }) => data.messages[3].folder === 'archive',
    },
    {
      name: 'delete-key',
      task: 'Delete the trip photos.',
      effects: ['destroy DELETE /api/messages/5'],
      async policy({ read, click, press }) {
        await read()
        await click('Trip photos')
        await press('#')
      },
      done: ({ data }) => data.messages.length === 5,
    },
    {
      name: 'delete-icon',
      task: 'Throw away the budget draft.',
      effects: ['destroy DELETE /api/messages/6'],
      async policy({ read, click }) {
        await read()
        await click('✕', { near: 'Budget draft' })
      },
      done: ({ data }) => data.messages.every((/** @type {{ id: number }} */ one) => one.id !== 6),
    },
    {
      name: 'send',
      task: 'Write to ada@example.org, subject Hello: See you on Friday.',
      effects: ['send POST /api/send'],
      async policy({ read, fill, click }) {
        await read()
        await click('Compose')
        await read()
        await fill({ To: 'ada@example.org', Subject: 'Hello', Text: 'See you on Friday.' })
        await click('Send')
      },
      done: ({ data }) => data.sent[0]?.to === 'ada@example.org' && data.sent[0]?.text === 'See you on Friday.',
    },
    {
      name: 'signature',
      task: 'Set my signature to "Best, Ada".',
      effects: [],
      async policy({ read, click, fill }) {
        await read()
        await click('Settings')
        await read()
        await fill({ Signature: 'Best, Ada' })
      },
      done: ({ data }) => data.signature === 'Best, Ada',
    },
    {
      name: 'unsubscribe',
      task: 'Unsubscribe me from Garden News.',
      effects: ['send POST /api/messages/3/read', 'outside other site GET /unsubscribe'],
      async policy({ read, click }) {
        await read()
        await click('Spring offers')
        await read()
        await click('Unsubscribe')
      },
    },
  ],
}
