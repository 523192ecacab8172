// The relay as a server of its own: `OPENAI_API_KEY=… SESSION_SECRET=… node server.mjs`. Put it behind the proxy that
// serves your site, so that pages reach it at /models on their own origin.
import { createServer } from 'node:http'
import { createRelay, sessionCookie, toNodeHandler } from 'tool-agent/relay'

const { OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, SESSION_SECRET } = process.env
// HOST=0.0.0.0 in a container.
const { HOST = '127.0.0.1', PORT = '8787' } = process.env
if (!SESSION_SECRET) throw new Error('Set SESSION_SECRET to the secret that signs your session cookies')

const relay = createRelay({
  upstreams: {
    openai: {
      protocol: 'openai',
      endpoint: 'https://api.openai.com/v1',
      key: OPENAI_API_KEY,
      models: ['gpt-5-mini'],
    },
    responses: {
      protocol: 'openai-responses',
      endpoint: 'https://api.openai.com/v1',
      key: OPENAI_API_KEY,
      models: ['gpt-5-mini'],
    },
    anthropic: {
      protocol: 'anthropic',
      endpoint: 'https://api.anthropic.com/v1',
      key: ANTHROPIC_API_KEY,
      models: ['claude-sonnet-4-5'],
    },
    google: {
      protocol: 'google',
      endpoint: 'https://generativelanguage.googleapis.com/v1beta',
      key: GEMINI_API_KEY,
      models: ['gemini-2.5-flash'],
    },
  },
  user: sessionCookie({ secret: SESSION_SECRET }),
  limits: { outputTokens: 8_000 },
  onUsage: (report) => console.log(JSON.stringify(report)),
})

const server = createServer(toNodeHandler(relay))
server.listen({ port: Number(PORT), host: HOST }, () => {
  const address = server.address()
  console.log(`The relay listens on http://${HOST}:${typeof address === 'object' ? address?.port : PORT}`)
})
// Answers that stream are finished before the process ends.
process.once('SIGTERM', () => server.close())
