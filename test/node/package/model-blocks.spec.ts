// The blocks of docs/models.md that name a server: each server of the list has one, its attributes are valid options,
// and the adapter of its provider sends the request where the page says.
import { readFileSync } from 'node:fs'
import { transformSync } from 'rolldown/utils'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../src/core/data/model.js'
import { bundledFiles } from '../../../src/host/models/provider-imports.js'
import type { ProviderOptions } from '../../../src/host/models/provider.js'
import type { AgentOptions } from '../../../src/page/options.js'
import { parseOptions } from '../../../src/page/option-table.js'
import { attributeProperties } from '../../../src/ui/element/element-options.js'
import { expect, test } from '../../support/lab/lab.js'
import { blocksOf } from '../../support/project/docs.js'

const blocks = blocksOf(readFileSync(new URL('../../../docs/models.md', import.meta.url), 'utf8'))
const markup = blocks.filter(({ language }) => language === 'html')

/** The attributes of the `<tool-agent>` of a block, as properties. */
function propertiesOf(code: string): Record<string, string> {
  const [, tag = ''] = /<tool-agent\s([^>]*)>/.exec(code) ?? []
  return Object.fromEntries(
    [...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => {
      const property = attributeProperties.get(name)
      expect(property, `${name} is an attribute`).toBeDefined()
      return [property, value]
    }),
  )
}

/** Where the adapter of these options sends a request. */
async function addressOf({ endpoint = '', model, provider = 'openai' }: AgentOptions): Promise<string> {
  const load = bundledFiles.providers.get(provider)
  if (!load) throw new Error(`No provider ${provider}`)
  let address = ''
  const create = (await load()).provider as (options: ProviderOptions) => ModelAdapter
  const adapter = create({
    endpoint,
    credentials: 'omit',
    stream: true,
    limits: { responseBytes: 1000 },
    headers: async () => ({}),
    fetch: async (url) => {
      address = String(url)
      return new Response('{}', { status: 400 })
    },
  })
  const request = { model: String(model), system: '', tools: [], toolChoice: 'auto' as const }
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }]
  await adapter
    .stream({ ...request, messages }, new AbortController().signal)
    [Symbol.asyncIterator]()
    .next()
    .catch(() => undefined)
  return address
}

const paths: Readonly<Record<string, string>> = {
  openai: '/chat/completions',
  'openai-responses': '/responses',
  anthropic: '/messages',
  google: ':streamGenerateContent',
}

for (const heading of [
  'OpenAI',
  'Azure OpenAI',
  'Ollama',
  'vLLM',
  'SGLang',
  'llama.cpp',
  'LM Studio',
  'DeepSeek',
  'Qwen (Alibaba Cloud)',
  'Zhipu (Z.ai)',
  'MiniMax',
  'Moonshot (Kimi)',
  'Mistral',
  'Groq',
  'xAI',
  'OpenRouter',
  'Snowflake Cortex',
  'OpenAI Responses',
  'Anthropic',
  'Gemini',
])
  test(`the block of ${heading} sends its requests to that server`, async () => {
    const block = markup.find((one) => one.heading === heading)
    const options = parseOptions(propertiesOf(block?.code ?? '')) as AgentOptions
    const address = await addressOf(options)
    expect(address.startsWith(String(options.endpoint))).toBe(true)
    expect(address).toContain(paths[options.provider ?? 'openai'])
  })

test('the block of the built-in model has valid options', () => {
  const block = markup.find((one) => one.heading === 'The model of the browser')
  expect(parseOptions(propertiesOf(block?.code ?? ''))).toEqual({ provider: 'browser' })
})

test('the block for files sets the option of the element', () => {
  const block = markup.find((one) => one.heading === 'Files')
  expect(propertiesOf(block?.code ?? '')).toMatchObject({ attachments: 'image/*,text/*' })
})

type Turn = { role: string; content: string }
type Generate = (turns: Turn[], signal: AbortSignal) => AsyncIterable<string>

/** The block of a heading as a module, with `engines` in place of what it imports from a package. */
async function moduleOf(heading: string, engines: object = {}): Promise<Record<string, unknown>> {
  const block = blocks.find((one) => one.heading === heading)
  const { code, errors } = transformSync(`${heading}.ts`, block?.code ?? '')
  expect(errors).toEqual([])
  const name = `engines of ${heading}`
  Object.assign(globalThis, { [name]: engines, location: { href: 'https://shop.example/' } })
  const own = code.replace(/import (\{[^}]*\}) from ['"][^'"]+['"]/, `const $1 = globalThis['${name}']`)
  return (await import(`data:text/javascript,${encodeURIComponent(own)}`)) as Record<string, unknown>
}

const pieces = ['Two ', 'teapots, ', 'then.']
/** Stand-ins for the packages. Each records where it loads from, what it was asked and whether it was stopped. */
const standIns: Record<string, (log: string[]) => object> = {
  WebLLM: (log) => ({
    CreateMLCEngine: async (
      id: string,
      { appConfig }: { appConfig: { model_list: { model_id: string; model: string }[] } },
    ) => {
      log.push(`loads ${appConfig.model_list.find(({ model_id: one }) => one === id)?.model}`)
      return {
        interruptGenerate: () => log.push('stopped'),
        chat: {
          completions: {
            async *create({ messages, stream }: { messages: Turn[]; stream: boolean }) {
              log.push(`asked ${stream} ${messages.map(({ role, content }) => `${role}: ${content}`).join(', ')}`)
              for (const content of pieces) yield { choices: [{ delta: { content } }] }
            },
          },
        },
      }
    },
  }),
  wllama: (log) => ({
    Wllama: class {
      loadModelFromUrl(url: string) {
        log.push(`loads ${new URL(url, 'https://shop.example/').href}`)
      }
      async *createChatCompletion(
        messages: Turn[],
        { stream, abortSignal }: { stream: boolean; abortSignal: AbortSignal },
      ) {
        abortSignal.addEventListener('abort', () => log.push('stopped'))
        log.push(`asked ${stream} ${messages.map(({ role, content }) => `${role}: ${content}`).join(', ')}`)
        for (const index of pieces.keys()) yield { currentText: pieces.slice(0, index + 1).join('') }
      }
    },
  }),
  'Transformers.js': (log) => ({
    env: { backends: { onnx: { wasm: {} } } },
    InterruptableStoppingCriteria: class {
      interrupt() {
        log.push('stopped')
      }
    },
    TextStreamer: class {
      readonly options: unknown
      constructor(_tokenizer: unknown, options: unknown) {
        this.options = options
      }
    },
    async pipeline(_task: string, model: string) {
      log.push(`loads https://shop.example/models/${model}`)
      return Object.assign(
        async (
          messages: Turn[],
          { streamer }: { streamer: { options: { callback_function(text: string): void } } },
        ) => {
          log.push(`asked true ${messages.map(({ role, content }) => `${role}: ${content}`).join(', ')}`)
          for (const piece of pieces) streamer.options.callback_function(piece)
        },
        { tokenizer: {} },
      )
    },
  }),
}

for (const heading of ['WebLLM', 'wllama', 'Transformers.js'])
  test(`the recipe for ${heading} streams the text of its engine, loads from the page’s own server, and stops`, async () => {
    const log: string[] = []
    const { generate } = (await moduleOf(heading, standIns[heading]!(log))) as { generate: Generate }
    const { connect } = (await moduleOf('A small model in the page')) as {
      connect(agent: object, generate: Generate): void
    }
    const agent: { textProtocol?: boolean; modelAdapter?: ModelAdapter } = {}
    connect(agent, generate)
    expect(agent.textProtocol).toBe(true)
    const controller = new AbortController()
    const request = {
      system: 'Be short.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'How many?' }] }],
    } as unknown as ModelRequest
    const parts: ModelPart[] = []
    for await (const part of agent.modelAdapter!.stream(request, controller.signal)) parts.push(part)
    expect(parts.map((part) => (part.type === 'text-delta' ? part.delta : part.type))).toEqual([...pieces, 'finish'])
    expect(log[0]).toMatch(/^loads https:\/\/shop\.example\/models\//)
    expect(log[1]).toBe('asked true system: Be short., user: How many?')
    controller.abort()
    expect(log.at(-1)).toBe('stopped')
  })
