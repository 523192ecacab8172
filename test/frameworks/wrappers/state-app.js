// What the apps that show the state of their agent share.
import { application } from './wrapper-app.js'

export const app = application()
app.state = { hasCards: true, isShown: true, isForgotten: false }
/** How often the component with the state was rendered. */
app.renders = 0
/** The components in cards that are mounted. */
app.cards = 0

export const find = {
  name: 'find',
  description: 'Finds products of the shop by a part of their names.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  needsApproval: ({ query }) => query === 'secret',
  execute: ({ query }) => [query === 'break' ? 'broken' : `${query} tea`],
}
