// A model that plays a policy: each call of the policy becomes the answer to the next request, and the request after it
// carries the result. Speaks the chat completions protocol.
import { setTimeout as pause } from 'node:timers/promises'
import { fullResults } from '../support/full-results.mjs'
import { requestMeter } from '../support/provider-order.mjs'

/** A call of a policy. @typedef {{ id: string, tool: string, input: Record<string, unknown>, intent: string, sentAt: number, endedAt: number, answer: string }} Call */

/** The longest wait for the page to bring a result, in milliseconds. */
const patience = 45_000

export function policyModel() {
  /** @type {Call[]} */
  const calls = []
  /** The answer that the next request gets. @type {{ give: (answer: object) => void }[]} */
  const waiting = []
  /** @type {object[]} */
  const ready = []
  /** @type {((text: string) => void) | undefined} */
  let result
  let isOver = false
  const meter = requestMeter('chat')

  const next = (/** @type {object} */ answer) => {
    const first = waiting.shift()
    if (first) first.give(answer)
    else ready.push(answer)
  }

  return {
    calls,
    /** What the requests contained so far. */
    requests: meter.sum,
    /** Makes a call, and resolves with the text of its result. @param {string} tool @param {Record<string, unknown>} input @param {string} intent */
    async call(tool, input, intent) {
      const call = {
        id: `call_${calls.length + 1}`,
        tool,
        input,
        intent,
        sentAt: Date.now(),
        endedAt: Infinity,
        answer: '',
      }
      calls.push(call)
      const answered = new Promise((/** @type {(text: string) => void} */ done) => {
        result = done
      })
      next({ call })
      const timeout = new AbortController()
      const late = pause(patience, undefined, { signal: timeout.signal }).then(
        () => {
          throw new Error(`${tool} brought no result within ${patience / 1000} seconds`)
        },
        () => '',
      )
      const text = await Promise.race([answered, late])
      timeout.abort()
      call.endedAt = Date.now()
      call.answer = text
      return call.answer
    },
    /** The page went to another site, where nothing can bring the result of the last call. */
    leave() {
      result?.('{"navigated":"to another site"}')
      result = undefined
    },
    /** Ends the turn with a text. @param {string} text */
    finish(text) {
      isOver = true
      next({ text })
    },
    /** Answers one request. @param {any} body @param {import('node:http').ServerResponse} response */
    async answer(body, response) {
      meter.add(body)
      const last = body.messages?.at(-1)
      // A request that repeats an interrupted one carries no new result.
      if (last?.role === 'tool' && last.tool_call_id === calls.at(-1)?.id) {
        result?.(fullResults(body).get(last.tool_call_id) ?? '')
        result = undefined
      }
      const answer = /** @type {{ call?: Call, text?: string }} */ (
        isOver && ready.length === 0
          ? { text: 'Done.' }
          : (ready.shift() ?? (await new Promise((give) => waiting.push({ give }))))
      )
      stream(response, answer)
    },
  }
}

/** @typedef {ReturnType<typeof policyModel>} PolicyModel */

/** @param {import('node:http').ServerResponse} response @param {{ call?: Call, text?: string }} answer */
function stream(response, { call, text = '' }) {
  const delta = call
    ? {
        tool_calls: [
          {
            index: 0,
            id: call.id,
            type: 'function',
            function: { name: call.tool, arguments: JSON.stringify(call.input) },
          },
        ],
      }
    : { content: text }
  const head = { id: 'bench', created: 1, model: 'bench', object: 'chat.completion.chunk' }
  const event = (/** @type {object} */ part, /** @type {string | null} */ finished = null) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta: part, finish_reason: finished }] })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.end(
    `${event({ role: 'assistant', content: '' })}${event(delta)}${event({}, call ? 'tool_calls' : 'stop')}data: [DONE]\n\n`,
  )
}
