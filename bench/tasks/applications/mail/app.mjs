// Tasks in the mail of the questions benchmark.
import { app as mail } from '../../../questions/mail/app.mjs'

const message = (/** @type {any} */ state, /** @type {number} */ id) =>
  state.messages.find((/** @type {{ id: number }} */ one) => one.id === id)

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  ...mail,
  tasks: [
    {
      name: 'star-two',
      task: 'Star both mails of Lina.',
      needs: 'controls with equal names told apart by their row',
      goal: { subjects: ['Minutes of Monday', 'Budget draft'] },
      mistake: { subjects: ['Minutes of Monday', 'Trip photos'] },
      want(state) {
        for (const id of [1, 6]) message(state, id).starred = true
      },
      async policy({ read, click }, { subjects }) {
        for (const subject of subjects) {
          await read()
          await click('☆', { inside: subject })
        }
      },
    },
    {
      name: 'archive-icon',
      task: 'Archive the lunch mail with its icon.',
      goal: { subject: 'Lunch tomorrow' },
      mistake: { subject: 'Trip photos' },
      want: (state) => (message(state, 2).folder = 'archive'),
      async policy({ read, click }, { subject }) {
        await read()
        await click('▤', { inside: subject })
      },
    },
    {
      name: 'delete-found',
      task: 'Find the bank statement by its sender and delete it.',
      goal: { from: 'Bank' },
      mistake: { from: 'Kim' },
      want: (state) => state.messages.splice(3, 1),
      async policy({ read, fill, click }, { from }) {
        await read()
        await fill({ 'Search mail': from })
        await read()
        await click('✕')
      },
    },
    {
      name: 'delete-with-key',
      task: 'Open the trip photos and delete them with the key #.',
      goal: { subject: 'Trip photos' },
      mistake: { subject: 'Your statement' },
      want: (state) => state.messages.splice(4, 1),
      async policy({ read, click, press }, { subject }) {
        await read()
        await click(subject)
        await press('#')
      },
    },
    {
      name: 'send',
      task: 'Write to tom@example.org, subject Lunch: Twelve is fine.',
      goal: { To: 'tom@example.org', Subject: 'Lunch', Text: 'Twelve is fine.' },
      mistake: { To: 'lina@example.org', Subject: 'Lunch', Text: 'Twelve is fine.' },
      want: (state) => state.sent.push({ to: 'tom@example.org', subject: 'Lunch', text: 'Twelve is fine.' }),
      async policy({ read, click, fill }, fields) {
        await read()
        await click('Compose')
        await read()
        await fill(fields)
        await click('Send')
      },
    },
    {
      name: 'signature-and-oldest',
      task: 'Set the signature to "Ada", and archive the oldest mail.',
      goal: { order: 'Newest first' },
      mistake: { order: '' },
      want(state) {
        state.signature = 'Ada'
        message(state, 1).folder = 'archive'
      },
      async policy({ read, click, fill }, { order }) {
        await read()
        await click('Settings')
        await read()
        await fill({ Signature: 'Ada' })
        await click('Close')
        if (order) await click(order)
        await read()
        await click('▤')
      },
    },
  ],
}
