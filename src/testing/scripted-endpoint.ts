// A model server that answers from a script, in the protocol of chat completions: for tests that go through a relay, a
// real server and a browser.
import { errorMessage } from '../core/data/errors.js'
import { isObject, type JsonObject } from '../core/data/json.js'
import type { FinishReason } from '../core/data/model.js'
import { Script, type ScriptedAnswer } from './script.js'

/** A request that a scripted endpoint received. */
export interface EndpointRequest {
  /** Where it was sent. */
  readonly url: string
  /** Its headers, with names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  /** Its body: `model`, `messages`, `tools` and more. */
  readonly body: JsonObject
}

/**
 * The answer to one request: a text, an answer with calls, or a function that receives the request and returns either,
 * or a `Response` such as `new Response(null, { status: 429 })`. If the function throws, the request is answered with
 * status 400 and `done()` throws the same error.
 */
export type EndpointStep =
  | string
  | ScriptedAnswer
  | ((request: EndpointRequest) => EndpointResult | Promise<EndpointResult>)
type EndpointResult = string | ScriptedAnswer | Response

/** What `scriptedEndpoint` returns: the option `fetch` of a relay, or the handler of a server. */
export interface ScriptedEndpoint {
  /** Answers one request, as `fetch` does. */
  (input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** All requests so far, the oldest first. */
  readonly requests: readonly EndpointRequest[]
  /**
   * Checks that each step was used, and that no other request came. Call it at the end of the test.
   * @throws {Error} if a step was not used, if there was an unexpected request, or if a step's function threw
   */
  done(): void
}

const reasons: Partial<Record<FinishReason, string>> = {
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
}

/**
 * Creates a server of chat completions that answers the first request with the first step, the second with the second
 * step, and so on; streamed if the request asks for it. A request after the last step has status 400, which is not
 * retried. For a relay: `createRelay({ fetch: endpoint, … })`. For a server of its own in Node:
 * `createServer(toNodeHandler(endpoint))`, with `toNodeHandler` of `tool-agent/relay`.
 * @throws {ToolAgentError} `invalid-option` if a step is not a text, an answer or a function
 */
export function scriptedEndpoint(steps: readonly EndpointStep[]): ScriptedEndpoint {
  const script = new Script<EndpointRequest, EndpointResult>('scriptedEndpoint', steps, ({ body: { messages } }) =>
    JSON.stringify(Array.isArray(messages) ? messages.at(-1) : messages)?.slice(0, 200),
  )
  const resultOf = async (request: EndpointRequest): Promise<ScriptedAnswer | Response> => {
    const step = script.take(request)
    if (typeof step !== 'function') return script.check(step, `step ${script.count}`)
    try {
      const result = await step(request)
      if (result instanceof Response) return result
      return script.check(result, `the function of step ${script.count}`)
    } catch (error) {
      throw script.fail(error)
    }
  }
  const answer = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = await receivedFrom(input, init)
    try {
      const result = await resultOf(request)
      return result instanceof Response ? result : completion(request.body, result, script)
    } catch (error) {
      return Response.json({ error: { type: 'scripted_endpoint', message: errorMessage(error) } }, { status: 400 })
    }
  }
  return Object.assign(answer, {
    requests: script.requests,
    done: () => {
      script.done()
    },
  })
}

async function receivedFrom(input: Request | URL | string, init: RequestInit | undefined): Promise<EndpointRequest> {
  // Not `new Request(input)`: the requests of Node frameworks only look like one.
  const isRequest = typeof input === 'object' && 'headers' in input
  const text = isRequest ? await input.text() : await new Response(init?.body).text()
  const headers = isRequest ? input.headers : new Headers(init?.headers)
  const body: unknown = JSON.parse(text || '{}')
  return {
    url: isRequest ? input.url : String(input),
    headers: Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value])),
    body: isObject(body) ? (body as JsonObject) : {},
  }
}

/** The answer in the protocol: one object, or its pieces as server-sent events. */
function completion(
  { model, stream, stream_options: options }: JsonObject,
  answer: ScriptedAnswer,
  script: Script<EndpointRequest, EndpointResult>,
): Response {
  const calls = script.callsOf(answer)
  const toolCalls = calls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: input },
  }))
  const unified = script.reasonOf(answer)
  const reason = reasons[unified] ?? unified
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  const about = { id: `scripted-${script.count}`, created: 0, model: model ?? 'scripted' }
  const message = {
    role: 'assistant',
    content: answer.text ?? null,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  }
  if (stream !== true)
    return Response.json({
      ...about,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: reason }],
      usage,
    })
  const chunk = (choices: readonly object[], more: object = {}): string =>
    `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const text = [
    chunk([{ index: 0, delta: message, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: reason }]),
    ...(isObject(options) && options['include_usage'] === true ? [chunk([], { usage })] : []),
    'data: [DONE]\n\n',
  ]
  return new Response(text.join(''), { headers: { 'content-type': 'text/event-stream' } })
}
