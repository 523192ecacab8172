// Real libraries that send requests, on a page whose requests are watched: without an action they work as on a page
// without the SDK, and a request that is stopped fails for them as on a bad network, so that they recover.
import type { Page } from 'playwright/test'
import { act, begin, goOn } from '../../../support/page/effects.js'
import { expect } from '../../../support/page/frameworks.js'
import { cases, fixture, libraries, open, steady, test } from '../../../support/page/library-page.js'
import type { Order } from '../../../support/page/library-site.js'

const press = (page: Page, target: string, permission: { effect: string; by: string }) =>
  act(page, 'page_click', { target }, permission)

const unasked = { effect: 'view', by: 'rule' }
const allowed = { effect: 'send', by: 'user' }
const orders: readonly Order[] = ['before', 'after']

/** The boundary of a form has another length each time in Firefox, and its upload with it. */
const withoutLengths = (result: unknown): unknown =>
  JSON.parse(
    JSON.stringify(result, (key, value: unknown) =>
      key === 'xhrForm'
        ? (JSON.parse(JSON.stringify(value).replaceAll(/(upload \w+ 1) \d+/g, '$1')) as unknown)
        : value,
    ),
  )

test.describe('without an action', () => {
  for (const library of libraries)
    test(`${library} sends and fails as without the SDK`, async ({ page, libraries: site }) => {
      const seen: [unknown, unknown][] = []
      for (const order of ['none', ...orders] as const) {
        await open(page, site, library, order)
        site.received.length = 0
        const result = withoutLengths(await fixture(page, 'idle'))
        // A beacon has no answer to wait for.
        if (library === 'platform.js')
          await expect.poll(() => site.received.map(({ path }) => path)).toContain('/api/beacon')
        seen.push([result, [...site.received]])
      }
      const [without, before, after] = seen
      expect(without?.[1]).not.toEqual([])
      expect(before).toEqual(without)
      expect(after).toEqual(without)
    })
})

test.describe('a request that nobody was asked about', () => {
  for (const { library, button, sends, kept, stopped, retried } of cases)
    for (const order of orders)
      test(`${library}, ${button}, installed ${order}: fails, and is sent once after the question`, async ({
        page,
        libraries: site,
      }) => {
        await open(page, site, library, order)
        const first = await press(page, button, unasked)
        expect(first).toMatchObject({ error: 'needs-approval', details: { stopped: [{ does: 'request' }] } })
        await expect.poll(() => fixture<unknown>(page, kept)).toMatchObject(stopped)
        expect(site.received).toEqual([])
        // The page works as before.
        await page.evaluate(() => fetch('/api/echo').then((answer) => answer.text()))

        const second = await press(page, button, allowed)
        expect(second.changes).toMatch(new RegExp(`^sent: ${sends.method} ${sends.path}( \\(\\w+\\))?, 20[01]`))
        await expect.poll(() => fixture<unknown>(page, kept)).toMatchObject(retried)
        expect(site.received).toEqual([expect.objectContaining(sends)])
      })
})

test.describe('a request that is held', () => {
  for (const { library, button, sends, kept } of cases)
    test(`${library}, ${button}: is sent once when it is allowed, and the library sees what it sees by hand`, async ({
      page,
      libraries: site,
    }) => {
      await open(page, site, library, 'none')
      await page.getByRole('button', { name: button, exact: true }).click()
      await expect.poll(() => site.received.length).toBe(1)
      const byHand = await steady(page, kept)
      for (const order of orders) {
        await open(page, site, library, order)
        site.received.length = 0
        expect(await begin(page, 'page_click', { target: button }, unasked)).toMatchObject({
          held: [{ does: 'request' }],
        })
        // The page goes on with what does not send.
        await page.evaluate(() => fetch('/api/echo').then((answer) => answer.text()))
        expect(site.received).toEqual([])
        const told = new RegExp(`^sent: ${sends.method} ${sends.path}(?: \\(\\w+\\))?, 20[01]`)
        expect((await goOn(page, true))?.changes).toMatch(told)
        await expect.poll(async () => JSON.stringify(await fixture<unknown>(page, kept))).toBe(byHand)
        expect(site.received).toEqual([expect.objectContaining(sends)])
      }
    })
})

test.describe('XMLHttpRequest', () => {
  for (const button of ['XHR', 'XHR without a body'])
    test(`${button}: a stopped one has the events and the state of one without a network`, async ({
      page,
      browserName,
      libraries: site,
    }) => {
      await open(page, site, 'platform.js', 'after')
      expect(await press(page, button, unasked)).toMatchObject({ error: 'needs-approval' })
      await expect.poll(() => fixture<unknown[]>(page, 'seen')).toHaveLength(1)
      await page.context().setOffline(true)
      await page.getByRole('button', { name: button, exact: true }).click()
      await expect.poll(() => fixture<unknown[]>(page, 'seen')).toHaveLength(2)
      const results = await fixture<{ value: { events: string[] } }[]>(page, 'seen')
      // Against the standard, Chromium reports the failure of an upload that has no body.
      const [stopped, offline] = results.map(({ value }) => ({
        ...value,
        events: value.events.filter((one) => button === 'XHR' || !one.startsWith('upload ')),
      }))
      // Against the standard, Firefox keeps the address of a request that failed.
      expect(stopped).toEqual(browserName === 'firefox' ? { ...offline, url: '/' } : offline)
    })

  test('one that is aborted after it was stopped is aborted', async ({ page, libraries: site }) => {
    await open(page, site, 'platform.js', 'after')
    expect(await press(page, 'Cancelled', unasked)).toMatchObject({ error: 'needs-approval' })
    await expect.poll(() => fixture<unknown[]>(page, 'seen')).toHaveLength(1)
    await page.getByRole('button', { name: 'Cancelled' }).click()
    await expect.poll(() => fixture<unknown[]>(page, 'seen')).toHaveLength(2)
    const [stopped, aborted] = await fixture<{ value: { events: string[] } }[]>(page, 'seen')
    expect(stopped?.value.events).toEqual(aborted?.value.events)
  })
})

test('a request that is aborted before it begins is not stopped', async ({ page, libraries: site }) => {
  await open(page, site, 'platform.js', 'after')
  expect(await press(page, 'Aborted', unasked)).not.toHaveProperty('error')
  expect(await fixture(page, 'seen')).toMatchObject([{ error: { name: 'AbortError' } }])
})

test('what a library tries again after the stop is not sent, and what was allowed then is sent once', async ({
  page,
  libraries: site,
}) => {
  await open(page, site, 'ky.js', 'after')
  expect(await press(page, 'Replace', unasked)).toMatchObject({ error: 'needs-approval' })
  // Has tried three times.
  await expect.poll(() => fixture(page, 'seen')).toMatchObject([{ error: { name: 'NetworkError' } }])
  expect(site.received).toEqual([])
  expect((await press(page, 'Replace', allowed)).changes).toContain('sent: PUT /api/orders, 201')
  expect(site.received).toHaveLength(1)
  // By hand it is another deed.
  await page.getByRole('button', { name: 'Replace' }).click()
  await expect.poll(() => site.received.length).toBe(2)
})

test.describe('telemetry', () => {
  for (const [library, path] of [
    ['sentry.js', /^\/api\/1\/envelope\/$/],
    ['datadog.js', /^\/api\/datadog$/],
  ] as const) {
    test(`${library} sends to its origin during an action, as before it`, async ({ page, libraries: site }) => {
      await open(page, site, library, 'before')
      await page.evaluate(() => (window as unknown as { fixture: { flush(): unknown } }).fixture.flush())
      // A request of a page before may arrive as late as now.
      const sent = () => site.telemetry.filter((one) => path.test(one.path)).length
      await expect.poll(sent).toBeGreaterThan(0)
      const before = sent()
      expect(await press(page, 'Report', unasked)).not.toHaveProperty('error')
      await expect.poll(sent).toBeGreaterThan(before)
    })

    for (const order of orders)
      test(`${library}, installed ${order}: notes its requests once, and none of its own`, async ({
        page,
        libraries: site,
      }) => {
        const kept = library === 'sentry.js' ? 'crumbs' : 'resources'
        await open(page, site, library, order)
        const noted = await fixture<unknown[][]>(page, kept)
        await page.evaluate(() => fetch('/api/echo', { method: 'POST', body: 'x' }).then((answer) => answer.text()))
        await expect
          .poll(() => fixture<unknown[][]>(page, kept))
          .toEqual([...noted, ['fetch', 'POST', '/api/echo', 200]])
        await fixture(page, 'flush')
        await expect.poll(() => site.telemetry.length).toBeGreaterThan(0)
        expect(site.telemetry.length).toBeLessThan(10)
        expect(await fixture(page, kept)).toHaveLength(noted.length + 1)
      })
  }

  for (const order of orders)
    test(`observers that are taken away and put back, installed ${order}, leave the wrappers in place`, async ({
      page,
      libraries: site,
    }) => {
      await open(page, site, 'observers.js', order)
      const call = (name: string): Promise<void> =>
        page.evaluate((name) => (window as unknown as { fixture: Record<string, () => void> }).fixture[name]?.(), name)
      await call('unwatch')
      await fixture(page, 'idle')
      expect(await fixture(page, 'observed')).toEqual([])
      for (const button of ['Fetch', 'XHR'])
        expect(await press(page, button, unasked)).toMatchObject({ error: 'needs-approval' })
      await call('watch')
      await fixture(page, 'idle')
      const starts = (await fixture<unknown[][]>(page, 'observed')).filter(([, state]) => state === 'start')
      expect(starts).toEqual([
        ['fetch', 'start', 'POST', undefined],
        ['xhr', 'start', 'POST', undefined],
      ])
      for (const button of ['Fetch', 'XHR'])
        expect(await press(page, button, unasked)).toMatchObject({ error: 'needs-approval' })
      expect(site.received.filter(({ path }) => path === '/api/orders')).toEqual([])
    })
})
