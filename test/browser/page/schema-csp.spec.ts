import { expect, test } from '../../support/page/site.js'

test(
  'every schema library works without unsafe-eval and causes no violation report',
  { tag: '@R9.4' },
  async ({ page, site }) => {
    await page.goto(`${site}/test/pages/schema/schema-csp.html`)
    const outcome = page.locator('html[data-outcome]')
    await expect(outcome).toBeAttached()
    const { results, violations } = JSON.parse((await outcome.getAttribute('data-outcome')) ?? '') as {
      results: Record<string, unknown>
      violations: string[]
    }
    const expected = [
      ['n'],
      { value: { n: 5 }, json: { n: 5 } },
      { issues: [{ path: 'n', message: expect.stringMatching(/^required/) }] },
    ]
    expect(results).toEqual({ json: expected, full: expected, zod4: expected, mini: expected, zod3: expected })
    // The page provokes the last one, to prove that reports arrive.
    expect(violations).toEqual([expect.stringMatching(/^style-src/)])
  },
)
