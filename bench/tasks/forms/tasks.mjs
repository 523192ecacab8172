// Plain forms.

/** @type {import('../task-run.mjs').Task[]} */
export const tasks = [
  {
    name: 'contact',
    task: 'Send the message "The engine works very well." as praise from Ada Lovelace, ada@example.org.',
    goal: { topic: 'Praise' },
    mistake: { topic: 'Complaint' },
    async policy({ fields, fill, submit }, { topic }) {
      await fields()
      await fill({
        Name: 'Ada Lovelace',
        'E-mail': 'ada@example.org',
        Topic: topic,
        Message: 'The engine works very well.',
      })
      await submit()
    },
  },
  {
    name: 'signup',
    task: 'Create the account grace for grace@example.org. Accept the terms; no newsletter.',
    goal: { news: false },
    mistake: { news: true },
    async policy({ read, fill, click }, { news }) {
      await read()
      await fill({
        'Choose a user name': 'grace',
        'E-mail address': 'grace@example.org',
        'I accept the terms of use': true,
        'Send me the newsletter': news,
      })
      await click('Sign up')
    },
  },
  {
    name: 'search',
    task: 'Search for waves and open "Waves of Light".',
    goal: { book: 'Waves of Light' },
    mistake: { book: 'The Waves' },
    async policy({ read, fill, submit, wait, click }, { book }) {
      await read()
      await fill({ 'Search books': 'waves' })
      await submit()
      await wait({ text: book })
      await click(book)
    },
  },
  {
    name: 'settings',
    task: 'No longer let search engines index me, send e-mails once a day, and use New York time. Save.',
    goal: { button: 'Save changes' },
    mistake: { button: 'Discard' },
    async policy({ fields, fill, click }, { button }) {
      await fields()
      await fill({
        'Index by search engines': false,
        'Send e-mails': 'Once a day',
        'Time zone': 'New York (UTC-5)',
      })
      await click(button)
    },
  },
  {
    name: 'checkout',
    task: 'Deliver by express to Ada Lovelace, Main Street 1, 12345 Springfield; bill to Side Street 2, 54321 Shelbyville.',
    goal: { zip: '54321' },
    mistake: { zip: '12345' },
    async policy({ read, find, fill, submit }, { zip }) {
      await read()
      await fill({
        'First name': 'Ada',
        'Last name': 'Lovelace',
        Street: 'Main Street 1',
        Postcode: '12345',
        City: 'Springfield',
        'Same as delivery address': false,
        Shipping: 'Express, 1 day',
      })
      await read()
      const [street, postcode, city] = await Promise.all(
        ['Street', 'Postcode', 'City'].map((name) => find(name, { near: 'Same as delivery address' })),
      )
      await fill({ [String(street)]: 'Side Street 2', [String(postcode)]: zip, [String(city)]: 'Shelbyville' })
      await submit()
    },
  },
  {
    name: 'slow-login',
    task: 'Ask for a sign-in link for ada@example.org, stay signed in, and confirm the next page.',
    goal: { mail: 'ada@example.org' },
    mistake: { mail: 'bob@example.org' },
    async policy({ read, fill, submit, click }, { mail }) {
      await read()
      await fill({ 'Your e-mail': mail, 'Stay signed in': true })
      await submit()
      await click('Got it')
    },
  },
  {
    name: 'dependent',
    task: 'Register a Volvo Amazon of 1966.',
    goal: { model: 'Amazon' },
    mistake: { model: '240' },
    async policy({ fields, tryFill, fill, wait, submit }, { model }) {
      await fields()
      const reports = await tryFill({ Make: 'Volvo', Model: model, Year: 1966 })
      if (reports.some(({ ok }) => !ok)) {
        await wait({ still: true })
        await fields()
        await fill({ Model: model })
      }
      await submit()
    },
  },
  {
    name: 'fix-error',
    task: 'Create the product Kettle with number KE-0042 for 19.90.',
    goal: { number: 'KE-0042' },
    mistake: { number: 'KE-0043' },
    async policy({ read, fill, use, sees }, { number }) {
      await read()
      await fill({ Name: 'Kettle', 'Article number': 'ke 42', Price: '19,9' })
      await use('form_submit')
      if (!sees('such as AB-1234')) throw new Error('The error is not reported')
      const fixed = { 'Article number': number, Price: '19.90' }
      // The old error may still be shown until the form is sent again.
      await use('form_fill', { fields: Object.entries(fixed).map(([field, value]) => ({ field, value })) })
      await use('form_submit')
    },
  },
  {
    name: 'radios-alike',
    task: 'The food was good, the service bad. I come again, and do not recommend you.',
    goal: { service: 'Bad' },
    mistake: { service: 'Good' },
    async policy({ fields, fill, submit }, { service }) {
      await fields()
      await fill({
        'How was the food?': 'Good',
        'How was the service?': service,
        'Would you come again?': 'Yes',
        'Would you recommend us?': 'No',
      })
      await submit()
    },
  },
  {
    name: 'synonyms',
    task: 'The passenger was born in September in California.',
    needs: 'month and state synonyms',
    goal: { state: 'California' },
    mistake: { state: 'Texas' },
    async policy({ fields, fill, submit }, { state }) {
      await fields()
      await fill({ 'Month of birth': 'September', State: state })
      await submit()
    },
  },
]
