import { expect, test } from '../../support/page/site.js'

test('every schema language works on a page without unsafe-eval, and nothing is reported', async ({ page, site }) => {
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
  // The last one was provoked, to know that reports arrive.
  expect(violations).toEqual([expect.stringMatching(/^style-src/)])
})
