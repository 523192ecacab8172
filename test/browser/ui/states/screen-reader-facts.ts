// What a visitor with a screen reader must hear, step by step. Each fact is heard once in its step, and nothing is said
// that has no fact. screen-reader.spec.ts takes the steps.

/** One step of the visitor, or of what happens while they listen. */
interface Step {
  /** What is done; unique. */
  readonly name: string
  /** Everything that is said, in any order. A role is part of a fact where two things have the same name. */
  readonly hears: readonly string[]
}

/** The steps in their order. */
export const steps = [
  { name: 'Tab reaches the launcher', hears: ['Open the assistant, button'] },
  { name: 'Enter opens the panel', hears: ['Assistant, dialog', 'What would you like to do?, textbox'] },
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
      'Attach files, button',
      'What would you like to do?, textbox',
      'Send, button, unavailable',
      'Answers may be wrong.',
      'Resize (arrow keys), button',
    ],
  },
  { name: 'a message is typed', hears: [] },
  { name: 'Enter sends it', hears: ['Assistant: Working'] },
  { name: 'a tool runs', hears: [] },
  { name: 'its card is read', hears: ['Export the orders', 'Order 4 of 10', 'Running', 'collapsed'] },
  {
    name: 'five seconds pass without news',
    hears: ['Assistant: Still working: Export the orders: Order 4 of 10'],
  },
  { name: 'the tool is done', hears: [] },
  { name: 'its card is read again', hears: ['Export the orders', 'Year: 2026', 'Done', 'collapsed'] },
  {
    name: 'two questions are asked',
    hears: ['Your decision is needed', '1 of 2', 'Apply the coupon', 'Coupon: TEA10', 'Press F8 to answer.'],
  },
  {
    name: 'F8 leads to the question',
    hears: ['Waiting for your decision, dialog', 'Apply the coupon', '1 of 2', 'group', 'Coupon: TEA10'],
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
    name: 'Enter allows, and the second question gets the focus',
    hears: ['Cancel the order', 'This cannot be undone.', '2 of 2', 'group', 'Order: 4148'],
  },
  { name: 'Tab leads to the button that refuses', hears: ['Don’t allow, button'] },
  { name: 'Enter refuses', hears: ['What would you like to do?, textbox'] },
  {
    name: 'the card of the refused call is read',
    hears: ['Cancel the order', 'Order: 4148', 'You said no', 'collapsed'],
  },
  { name: 'a call fails', hears: ['Assistant: Track the parcel: Failed'] },
  {
    name: 'the answer is complete',
    hears: ['Assistant: I applied the coupon. Your order was not cancelled.', 'Assistant: 1 change'],
  },
  { name: 'a card is opened', hears: ['Filled 2 fields', 'Done', 'expanded'] },
  { name: 'it is read', hears: ['Name', 'Ada', 'Guests', '4', 'Technical details, collapsed'] },
  { name: 'Tab leads to the way to undo it', hears: ['Undo, button'] },
  { name: 'Enter undoes it', hears: ['Undone.', 'Redo, button'] },
  {
    name: 'the receipt is read, with its tasks',
    hears: [
      '2 changes · Undone',
      '1 of 3 done',
      'Tasks, group',
      'done Find a teapot',
      'in progress Add two to the cart',
      'open Apply the coupon',
      'Redo, button',
    ],
  },
  {
    name: 'a table is read',
    hears: ['table with 3 rows and 2 columns', 'Teapot, Price', 'Hario, € 24.90', 'Kinto, € 46.00'],
  },
  { name: 'code is read', hears: ['Copy the code, button', 'const pots = 3'] },
  { name: 'a link is read', hears: ['care instructions (shop.example.org), link'] },
  { name: 'Tab leads to the buttons of the answer', hears: ['Copy, button', 'Answer again, button'] },
  { name: 'a message is sent while the assistant works', hears: ['Next: And a cup'] },
  { name: 'Tab leads to the way to remove it', hears: ['Remove: And a cup, button'] },
  { name: 'Enter removes it', hears: ['What would you like to do?, textbox'] },
  { name: 'Tab leads to the way to stop', hears: ['Stop, button'] },
  { name: 'Enter stops', hears: ['Assistant: Stopped.', 'What would you like to do?, textbox'] },
  { name: 'the conversations are opened', hears: ['Conversations, dialog', 'Back, button'] },
  { name: 'the arrow leads to a conversation', hears: ['Teapots', '2 messages'] },
  { name: 'Tab leads to its options', hears: ['Options: Teapots, button, collapsed'] },
  { name: 'Enter opens them', hears: ['Rename: Teapots, button'] },
  { name: 'Enter opens its title', hears: ['Rename, textbox, Teapots'] },
  { name: 'Enter renames it', hears: ['Options: Cups, button, collapsed'] },
  { name: 'Enter opens its options again', hears: ['Rename: Cups, button'] },
  { name: 'Tab leads to the way to delete it', hears: ['Delete: Cups, button'] },
  { name: 'Enter deletes it', hears: ['Deleted: Cups', 'My order'] },
  { name: 'Tab leads to the way back', hears: ['Undo, button'] },
  { name: 'Enter brings it back', hears: ['Cups'] },
  { name: 'Escape leads back to the conversation', hears: ['What would you like to do?, textbox'] },
  { name: 'more is allowed for the task', hears: ['Allowed until this task is done: buttons of this page.'] },
  { name: 'Tab leads to the line below the field', hears: ['actions of this page · you allowed more, button'] },
  { name: 'Enter opens what the assistant may do', hears: ['What the assistant can do here, group'] },
  {
    name: 'what it may do is read',
    hears: ['Never sees', 'everything else on this page', 'Allowed until this task is done: buttons of this page.'],
  },
  { name: 'Tab leads to the way to take it back', hears: ['Ask me again, button'] },
  { name: 'Enter takes it back', hears: ['The assistant asks you again.', 'What the assistant can do here, group'] },
  { name: 'Escape leads back to the line', hears: ['actions of this page, button'] },
  { name: 'the endpoint is busy', hears: ['Trying again in 18 s. The assistant is busy.'] },
  { name: 'the network is lost', hears: ['You are offline. The assistant continues when you are connected.'] },
  { name: 'the turn fails', hears: ['The assistant has a problem. Try again in a moment.'] },
  { name: 'Tab leads to the way out', hears: ['Conversation, log', 'Try again, button'] },
  { name: 'a file is attached', hears: ['Attached: notes.md'] },
  {
    name: 'another file is not accepted',
    hears: ['tool.exe cannot be attached: files of this type are not accepted here.'],
  },
  { name: 'Escape closes the panel', hears: ['Open the assistant, button'] },
  {
    name: 'an answer arrives while it is closed',
    hears: ['Assistant: Your parcel arrives today.', 'Assistant: Done', 'Assistant: 1 new message, button'],
  },
  { name: 'Enter opens the panel again', hears: ['Assistant, dialog', 'What would you like to do?, textbox'] },
] as const satisfies readonly Step[]

/** The name of a step. */
export type StepName = (typeof steps)[number]['name']
