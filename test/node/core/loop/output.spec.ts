// Turns that end with an object (the option `output` of `send`): what each protocol gets, how the object is validated,
// and what happens with reloads, steps, limits and fallbacks. The bodies are those that the server received.
import { z } from 'zod'
import { isObject, type JsonObject } from '../../../../src/core/data/json.js'
import { fromAiSdk } from '../../../../src/host/models/ai-sdk/from-ai-sdk.js'
import type { AiSdkCallOptions } from '../../../../src/host/models/ai-sdk/sdk-prompt.js'
import { memoryStore } from '../../../../src/host/store/memory-store.js'
import type { Agent } from '../../../../src/page/agent.js'
import type { Handler, Reply } from '../../../support/lab/endpoint.js'
import { expect, test, until } from '../../../support/lab/lab.js'
import { messagesOf, resultsOf, toolNames } from '../../../support/lab/requests.js'

const order = {
  type: 'object',
  properties: { item: { type: 'string' }, count: { type: 'integer' } },
  required: ['item', 'count'],
} as const
const answer = { item: 'Teapot', count: 2 }
const text = JSON.stringify(answer)
const answers = (input: JsonObject | string = answer): Reply => ({
  calls: [{ name: 'final_result', arguments: input }],
})

const addLookup = (agent: Agent) =>
  agent.registerTool({
    name: 'look_up',
    description: 'Looks up an item',
    inputSchema: { type: 'object', properties: { item: { type: 'string' } } },
    annotations: { readOnlyHint: true },
    execute: () => ({ stock: 7 }),
  })

test.describe('chat completions', () => {
  test('without tools of the page the schema is the response format', async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ text: [text.slice(0, 9), text.slice(9)] }])
    const result = await agent.send('Two teapots', { output: order })
    expect(result).toMatchObject({ object: answer, reason: 'direct', outputs: [answer], steps: 1 })
    const body = endpoint.requests[0]!.body!
    expect(body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'final_result', schema: { ...order, additionalProperties: false }, strict: true },
    })
    expect(body['tools']).toBeUndefined()
    // This server may ignore the field, so the system text has the schema, too.
    expect(JSON.stringify(messagesOf(endpoint.requests[0])[0])).toContain('JSON Schema')
    expect(agent.session?.end).toMatchObject({ reason: 'direct', options: { output: order } })
  })

  test('with tools of the page a call ends the turn, and the model must call one of them', async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ calls: [{ name: 'look_up', arguments: {} }] }, answers()])
    addLookup(agent)
    const { object, toolExecutions } = await agent.send('Two teapots', { output: order })
    expect(object).toEqual(answer)
    expect(toolExecutions.map(({ call }) => call.name)).toEqual(['look_up', 'final_result'])
    for (const { body } of endpoint.requests) {
      expect(body).toMatchObject({ tool_choice: 'required' })
      expect(body!['response_format']).toBeUndefined()
    }
    expect(toolNames(endpoint.requests[0])).toContain('final_result')
    expect(resultsOf(endpoint.requests[1])).toEqual(['{"stock":7}'])
  })

  test('a schema that is not in the strict subset is sent as it is', async ({ lab }) => {
    const schema = { type: 'object', properties: { note: { type: 'string', minLength: 1 } } } as const
    const { agent, endpoint } = await lab.start([{ text: '{"note":"x"}' }])
    await agent.send('A note', { output: schema })
    expect(endpoint.requests[0]!.body!['response_format']).toMatchObject({ json_schema: { strict: false, schema } })
  })

  test('an endpoint that refuses the format gets the final tool, then an unforced one, and is remembered', async ({
    lab,
  }) => {
    const refuses: Handler = (body) => {
      if (body['response_format'] ?? body['tool_choice'])
        return { status: 400, body: { error: { message: 'unknown field' } } }
      return answers()
    }
    const { agent, endpoint } = await lab.start(refuses, { model: 'refuses-formats' })
    expect((await agent.send('One', { output: order })).object).toEqual(answer)
    expect(endpoint.requests.map(({ body }) => [body!['response_format'] !== undefined, body!['tool_choice']])).toEqual(
      [
        [true, undefined],
        [false, { type: 'function', function: { name: 'final_result' } }],
        [false, undefined],
      ],
    )
    await agent.send('Two', { output: order })
    expect(endpoint.requests).toHaveLength(4)
  })

  test('an endpoint that ignores the format gets the final tool after two wrong answers', async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ text: 'Sure!' }, { text: '{"item":7}' }, answers(), { text }])
    expect((await agent.send('One', { output: order })).object).toEqual(answer)
    const hasFormat = () => endpoint.requests.map(({ body }) => body!['response_format'] !== undefined)
    expect(hasFormat()).toEqual([true, true, false])
    expect(endpoint.requests[2]!.body!['tool_choice']).toEqual({ type: 'function', function: { name: 'final_result' } })
    await agent.send('Two', { output: order })
    expect(hasFormat(), 'the next turn begins with the format').toEqual([true, true, false, true])
  })

  test('with toolChoice none the object is given without the tools of the page', async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ text }])
    addLookup(agent)
    expect((await agent.send('One', { output: order, toolChoice: 'none' })).object).toEqual(answer)
    expect(endpoint.requests[0]!.body).toMatchObject({ response_format: { type: 'json_schema' } })
    expect(toolNames(endpoint.requests[0])).toBeUndefined()
  })

  test('the text of an answer is read as JSON, also from a code block or between words', async ({ lab }) => {
    const replies = [`\`\`\`json\n${text}\n\`\`\``, `Here it is: ${text} Enjoy!`, ` \n${text}`]
    const { agent, events } = await lab.start(replies.map((reply) => ({ text: [...reply] })))
    for (const reply of replies) expect((await agent.send(reply, { output: order })).object, reply).toEqual(answer)
    const shown = events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : [])).join('')
    expect(shown, 'only the answer that begins with words is shown as text').toBe(replies[1])
  })
})

test.describe('other protocols', () => {
  test('the Responses API gets text.format, also beside tools', async ({ lab }) => {
    const event = (type: string, fields: JsonObject) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
    const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text }] }
    const raw = [
      event('response.created', { response: { id: 'r', status: 'in_progress', output: [] } }),
      event('response.output_item.added', { output_index: 0, item: { ...message, content: [] } }),
      event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: text }),
      event('response.output_item.done', { output_index: 0, item: message }),
      event('response.completed', { response: { id: 'r', status: 'completed', output: [message] } }),
    ].join('')
    const { agent, endpoint } = await lab.start([{ raw }], { provider: 'openai-responses' })
    addLookup(agent)
    expect((await agent.send('Two teapots', { output: order })).object).toEqual(answer)
    expect(endpoint.requests[0]!.body!['text']).toEqual({
      format: {
        type: 'json_schema',
        name: 'final_result',
        schema: { ...order, additionalProperties: false },
        strict: true,
      },
    })
  })

  test('a JSON text that lost a piece on its way is read whole', async ({ lab }) => {
    const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text }] }
    for (const shown of [text.replace('2', '12'), text.slice(2), `${text}${text}`]) {
      const events: JsonObject[] = [
        { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: shown },
        { type: 'response.output_item.done', output_index: 0, item: message },
        { type: 'response.completed', response: { id: 'r', status: 'completed', output: [message] } },
      ]
      const raw = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
      const { agent } = await lab.start([{ raw }], { provider: 'openai-responses' })
      expect((await agent.send('Two teapots', { output: order })).object, shown).toEqual(answer)
    }
  })

  test('Gemini gets responseJsonSchema, but beside tools only from version 3 on', async ({ lab }) => {
    const says = (part: JsonObject): Reply => ({
      raw: `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] })}\n\n`,
    })
    const call = { functionCall: { name: 'final_result', args: answer } }
    const { agent, endpoint } = await lab.start([says({ text }), says(call), says({ text })], {
      provider: 'google',
      model: 'gemini-2.5-flash',
    })
    const sent = async () => {
      expect((await agent.send('Two teapots', { output: order })).object).toEqual(answer)
      return endpoint.requests.at(-1)!.body!
    }
    expect((await sent())['generationConfig']).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: { ...order, additionalProperties: false },
    })
    addLookup(agent)
    const withTools = await sent()
    expect(withTools['generationConfig']).not.toMatchObject({ responseMimeType: expect.anything() })
    expect(withTools['toolConfig']).toEqual({ functionCallingConfig: { mode: 'ANY' } })
    agent.configure({ ...agent.options, model: 'gemini-3-flash-preview' })
    expect((await sent())['generationConfig']).toMatchObject({ responseMimeType: 'application/json' })
  })

  test('Anthropic gets a final tool', async ({ lab }) => {
    const events: JsonObject[] = [
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [] } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'toolu_01abcdefgh', name: 'final_result', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ]
    const raw = events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    const { agent, endpoint } = await lab.start([{ raw }], { provider: 'anthropic' })
    expect((await agent.send('Two teapots', { output: order })).object).toEqual(answer)
    const body = endpoint.requests[0]!.body!
    expect(body['tool_choice']).toEqual({ type: 'tool', name: 'final_result' })
    expect(body['tools']).toMatchObject([{ name: 'final_result', input_schema: order }])
  })

  test('the text protocol lists the final tool', async ({ lab }) => {
    const { agent, endpoint } = await lab.start(
      [{ text: `[TOOL_CALL]{"name":"final_result","args":${text}}[/TOOL_CALL]` }, { text }],
      { textProtocol: true },
    )
    expect((await agent.send('Two teapots', { output: order })).object).toEqual(answer)
    const body = endpoint.requests[0]!.body!
    expect(body['response_format']).toBeUndefined()
    expect(JSON.stringify(body['messages'])).toContain('Call final_result now')
    // An answer without the markers is an answer, too.
    expect((await agent.send('Again', { output: order })).object).toEqual(answer)
  })

  test('a model of the AI SDK gets responseFormat; an own adapter a final tool', async ({ lab }) => {
    const calls: AiSdkCallOptions[] = []
    const modelAdapter = fromAiSdk({
      specificationVersion: 'v4',
      provider: 'test',
      modelId: 'sdk',
      doStream: async (options) => {
        calls.push(options)
        return {
          stream: new ReadableStream({
            start(controller) {
              controller.enqueue({ type: 'text-delta', id: '0', delta: text })
              controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} })
              controller.close()
            },
          }),
        }
      },
    })
    const { agent } = await lab.start([], { modelAdapter })
    expect((await agent.send('Two teapots', { output: order })).object).toEqual(answer)
    expect(calls[0]).toMatchObject({
      responseFormat: { type: 'json', name: 'final_result', schema: { ...order, additionalProperties: false } },
    })
    expect(calls[0]!.tools).toBeUndefined()
    const own = await lab.start([], { modelAdapter: { stream: modelAdapter.stream } })
    expect((await own.agent.send('Two teapots', { output: order })).object).toEqual(answer)
    expect(calls[1]!.responseFormat).toBeUndefined()
    expect(calls[1]!.tools).toMatchObject([{ name: 'final_result' }])
  })
})

test.describe('validation', () => {
  test('the model gets the issues and answers again; the object is what the schema returns', async ({ lab }) => {
    const schema = z.object({ day: z.iso.date().transform((day) => new Date(day)), count: z.number().max(5) })
    const { agent, endpoint } = await lab.start([
      { text: '{"day":"2026-11-23","count":9}' },
      { text: '{"day":"2026-11-23","count":"3"}' },
    ])
    const { object } = await agent.send('When?', { output: schema })
    // Typed by the schema.
    const day: Date | undefined = object?.day
    expect(day?.toISOString()).toBe('2026-11-23T00:00:00.000Z')
    expect(object?.count).toBe(3)
    const messages = messagesOf(endpoint.requests[1])
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(messages[2]!['content']).toBe('{"day":"2026-11-23","count":9}')
    expect(String(messages[3]!['content'])).toMatch(
      /Error \(format-error\): The answer does not match the schema\. count: /,
    )
  })

  test('after too many wrong answers the turn ends as format-errors, with the text', async ({ lab }) => {
    const { agent } = await lab.start(
      [{ text: '{"item":1}' }, { text: 'I would rather not.' }, { text: '{"item":true}' }],
      { limits: { formatErrors: 2 } },
    )
    const result = await agent.send('Two teapots', { output: order })
    expect(result).toMatchObject({ reason: 'format-errors', steps: 3, text: '{"item":true}' })
    expect(result.object).toBeUndefined()
  })

  test('the same limit holds for a final tool', async ({ lab }) => {
    const { agent } = await lab.start([answers({ item: 'x' }), answers('{"item":')], { limits: { formatErrors: 1 } })
    addLookup(agent)
    const result = await agent.send('Two teapots', { output: order })
    expect(result).toMatchObject({ reason: 'format-errors', steps: 2, text: '{"item":' })
  })

  test('a truncated answer keeps its text and is no object', async ({ lab }) => {
    const { agent } = await lab.start([{ text: '{"item":"Tea', finish: 'length' }])
    const result = await agent.send('Two teapots', { output: order })
    expect(result).toMatchObject({ reason: 'length', text: '{"item":"Tea' })
    expect(result.object).toBeUndefined()
  })

  test('an answer beside another call counts only as the last call', async ({ lab }) => {
    const lookUp = { name: 'look_up', arguments: {} }
    const final = { name: 'final_result', arguments: answer }
    const { agent } = await lab.start([{ calls: [final, lookUp] }, { calls: [lookUp, final] }])
    addLookup(agent)
    expect(await agent.send('Two teapots', { output: order })).toMatchObject({ object: answer, steps: 2 })
  })

  test('a schema that cannot be used rejects as invalid-option', async ({ lab }) => {
    const { agent } = await lab.start([])
    for (const output of [z.array(z.string()), { type: 'string' }, 5 as never])
      await expect(agent.send('Hi', { output })).rejects.toMatchObject({
        code: 'invalid-option',
        message: expect.stringMatching(/^send: output/),
      })
  })

  test('hooks, listeners and approvals do not see the final tool', async ({ lab }) => {
    const seen: string[] = []
    const { agent } = await lab.start([answers()], {
      approval: 'always',
      hooks: { beforeTool: ({ name }) => void seen.push(name), afterTool: ({ name }) => void seen.push(name) },
    })
    agent.onToolCall(({ name }) => (seen.push(name), true))
    addLookup(agent)
    expect((await agent.send('Two teapots', { output: order })).object).toEqual(answer)
    expect(seen).toEqual([])
  })
})

test.describe('turns', () => {
  test('messages keep their order while a schema is compiled', async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ text }, { text: 'Second.' }])
    await agent.connect()
    const first = agent.send('One', { output: z.object({ item: z.string() }) })
    const second = agent.send('Two')
    expect(await first).toMatchObject({ object: { item: 'Teapot' } })
    expect(await second).toMatchObject({ text: 'Second.', reason: 'stop' })
    expect(endpoint.requests.map((request) => messagesOf(request).at(-1)!['content'])).toEqual(['One', 'Two'])
    expect(endpoint.requests[1]!.body!['response_format']).toBeUndefined()
  })

  test('after a reload the turn ends with an object that matches the stored schema', async ({ lab }) => {
    const store = memoryStore()
    const reply: Handler = (body) => {
      const results = (body['messages'] as readonly JsonObject[]).filter(({ role }) => role === 'tool')
      return results.length === 0 ? { calls: [{ name: 'look_up', arguments: {} }] } : answers()
    }
    for (const killAfter of [2, 4, 5, 6]) {
      const sessionId = `reload-${killAfter}`
      const first = await lab.start(reply, { sessionId, store, killAfter })
      addLookup(first.agent)
      void first.agent
        .send('Two teapots', { output: z.object({ item: z.string(), count: z.int() }) })
        .catch(() => undefined)
      await first.dead
      const second = await lab.start([], { sessionId, store, endpointServer: first.endpoint })
      addLookup(second.agent)
      await second.agent.connect()
      await until(second.agent, () => second.agent.status === 'idle')
      expect(second.agent.session?.end, sessionId).toMatchObject({ reason: 'direct' })
      const [part] = second.agent.messages.at(-1)!.role === 'assistant' ? lastParts(second.agent) : []
      expect(part, sessionId).toMatchObject({ call: { name: 'final_result' }, result: { output: answer } })
    }
  })

  test('a stepped turn has the final answer as its last call', async ({ lab }) => {
    const { agent } = await lab.start([{ calls: [{ name: 'look_up', arguments: {} }] }, answers()])
    addLookup(agent)
    const steps = agent.step('Two teapots', { output: order })
    const names: string[] = []
    for (;;) {
      const next = await steps.next()
      if (next.done) {
        expect(next.value).toMatchObject({ object: answer, reason: 'direct' })
        break
      }
      names.push(...next.value.toolCalls.map(({ name }) => name))
      await next.value.execute()
    }
    expect(names).toEqual(['look_up', 'final_result'])
  })

  test('stop ends the turn without an object; a limit, too', async ({ lab }) => {
    const { agent, endpoint } = await lab.start([{ raw: [': \n\n', new Promise(() => undefined)], end: 'hang' }])
    const stopped = agent.send('Two teapots', { output: order })
    await endpoint.received(1)
    agent.stop()
    expect((await stopped).reason).toBe('stopped')
    expect((await stopped).object).toBeUndefined()
    endpoint.push({ calls: [{ name: 'look_up', arguments: {} }] })
    addLookup(agent)
    agent.configure({ ...agent.options, limits: { steps: 1 } })
    expect(await agent.send('Again', { output: order })).toMatchObject({ reason: 'max-steps' })
  })

  test('a fallback model gets the format, too', async ({ lab }) => {
    const reply: Handler = (body) =>
      body['model'] === 'gone' ? { status: 404, body: { error: { message: 'no model' } } } : { text }
    const { agent, endpoint } = await lab.start(reply, { model: ['gone', 'there'] })
    expect((await agent.send('Two teapots', { output: order })).object).toEqual(answer)
    expect(endpoint.requests.at(-1)!.body).toMatchObject({ model: 'there', response_format: { type: 'json_schema' } })
  })

  test('a later turn without the option is a usual one', async ({ lab }) => {
    const { agent, endpoint } = await lab.start([answers(), { text: 'Two.' }])
    await agent.send('Two teapots', { output: order })
    expect(await agent.send('How many?')).toMatchObject({ text: 'Two.', reason: 'stop' })
    expect(toolNames(endpoint.requests[1])).not.toContain('final_result')
    expect(endpoint.requests[1]!.body!['tool_choice']).toBeUndefined()
  })
})

function lastParts(agent: Agent): readonly unknown[] {
  const last = agent.messages.at(-1)
  return last !== undefined && isObject(last) && last.role === 'assistant' ? last.parts : []
}
