// What a card says of a call that a page tool has ended.
import { expect, test } from 'playwright/test'
import { summaryOf } from '../../../src/page-tools/summaries/summaries.js'

test('a click is told by the name of its control alone, without its place', () => {
  const said = (clicked: string) => summaryOf('page_click', { output: { clicked }, locale: 'en' } as never)
  expect(said('button "4148" in "Hanse Gardens"')).toBe('Clicked “4148”')
  expect(said(String.raw`button "Say \"hi\"" in "Notes"`)).toBe('Clicked “Say "hi"”')
  expect(said('main')).toBe('Clicked on the page')
})
