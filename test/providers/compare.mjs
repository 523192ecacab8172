// Reads an answer with the AI SDK's own provider and prints what it gives as JSON. Started by the specs that compare
// this project's adapters with it. Input on stdin: `{ provider, answers: [{ stream, body }] }`, the bodies as text.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'

/** @type {Record<string, (fetch: typeof globalThis.fetch) => any>} */
const models = {
  anthropic: (fetch) => createAnthropic({ apiKey: 'none', baseURL: 'http://corpus/v1', fetch })('claude-test'),
  google: (fetch) =>
    createGoogleGenerativeAI({ apiKey: 'none', baseURL: 'http://corpus/v1beta', fetch })('gemini-test'),
  openai: (fetch) => createOpenAICompatible({ name: 'any', baseURL: 'http://corpus/v1', fetch })('chat-test'),
  'openai-responses': (fetch) =>
    createOpenAI({ apiKey: 'none', baseURL: 'http://corpus/v1', fetch }).responses('gpt-5-test'),
}

let text = ''
for await (const chunk of process.stdin) text += chunk
const { provider, answers } = JSON.parse(text)
const results = []
for (const { stream, body } of answers) {
  const type = stream ? 'text/event-stream' : 'application/json'
  const model = models[provider](async () => new Response(body, { headers: { 'content-type': type } }))
  results.push(await read(model, stream).catch((error) => ({ error: String(error) })))
}
process.stdout.write(JSON.stringify(results))

/** @param {any} model @param {boolean} stream */
async function read(model, stream) {
  const options = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }
  const result = {
    text: '',
    reasoning: '',
    calls: [],
    metadata: [],
    finish: undefined,
    raw: undefined,
    usage: undefined,
  }
  const call = ({ toolName, input, providerExecuted }) => {
    if (!providerExecuted) result.calls.push([toolName, JSON.parse(input)])
  }
  const finish = ({ finishReason, usage }) => {
    result.finish = finishReason.unified
    result.raw = finishReason.raw
    result.usage = usage
  }
  if (!stream) {
    const whole = await model.doGenerate(options)
    for (const part of whole.content) {
      if (part.type === 'text') result.text += part.text
      if (part.type === 'reasoning') {
        result.reasoning += part.text
        result.metadata.push(part.providerMetadata)
      }
      if (part.type === 'tool-call') call(part)
    }
    finish(whole)
    return result
  }
  const { stream: parts } = await model.doStream(options)
  for await (const part of parts) {
    if (part.type === 'text-delta') result.text += part.delta
    if (part.type === 'reasoning-delta') {
      result.reasoning += part.delta
      if (part.providerMetadata) result.metadata.push(part.providerMetadata)
    }
    // The Responses API completes a reasoning item at its end.
    if (part.type === 'reasoning-end' && part.providerMetadata?.openai) result.metadata.push(part.providerMetadata)
    if (part.type === 'tool-call') call(part)
    if (part.type === 'finish') finish(part)
    if (part.type === 'error') throw part.error
  }
  return result
}
