// The entry `tool-agent/relay`: the server between pages and models that keeps the keys. Runs in Node and on edge
// runtimes, and imports nothing of the page.
export {
  createRelay,
  type Relay,
  type RelayAnswer,
  type RelayFetch,
  type RelayLimits,
  type RelayOptions,
  type Upstream,
  type UsageReport,
} from './relay/create-relay.js'
export { toNodeHandler, type NodeHandler, type NodeRequest, type NodeResponse } from './relay/node-handler.js'
export type { ProtocolName } from './relay/protocols.js'
export { rateLimiter, type CreateLimiter, type LimiterTaken, type RelayLimiter } from './relay/rate-limiter.js'
export { redisLimiter, type RedisClient, type RedisLimiterOptions } from './relay/redis-limiter.js'
export { sessionCookie, signSession, type RequestWithCookies } from './relay/session-cookie.js'
