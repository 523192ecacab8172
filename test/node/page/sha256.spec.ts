// The hash of tool definitions, compared with that of Node.
import { createHash } from 'node:crypto'
import { expect, test } from 'playwright/test'
import { sha256 } from '../../../src/page/sha256.js'

test('hashes texts of every length as Node does', () => {
  const wide = 'ä€😀'
  for (let length = 0; length < 200; length++) {
    const text = Array.from({ length }, (_, index) =>
      index % 7 === 0 ? wide : String.fromCharCode(33 + ((index * length) % 94)),
    ).join('')
    expect(sha256(text), `${length} characters`).toBe(createHash('sha256').update(text).digest('hex'))
  }
})

test('hashes a text of a megabyte as Node does', () => {
  const text = 'The same definition of a tool. '.repeat(40_000)
  expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
})
