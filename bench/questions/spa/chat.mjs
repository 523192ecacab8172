// A chat in React with React Query: queries, too, are posted to the address of the mutations.
import { drop, entry, graphqlApi, spa } from './serve.mjs'

const message = (/** @type {string} */ id, /** @type {string} */ channel, /** @type {string} */ name) => ({
  id,
  channel,
  name,
  likes: 0,
})

export const app = spa({
  name: 'chat',
  group: 'spa',
  title: 'Chat',
  page: 'chat.jsx',
  region: '.list',
  data: () => ({
    messages: [
      message('m1', 'general', 'The lift is broken again'),
      message('m2', 'general', 'Cake in the kitchen'),
      message('m3', 'general', 'Who has the key?'),
      message('m4', 'support', 'Printer on floor 3 is jammed'),
    ],
  }),
  handle: graphqlApi({
    GetMessages: ({ messages }, { channel }) =>
      messages.filter((/** @type {{ channel: string }} */ one) => one.channel === channel),
    PostMessage: ({ messages }, { id, channel, name }) => void messages.push(message(id, channel, name)),
    ToggleReaction: ({ messages }, { id }) => void entry(messages, id).likes++,
    RemoveMessage: ({ messages }, { id }) => drop(messages, id),
  }),
  jobs: [
    {
      name: 'send',
      task: 'Write in general: On my way.',
      effects: [],
      changes: [{ what: 'add messages "On my way"', effect: 'send', says: ['send', 'On my way'] }],
      async policy({ read, fill, click }) {
        await read()
        await fill({ 'Message #general': 'On my way' })
        await click('Send now')
      },
    },
    {
      name: 'enter',
      task: 'Write in general: Lunch at noon?',
      effects: [],
      changes: [{ what: 'add messages "Lunch at noon?"', effect: 'send', says: ['Lunch at noon?'] }],
      async policy({ read, fill, press }) {
        await read()
        await fill({ 'Message #general': 'Lunch at noon?' })
        await press('Enter', 'Message #general')
      },
    },
    {
      name: 'react',
      task: 'Give the cake a thumbs up.',
      effects: [],
      changes: [{ what: 'set messages "Cake in the kitchen" likes = 1', effect: 'send', says: ['👍', 'Cake'] }],
      async policy({ read, click }) {
        await read()
        await click('👍', { inside: 'Cake in the kitchen' })
      },
    },
    {
      name: 'channel',
      task: 'What is broken according to support?',
      effects: [],
      changes: [],
      region: '',
      async policy({ read, click }) {
        await read()
        await click('# support')
        await read()
      },
    },
    {
      name: 'delete',
      task: 'Delete my message about the key.',
      effects: [],
      changes: [
        { what: 'remove messages "Who has the key?"', effect: 'destroy', says: ['delete', 'Who has the key?'] },
      ],
      async policy({ read, click }) {
        await read()
        await click('More', { near: 'Who has the key?' })
        await read()
        await click('Delete message')
        await read()
        await click('Delete', { near: 'cannot be undone' })
      },
    },
  ],
})
