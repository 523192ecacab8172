// The relay of the assistant: the page sends its requests to /models, and this route adds the key of the environment.
// node_modules/tool-agent/docs/relay.md has limits, users and usage.
import { createRelay } from 'tool-agent/relay'

// The environment of the server, read without the types of Node, which Nuxt does not install.
const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process

const relay = createRelay({
  upstreams: {
    openai: {
      protocol: 'openai',
      endpoint: env['MODEL_ENDPOINT'] || 'https://api.openai.com/v1',
      key: env['MODEL_API_KEY'],
      models: ['gpt-5-mini'], // the model that the page names
    },
  },
  // In production, return the signed-in user. Undefined refuses, so that nobody else can spend your budget.
  user: () => (import.meta.dev ? 'developer' : undefined),
})

export default fromWebHandler(relay)
