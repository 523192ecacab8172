// Texts in questions and cards show what is invisible in them.
import { expect, test } from 'playwright/test'
import { toVisibleText } from '../../../src/ui/message/values/shown-text.js'

test('shows every character that is invisible or turns the text around', () => {
  const hidden = [
    ...'\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028\u2029\u202a\u202d\u202e\u2060\u2066',
    ...'\u2069\u206f\u3164\ufeff\uffa0\ufff9\u{1bca0}\u{1d173}\u{e0001}\u{e0041}\u{e007f}\u0000\u0007\u001b\u007f\u0085',
  ]
  for (const character of hidden)
    expect(toVisibleText(`a${character}b`)).toBe(`a\\u{${character.codePointAt(0)!.toString(16)}}b`)
})

test('shows joiners and variation selectors where they change nothing that can be seen', () => {
  expect(toVisibleText('p\u200ca\u200dy')).toBe('p\\u{200c}a\\u{200d}y')
  expect(toVisibleText('1\u200d2\u200c')).toBe('1\\u{200d}2\\u{200c}')
  expect(toVisibleText('a\ufe0f\ufe01')).toBe('a\\u{fe0f}\\u{fe01}')
  expect(toVisibleText('❤\ufe0f\ufe01\u{e0101}')).toBe('❤\ufe0f\\u{fe01}\\u{e0101}')
})

test('leaves words and emoji as they are', () => {
  for (const text of [
    'می\u200cخواهم', // Persian
    'क्\u200dष', // Hindi
    '👩🏽\u200d🚀 👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 ☎\ufe0e',
    '葛\u{e0100}城',
    'Zoë\u0308 line\nand\ttab',
  ])
    expect(toVisibleText(text)).toBe(text)
})
