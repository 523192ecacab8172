// The relay of the assistant: the page sends its requests to /models, and this route adds the key of the environment.
// node_modules/tool-agent/docs/relay.md has limits, users and usage.
import { createRelay } from 'tool-agent/relay'

export const POST = createRelay({
  upstreams: {
    openai: {
      protocol: 'openai',
      endpoint: process.env['MODEL_ENDPOINT'] || 'https://api.openai.com/v1',
      key: process.env['MODEL_API_KEY'],
      models: ['gpt-5-mini'], // the model that the page names
    },
  },
  // In production, return the signed-in user. Undefined refuses, so that nobody else can spend your budget.
  user: () => (process.env.NODE_ENV === 'production' ? undefined : 'developer'),
})
