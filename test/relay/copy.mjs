// One copy of the relay, whose limits are in the Redis at a port: `copy.mjs <name> <model> <redis port>
// <limits> <entry>`; the entry is the URL of the built relay. Posts
// its port to the process that forked it.
import { createClient } from 'redis'
import { createServer } from 'node:http'

const [, , name, endpoint, port, limits, entry] = process.argv
const { createRelay, redisLimiter, toNodeHandler } = await import(entry)
const client = createClient({ socket: { host: '127.0.0.1', port: Number(port) }, disableOfflineQueue: true })
client.on('error', () => {})
await client.connect()

const server = createServer(
  toNodeHandler(
    createRelay({
      upstreams: { openai: { protocol: 'openai', endpoint, models: ['small'], headers: { 'x-copy': name } } },
      user: (request) => decodeURIComponent(request.headers.get('x-user') ?? ''),
      limits: JSON.parse(limits),
      // On a busy machine.
      limiter: redisLimiter(client, { timeout: 30_000 }),
    }),
  ),
)
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('disconnect', () => process.exit())
