// Files of the user in the request of each provider, as the composer attaches them: an image as a file, a text file as
// fenced text. A model that refuses images gets a note instead, and the session keeps the image.
import { isObject, type JsonObject } from '../../../../src/core/data/json.js'
import type { UserPart } from '../../../../src/core/data/message.js'
import type { ModelAdapter } from '../../../../src/core/data/model.js'
import { provider as anthropic } from '../../../../src/host/models/anthropic/index.js'
import { provider as google } from '../../../../src/host/models/google/index.js'
import { provider as responses } from '../../../../src/host/models/openai-responses/index.js'
import { provider as openai } from '../../../../src/host/models/openai/index.js'
import type { ProviderOptions } from '../../../../src/host/models/provider.js'
import { refusesFiles } from '../../../../src/host/models/without-files.js'
import type { Reply } from '../../../support/lab/endpoint.js'
import { expect, test } from '../../../support/lab/lab.js'

const image = { type: 'file', mediaType: 'image/jpeg', data: '/9j/4AAQ', name: 'pot.jpg' } as const
const notes = {
  type: 'text',
  text: 'The user attached the file "notes.md":\n<untrusted-12>\nGreen\n</untrusted-12>',
  name: 'notes.md',
} as const
const message: readonly UserPart[] = [{ type: 'text', text: 'What is it?' }, image, notes]

/** The body that a provider sends for the message. */
async function bodyOf(provider: (options: ProviderOptions) => ModelAdapter): Promise<JsonObject> {
  let body: unknown
  const model = provider({
    endpoint: 'https://models.test/v1',
    credentials: 'omit',
    stream: true,
    limits: { responseBytes: 1000 },
    headers: async () => ({}),
    fetch: async (_url, init) => {
      body = JSON.parse(String(init?.body))
      return new Response('{"error":{"message":"enough"}}', { status: 400 })
    },
  })
  const content = message.map((part) =>
    part.type === 'text'
      ? { type: 'text' as const, text: part.text }
      : { type: 'file' as const, mediaType: part.mediaType, data: part.data, filename: 'pot.jpg' },
  )
  const request = { model: 'm', system: '', messages: [{ role: 'user' as const, content }], tools: [] }
  const parts = model.stream({ ...request, toolChoice: 'auto' }, new AbortController().signal)
  await parts[Symbol.asyncIterator]()
    .next()
    .catch(() => undefined)
  if (!isObject(body)) throw new Error('Nothing was sent')
  return body as JsonObject
}

test('chat completions send an image as image_url', async () => {
  expect((await bodyOf(openai))['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/4AAQ' } },
        { type: 'text', text: notes.text },
      ],
    },
  ])
})

test('the Responses API gets an image as input_image', async () => {
  expect((await bodyOf(responses))['input']).toMatchObject([
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is it?' },
        { type: 'input_image', image_url: 'data:image/jpeg;base64,/9j/4AAQ' },
        { type: 'input_text', text: notes.text },
      ],
    },
  ])
})

test('the Messages API gets an image as a base64 source', async () => {
  expect((await bodyOf(anthropic))['messages']).toMatchObject([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/4AAQ' } },
        { type: 'text', text: notes.text },
      ],
    },
  ])
})

test('the Gemini API gets an image as inline data', async () => {
  expect((await bodyOf(google))['contents']).toMatchObject([
    {
      role: 'user',
      parts: [
        { text: 'What is it?' },
        { inlineData: { mimeType: 'image/jpeg', data: '/9j/4AAQ' } },
        { text: notes.text },
      ],
    },
  ])
})

const refused = (text: string, status = 400): Reply => ({ status, body: { error: { message: text } } })

test('a model that refuses images gets a note instead, and the session keeps the image', async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    [refused('this model does not support image input'), { text: 'I cannot see it.' }, { text: 'Sorry.' }],
    { model: 'blind-1' },
  )
  expect((await agent.send(message)).text).toBe('I cannot see it.')
  expect((await agent.send('Why?')).text).toBe('Sorry.')
  const contents = endpoint.requests.map(({ body }) => JSON.stringify((body!['messages'] as JsonObject[])[1]))
  expect(contents[0]).toContain('image_url')
  for (const later of contents.slice(1)) {
    expect(later).toContain('The file \\"pot.jpg\\" was left out, because this model cannot read it.')
    expect(later).toContain('<untrusted-12>')
    expect(later).not.toContain('image_url')
  }
  expect(agent.messages[0]).toMatchObject({ parts: message })
  expect(agent.messages.find((one) => one.role === 'assistant')).not.toHaveProperty('model')
})

test('another model of the same session gets the image', async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    [refused('image input is not enabled for this model'), { text: 'No.' }, { text: 'A pot.' }],
    { model: 'blind-2' },
  )
  await agent.send(message)
  agent.configure({ ...agent.options, model: 'seeing-2' })
  await agent.send('And you?')
  expect(JSON.stringify(endpoint.requests.at(-1)?.body)).toContain('image_url')
})

test('a broken image is an error, and the model keeps getting images', async ({ lab }) => {
  const { agent, endpoint } = await lab.start(
    [refused('Could not process image: invalid base64'), { text: 'A pot.' }],
    { model: 'seeing-3' },
  )
  await expect(agent.send(message)).rejects.toMatchObject({ code: 'bad-request' })
  await agent.send([{ type: 'text', text: 'Again' }, image])
  expect(JSON.stringify(endpoint.requests.at(-1)?.body)).toContain('image_url')
})

test('a request without files is not repeated', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([refused('this model does not support image input')], {
    model: 'blind-4',
  })
  await expect(agent.send('Hi')).rejects.toMatchObject({ code: 'bad-request' })
  expect(endpoint.requests).toHaveLength(1)
})

test('recognises what servers write about images', () => {
  for (const text of [
    'Invalid content type. image_url is only supported by certain models.',
    'Failed to deserialize the JSON body: messages[1]: unknown variant `image_url`, expected `text`',
    'No endpoints found that support image input',
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
    'At most 0 image(s) may be provided in one prompt.',
    'Qwen/Qwen3-8B is not a multimodal model',
    'messages[1].content must be a string',
    'Model does not support images. Please use a model that does.',
    'Image input is not enabled for this model',
  ])
    expect(refusesFiles(text), text).toBe(true)
  for (const text of [
    'The image is too large: at most 5 MB are allowed',
    'Could not process image',
    'Invalid base64 image_url',
    'Rate limit reached',
    'You exceeded your current quota',
  ])
    expect(refusesFiles(text), text).toBe(false)
})

test('a message with a file alone is sent, and its name is shown in the queue', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'First.' }, { text: 'A pot.' }], { model: 'seeing-5' })
  const queued = new Set<string>()
  agent.observe(() => {
    for (const { text } of agent.queue) queued.add(text.trim())
  })
  const first = agent.send('Hi')
  const second = agent.send([image])
  await first
  expect((await second).text).toBe('A pot.')
  expect(endpoint.requests).toHaveLength(2)
  expect([...queued]).toEqual(['Hi', 'pot.jpg'])
})
