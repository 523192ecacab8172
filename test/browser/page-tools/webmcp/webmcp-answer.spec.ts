// The answer of a page to the form tool that opened it: JSON-LD.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'

const block = (data: string): string => `<script type="application/ld+json">${data}</script>`

/** What a page with this body answers. */
async function answerOf(page: Page, address: string, body: string, hides = false): Promise<unknown> {
  await page.route(`${address}*`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Found</title><body>${body}</body>` }),
  )
  await page.goto(`${address}?code=4711`)
  const change = await page.evaluate(async (hides) => {
    const { pageChange } = (await import(
      '/src/page/facts/page-facts.ts' as string
    )) as typeof import('../../../../src/page/facts/page-facts.js')
    return pageChange({ callId: 'c', from: '/search', hides, answers: true }, location.href)
  }, hides)
  expect(change).toMatchObject({ callId: 'c', from: '/search', to: hides ? address : `${address}?code=4711` })
  return change.answer
}

test('JSON-LD of the page is the answer, several blocks are a list', async ({ page, site }) => {
  const address = `${site}/found`
  expect(await answerOf(page, address, block('{"@type":"Hotel","name":"Sea"}'))).toEqual({
    '@type': 'Hotel',
    name: 'Sea',
  })
  expect(await answerOf(page, address, block('{"a":1}') + block('[{"b":2}]'))).toEqual([{ a: 1 }, [{ b: 2 }]])
})

test('a page without valid JSON-LD answers nothing, and an ignored block is not read', async ({ page, site }) => {
  const ignored = `<div data-tool-agent-ignore>${block('{"secret":1}')}</div>`
  expect(await answerOf(page, `${site}/found`, `${block('{"broken"')}${block('"text"')}${ignored}`)).toBeUndefined()
})

test('a long answer is cut', async ({ page, site }) => {
  const answer = await answerOf(page, `${site}/found`, block(JSON.stringify({ text: 'x'.repeat(9_000) })))
  expect(answer).toMatch(/^\{"text":"x+…$/)
  expect(answer).toHaveLength(4_001)
})

test('the query of an address that private values were sent to is removed', async ({ page, site }) => {
  const data = block(JSON.stringify({ url: `${site}/found?code=4711` }))
  expect(await answerOf(page, `${site}/found`, data, true)).toEqual({ url: `${site}/found` })
})
