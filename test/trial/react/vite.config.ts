import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The server of the shop in development: it keeps the orders, one for each key. */
function orders(): Plugin {
  const placed = new Map<string, unknown>()
  return {
    name: 'orders',
    configureServer({ middlewares }) {
      middlewares.use('/orders', async (request, response) => {
        if (request.method === 'POST') {
          let body = ''
          for await (const part of request) body += part
          const key = String(request.headers['idempotency-key'])
          if (!placed.has(key)) placed.set(key, JSON.parse(body))
          response.end(JSON.stringify({ number: [...placed.keys()].indexOf(key) + 1 }))
        } else response.end(JSON.stringify([...placed.values()]))
      })
    },
  }
}

export default defineConfig({ plugins: [react(), orders()] })
