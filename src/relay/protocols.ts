// What the relay knows about each model protocol: where a request goes, how the key is sent, which fields a request may
// have, and where an answer reports its usage. The fields are those that `<tool-agent>` sends.
import { count, exactly, fileUrl, flag, json, listOf, object, text, textOr, typed, type Fields } from './shapes.js'

/** The protocol of a model server. `openai` is chat completions, which most servers speak. */
export type ProtocolName = 'openai' | 'openai-responses' | 'anthropic' | 'google'
export type Json = Record<string, unknown>
export interface Usage {
  inputTokens: number
  outputTokens: number
}

export interface Protocol {
  /** Matches the path after the name of the upstream. A group `model` contains the model, if the path names it. */
  readonly path: RegExp
  /** How the key is sent. */
  headers(key: string): Record<string, string>
  /** Headers of the page that are sent on, and their values. */
  readonly forwarded: Readonly<Record<string, RegExp>>
  /** The fields that a body may have. */
  readonly fields: Fields
  /** Gives the parts of `body` that are checked their usual names. */
  normalize?(body: Json): void
  /**
   * The tools that the provider itself would run. The relay refuses them, because they cost money and reach other
   * servers.
   */
  hostedTools(body: Json): unknown[]
  countTools(body: Json): number
  /** Lowers the number of tokens of the answer in `body`. */
  limitOutput(body: Json, most: number): void
  /** Adds what one event or a whole answer reports. */
  readUsage(event: unknown, usage: Partial<Usage>): void
}

const objectIn = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const positive = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : 0)
const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const atMost = (given: unknown, most: number) => (typeof given === 'number' ? Math.min(given, most) : most)

/** Of a tool in the protocol of Anthropic: whether the page runs it. */
const isOwnTool = (type: unknown) => type === undefined || type === 'custom'

const texts = listOf(text)

// OpenAI, chat completions.
const chatPart = typed({
  text: { text },
  image_url: { image_url: object({ url: fileUrl, detail: text }) },
  file: { file: object({ filename: text, file_data: fileUrl }) },
})
const chatMessage = object({
  role: text,
  content: textOr(listOf(chatPart)),
  reasoning_content: text,
  reasoning: text,
  reasoning_details: listOf(json),
  tool_calls: listOf(
    typed({
      function: { id: text, function: object({ name: text, arguments: text }), extra_content: json },
    }),
  ),
  tool_call_id: text,
})
const chatFunction = { name: text, description: text, parameters: json, strict: flag }
const namedFunction = typed({ function: { function: object({ name: text }) } })
const jsonSchema = { name: text, description: text, schema: json, strict: flag }

// OpenAI, responses.
const responsePart = typed({
  input_text: { text },
  output_text: { text, annotations: listOf(json) },
  refusal: { refusal: text },
  input_image: { image_url: fileUrl, detail: text },
  input_file: { filename: text, file_data: fileUrl, file_url: fileUrl },
})
const message = { role: text, id: text, status: text, phase: text, content: textOr(listOf(responsePart)) }
const responseItem = typed({
  usual: message,
  message,
  // Goes back as the server sent it.
  reasoning: { id: text, summary: listOf(json), content: listOf(json), encrypted_content: text, format: text },
  function_call: { id: text, call_id: text, name: text, arguments: text, status: text },
  function_call_output: { call_id: text, output: textOr(listOf(responsePart)) },
})

// Anthropic.
const cache = { cache_control: typed({ ephemeral: {} }) }
const source = typed({
  base64: { media_type: text, data: text },
  url: { url: fileUrl },
  text: { media_type: text, data: text },
})
const contentBlocks = {
  text: { text, ...cache },
  image: { source, ...cache },
  document: { source, title: text, ...cache },
}
const block = typed({
  ...contentBlocks,
  tool_use: { id: text, name: text, input: json, ...cache },
  tool_result: { tool_use_id: text, content: textOr(listOf(typed(contentBlocks))), is_error: flag, ...cache },
  thinking: { thinking: text, signature: text },
  redacted_thinking: { data: text },
})

// Google.
const filePart = {
  inlineData: object({ mimeType: text, data: text }),
  fileData: object({ mimeType: text, fileUri: fileUrl }),
}
const part = object({
  text,
  thought: flag,
  thoughtSignature: text,
  functionCall: object({ id: text, name: text, args: json }),
  functionResponse: object({ id: text, name: text, response: json, parts: listOf(object(filePart)) }),
  ...filePart,
})
const content = object({ role: text, parts: listOf(part) })

export const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  openai: {
    path: /^\/chat\/completions$/,
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    forwarded: {},
    fields: {
      model: text,
      messages: listOf(chatMessage),
      tools: listOf(typed({ function: { function: object(chatFunction) } })),
      tool_choice: textOr(namedFunction),
      response_format: typed({ text: {}, json_object: {}, json_schema: { json_schema: object(jsonSchema) } }),
      stream: flag,
      stream_options: { include_usage: flag },
      max_tokens: count,
      max_completion_tokens: count,
      prompt_cache_key: text,
      n: exactly(1),
    },
    hostedTools: ({ tools }) => list(tools).filter((tool) => objectIn(tool)['type'] !== 'function'),
    countTools: ({ tools }) => list(tools).length,
    limitOutput(body, most) {
      const given = ['max_tokens', 'max_completion_tokens'].filter((name) => name in body)
      for (const name of given.length > 0 ? given : ['max_completion_tokens']) body[name] = atMost(body[name], most)
    },
    readUsage(event, usage) {
      const given = objectIn(objectIn(event)['usage'])
      if (typeof given['prompt_tokens'] === 'number') usage.inputTokens = given['prompt_tokens']
      if (typeof given['completion_tokens'] === 'number') usage.outputTokens = given['completion_tokens']
    },
  },
  'openai-responses': {
    path: /^\/responses$/,
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    forwarded: {},
    fields: {
      model: text,
      input: textOr(listOf(responseItem)),
      tools: listOf(typed({ function: chatFunction })),
      tool_choice: textOr(typed({ function: { name: text } })),
      // Nothing is stored at the provider.
      store: exactly(false),
      include: listOf(exactly('reasoning.encrypted_content')),
      text: { format: typed({ text: {}, json_object: {}, json_schema: jsonSchema }) },
      reasoning: { summary: text },
      stream: flag,
      max_output_tokens: count,
      prompt_cache_key: text,
      n: exactly(1),
    },
    hostedTools: ({ tools }) => list(tools).filter((tool) => objectIn(tool)['type'] !== 'function'),
    countTools: ({ tools }) => list(tools).length,
    limitOutput(body, most) {
      body['max_output_tokens'] = atMost(body['max_output_tokens'], most)
    },
    readUsage(event, usage) {
      const given = objectIn(objectIn(objectIn(event)['response'] ?? event)['usage'])
      if (typeof given['input_tokens'] === 'number') usage.inputTokens = given['input_tokens']
      if (typeof given['output_tokens'] === 'number') usage.outputTokens = given['output_tokens']
    },
  },
  anthropic: {
    path: /^\/messages$/,
    headers: (key) => ({ 'x-api-key': key }),
    forwarded: { 'anthropic-version': /^\d{4}-\d\d-\d\d$/ },
    fields: {
      model: text,
      max_tokens: count,
      system: textOr(listOf(typed({ text: contentBlocks.text }))),
      messages: listOf(object({ role: text, content: textOr(listOf(block)) })),
      tools: listOf(object({ type: text, name: text, description: text, input_schema: json, ...cache })),
      tool_choice: typed({ auto: {}, any: {}, none: {}, tool: { name: text } }),
      stream: flag,
      n: exactly(1),
    },
    hostedTools: ({ tools }) => list(tools).filter((tool) => !isOwnTool(objectIn(tool)['type'])),
    countTools: ({ tools }) => list(tools).length,
    limitOutput(body, most) {
      body['max_tokens'] = atMost(body['max_tokens'], most)
    },
    readUsage(event, usage) {
      const { usage: own, message: first } = objectIn(event)
      const given = objectIn(own ?? objectIn(first)['usage'])
      const input = given['input_tokens']
      if (typeof input === 'number')
        usage.inputTokens =
          input + positive(given['cache_read_input_tokens']) + positive(given['cache_creation_input_tokens'])
      if (typeof given['output_tokens'] === 'number') usage.outputTokens = given['output_tokens']
    },
  },
  google: {
    path: /^\/models\/(?<model>[\w.-]+):(?:streamGenerateContent|generateContent)$/,
    headers: (key) => ({ 'x-goog-api-key': key }),
    forwarded: {},
    fields: {
      contents: listOf(content),
      systemInstruction: content,
      tools: listOf(
        object({
          functionDeclarations: listOf(
            object({ name: text, description: text, parameters: json, parametersJsonSchema: json }),
          ),
        }),
      ),
      toolConfig: { functionCallingConfig: { mode: text, allowedFunctionNames: texts } },
      generationConfig: {
        thinkingConfig: { includeThoughts: flag },
        responseMimeType: text,
        responseJsonSchema: json,
        maxOutputTokens: count,
        candidateCount: exactly(1),
      },
    },
    // The server also takes names with underscores, and they must not pass the limits.
    normalize(body) {
      if (body['generation_config'] === undefined) return
      const given = Object.entries({ ...objectIn(body['generation_config']), ...objectIn(body['generationConfig']) })
      delete body['generation_config']
      body['generationConfig'] = Object.fromEntries(given.map(([key, one]) => [camelCase(key), one]))
    },
    hostedTools: ({ tools }) =>
      list(tools).filter((tool) => Object.keys(objectIn(tool)).some((name) => name !== 'functionDeclarations')),
    countTools: ({ tools }) =>
      list(tools).reduce<number>((sum, tool) => sum + list(objectIn(tool)['functionDeclarations']).length, 0),
    limitOutput(body, most) {
      const config = objectIn(body['generationConfig'])
      body['generationConfig'] = { ...config, maxOutputTokens: atMost(config['maxOutputTokens'], most) }
    },
    readUsage(event, usage) {
      const given = objectIn(objectIn(event)['usageMetadata'])
      if (typeof given['promptTokenCount'] === 'number') usage.inputTokens = given['promptTokenCount']
      if ('candidatesTokenCount' in given || 'thoughtsTokenCount' in given)
        usage.outputTokens = positive(given['candidatesTokenCount']) + positive(given['thoughtsTokenCount'])
    },
  },
}
