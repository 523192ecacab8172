// The relay as a `fetch` handler, for runtimes that call `export default { fetch }` (Cloudflare Workers, Deno, Bun).
import { createRelay, sessionCookie } from 'tool-agent/relay'

/** @type {((request: Request) => Promise<Response>) | undefined} */
let relay

export default {
  /** @param {Request} request @param {{ OPENAI_API_KEY: string, SESSION_SECRET: string }} env */
  fetch(request, env) {
    // Created with the first request, because the secrets come with it.
    relay ??= createRelay({
      upstreams: {
        openai: {
          protocol: 'openai',
          endpoint: 'https://api.openai.com/v1',
          key: env.OPENAI_API_KEY,
          models: ['gpt-5-mini'],
        },
      },
      user: sessionCookie({ secret: env.SESSION_SECRET }),
      limits: { outputTokens: 8_000 },
    })
    return relay(request)
  },
}
