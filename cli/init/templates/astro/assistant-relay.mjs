// The relay of the assistant while you develop: the page sends its requests to /models, and this integration of Astro adds the
// key. A site with an adapter can have a route instead, and needs one for visitors: node_modules/tool-agent/docs/relay.md.
import { createRelay, toNodeHandler } from 'tool-agent/relay'
import { loadEnv } from 'vite'

/**
 * Reads MODEL_ENDPOINT and MODEL_API_KEY from the environment or from `.env`.
 * @returns {import('astro').AstroIntegration}
 */
export function assistantRelay() {
  return {
    name: 'assistant-relay',
    hooks: {
      'astro:server:setup': ({ server }) => {
        const env = loadEnv(server.config.mode, server.config.envDir, 'MODEL_')
        const relay = createRelay({
          upstreams: {
            openai: {
              protocol: 'openai',
              endpoint: env['MODEL_ENDPOINT'] || 'https://api.openai.com/v1',
              key: env['MODEL_API_KEY'],
              models: ['gpt-5-mini'], // the model that the page names
            },
          },
          user: () => 'developer',
        })
        server.middlewares.use('/models', toNodeHandler(relay))
      },
    },
  }
}
