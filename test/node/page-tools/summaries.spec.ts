// What a card says of a call that a page tool has ended.
import { expect, test } from 'playwright/test'
import { summaryOf } from '../../../src/page-tools/summaries/summaries.js'

test('a click is told by the name of its control alone, without its place', () => {
  const said = (output: object) => summaryOf('page_click', { output, locale: 'en' } as never)
  expect(said({ clicked: 'button "4148" in "Hanse Gardens"', name: '4148' })).toBe('Clicked “4148”')
  expect(said({ clicked: 'not read "Pay"', name: 'Say "hi"' })).toBe('Clicked “Say "hi"”')
  expect(said({ clicked: 'main ""', name: '' })).toBe('Clicked on the page')
  // A hook of the page may have replaced the output.
  expect(said({})).toBe('Clicked on the page')
})
