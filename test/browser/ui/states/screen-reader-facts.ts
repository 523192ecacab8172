// What a visitor with a screen reader must hear in forty steps, written down before the panel was asked. Each fact is
// heard once in its step, and nothing is said that is no fact. screen-reader.spec.ts takes the steps.

/** One step of the visitor, or of what happens while they listen. */
export interface Step {
  /** What is done; unique. */
  readonly name: string
  /** Everything that is said, in any order. A role is part of a fact where two things have the same name. */
  readonly hears: readonly string[]
}

/** The steps in their order. */
export const steps = [
  { name: 'Tab reaches the launcher', hears: ['Open the assistant, button'] },
  { name: 'Enter opens the panel', hears: ['Assistant, dialog', 'Ask anything about this page, textbox'] },
  {
    name: 'the empty panel is read',
    hears: [
      'Assistant, heading',
      'Conversations, button',
      'New conversation, button',
      'Close, button',
      'How can I help?',
      'Find a teapot, button',
      'Where is my order?, button',
      'Ask anything about this page, textbox',
      'Send, button, unavailable',
      'Answers may be wrong.',
      'Resize (arrow keys), button',
    ],
  },
  { name: 'a message is typed', hears: [] },
  { name: 'Enter sends it', hears: ['Assistant: Working'] },
  { name: 'a tool runs', hears: [] },
  { name: 'its card is read', hears: ['Export the orders, Year: 2026', 'Running', 'collapsed'] },
  {
    name: 'five seconds pass without news',
    hears: ['Assistant: Still working: Export the orders: Order 4 of 10'],
  },
  { name: 'the tool is done', hears: [] },
  { name: 'the card of the finished call is read', hears: ['Export the orders, Year: 2026', 'Done', 'collapsed'] },
  {
    name: 'two questions are asked',
    hears: ['Your decision is needed', '1 of 2', 'Apply the coupon', 'Coupon: TEA10', 'Press F8 to answer.'],
  },
  {
    name: 'F8 leads to the question',
    hears: ['Waiting for your decision, dialog', 'Apply the coupon', '1 of 2', 'group'],
  },
  {
    name: 'the question is read',
    hears: [
      'The assistant asks for your permission',
      '1 of 2',
      'Apply the coupon, heading',
      'Coupon',
      'TEA10',
      'Change, button',
      'Add a reason, button',
      'Details, collapsed',
      'Don’t allow, button',
      'Apply the coupon, button',
      'Ways to allow, button',
    ],
  },
  { name: 'Tab leads to the button that allows', hears: ['Apply the coupon, button'] },
  {
    name: 'Enter allows, and the second question follows',
    hears: ['Your decision is needed', '2 of 2', 'Cancel the order', 'Order: 4148', 'This cannot be undone.'],
  },
  { name: 'Tab leads to the button that refuses', hears: ['Don’t allow, button'] },
  { name: 'Enter refuses', hears: ['Ask anything about this page, textbox'] },
  { name: 'the card of the refused call is read', hears: ['Cancel the order, Order: 4148', 'You said no', 'collapsed'] },
  { name: 'a call fails', hears: ['Assistant: Track the parcel: Failed'] },
  {
    name: 'the answer is complete',
    hears: ['Assistant: I applied the coupon. Your order was not cancelled.', 'Assistant: Done'],
  },
  {
    name: 'a card is opened',
    hears: ['Filled 2 fields', 'Done', 'expanded', 'Name', 'Ada', 'Guests', '4', 'Technical details, collapsed'],
  },
  { name: 'what was filled is undone', hears: ['Undo, button', 'Undone.'] },
  {
    name: 'the tasks are opened and read',
    hears: [
      'Tasks, Add two to the cart, 1 of 3 done',
      'expanded',
      'done, Find a teapot',
      'in progress, Add two to the cart, list item',
      'open, Apply the coupon',
    ],
  },
  {
    name: 'a table is read',
    hears: ['table with 3 rows and 2 columns', 'Teapot, Price', 'Hario, € 24.90', 'Kinto, € 46.00'],
  },
  { name: 'code is read', hears: ['const pots = 3'] },
  { name: 'a link is read', hears: ['care instructions (shop.example.org), link'] },
  {
    name: 'Tab leads through the buttons of the answer',
    hears: ['Copy the code, button', 'Copy the message, button', 'Answer again, button'],
  },
  { name: 'a message is sent while the assistant works', hears: ['Next: And a cup'] },
  {
    name: 'it is removed from the queue',
    hears: ['Remove: And a cup, button', 'Ask anything about this page, textbox'],
  },
  { name: 'the assistant is stopped', hears: ['Stop, button', 'Assistant: Stopped.', 'Ask anything about this page'] },
  { name: 'the conversations are opened', hears: ['Conversations, dialog', 'Back, button'] },
  { name: 'the arrow leads to a conversation', hears: ['Teapots', '2 messages', 'button'] },
  {
    name: 'a conversation is renamed',
    hears: ['Rename: Teapots, button', 'Rename, textbox, Teapots', 'Rename: Cups, button'],
  },
  { name: 'it is deleted', hears: ['Delete: Cups, button', 'Deleted: Cups', 'My order'] },
  { name: 'it is brought back', hears: ['Undo, button', 'Cups'] },
  { name: 'Escape leads back', hears: ['Ask anything about this page, textbox'] },
  {
    name: 'what is allowed for the task is said',
    hears: ['Allowed until this task is done: buttons of this page.'],
  },
  {
    name: 'it is taken back',
    hears: ['Ask me again, button', 'The assistant asks you again.', 'Ask anything about this page, textbox'],
  },
  {
    name: 'the endpoint is busy',
    hears: ['Trying again in 18 s. The assistant is busy.'],
  },
  {
    name: 'the network is lost',
    hears: ['You are offline. The assistant continues when you are connected.'],
  },
  {
    name: 'the turn fails',
    hears: ['The assistant has a problem. Try again in a moment.'],
  },
  { name: 'Tab leads to the way out', hears: ['Try again, button'] },
  { name: 'a file is attached', hears: ['Attached: notes.md'] },
  {
    name: 'another file is not accepted',
    hears: ['tool.exe cannot be attached: files of this type are not accepted here.'],
  },
  { name: 'Escape closes the panel', hears: ['Open the assistant, button'] },
  { name: 'an answer arrives while it is closed', hears: ['Assistant: Your parcel arrives today.', 'Assistant: Done'] },
  { name: 'the launcher is read', hears: ['Assistant: 1 new message, button'] },
] as const satisfies readonly Step[]
