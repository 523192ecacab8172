// Forms that are tools. A model sees their names and schemas; the policies know them, too.

/** @type {import('../task-run.mjs').Task[]} */
export const tasks = [
  {
    name: 'rooms',
    task: 'Find a room with a view of the sea and parking for 1 August 2026, and book the cheapest.',
    goal: { view: 's' },
    mistake: { view: 'g' },
    async policy({ form }, { view }) {
      await form('search_rooms', { arrival: '2026-08-01', view, extra: ['p'] })
      await form('book_room', { room: 14 })
    },
  },
  {
    name: 'respond',
    task: 'Buy two tickets for the opera.',
    goal: { seats: 2 },
    mistake: { seats: 3 },
    async policy({ form, click }, { seats }) {
      const offer = await form('find_tickets', { event: 'Opera', seats })
      if (offer !== '' && !offer.includes('"price":30')) throw new Error('The answer of the page is missing')
      await click('Buy')
    },
  },
  {
    name: 'fill-only',
    task: 'Prepare the feedback "Thank you" of a happy visitor. Do not send it.',
    goal: { mood: 'Happy' },
    mistake: { mood: 'Sad' },
    async policy({ form }, { mood }) {
      await form('give_feedback', { mood, words: 'Thank you' }, { sends: false })
    },
  },
]
