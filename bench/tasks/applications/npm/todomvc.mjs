// The same list of things to do in many frameworks, from the package todomvc. A list is empty at the start, and a task is
// a sequence of deeds.
import { join } from 'node:path'
import { packages } from '../../../questions/server.mjs'

/** @typedef {import('../../hands.mjs').Hands} Hands */

/** @type {Record<string, (hands: Hands, title: string, now: string) => Promise<unknown>>} */
const deeds = {
  async add({ find, use, press }, title) {
    const field = await find('What needs to be done?').catch(() => find('', { role: 'textbox' }))
    await use('form_fill', { fields: [{ field, value: title }] })
    await press('Enter', field)
  },
  async complete({ read, find, use }, title) {
    await read()
    const target = await find(title, { role: 'checkbox' }).catch(() => find('', { role: 'checkbox', inside: title }))
    // Some boxes are drawn by other elements, and cannot be clicked themselves.
    await use('page_click', { target }).catch(() => use('form_fill', { fields: [{ field: target, value: true }] }))
  },
  async remove({ read, find, use }, title) {
    await read()
    const target = await find('', { role: 'button', inside: title })
    await use('page_click', { target })
  },
  async rename({ elementWith, fieldHolding, use, press }, title, now) {
    await use('page_click', { target: await elementWith(title), how: 'double' })
    const field = await fieldHolding(title)
    await use('form_fill', { fields: [{ field, value: now }] })
    await press('Enter', field)
  },
  async completeAll({ read, click }) {
    await read()
    await click('Mark all as complete', { role: 'checkbox' }).catch(() => click('toggle', { role: 'checkbox' }))
  },
  async press({ read, click }, name) {
    await read()
    await click(name)
  },
}

const todo = (/** @type {string} */ title, done = false) => ({ title, done })

/**
 * A task in one framework.
 * @param {string} framework the folder of its example
 * @param {{ name: string, task: string, goal: string[][], mistake: string[][], end: ReturnType<typeof todo>[],
 *   needs?: string }} about deeds with their arguments, and the list at the end
 * @returns {import('../app-run.mjs').AppTask}
 */
const inFramework = (framework, { name, goal, mistake, end, ...more }) => ({
  ...more,
  name: `${framework}-${name}`,
  path: `/examples/${framework}/`,
  goal: { steps: goal },
  mistake: { steps: mistake },
  want: (state) => (state.todos = end),
  async policy(hands, { steps }) {
    await hands.read()
    for (const [deed = '', first = '', second = ''] of steps) await deeds[deed]?.(hands, first, second)
  },
})

const milk = ['add', 'Buy milk']
const call = ['add', 'Call Kim']
const rent = ['add', 'Pay rent']

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'todomvc',
  needs: 'todomvc',
  folder: join(packages, 'todomvc'),
  data: () => ({}),
  state: ({ page }) =>
    page.evaluate(() => ({
      todos: [...document.querySelectorAll('#todo-list > li, .todo-list > li')].map((item) => ({
        title: item.querySelector('label')?.textContent?.trim() ?? '',
        done: item.querySelector('input[type=checkbox]')?.matches(':checked') ?? false,
      })),
    })),
  tasks: [
    inFramework('backbone', {
      name: 'add-three',
      task: 'Add: Buy milk, Call Kim, Pay rent. The call is done.',
      goal: [milk, call, rent, ['complete', 'Call Kim']],
      mistake: [milk, call, rent, ['complete', 'Pay rent']],
      end: [todo('Buy milk'), todo('Call Kim', true), todo('Pay rent')],
    }),
    inFramework('react', {
      name: 'remove',
      task: 'Add: Buy milk, Call Kim. Then remove the milk.',
      goal: [milk, call, ['remove', 'Buy milk']],
      mistake: [milk, call, ['remove', 'Call Kim']],
      end: [todo('Call Kim')],
    }),
    inFramework('angularjs', {
      name: 'complete-all',
      task: 'Add: Buy milk, Call Kim. Mark everything as complete.',
      goal: [milk, call, ['completeAll']],
      mistake: [milk, call, ['complete', 'Call Kim']],
      end: [todo('Buy milk', true), todo('Call Kim', true)],
    }),
    inFramework('emberjs', {
      name: 'clear-completed',
      task: 'Add: Buy milk, Call Kim. The milk is done. Clear what is completed.',
      goal: [milk, call, ['complete', 'Buy milk'], ['press', 'Clear completed']],
      mistake: [milk, call, ['complete', 'Call Kim'], ['press', 'Clear completed']],
      end: [todo('Call Kim')],
    }),
    inFramework('knockoutjs', {
      name: 'rename',
      task: 'Add: Buy milk, Call Kim. Then change the milk to "Buy tea", by a double click.',
      needs: "page_click({ how: 'double' })",
      goal: [milk, call, ['rename', 'Buy milk', 'Buy tea']],
      mistake: [milk, call, ['rename', 'Call Kim', 'Buy tea']],
      end: [todo('Buy tea'), todo('Call Kim')],
    }),
    inFramework('spine', {
      name: 'filter-active',
      task: 'Add: Buy milk, Call Kim. The milk is done. Show only what is active.',
      goal: [milk, call, ['complete', 'Buy milk'], ['press', 'Active']],
      mistake: [milk, call, ['complete', 'Buy milk'], ['press', 'Completed']],
      end: [todo('Call Kim')],
    }),
    inFramework('ractive', {
      name: 'complete-two',
      task: 'Add: Buy milk, Call Kim, Pay rent. Milk and rent are done.',
      goal: [milk, call, rent, ['complete', 'Buy milk'], ['complete', 'Pay rent']],
      mistake: [milk, call, rent, ['complete', 'Buy milk'], ['complete', 'Call Kim']],
      end: [todo('Buy milk', true), todo('Call Kim'), todo('Pay rent', true)],
    }),
    inFramework('mithril', {
      name: 'remove',
      task: 'Add: Buy milk, Call Kim, Pay rent. Then remove the call.',
      goal: [milk, call, rent, ['remove', 'Call Kim']],
      mistake: [milk, call, rent, ['remove', 'Buy milk']],
      end: [todo('Buy milk'), todo('Pay rent')],
    }),
    inFramework('vue', {
      name: 'complete-and-undo',
      task: 'Add: Buy milk, Call Kim. Complete both, then open the call again.',
      goal: [milk, call, ['completeAll'], ['complete', 'Call Kim']],
      mistake: [milk, call, ['completeAll'], ['complete', 'Buy milk']],
      end: [todo('Buy milk', true), todo('Call Kim')],
    }),
    inFramework('vanillajs', {
      name: 'rename',
      task: 'Add: Buy milk. Then change it to "Buy tea", by a double click.',
      needs: "page_click({ how: 'double' })",
      goal: [milk, ['rename', 'Buy milk', 'Buy tea']],
      mistake: [milk, ['rename', 'Buy milk', 'Buy two teas']],
      end: [todo('Buy tea')],
    }),
    inFramework('dojo', {
      name: 'complete',
      task: 'Add: Buy milk, Call Kim. The milk is done.',
      goal: [milk, call, ['complete', 'Buy milk']],
      mistake: [milk, call, ['complete', 'Call Kim']],
      end: [todo('Buy milk', true), todo('Call Kim')],
    }),
    inFramework('canjs', {
      name: 'clear-all',
      task: 'Add: Buy milk, Call Kim. Complete everything and clear it, then add: Pay rent.',
      goal: [milk, call, ['completeAll'], ['press', 'Clear completed'], rent],
      mistake: [milk, call, ['completeAll'], rent],
      end: [todo('Pay rent')],
    }),
  ],
}
