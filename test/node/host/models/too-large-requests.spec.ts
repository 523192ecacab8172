// Requests that an endpoint refuses because of their bytes. A file is not made smaller by a second attempt or by a
// shorter conversation; only files of older turns can be left out.
import type { UserPart } from '../../../../src/core/data/message.js'
import type { ModelRequest } from '../../../../src/core/data/model.js'
import { httpError, streamError } from '../../../../src/host/models/http/http-errors.js'
import { sdkError } from '../../../../src/host/models/ai-sdk/from-ai-sdk.js'
import type { Reply } from '../../../support/lab/endpoint.js'
import { expect, test } from '../../../support/lab/lab.js'

const file = (chars: number): UserPart => ({
  type: 'file',
  mediaType: 'application/pdf',
  data: 'A'.repeat(chars),
  name: 'plan.pdf',
})
const tooLarge = { status: 413, body: '<html><h1>413 Request Entity Too Large</h1></html>' } satisfies Reply

function requestWith(fileChars: number, text = 'What is this?'): ModelRequest {
  const content = [{ type: 'text', text } as const]
  const files = fileChars === 0 ? [] : [{ type: 'file', mediaType: 'image/png', data: 'A'.repeat(fileChars) } as const]
  return {
    model: 'm',
    system: '',
    messages: [{ role: 'user', content: [...content, ...files] }],
    tools: [],
    toolChoice: 'auto',
  }
}
const contextOf = (request: ModelRequest) => ({ url: 'http://test/v1', secrets: [], request })

test.describe('a refused file', () => {
  const wordings: [title: string, status: number, body: object | string][] = [
    ['a status without words', 413, ''],
    ['nginx', 413, '<html><head><title>413 Request Entity Too Large</title></head></html>'],
    [
      'Anthropic',
      413,
      { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    ],
    [
      'Anthropic, one image',
      400,
      {
        error: {
          type: 'invalid_request_error',
          message:
            'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6213456 bytes > 5242880 bytes',
        },
      },
    ],
    [
      'Gemini',
      400,
      {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: 'Request payload size exceeds the limit: 20971520 bytes. Please use the File API.',
        },
      },
    ],
    ['OpenAI', 413, { error: { message: 'Maximum content size limit (26214400) exceeded (26428861 bytes read)' } }],
    ['OpenAI, one image', 400, { error: { code: 'image_file_too_large', message: 'The file is refused.' } }],
    ['Express', 413, { error: { type: 'entity.too.large', message: 'request entity too large' } }],
    [
      'the relay',
      413,
      { error: { code: 'request_too_large', message: 'The request has more than the 20000000 bytes' } },
    ],
  ]
  for (const [title, status, body] of wordings) {
    test(`has its own code: ${title}`, () => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const error = httpError(status, new Headers(), text, contextOf(requestWith(4_000_000)))
      expect(error).toMatchObject({ code: 'request-too-large', details: { status, retry: false } })
      expect(error.message).toMatch(
        /\(The request has about 4\.0 MB, 4\.0 MB of them are files\. Raise .*smaller files\.\)$/,
      )
    })
  }

  test('keeps the limit that the answer names', () => {
    const body = { error: { message: 'Request payload size exceeds the limit: 20971520 bytes.' } }
    const error = httpError(400, new Headers(), JSON.stringify(body), contextOf(requestWith(28_000_000)))
    expect(error.message).toContain('exceeds the limit: 20971520 bytes. (The request has about 28.0 MB')
  })

  test('has the same code in a stream and from the AI SDK', () => {
    const context = contextOf(requestWith(4_000_000))
    expect(streamError({ type: 'request_too_large', message: 'No' }, context).code).toBe('request-too-large')
    const thrown = Object.assign(new Error('No'), { statusCode: 413, responseBody: '', url: 'http://test/v1' })
    expect(sdkError(thrown, context.request).code).toBe('request-too-large')
  })
})

test.describe('a refusal for another reason', () => {
  for (const [title, request] of [
    ['no file', requestWith(0, 'x'.repeat(4_000_000))],
    ['a file that is a small part of it', requestWith(10_000, 'x'.repeat(4_000_000))],
  ] as const) {
    test(`stays a conversation that is too long: ${title}`, { tag: '@F54' }, () => {
      expect(httpError(413, new Headers(), '', contextOf(request)).code).toBe('context-overflow')
    })
  }

  test('stays a conversation that is too long if it counts tokens', { tag: '@F54' }, () => {
    const request = requestWith(4_000_000)
    for (const [status, message] of [
      [413, 'Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000'],
      [400, 'prompt is too long: 213462 tokens > 200000 maximum'],
      [400, "This model's maximum context length is 8192 tokens."],
    ] as const) {
      const body = JSON.stringify({ error: { message } })
      expect(httpError(status, new Headers(), body, contextOf(request)).code, message).toBe('context-overflow')
    }
  })

  test('keeps its own code', () => {
    for (const [status, code] of [
      [400, 'bad-request'],
      [401, 'unauthorized'],
      [500, 'server'],
    ] as const)
      expect(httpError(status, new Headers(), '', contextOf(requestWith(4_000_000))).code).toBe(code)
  })
})

for (const [title, body] of [
  ['by a proxy', tooLarge.body],
  ['with words like those of a model that reads no images', 'Only images up to 5 MB are accepted'],
] as const) {
  test(`a file that is refused ${title} ends the turn after one request`, { tag: '@F54' }, async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ text: 'one' }, { status: 413, body }])
    await agent.send('First')
    await expect(agent.send([{ type: 'text', text: 'What is this?' }, file(400_000)])).rejects.toMatchObject({
      code: 'request-too-large',
    })
    expect(endpoint.requests).toHaveLength(2)
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })
}

test('a conversation without files is shortened after status 413', { tag: '@F54' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'one' }, tooLarge, { text: 'A note.' }, { text: 'two' }])
  await agent.send('First')
  expect(await agent.send('Second')).toMatchObject({ text: 'two' })
  expect(endpoint.requests).toHaveLength(4)
})

test('the message is sent again without the file when the visitor edits it', { tag: '@F54' }, async ({ lab }) => {
  const { agent, endpoint } = await lab.start([tooLarge, { text: 'two' }])
  await agent.send([{ type: 'text', text: 'What is this?' }, file(400_000)]).catch(() => undefined)
  expect(await agent.editLast('What is this?')).toMatchObject({ text: 'two' })
  expect(endpoint.requests[1]?.raw).not.toContain('AAAA')
})

for (const [title, contextWindow] of [
  ['without a known window', undefined],
  ['with a known window', { tokens: 100_000 }],
] as const) {
  test(`a smaller file is sent without the refused one, ${title}`, { tag: '@F54' }, async ({ lab }) => {
    const { agent, endpoint } = await lab.start(
      (body) => {
        const raw = JSON.stringify(body)
        if (raw.includes('Summarize this conversation')) return { text: 'A note.' }
        return raw.length > 300_000 ? tooLarge : { text: 'read' }
      },
      contextWindow ? { contextWindow } : {},
    )
    await agent.send('Hello')
    await agent.send([{ type: 'text', text: 'First' }, file(400_000)]).catch(() => undefined)
    expect(await agent.send([{ type: 'text', text: 'Second' }, file(200_000)])).toMatchObject({ text: 'read' })
    expect(endpoint.requests).toHaveLength(5)
    expect(agent.session?.rejected).toBeUndefined()
    await expect(agent.send([{ type: 'text', text: 'Third' }, file(400_000)])).rejects.toMatchObject({
      code: 'request-too-large',
    })
  })
}
