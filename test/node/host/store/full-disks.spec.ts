// The fallback from the disk to memory: records that could not be read at the fallback are not lost.
import { emptySession } from '../../../../src/core/data/session.js'
import type { Message } from '../../../../src/core/data/message.js'
import { sessionHeadOf } from '../../../../src/core/state/store.js'
import { memoryStore } from '../../../../src/host/store/memory-store.js'
import { expect, test } from '../../../support/lab/lab.js'
import { messagesOf } from '../../../support/lab/requests.js'

test.beforeEach(() => {
  console.error = () => undefined
})

test(
  'a storage that fails keeps the older messages that memory never had',
  { tag: ['@F34', '@R6.1'] },
  async ({ lab }) => {
    const disk = memoryStore()
    const messages = Array.from({ length: 300 }, (_, index): Message =>
      index % 2 === 0
        ? { id: `u${index}`, role: 'user', parts: [{ type: 'text', text: `question ${index}` }], at: index }
        : { id: `a${index}`, role: 'assistant', parts: [{ type: 'text', text: `answer ${index}` }], at: index },
    )
    const { epoch } = await disk.claim('long', 0)
    await disk.commit('long', epoch, {
      head: sessionHeadOf({ ...emptySession('long', '', 0), epoch, messages }),
      messages: messages.map((message, index) => ({ index, message })),
    })
    let isLost = false
    const lost = () => {
      if (isLost) throw new Error('The connection was lost')
    }
    const { agent, endpoint } = await lab.start([{ text: 'one' }, { text: 'two' }], {
      sessionId: 'long',
      store: {
        ...disk,
        messages: async (id, before, limit) => {
          lost()
          return disk.messages(id, before, limit)
        },
        read: async (id, limit) => {
          lost()
          return disk.read(id, limit)
        },
      },
      onCommit: lost,
    })
    await agent.connect()
    expect(agent.session?.start).toBe(100)
    isLost = true
    await agent.send('First')
    expect(agent.storage).toBe('memory')
    await agent.loadOlder()
    expect(agent.messages[0]).toMatchObject({ role: 'assistant', parts: [] })
    isLost = false
    await agent.send('Second')
    // It returns once, and that failed, too.
    expect(agent.storage).toBe('memory')
    expect(await disk.messages('long', Infinity, Infinity)).toEqual(messages)
    expect(endpoint.requests.map((request) => messagesOf(request).length)).toEqual([1 + 201, 1 + 203])
  },
)
