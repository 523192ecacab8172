// One copy of the relay, whose limits are in the Redis at a port: `copy.mjs <name> <model> <redis port> <limits>`. Posts
// its port to the process that forked it.
import { createClient } from 'redis'
import { nodeFetch } from '../../examples/relay/node-fetch.mjs'
import { nodeServer } from '../../examples/relay/node-server.mjs'
import { redisLimiter } from '../../examples/relay/redis-limiter.mjs'
import { createRelay } from '../../examples/relay/relay.mjs'

const [, , name, endpoint, port, limits] = process.argv
const client = createClient({ socket: { host: '127.0.0.1', port: Number(port) }, disableOfflineQueue: true })
client.on('error', () => {})
await client.connect()

const server = nodeServer(
  createRelay({
    upstreams: { openai: { protocol: 'openai', endpoint, models: ['small'], headers: { 'x-copy': name } } },
    user: (request) => decodeURIComponent(request.headers.get('x-user') ?? ''),
    limits: JSON.parse(limits),
    // On a busy machine.
    limiter: redisLimiter(client, { timeout: 30_000 }),
    fetch: nodeFetch,
  }),
)
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('disconnect', () => process.exit())
