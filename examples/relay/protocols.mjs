// What the relay knows about each model protocol: where a request goes, how the key is sent, which parts of a body it
// checks, and where an answer reports its usage.

/** @typedef {'openai' | 'openai-responses' | 'anthropic' | 'google'} ProtocolName */
/** @typedef {Record<string, any>} Json */
/** @typedef {{ inputTokens: number, outputTokens: number }} Usage */

/**
 * @typedef {object} Protocol
 * @property {RegExp} path Matches the path after the name of the upstream. A group `model` contains the model, if the
 *   path names it.
 * @property {(key: string) => Record<string, string>} headers How the key is sent.
 * @property {readonly string[]} forwarded Headers of the page that are sent on.
 * @property {(body: Json) => void} [normalize] Gives the parts of `body` that are checked their usual names.
 * @property {(body: Json) => unknown[] | undefined} hostedTools The tools that the provider itself would run. The relay
 *   refuses them, because they cost money and reach other servers.
 * @property {(body: Json) => number} countTools
 * @property {(body: Json) => unknown} countAnswers How many answers the request asks for, as it says. Each one costs.
 * @property {(body: Json, most: number) => void} limitOutput Lowers the number of tokens of the answer in `body`.
 * @property {(event: Json, usage: Partial<Usage>) => void} readUsage Adds what one event or a whole answer reports.
 */

/** @param {unknown} value @returns {Json} */
const object = (value) => (typeof value === 'object' && value !== null ? value : {})
/** @param {unknown} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value : [])
/** @param {unknown} value */
const count = (value) => (typeof value === 'number' && value >= 0 ? value : 0)
/** @param {string} name */
const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())
/** @param {unknown} given @param {number} most */
const atMost = (given, most) => (typeof given === 'number' ? Math.min(given, most) : most)

/** @type {Record<ProtocolName, Protocol>} */
export const protocols = {
  openai: {
    path: /^\/chat\/completions$/,
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    forwarded: [],
    hostedTools: ({ tools }) => list(tools).filter((tool) => object(tool)['type'] !== 'function'),
    countTools: ({ tools }) => list(tools).length,
    countAnswers: ({ n }) => n ?? 1,
    limitOutput(body, most) {
      const given = ['max_tokens', 'max_completion_tokens'].filter((name) => name in body)
      for (const name of given.length > 0 ? given : ['max_completion_tokens']) body[name] = atMost(body[name], most)
    },
    readUsage(event, usage) {
      const given = object(event['usage'])
      if (typeof given['prompt_tokens'] === 'number') usage.inputTokens = given['prompt_tokens']
      if (typeof given['completion_tokens'] === 'number') usage.outputTokens = given['completion_tokens']
    },
  },
  'openai-responses': {
    path: /^\/responses$/,
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    forwarded: [],
    hostedTools: ({ tools }) => list(tools).filter((tool) => object(tool)['type'] !== 'function'),
    countTools: ({ tools }) => list(tools).length,
    countAnswers: ({ n }) => n ?? 1,
    limitOutput(body, most) {
      body['max_output_tokens'] = atMost(body['max_output_tokens'], most)
    },
    readUsage(event, usage) {
      const given = object(object(event['response'] ?? event)['usage'])
      if (typeof given['input_tokens'] === 'number') usage.inputTokens = given['input_tokens']
      if (typeof given['output_tokens'] === 'number') usage.outputTokens = given['output_tokens']
    },
  },
  anthropic: {
    path: /^\/messages$/,
    headers: (key) => ({ 'x-api-key': key }),
    forwarded: ['anthropic-version', 'anthropic-beta'],
    hostedTools: ({ tools, mcp_servers: servers }) => [
      ...list(tools).filter((tool) => ![undefined, 'custom'].includes(object(tool)['type'])),
      ...list(servers),
    ],
    countTools: ({ tools }) => list(tools).length,
    countAnswers: ({ n }) => n ?? 1,
    limitOutput(body, most) {
      body['max_tokens'] = atMost(body['max_tokens'], most)
    },
    readUsage(event, usage) {
      const given = object(event['usage'] ?? object(event['message'])['usage'])
      const input = given['input_tokens']
      if (typeof input === 'number')
        usage.inputTokens =
          input + count(given['cache_read_input_tokens']) + count(given['cache_creation_input_tokens'])
      if (typeof given['output_tokens'] === 'number') usage.outputTokens = given['output_tokens']
    },
  },
  google: {
    path: /^\/models\/(?<model>[\w.-]+):(?:streamGenerateContent|generateContent)$/,
    headers: (key) => ({ 'x-goog-api-key': key }),
    forwarded: [],
    // The server also takes names with underscores, and they must not pass the limits.
    normalize(body) {
      const given = Object.entries({ ...object(body['generation_config']), ...object(body['generationConfig']) })
      delete body['generation_config']
      if (given.length > 0)
        body['generationConfig'] = Object.fromEntries(given.map(([key, one]) => [camelCase(key), one]))
    },
    hostedTools: ({ tools }) =>
      list(tools).filter((tool) => Object.keys(object(tool)).some((name) => name !== 'functionDeclarations')),
    countTools: ({ tools }) =>
      list(tools).reduce((sum, tool) => sum + list(object(tool)['functionDeclarations']).length, 0),
    countAnswers: ({ generationConfig }) => object(generationConfig)['candidateCount'] ?? 1,
    limitOutput(body, most) {
      const config = object(body['generationConfig'])
      body['generationConfig'] = { ...config, maxOutputTokens: atMost(config['maxOutputTokens'], most) }
    },
    readUsage(event, usage) {
      const given = object(event['usageMetadata'])
      if (typeof given['promptTokenCount'] === 'number') usage.inputTokens = given['promptTokenCount']
      if ('candidatesTokenCount' in given || 'thoughtsTokenCount' in given)
        usage.outputTokens = count(given['candidatesTokenCount']) + count(given['thoughtsTokenCount'])
    },
  },
}
