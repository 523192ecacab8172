// Mistakes of page authors in apps of React and Vue, with the built package: the app lives, the panel shows a notice, the
// console names the mistake once, and a later render with a valid value removes the notice.
import type { Page } from 'playwright/test'
import type { Agent } from '../../../src/page/agent.js'
import { expect, heard, lives, notices, set, test, type Globals } from '../../support/page/mistakes.js'
import { wrappers } from '../../support/project/wrappers.js'

const found = (page: Page) =>
  page.evaluate(async () => {
    const target = document.querySelector('tool-agent') as unknown as Agent
    const { agent } = (window as unknown as Globals).app
    try {
      return await (agent ?? target).callTool('find')
    } catch (error) {
      return (error as { code?: string }).code
    }
  })

/** The wrong value, the valid one, and what is said. */
const wrongProps = [
  [{ pageTools: 'read fil' }, { pageTools: 'read fill' }, 'pageTools'],
  [{ approval: 'allways' }, { approval: 'always' }, 'approval'],
  [{ layout: 'side-bar' }, { layout: 'inline' }, 'layout'],
  [{ toolContext: { user: 'function' } }, { toolContext: { user: 'u1' } }, 'toolContext.user'],
  [{ limits: { step: 3 } }, { limits: { steps: 3 } }, 'limits.step'],
  [{ agent: { wrong: true } }, {}, 'agent'],
] as const
const wrongOptions = [
  [{ toolContext: { user: 'function' } }, { toolContext: { user: 'u1' } }, 'toolContext.user'],
  [{ approval: 'allways' }, { approval: 'always' }, 'approval'],
  [{ endpiont: '/v1' }, {}, 'endpiont'],
] as const

for (const name of wrappers) {
  for (const mode of ['development', 'production']) {
    test.describe(`${name} in ${mode}`, () => {
      for (const [wrong, valid, says] of wrongProps) {
        const shown = JSON.stringify(wrong)
        test(`the props ${shown} at first and in a later render are a notice`, async ({ page, open }) => {
          const { said } = await open(name, mode, { props: wrong })
          await expect(notices(page)).toHaveCount(1)
          await expect.poll(() => heard(page)).toEqual([expect.stringContaining(says)])
          await lives(page)
          await set(page, { props: valid })
          await expect(notices(page)).toHaveCount(0)
          await set(page, { props: { ...wrong } })
          await expect(notices(page)).toHaveCount(1)
          await lives(page)
          await set(page, { props: { ...valid } })
          await expect(notices(page)).toHaveCount(0)
          expect(said.filter((line) => !line.includes('Failed to load'))).toEqual([expect.stringContaining(says)])
        })
      }

      for (const [wrong, valid, says] of wrongOptions) {
        const shown = JSON.stringify(wrong)
        test(`the options ${shown} of useAgent at first and in a later render are a notice`, async ({ page, open }) => {
          const { said } = await open(name, mode, { options: wrong })
          await expect(notices(page)).toHaveCount(1)
          await expect.poll(() => heard(page)).toEqual([expect.stringContaining(says)])
          await lives(page)
          await set(page, { options: valid })
          await expect(notices(page)).toHaveCount(0)
          await set(page, { options: { ...wrong } })
          await expect(notices(page)).toHaveCount(1)
          await lives(page)
          await set(page, { options: { ...valid } })
          await expect(notices(page)).toHaveCount(0)
          expect(said.filter((line) => !line.includes('Failed to load'))).toEqual([expect.stringContaining(says)])
        })
      }

      test('each of two wrong options of useAgent is a notice until it is corrected, whatever is sent', async ({
        page,
        open,
      }) => {
        await open(name, mode, { options: { endpiont: '/v1', approval: 'allways' } })
        await expect.poll(() => heard(page)).toHaveLength(2)
        await expect(notices(page)).toHaveCount(1)
        // As a message does, which is sent.
        await page.evaluate(() => {
          ;(window as unknown as Globals).app.agent?.dismissError()
        })
        await lives(page)
        await expect(notices(page)).toHaveCount(1)
        await set(page, { options: { endpiont: '/v1', approval: 'always' } })
        await lives(page)
        await expect(notices(page)).toHaveCount(1)
        await set(page, { options: { approval: 'always' } })
        await expect(notices(page)).toHaveCount(0)
      })

      test('a tool among the options of useAgent is a notice until it is corrected, and is offered then', async ({
        page,
        open,
      }) => {
        const description = 'Finds things.'
        const right = { name: 'first', description, execute: 'function' }
        await open(name, mode, { options: { tools: [right, { name: 'fi nd', description, execute: 'function' }] } })
        await expect(notices(page)).toHaveCount(1)
        await set(page, { options: { tools: [right, { name: 'find', description, execute: 'function' }] } })
        await expect(notices(page)).toHaveCount(0)
        await expect.poll(() => found(page)).toBe(1)
      })

      for (const options of [undefined, {}]) {
        const where = options === undefined ? 'an element' : 'an agent'
        test(`two components with one tool of ${where}: the last mounted is used, then the other`, async ({
          page,
          open,
        }) => {
          const { said } = await open(name, mode, { options, tools: [{ by: 'a' }] })
          await expect.poll(() => found(page)).toBe('a')
          await set(page, { tools: [{ by: 'a' }, { by: 'b' }] })
          await expect.poll(() => found(page)).toBe('b')
          await lives(page)
          // Another definition of the first does not take the place of the last.
          await set(page, { tools: [{ by: 'a', title: 'Find it' }, { by: 'b' }] })
          await lives(page)
          expect(await found(page)).toBe('b')
          await set(page, { tools: [{ by: 'a', title: 'Find it' }] })
          await expect.poll(() => found(page)).toBe('a')
          await set(page, { tools: [{ by: 'c' }] })
          await expect.poll(() => found(page)).toBe('c')
          await set(page, { tools: [] })
          await expect.poll(() => found(page)).toBe('unknown-tool')
          await expect(notices(page)).toHaveCount(0)
          expect(said.filter((line) => !line.includes('Failed to load'))).toEqual([
            expect.stringMatching(/Tool "find": 2 mounted components .* by b\.", and not "Finds .* by a\."/),
          ])
        })

        test(`a tool of ${where} that is not valid is a notice, and is not offered`, async ({ page, open }) => {
          const wrong = { by: 'a', needApproval: true }
          const { said } = await open(name, mode, { options, tools: [wrong] })
          await expect(notices(page)).toHaveCount(1)
          await expect.poll(() => heard(page)).toEqual([expect.stringContaining('Write needsApproval')])
          expect(await found(page)).toBe('unknown-tool')
          await lives(page)
          await set(page, { tools: [{ by: 'a', needsApproval: true }] })
          await expect(notices(page)).toHaveCount(0)
          await expect.poll(() => found(page)).toBe('a')
          await set(page, { tools: [wrong, { by: 'b', inputSchema: { a: 'string' }, name: 'other' }] })
          await expect.poll(() => found(page)).toBe('unknown-tool')
          await lives(page)
          await set(page, { tools: [] })
          await expect(notices(page)).toHaveCount(0)
          expect(said.filter((line) => !line.includes('Failed to load'))).toEqual([
            expect.stringContaining('Write needsApproval'),
            expect.stringContaining('"a" is not a keyword of JSON Schema'),
          ])
        })
      }
    })
  }
}
