// Whether a message that could not be sent is in the transcript, so that the field does not get it back.
import { expect, test } from 'playwright/test'
import type { FilePart, Message } from '../../../src/core/data/message.js'
import { sentCheck } from '../../../src/ui/panel/actions.js'

const photo = (name: string): FilePart => ({ type: 'file', mediaType: 'image/jpeg', data: 'QQ==', name })
const message = (id: string, part: FilePart): Message => ({ id, role: 'user', parts: [part], at: 1 })

test('a message was sent if one that came since has its parts', () => {
  const element = { messages: [message('1', photo('first.jpg'))] }
  const isSent = sentCheck(element, [photo('first.jpg')])
  // It was there before.
  expect(isSent()).toBe(false)
  element.messages.push(message('2', photo('second.jpg')))
  expect(isSent()).toBe(false)
  // A server keeps the content.
  element.messages.push(message('3', { ...photo('first.jpg'), data: '', upload: 'file_1' }))
  expect(isSent()).toBe(true)
})
