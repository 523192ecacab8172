// The words of names, texts and queries.
import { stemOf, termsOf } from '../../../../src/page/tool-search/words.js'
import { expect, test } from '../../../support/lab/lab.js'

const words = (text: string) => termsOf(text).filter((term) => !term.startsWith('§'))
const concepts = (text: string) => termsOf(text).filter((term) => term.startsWith('§'))

test('names in all spellings have the same words', () => {
  const same = ['getHTTPUrls', 'get_http_urls', 'Get HTTP URLs', 'get-http-url']
  expect(same.map(words)).toEqual(same.map(() => ['get', 'http', 'url']))
})

test('forms of a word have one stem', () => {
  expect(['create', 'creates', 'created', 'creating', 'creation'].map(stemOf)).toEqual(Array(5).fill('creat'))
  expect(['query', 'queries'].map(stemOf)).toEqual(['query', 'query'])
  expect(['run', 'running', 'box', 'boxes', 'status', 'ring', 'string'].map(stemOf)).toEqual([
    'run',
    'run',
    'box',
    'box',
    'status',
    'ring',
    'string',
  ])
})

test('words of the same meaning share a concept, also in German and in compounds', () => {
  const [deletion = ''] = concepts('delete')
  expect(['erase', 'remove', 'Löschen', 'gelöschte'].every((word) => concepts(word).includes(deletion))).toBe(true)
  const [invoice = ''] = concepts('invoice')
  expect(['bill', 'Rechnungen', 'Kundenrechnung'].every((word) => concepts(word).includes(invoice))).toBe(true)
  expect(concepts('teapot')).toEqual([])
})

test('leaves out words that say nothing, and divides texts without spaces', () => {
  expect(words('please show me the list of my teapots')).toEqual(['show', 'list', 'teapot'])
  expect(words('検索する')).toEqual(['検索', '索す', 'する'])
})
