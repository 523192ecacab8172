// The relay of the assistant: the page sends its requests to /models, and this route adds the key of the environment.
// node_modules/tool-agent/docs/relay.md has limits, users and usage.
import type { APIRoute } from 'astro'
import { getSecret } from 'astro:env/server'
import { createRelay } from 'tool-agent/relay'

export const prerender = false

const relay = createRelay({
  upstreams: {
    openai: {
      protocol: 'openai',
      endpoint: getSecret('MODEL_ENDPOINT') || 'https://api.openai.com/v1',
      key: getSecret('MODEL_API_KEY'),
      models: ['gpt-5-mini'], // the model that the page names
    },
  },
  // In production, return the signed-in user. Undefined refuses, so that nobody else can spend your budget.
  user: () => (import.meta.env.DEV ? 'developer' : undefined),
})

export const POST: APIRoute = ({ request }) => relay(request)
