// Tasks in the issue tracker of the questions benchmark.
import { app as tracker } from '../../../questions/tracker/app.mjs'

const issue = (/** @type {any} */ state, /** @type {number} */ id) =>
  state.issues.find((/** @type {{ id: number }} */ one) => one.id === id)

/** Opens an issue and waits until the server has brought it. @param {import('../../hands.mjs').Hands} hands @param {string} title */
async function open({ click, wait, read }, title) {
  await click(title)
  await wait({ text: 'Close issue' })
  await read()
}

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  ...tracker,
  tasks: [
    {
      name: 'most-votes',
      task: 'Which issue has the most votes?',
      goal: { by: 'Votes' },
      mistake: {},
      want: (state) => (state.answer = 'Dark theme'),
      async policy({ read, click, matching }, { by }) {
        await read()
        if (by) await click(by)
        return matching(/^([^▲]+?)\s*▲/)
      },
    },
    {
      name: 'two-labels',
      task: 'Label the dark theme as design and as docs.',
      goal: { title: 'Dark theme' },
      mistake: { title: 'Login fails on Safari' },
      want: (state) => issue(state, 8).labels.push('design', 'docs'),
      async policy(hands, { title }) {
        await hands.read()
        await open(hands, title)
        for (const label of ['design', 'docs']) {
          await hands.click('Labels', { role: 'button' })
          await hands.wait({ text: 'docs' })
          await hands.read()
          await hands.use('page_click', { target: label, role: 'option' })
        }
      },
    },
    {
      name: 'comment-and-close',
      task: 'Comment "Fixed in 17.3." on the login issue, and close it.',
      goal: { title: 'Login fails on Safari' },
      mistake: { title: 'Dark theme' },
      want(state) {
        issue(state, 7).comments.push('Fixed in 17.3.')
        issue(state, 7).open = false
      },
      async policy(hands, { title }) {
        await hands.read()
        await open(hands, title)
        await hands.fill({ 'Write a comment': 'Fixed in 17.3.' })
        await hands.click('Comment', { role: 'button' })
        await hands.click('Close issue')
      },
    },
    {
      name: 'delete-on-second-page',
      task: 'Delete the old proposal.',
      goal: { page: 'Next', title: 'Old proposal' },
      mistake: { page: 'Previous', title: 'Dark theme' },
      want: (state) => state.issues.pop(),
      async policy(hands, { page, title }) {
        await hands.read()
        await hands.click(page)
        await hands.wait({ text: title })
        await hands.read()
        await open(hands, title)
        await hands.click('More')
        await hands.read()
        await hands.click('Delete issue')
        await hands.read()
        await hands.click('Yes, delete')
      },
    },
    {
      name: 'palette-watch',
      task: 'Watch the typo with the command palette.',
      goal: { title: 'Typo on the start page' },
      mistake: { title: 'Dark theme' },
      want: (state) => state.watching.push(9),
      async policy(hands, { title }) {
        await hands.read()
        await open(hands, title)
        await hands.press('Control+k')
        await hands.read()
        await hands.click('Watch issue', { role: 'option' })
      },
    },
    {
      name: 'rename-both',
      task: 'Rename "Dark theme" to "Dark colours" and "Login fails on Safari" to "Login fails".',
      goal: { 'Dark theme': 'Dark colours', 'Login fails on Safari': 'Login fails' },
      mistake: { 'Dark theme': 'Login fails', 'Login fails on Safari': 'Dark colours' },
      want(state) {
        issue(state, 8).title = 'Dark colours'
        issue(state, 7).title = 'Login fails'
      },
      async policy(hands, names) {
        await hands.read()
        for (const [title, now] of Object.entries(names)) {
          await open(hands, title)
          await hands.fill({ Title: now })
          await hands.read()
        }
      },
    },
  ],
}
