// Jobs on pages of `npm run tasks`, unchanged. They have no server, so what they send, delete or buy stays in the page.
import { allTasks } from '../tasks/all-tasks.mjs'

/** @typedef {import('./server.mjs').Effect} Effect */

/** The task, and its controls with an effect that would matter if it left the page. @type {Record<string, Record<string, Effect>>} */
const local = {
  'forms/contact': { submit: 'send' },
  'forms/signup': { 'Sign up': 'send' },
  'forms/search': { submit: 'unknown' },
  'forms/settings': { 'Save changes': 'send' },
  'forms/checkout': { submit: 'unknown' },
  'widgets/rating': { 'Post review': 'send' },
  'widgets/stepper': { Buy: 'destroy' },
  'widgets/accordion': {},
  'widgets/select-popup': {},
  'widgets/date-clicks': { Book: 'send' },
  'mail/open': {},
  'mail/trash': { Delete: 'destroy', trash: 'destroy' },
  'mail/compose': { Send: 'send' },
  'lists/table-sort': { Answer: 'send' },
  'lists/pages': { Pay: 'destroy' },
  'lists/todo': { Remove: 'destroy', submit: 'send' },
  'lists/cart': { 'Remove Spoon': 'destroy', Apply: 'send', Order: 'destroy' },
  'apps/tabs': { Save: 'send' },
  'apps/kebab': { Archive: 'send' },
  'apps/drawer': {},
}

/** @type {import('./job.mjs').Job[]} */
export const pageJobs = Object.entries(local).map(([name, controls]) => {
  const found = allTasks.find((task) => `${task.kind}/${task.name}` === name)
  if (!found) throw new Error(`There is no task ${name}`)
  const { kind, page = found.name, query = '', task, policy, goal } = found
  return {
    name,
    task,
    path: `/${kind}/${page}.html${query}`,
    effects: [],
    local: controls,
    policy: (hands) => policy(hands, goal),
    done: (end) => end.page.evaluate(() => /** @type {any} */ (window).taskDone() === true),
  }
})
