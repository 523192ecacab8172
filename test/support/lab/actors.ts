// A session that several pages share, in memory: the actor itself, without a port, a socket or a store on disk.
import type { ModelAdapter, ModelPart } from '../../../src/core/data/model.js'
import type { PageMessage } from '../../../src/core/data/protocol.js'
import type { ToolSpec } from '../../../src/core/data/tool.js'
import type { Guest } from '../../../src/host/guest.js'
import { SessionActor } from '../../../src/host/session-actor.js'
import { memoryStore } from '../../../src/host/store/memory-store.js'

const facts = { url: 'https://shop.example/cart', title: 'Cart', lang: 'en', timeZone: 'UTC' }
/** The tool that `buysOnce` calls. */
export const tool: ToolSpec = {
  name: 'buy',
  description: 'Buys',
  inputSchema: { type: 'object', properties: {} },
  annotations: {},
  exclusive: false,
  timeout: 1_000,
  maxRetries: 0,
  returnDirect: false,
  hash: 'h1',
}

/** Calls once, then answers. */
export const buysOnce: ModelAdapter = {
  async *stream({ messages }): AsyncIterable<ModelPart> {
    const isDone = messages.at(-1)?.role === 'tool'
    if (isDone) yield { type: 'text-delta', id: '1', delta: 'Bought.' }
    else yield { type: 'tool-call', toolCallId: 'c1', toolName: 'buy', input: '{}' }
    yield { type: 'finish', finishReason: { unified: isDone ? 'stop' : 'tool-calls' } }
  },
}

/** A message of a page. */
export const send = (turn: string, more: object = {}): Extract<PageMessage, { type: 'send' }> => ({
  type: 'send',
  turn,
  input: [{ type: 'text', text: 'Go' }],
  options: { facts },
  whenBusy: 'queue',
  ...more,
})

/** An actor in memory, and how often its lease was released. */
export async function anActor(guest: Guest, model: ModelAdapter) {
  const store = memoryStore()
  let releases = 0
  const actor = await SessionActor.open(
    {
      model,
      now: () => Date.now(),
      id: (prefix) => `${prefix}_${crypto.randomUUID()}`,
      reportThrown: () => undefined,
      onLost: () => undefined,
      onChannelMessage: () => undefined,
    },
    {
      guest,
      message: {
        type: 'open',
        protocol: 0,
        scope: '',
        tab: guest.tab,
        url: facts.url,
        config: guest.config,
        mode: 'drive',
        running: [],
        outcomes: [],
      },
      store,
      sessionId: 's',
      release: () => {
        releases += 1
      },
    },
  )
  return { actor, store, releases: () => releases }
}
