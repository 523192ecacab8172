// Tasks in the calendar of pages of the questions benchmark.
import { app as calendar } from '../../../questions/calendar/app.mjs'

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  ...calendar,
  tasks: [
    {
      name: 'guests',
      task: 'Who comes to the board meeting?',
      goal: { title: 'Board meeting' },
      mistake: { title: 'Picnic' },
      want: (state) => (state.answer = 'kim@example.org'),
      async policy({ read, click }, { title }) {
        await read()
        await click(title)
        return /Guests: (\S+)/.exec(await read())?.[1]
      },
    },
    {
      name: 'create-and-invite',
      task: 'Lunch on 9 June, with lina@example.org.',
      goal: { day: 9 },
      mistake: { day: 8 },
      want: (state) => state.entries.push({ id: 4, day: 9, title: 'Lunch', guests: ['lina@example.org'] }),
      async policy({ read, click, fill, submit }, { day }) {
        await read()
        await click('New event')
        await read()
        await fill({ Title: 'Lunch', 'Day of June': day })
        await submit()
        await read()
        await click('Lunch')
        await read()
        await fill({ Invite: 'lina@example.org' })
        await click('Send invitation')
      },
    },
    {
      name: 'move',
      task: 'The dentist is on 5 June instead.',
      goal: { title: 'Dentist' },
      mistake: { title: 'Picnic' },
      want: (state) => (state.entries[0].day = 5),
      async policy({ read, click, use }, { title }) {
        await read()
        await click(title)
        await read()
        // The page is loaded again while the call runs, so its result may be lost.
        await use('form_fill', { fields: [{ field: 'Day', value: '5' }] }).catch(() => undefined)
      },
    },
    {
      name: 'cancel-from-agenda',
      task: 'Find the picnic in the agenda and cancel it.',
      goal: { words: 'picnic', title: 'Picnic' },
      mistake: { words: 'dentist', title: 'Dentist' },
      want: (state) => state.entries.pop(),
      async policy({ read, click, fill, submit }, { words, title }) {
        await read()
        await click('Agenda')
        await read()
        await fill({ 'Search events': words })
        await submit()
        await read()
        await click(title)
        await read()
        await click('Cancel event')
      },
    },
    {
      name: 'week-start',
      task: 'Weeks start on Sunday.',
      goal: { day: 'Sunday' },
      mistake: { day: 'Monday' },
      want: (state) => (state.preferences.weekStart = 'Sunday'),
      async policy({ read, click, fill }, { day }) {
        await read()
        await click('Preferences')
        await read()
        await fill({ 'First day of the week': day })
      },
    },
  ],
}
