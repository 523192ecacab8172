// The blocks of docs/models.md that name a server: each server of the list has one, its attributes are valid options,
// and the adapter of its provider sends the request where the page says.
import { readFileSync } from 'node:fs'
import { transformSync } from 'rolldown/utils'
import type { ModelAdapter } from '../../../src/core/data/model.js'
import { bundledFiles } from '../../../src/host/models/bundled-providers.js'
import type { ProviderOptions } from '../../../src/host/models/provider.js'
import type { AgentOptions } from '../../../src/page/options.js'
import { parseOptions } from '../../../src/page/parse-options.js'
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

test('the recipe for WebLLM is valid TypeScript', () => {
  const block = blocks.find((one) => one.heading === 'WebLLM')
  const { code, errors } = transformSync('webllm.ts', block?.code ?? '')
  expect(errors).toEqual([])
  expect(code).toContain('CreateMLCEngine')
})
