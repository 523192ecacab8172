// What the first request says about the page, in a browser with another time zone than UTC.
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { expect, test } from '../../support/page/site.js'

declare global {
  interface Window {
    agent: Agent
  }
}

for (const timeZone of ['Asia/Tokyo', 'America/Los_Angeles'])
  test.describe(timeZone, () => {
    test.use({ timezoneId: timeZone })
    for (const hasTemporal of [true, false])
      test(`the request has the day in the time zone of the page, ${hasTemporal ? 'with' : 'without'} Temporal`, async ({
        page,
        site,
      }) => {
        const endpoint = await startEndpoint([{ text: 'Hello.' }])
        try {
          if (!hasTemporal)
            await page.addInitScript(() => {
              Reflect.deleteProperty(globalThis, 'Temporal')
            })
          await page.goto(`${site}/test/pages/session/session.html?endpoint=${encodeURIComponent(endpoint.url)}`)
          await page.waitForFunction(() => window.agent?.session !== undefined)
          const day = () =>
            new Intl.DateTimeFormat('en', { timeZone, weekday: 'short' })
              .formatToParts()
              .map(({ value }) => value)
              .join('')
          const date = () => new Intl.DateTimeFormat('sv', { timeZone }).format()
          const before = `Today: ${date()} (${day()})\\nTime zone: ${timeZone}\\n`
          await page.evaluate(() => window.agent.send('Hi'))
          const after = `Today: ${date()} (${day()})\\nTime zone: ${timeZone}\\n`
          const text = endpoint.requests[0]?.raw ?? ''
          // Midnight may have passed in between.
          expect([before, after].filter((line) => text.includes(line))).not.toEqual([])
        } finally {
          await endpoint.close()
        }
      })
  })
