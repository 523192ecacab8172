// A relay in each framework of docs/relay.md, in the short form that the page shows. Each function gets what the entry
// exports and a relay, and returns the address on this machine with a function that stops the server.
import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'

/** @param {import('node:http').Server} server */
async function listening(server) {
  if (!server.listening) await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const stop = () => new Promise((done) => server.close(done).closeAllConnections())
  return { url: `http://127.0.0.1:${server.address().port}`, stop }
}

export const servers = {
  http: ({ toNodeHandler }, relay) => listening(createServer(toNodeHandler(relay))),

  express({ toNodeHandler }, relay, login) {
    const app = express()
    app.use('/models', toNodeHandler(relay))
    app.use(express.json())
    if (login) app.post('/login', login)
    return listening(createServer(app))
  },

  'express after express.json()'({ toNodeHandler }, relay) {
    const app = express()
    app.use(express.json({ limit: '20mb' }))
    app.use('/models', toNodeHandler(relay))
    return listening(createServer(app))
  },

  async fastify({ toNodeHandler }, relay) {
    const app = Fastify()
    const handler = toNodeHandler(relay)
    app.route({
      method: 'POST',
      url: '/models/*',
      // Before the body is read.
      onRequest: async (request, reply) => {
        reply.hijack()
        handler(request.raw, reply.raw)
      },
      handler: () => undefined,
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return listening(app.server)
  },

  async hono(_entry, relay) {
    const app = new Hono()
    app.post('/models/*', (context) => relay(context.req.raw))
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    await new Promise((done) => server.once('listening', done))
    return listening(server)
  },
}
