// The relay of the assistant while you develop: `node assistant/relay.mjs`. The key stays in this process. proxy.conf.json
// passes /models on to it. For visitors, mount the relay in the server of your site, with its users:
// node_modules/tool-agent/docs/relay.md.
import { createServer } from 'node:http'
import { createRelay, toNodeHandler } from 'tool-agent/relay'

const { RELAY_PORT = '8787', MODEL_ENDPOINT, MODEL_API_KEY } = process.env

const relay = createRelay({
  upstreams: {
    openai: {
      protocol: 'openai',
      endpoint: MODEL_ENDPOINT || 'https://api.openai.com/v1',
      key: MODEL_API_KEY,
      models: ['gpt-5-mini'], // the model that the page names
    },
  },
  user: () => 'developer',
})

createServer(toNodeHandler(relay)).listen(Number(RELAY_PORT), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${RELAY_PORT}/models`),
)
