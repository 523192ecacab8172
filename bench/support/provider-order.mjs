// A request body in the order in which its provider reads and caches it: tools, system text, messages. Without sampling
// fields and without cache marks, which are not part of what is cached.

/** @typedef {Record<string, any>} Body */

/** What comes before the messages, and the messages, by protocol. @type {Record<Protocol, (body: Body) => unknown[]>} */
const orders = {
  // https://platform.openai.com/docs/guides/prompt-caching
  chat: ({ tools = [], response_format, messages = [] }) => [response_format, ...tools, ...messages.map(blocks)],
  responses: ({ tools = [], text, instructions, input = [] }) => [text, ...tools, instructions, ...input.map(blocks)],
  // https://platform.claude.com/docs/en/build-with-claude/prompt-caching
  anthropic: ({ tools = [], system, messages = [] }) => [...tools, system, ...messages.map(blocks)],
  // https://ai.google.dev/gemini-api/docs/caching
  google: ({ tools = [], systemInstruction, contents = [] }) => [...tools, systemInstruction, ...contents.map(blocks)],
}

/** @typedef {'chat' | 'responses' | 'anthropic' | 'google'} Protocol */

/** The body as one text. Equal beginnings of two texts are equal beginnings for the provider. @param {Protocol} protocol @param {Body} body */
export function providerText(protocol, body) {
  const parts = orders[protocol](body).flat()
  return parts.flatMap((part) => (part === undefined ? [] : [`${JSON.stringify(part, withoutMarks)}\n`])).join('')
}

/** A message that gets another block keeps its beginning. @param {Body} message */
function blocks(message) {
  const list = ['content', 'parts'].find((name) => Array.isArray(message[name]))
  if (list === undefined) return message
  return [{ ...message, [list]: undefined }, ...message[list]]
}

/** @param {string} name @param {unknown} value */
function withoutMarks(name, value) {
  return name === 'cache_control' ? undefined : value
}

/** How many characters two texts have in common at their beginning. @param {string} one @param {string} other */
export function commonPrefix(one, other) {
  const most = Math.min(one.length, other.length)
  let index = 0
  while (index < most && one.charCodeAt(index) === other.charCodeAt(index)) index++
  return index
}

/**
 * What part of the request before it a request begins with, from 0 to 1.
 * @param {Protocol} protocol @param {Body} before @param {Body} after
 */
export function keptShare(protocol, before, after) {
  const text = providerText(protocol, before)
  return text === '' ? 1 : commonPrefix(text, providerText(protocol, after)) / text.length
}

/**
 * What the requests of one conversation contain. `chars`: all characters. `cost`: those that are new, and a tenth of
 * those that repeat the beginning of the request before.
 * @typedef {{ count: number, chars: number, cost: number }} RequestSum
 */

/** Counts what is sent. @param {Protocol} protocol */
export function requestMeter(protocol) {
  let before = ''
  let sum = { count: 0, chars: 0, cost: 0 }
  return {
    /** @param {Body} body */
    add(body) {
      const text = providerText(protocol, body)
      const known = commonPrefix(before, text)
      before = text
      const { count, chars, cost } = sum
      sum = { count: count + 1, chars: chars + text.length, cost: cost + text.length - 0.9 * known }
    },
    /** @returns {RequestSum} */
    sum: () => sum,
  }
}
