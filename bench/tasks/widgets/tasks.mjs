// Widgets with the markup of component libraries.

/** @type {import('../task-run.mjs').Task[]} */
export const tasks = [
  {
    name: 'select-popup',
    task: 'Use the high contrast theme.',
    goal: { theme: 'High contrast' },
    mistake: { theme: 'Dark' },
    async policy({ read, choose }, { theme }) {
      await read()
      await choose('Theme', theme)
    },
  },
  {
    name: 'tags',
    task: 'Tag the article Science and Travel, and publish it.',
    goal: { tags: ['Science', 'Travel'] },
    mistake: { tags: ['Science', 'Sports'] },
    async policy({ fields, tryFill, read, sees, click }, { tags }) {
      await fields()
      const [report] = await tryFill({ Tags: tags })
      if (!report?.ok)
        for (const tag of tags) {
          await read()
          if (sees(`Remove ${tag}`)) continue
          await click('Tags', { role: 'combobox' })
          await click(tag, { role: 'option' })
        }
      await click('Publish')
    },
  },
  {
    name: 'city-search',
    task: 'Show the weather in Paris, Texas.',
    goal: { city: 'Paris, Texas' },
    mistake: { city: 'Paris, France' },
    async policy({ read, choose }, { city }) {
      await read()
      await choose('City', 'Paris', city)
    },
  },
  {
    name: 'city-blur',
    task: 'Show the trains from Oslo Airport.',
    needs: 'autocompletes that keep focus',
    goal: { station: 'Oslo Airport' },
    mistake: { station: 'Oslo Central' },
    async policy({ read, choose, click }, { station }) {
      await read()
      await choose('From', 'Oslo', station)
      await click('Show trains')
    },
  },
  {
    name: 'date-readonly',
    task: 'Book an appointment on 14 May 2026.',
    needs: 'read-only date fields',
    goal: { day: '2026-05-14' },
    mistake: { day: '2026-05-15' },
    async policy({ fields, fill, click }, { day }) {
      await fields()
      await fill({ Day: day })
      await click('Book')
    },
  },
  {
    name: 'date-clicks',
    page: 'date-readonly',
    task: 'Book an appointment on 14 May 2026 with the calendar.',
    needs: 'read-only date fields',
    goal: { day: '14' },
    mistake: { day: '15' },
    async policy({ read, click, sees }, { day }) {
      await read()
      await click('Day')
      for (let turns = 0; turns < 6 && !sees('May 2026'); turns++) {
        await click('Next month')
        await read()
      }
      await click(day)
      await click('Book')
    },
  },
  {
    name: 'switches',
    task: 'Allow statistics, but no advertising.',
    goal: { button: 'Save my choice' },
    mistake: { button: 'Accept all' },
    async policy({ read, fill, click }, { button }) {
      await read()
      await fill({ Statistics: true, Advertising: false })
      await click(button)
    },
  },
  {
    name: 'slider-aria',
    task: 'Set the heating to 23 degrees.',
    goal: { value: 23 },
    mistake: { value: 22 },
    async policy({ read, fill, click }, { value }) {
      await read()
      await fill({ Temperature: value })
      await click('Apply')
    },
  },
  {
    name: 'range',
    task: 'Only show flats with three rooms for at most 850 euros.',
    goal: { rooms: '3' },
    mistake: { rooms: '2' },
    async policy({ read, fill }, { rooms }) {
      await read()
      await fill({ 'Maximum rent': 850, Rooms: rooms })
    },
  },
  {
    name: 'stepper',
    task: 'Buy tickets for one adult and three children.',
    goal: { children: 3 },
    mistake: { children: 2 },
    async policy({ read, click }, { children }) {
      await read()
      for (let count = 0; count < children; count++) {
        await click('+', { near: 'Children' })
        await read()
      }
      await click('Buy')
    },
  },
  {
    name: 'rating',
    task: 'Give four stars and write "Good soup".',
    goal: { stars: '4 stars' },
    mistake: { stars: '5 stars' },
    async policy({ read, fill, click }, { stars }) {
      await read()
      await fill({ Rating: stars, 'Your words': 'Good soup' })
      await click('Post review')
    },
  },
  {
    name: 'accordion',
    task: 'Print a return label.',
    goal: { question: 'How do I return an item?', link: 'Print a return label' },
    mistake: { question: 'Where is my parcel?', link: 'Track a parcel' },
    async policy({ read, click }, { question, link }) {
      await read()
      await click(question)
      await click(link)
    },
  },
  {
    name: 'listbox-group',
    task: 'Add Kim Wong as a viewer.',
    goal: { member: 'Kim Wong' },
    mistake: { member: 'Kim Lee' },
    async policy({ fields, choose, fill, click }, { member }) {
      await fields()
      await choose('Member', member)
      await fill({ Role: 'Viewer' })
      await click('Add')
    },
  },
]
