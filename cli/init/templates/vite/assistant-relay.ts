// The relay of the assistant while you develop: the page sends its requests to /models, and this plugin of Vite adds the key.
// For visitors, mount the relay in the server of your site, with its users: node_modules/tool-agent/docs/relay.md.
import { createRelay, toNodeHandler } from 'tool-agent/relay'
import { loadEnv, type Plugin } from 'vite'

/** Reads MODEL_ENDPOINT and MODEL_API_KEY from the environment or from `.env.local`. */
export function assistantRelay(): Plugin {
  return {
    name: 'assistant-relay',
    configureServer({ config, middlewares }) {
      const env = loadEnv(config.mode, config.envDir, 'MODEL_')
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
      middlewares.use('/models', toNodeHandler(relay))
    },
  }
}
