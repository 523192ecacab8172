// A session with one of everything that the transcript can show.
import type { AgentEvent } from '../../../src/core/data/event.js'
import type { AssistantMessage, AssistantPart, Message, UserMessage } from '../../../src/core/data/message.js'
import type { Session, Turn } from '../../../src/core/data/session.js'

const at = 1_790_000_000_000
const call = (id: string, name: string, input: object, rest: object = {}): AssistantPart =>
  ({ type: 'tool-call', call: { id, name, input: input as never }, ...rest }) as AssistantPart
const done = (output: unknown, rest: object = {}): object => ({
  result: { output, startedAt: at, endedAt: at + 820, attempts: 1, ...rest },
})
const failed = (code: string, message: string, rest: object = {}): object => ({
  result: { error: { code, message }, startedAt: at, endedAt: at + 2400, attempts: 1, ...rest },
})
const user = (id: string, text: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text }], at })
const assistant = (id: string, parts: AssistantPart[], rest: object = {}): Message =>
  ({ id, role: 'assistant', parts, at, ...rest }) as Message

const markdown = `I looked through the **catalogue** and found three pots that fit:

| Teapot | Material | Price |
|:--|:--|--:|
| Hario Chacha Kyusu | Glass, stainless filter | € 24.90 |
| Kinto Leaves to Tea | Porcelain | € 46.00 |
| Tokoname Kyusu *(hand-made)* | Stoneware | € 118.00 |

### What I would take

1. The **Hario** one, because you asked for something that *survives the dishwasher*.
2. Otherwise the Kinto:
   - lid with a stop
   - 600 ml

- [x] Checked the stock
- [ ] Waiting for your decision on the coupon

> Delivery takes two days.

You can read the [care instructions](https://shop.example.org/care?item=42) or see [your cart](/cart). The call was:

\`\`\`ts
const order = await shop.add({ item: 'hario-chacha', count: 2, wrap: false, note: 'A very long line that does not fit into the panel and scrolls' })
console.log(order.total) // 49.80
\`\`\`

A picture: ![teapot](https://shop.example.org/teapot.png), raw <b>HTML</b>, and \`inline code\`.`

export function richSession(): Partial<Session> {
  return {
    id: 'rich',
    title: 'Teapots',
    status: 'awaiting-approval',
    todos: [
      { id: '1', text: 'Find a teapot', status: 'completed' },
      { id: '2', text: 'Add two to the cart', status: 'in_progress' },
      { id: '3', text: 'Apply the coupon TEA10', status: 'pending' },
    ],
    messages: [
      user('u1', 'Find a teapot, then add two to the cart, then apply the coupon TEA10.'),
      assistant('a1', [
        {
          type: 'reasoning',
          text: 'The user wants three things. I should look at the catalogue first and keep a list.',
        },
        { type: 'text', text: 'I will go through this step by step.' },
        call(
          'c1',
          'todo_write',
          { items: [{ text: 'Find a teapot', status: 'in_progress' }] },
          done('[>] #1: Find a teapot'),
        ),
        call(
          'c2',
          'find_products',
          { query: 'teapot', max: 3 },
          {
            title: 'Find products',
            ...done([
              { id: 'hario', price: 24.9 },
              { id: 'kinto', price: 46 },
            ]),
          },
        ),
        call(
          'c3',
          'find_products',
          { query: 'kyusu', max: '3' },
          {
            title: 'Find products',
            ...done(
              { total: 1, first: 'Tokoname Kyusu' },
              { input: { query: 'kyusu', max: 3 }, attempts: 2, endedAt: at + 16_400 },
            ),
          },
        ),
        call('c4', 'stock_level', { id: 'hario' }, failed('execution-failed', 'The warehouse answered 503')),
        call(
          'c5',
          'delivery_time',
          { zip: '10115' },
          failed('timeout', 'No answer after 15 s. It may still have happened; check before repeating it.', {
            attempts: 4,
            endedAt: at + 60_000,
          }),
        ),
        call(
          'c6',
          'send_newsletter',
          { to: 'everyone@example.org' },
          failed('denied', 'The user denied this: not now'),
        ),
        call('c7', 'page_navigate', { to: '/sale' }, failed('cancelled', 'Stopped by the user')),
        call('c8', 'price_history', { id: 'kinto' }, failed('interrupted', 'The page was left while this ran')),
        call(
          'c9',
          'form_fill',
          {},
          {
            call: { id: 'c9', name: 'form_fill', input: {}, raw: '{"fields": [' },
            ...failed('format-error', 'Tool call JSON parse failed. Fix and retry.'),
          },
        ),
        call('c10', 'page_read', {}, { title: 'Read the page', ...done('x'.repeat(400), { cut: { chars: 182_000 } }) }),
      ]),
      assistant('a2', [{ type: 'text', text: markdown }], { reason: 'stop' }),
      user('u2', 'Take the first one.\nAnd hurry, please.'),
      assistant('a3', [
        { type: 'text', text: 'Adding two of them.' },
        call(
          'd1',
          'add_to_cart',
          { id: 'hario', count: 2 },
          {
            title: 'Add to cart',
            started: { at: Date.now() - 3000, hash: 'h', input: { id: 'hario', count: 2 }, repeatable: false },
          },
        ),
        call(
          'd2',
          'research',
          { task: 'Compare delivery' },
          {
            title: 'Research',
            started: { at: Date.now() - 3000, hash: 'h', input: { task: 'Compare delivery' }, repeatable: false },
            child: {
              messages: [
                assistant('k1', [
                  { type: 'text', text: 'Looking at the carriers.' },
                  call('k2', 'carriers', { from: 'DE' }, done(['DHL', 'DPD'])),
                ]),
              ],
            },
          },
        ),
        call(
          'd3',
          'apply_coupon',
          { code: 'TEA10', cart: { items: 2, total: 49.8 }, note: 'Applied for Ada\u202e gnp.exe', empty: '' },
          {
            title: 'Apply a coupon',
            approval: {
              hash: 'h3',
              title: 'Apply a coupon',
              input: {
                code: 'TEA10',
                cart: { items: 2, total: 49.8 },
                note: 'Applied for Ada\u202e gnp.exe',
                empty: '',
              },
              preview: 'Takes 10 % off the cart of Ada Lovelace.',
              at,
            },
          },
        ),
        call('d4', 'page_read', {}),
      ]),
    ],
  }
}

const started = (input: object): object => ({
  started: { at: Date.now() - 3000, hash: 'h', input: input as never, repeatable: false },
})

/**
 * A turn with four agents: one is done, one streams, one contains an agent that waits for the user, and one was
 * stopped.
 */
export function agentSession(): Partial<Session> {
  const task = (id: string, text: string): Message => user(id, text)
  const booking = { carrier: 'DHL', day: '2026-03-02', insured: true }
  return {
    id: 'agents',
    title: 'Agents',
    status: 'awaiting-approval',
    messages: [
      user('u1', 'Compare how the two pots would be delivered, then book the better one.'),
      assistant('a1', [
        { type: 'text', text: 'I hand this to the specialists.' },
        call(
          's1',
          'research',
          { task: 'Which carriers deliver to Berlin?' },
          {
            title: 'Research',
            ...done('DHL and DPD deliver to Berlin, both in two days.'),
            child: {
              messages: [
                task('t1', 'Which carriers deliver to Berlin?'),
                assistant('k1', [call('k2', 'carriers', { to: 'Berlin' }, done(['DHL', 'DPD']))]),
                assistant('k3', [{ type: 'text', text: 'DHL and DPD deliver to Berlin, both in two days.' }], {
                  reason: 'stop',
                }),
              ],
            },
          },
        ),
        call(
          's2',
          'research',
          { task: 'Read what customers say about them' },
          {
            title: 'Research',
            ...failed('cancelled', 'Stopped by the user'),
            child: {
              messages: [
                task('t2', 'Read what customers say'),
                assistant('l1', [
                  call('l2', 'reviews', { of: 'DHL' }, started({ of: 'DHL' })),
                  call('l3', 'reviews', { of: 'DPD' }),
                ]),
              ],
              draft: { id: 'l4', step: 1, parts: [{ type: 'text', text: 'The first reviews are' }] },
            },
          },
        ),
      ]),
      assistant('a2', [
        call(
          's3',
          'compare',
          { task: 'Compare the prices of both' },
          {
            title: 'Compare prices',
            ...started({ task: 'Compare the prices of both' }),
            child: {
              messages: [
                task('t3', 'Compare'),
                assistant('m1', [
                  { type: 'text', text: 'I look at both **price lists**.' },
                  call(
                    'm2',
                    'price_list',
                    { carrier: 'DHL' },
                    { title: 'Price list', ...done({ small: 4.9, large: 9.9 }) },
                  ),
                ]),
              ],
              draft: {
                id: 'm3',
                step: 1,
                parts: [
                  { type: 'text', text: 'DHL is cheaper for a small parcel.' },
                  {
                    type: 'tool-input',
                    id: 'm4',
                    name: 'price_list',
                    text: '{"carrier": "DPD", "note": "also the lar',
                  },
                ],
              },
            },
          },
        ),
        call(
          's4',
          'booking',
          { task: 'Book the cheaper carrier for Monday, insured' },
          {
            title: 'Booking agent',
            ...started({ task: 'Book the cheaper carrier for Monday, insured' }),
            child: {
              messages: [
                task('t4', 'Book'),
                assistant('n1', [
                  call(
                    'n2',
                    'free_days',
                    { carrier: 'DHL' },
                    { title: 'Free days', ...done(['2026-03-02', '2026-03-03']) },
                  ),
                  call(
                    'n3',
                    'contract',
                    { task: 'Order the pick-up' },
                    {
                      title: 'Contract agent',
                      ...started({ task: 'Order the pick-up' }),
                      child: {
                        messages: [
                          task('t5', 'Order'),
                          assistant('o1', [
                            { type: 'text', text: 'The pick-up is ready to be ordered.' },
                            call('o2', 'order_pickup', booking, {
                              title: 'Order a pick-up',
                              approval: {
                                hash: 'ho',
                                title: 'Order a pick-up',
                                input: booking as never,
                                preview: 'Orders a pick-up by DHL for € 9.90.',
                                at,
                              },
                            }),
                          ]),
                        ],
                      },
                    },
                  ),
                ]),
              ],
            },
          },
        ),
      ]),
    ],
  }
}

/** The events of one turn with a call, as an agent in debug mode emits them. */
export function turnEvents(): AgentEvent[] {
  const request = {
    model: 'gpt-5-mini',
    system: 'You help.',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    tools: [],
    toolChoice: 'auto',
  } as const
  const message = assistant('m1', [
    { type: 'text', text: 'Hello there.' },
    call('t1', 'find_products', { query: 'pot' }),
  ]) as AssistantMessage
  const turn: Turn = {
    id: 'turn-1',
    tab: 'tab',
    url: 'https://shop.example.org/',
    startedAt: at,
    first: 0,
    resumes: 0,
    lastAt: at,
    spent: 0,
    mode: 'auto',
    options: {},
    facts: { url: 'https://shop.example.org/', title: 'Shop', lang: 'en', timeZone: 'Europe/Berlin' },
    offered: [],
    counted: 1,
  }
  return [
    { type: 'turn-start', at, turn, message: user('um', 'Hi') as UserMessage },
    { type: 'step-start', at, step: 0, id: 'm1' },
    {
      type: 'step-request',
      at,
      step: 0,
      attempt: 1,
      request,
      body: { model: 'gpt-5-mini', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
    },
    ...['Hel', 'lo ', 'the', 're.'].map((delta) => ({ type: 'text-delta', delta }) as const),
    {
      type: 'step-response',
      at: at + 812,
      step: 0,
      attempt: 1,
      body: { choices: [{ message: { content: 'Hello there.' } }] },
    },
    { type: 'step-end', at, step: 0, message, offered: ['find_products'] },
    { type: 'tool-start', at, callId: 't1', hash: 'h', input: { query: 'pot' }, repeatable: true },
    {
      type: 'tool-result',
      at,
      callId: 't1',
      result: { output: [1, 2], modelOutput: '[1,2]', startedAt: at, endedAt: at + 20, attempts: 1 },
    },
    { type: 'turn-end', at, turn: 'turn-1', reason: 'stop' },
  ]
}
