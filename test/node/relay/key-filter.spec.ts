// The key of a model in every form in which a server may quote it, cut at every place.
import { expect, test } from 'playwright/test'
import { keyFilter } from '../../../src/relay/key-filter.js'

const key = 'sk-Ab/9+secret_4711'

/** What the filter passes on of a text that arrives in pieces of `size` bytes. */
function passed(text: string, size = text.length): string {
  const filter = keyFilter(key)
  const bytes = Buffer.from(text)
  const parts: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) parts.push(filter.add(bytes.subarray(at, at + size)))
  return Buffer.concat([...parts, filter.end()]).toString()
}

const hex = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(2, '0')
const escaped = (text: string): string => Array.from(text, (letter) => `\\u00${hex(letter)}`).join('')
const percent = (text: string): string => Array.from(text, (letter) => `%${hex(letter)}`).join('')
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const base64url = (text: string): string => Buffer.from(text).toString('base64url')

const forms: Readonly<Record<string, string>> = {
  'as it is': key,
  twice: key + key,
  'after its own beginning': `sk-Ab${key}`,
  'in a URL': encodeURIComponent(key),
  'in a URL, all of it': percent(key).toUpperCase(),
  'in JSON, with an escaped slash': key.replace('/', '\\/'),
  'in JSON, all escaped': escaped(key),
  'in JSON, escaped in upper case': escaped(key).replaceAll(/[a-f](?=\\|$)/g, (letter) => letter.toUpperCase()),
  'in JSON, partly escaped': `${escaped('sk')}${key.slice(2)}`,
  'in JSON in JSON': escaped(key).replaceAll('\\', '\\\\'),
  ...Object.fromEntries(
    ['', 'B', 'Be', 'Bearer '].flatMap((before) =>
      ['', '"', '"}', '"}\n'].flatMap((after) => [
        [`in Base64, ${before.length} before and ${after.length} after`, base64(before + key + after)],
        [`in Base64 for URLs, ${before.length} before and ${after.length} after`, base64url(before + key + after)],
      ]),
    ),
  ),
  'in Base64, in JSON': escaped(base64(key)),
  'in Base64, in a URL': encodeURIComponent(base64(`user:${key}`)),
}

/** The longest run of the key that a text has, in plain letters or in Base64 of any place. */
function longestLeak(text: string): number {
  const plain = (form: string): string =>
    form.replaceAll(/\\+u00([\da-f]{2})|%([\da-f]{2})/gi, (_, one?: string, other?: string) =>
      String.fromCharCode(Number.parseInt(one ?? other ?? '', 16)),
    )
  const read = plain(text)
  const decoded = [0, 1, 2, 3].map((from) =>
    Buffer.from(
      read
        .replaceAll(/[^\w+/-]/g, ' ')
        .split(' ')
        .map((word) => word.slice(from))
        .join('='),
      'base64',
    ).toString('latin1'),
  )
  let longest = 0
  for (let from = 0; from < key.length; from++)
    for (let to = from + 1; to <= key.length; to++)
      if ([read, ...decoded].some((one) => one.includes(key.slice(from, to)))) longest = Math.max(longest, to - from)
  return longest
}

for (const [name, form] of Object.entries(forms))
  test(`removes the key ${name}`, { tag: '@S7' }, () => {
    const text = `{"error":"not ${form} "}`
    const whole = passed(text)
    expect(whole).toContain('[key]')
    // Of Base64, a character at each end also has bits of its neighbour.
    expect(longestLeak(whole.replace('sk-Ab[key]', '[key]'))).toBeLessThanOrEqual(3)
    for (let size = 1; size < 9; size++) expect(passed(text, size), `pieces of ${size}`).toBe(whole)
  })

test('passes everything else on unchanged, also what only begins like a key', () => {
  for (const text of [
    'sk-Ab/9+secret_471',
    String.raw`{"a":"\u0073\u006b-other","b":"100%","c":"\\","d":"\/"}`,
    base64('sk-Ab/9+sec'),
    '\\'.repeat(40),
    '%'.repeat(40),
    `${escaped(key).slice(0, -1)}`,
    `é😀 ${'sk-'.repeat(20)}`,
  ])
    for (let size = 1; size < 9; size++) expect(passed(text, size), text).toBe(text)
})

test('a text that ends inside of a key is passed on, and a key after it is not', () => {
  const filter = keyFilter(key)
  expect(Buffer.from(filter.add(Buffer.from(`a ${key.slice(0, 5)}`))).toString()).toBe('a ')
  expect(Buffer.from(filter.add(Buffer.from(key.slice(0, 5)))).toString()).toBe(key.slice(0, 5))
  expect(Buffer.from(filter.add(Buffer.from(key.slice(5)))).toString()).toBe('[key]')
  expect(filter.end()).toHaveLength(0)
})

test('a short key is an ordinary word', () => {
  expect(Buffer.from(keyFilter('test').add(Buffer.from('a test'))).toString()).toBe('a test')
})
