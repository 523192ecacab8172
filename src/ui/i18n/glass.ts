// The English texts of what the line below the field opens to. Apart from en.ts, because they are loaded with it. Those
// of other languages are with the other texts of the language.

const number = (value: number) => value.toLocaleString('en')

/** The texts. Labels and values of the rows say what holds now. */
export const glassWords = {
  title: 'What the assistant can do here',
  sees: 'Sees',
  seesPage: 'what is visible on this page, with its title and address',
  seesForms: 'the names of the forms here, what the fields that it fills hold and show, title and address of this page',
  seesTitle: 'title and address of this page',
  /** Follows one of these: the option `pageContext` is set. */
  seesMore: 'what the page adds to your message',
  never: 'Never sees',
  neverPage: 'everything else on this page',
  neverFields: 'passwords, card numbers, codes',
  neverParts: (count: number) => (count === 1 ? '1 closed part' : `${number(count)} closed parts`),
  fills: 'Fills in fields',
  presses: 'Presses buttons',
  sends: 'Sends, pays, deletes',
  others: 'Other actions',
  goes: 'Your text goes to',
  no: 'no',
  /** Whether it asks the visitor. */
  asks: {
    free: 'without asking',
    undo: 'without asking, and you can undo it',
    unsure: 'asks unless it is harmless',
    first: 'asks first',
    granted: 'asks first, except for what you allowed',
    outside: 'asks only before it goes to another site',
    always: 'asks each time',
  },
  /** `title`: an action that asks. */
  askingAction: (title: string) => `${title} (asks first)`,
  /** `model`: the name of a model. */
  via: (model: string, host: string) => `${model} at ${host}`,
  browser: 'a model in this browser, and to nobody else',
  pageModel: 'the model of this page',
  show: 'Show on the page',
  shown: 'What the assistant reads is outlined',
  /** At parts of the page. */
  onPage: { read: 'read', readAndFilled: 'read and filled in', never: 'never read', closed: 'closed to the assistant' },
  /** What is shown, in numbers. */
  counted: (read: number, never: number, closed: number) =>
    `Parts read: ${number(read)}. Fields never read: ${number(never)}. Closed parts: ${number(closed)}.`,
  unread: 'The page cannot be read now.',
  request: 'See the last request',
  requestText: 'The last request as text',
  /** Above the text of a request. */
  requestAbout: 'This is what was sent with your last message, besides the instructions of this page.',
  notLoaded: (count: number) => `(${number(count)} earlier messages)`,
  /** `title`: what the assistant has done. */
  resultOf: (title: string) => `Result: ${title}`,
}

/** The texts of one language. */
export type GlassWords = typeof glassWords
