// What a visitor downloads stays within the limits of scripts/budget.mjs, in bytes and in files.
import { downloadsOf, exceededLimits, scenarios } from '../../../scripts/budget.mjs'
import { expect, test } from '../../support/project/dist.js'

for (const [name, scenario] of Object.entries(scenarios))
  test(`the downloads of a visitor stay within the limits: ${name}`, { tag: '@R9.1' }, async ({ browser, dist }) => {
    const files = await downloadsOf(browser, dist, scenario)
    expect(files.map(({ file }) => file)).toContain('tool-agent.js')
    // Each scenario with a message has the worker, so a measurement that misses files is noticed.
    expect(files.some(({ file }) => file === 'worker.js')).toBe(scenario.calls !== undefined)
    expect(exceededLimits(scenario, files)).toEqual([])
    expect(exceededLimits({ ...scenario, kib: 1, files: 1 }, files)).toHaveLength(2)
  })
