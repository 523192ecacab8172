// Limits the requests of each user across all copies of the relay, with counts in Redis 5 or later. It imports no client:
// the author passes one. Each check is one script, so two copies never count from the same number. A stream is a lease
// that its copy renews, so the streams of a copy that was killed are free again after `lease`.
import { rateLimiter } from './rate-limiter.mjs'
import { reasonOf } from './refusal.mjs'

/**
 * What the limiter needs of a connected client: `createClient()` or `createCluster()` of the package `redis`.
 * @typedef {object} RedisClient
 * @property {(script: string, options: { keys: string[], arguments: string[] }) => Promise<unknown>} eval
 */
/**
 * @typedef {object} RedisLimiterOptions
 * @property {'closed' | 'open'} [fail] While Redis cannot be asked: `closed` refuses all requests with 503, `open` lets
 *   each copy count by itself, so a user has the limits once for each copy. Default: 'closed'.
 * @property {number} [timeout] Milliseconds after which Redis counts as unavailable. Default: 1000.
 * @property {string} [prefix] Begins the name of each key. Default: 'relay'.
 */

/** Milliseconds after which a stream that is not renewed is free, and how often it is renewed. */
const [lease, renewal] = [30_000, 10_000]
/** Milliseconds between two lines of the log about Redis. */
const quiet = 60_000

/**
 * Takes one request, by the rule of `rateLimiter` and the clock of Redis. Returns 0 if it was taken, the milliseconds to
 * wait if there were too many requests, and -1 for too many streams. An id that is there already is not counted again,
 * because some clients send a command twice when their connection breaks.
 */
const take = `
local rate, streams = KEYS[1], KEYS[2]
local id, requestsPerMinute, most, lease = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
redis.call('ZREMRANGEBYSCORE', streams, '-inf', now)
if redis.call('ZSCORE', streams, id) then return 0 end
if redis.call('ZCARD', streams) >= most then return -1 end
local left = tonumber(redis.call('HGET', rate, 'left') or requestsPerMinute)
local at = tonumber(redis.call('HGET', rate, 'at') or now)
left = math.min(requestsPerMinute, left + math.max(0, now - at) * requestsPerMinute / 60000)
if left < 1 then return math.ceil((1 - left) * 60000 / requestsPerMinute) end
redis.call('HSET', rate, 'left', string.format('%.17g', left - 1), 'at', string.format('%.17g', now))
redis.call('PEXPIRE', rate, 60000)
redis.call('ZADD', streams, now + lease, id)
redis.call('PEXPIRE', streams, lease)
return 0`

const renew = `
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], time[1] * 1000 + time[2] / 1000 + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 0`

const release = `return redis.call('ZREM', KEYS[1], ARGV[1])`

/**
 * For the option `limiter` of the relay.
 * @param {RedisClient} client
 * @param {RedisLimiterOptions} [options]
 * @returns {import('./rate-limiter.mjs').CreateLimiter}
 * @throws {TypeError} if the options cannot work.
 */
export function redisLimiter(client, { fail = 'closed', timeout = 1000, prefix = 'relay' } = {}) {
  if (fail !== 'closed' && fail !== 'open') throw new TypeError(`fail: expected closed or open, received ${fail}`)
  // The braces of a key choose its node in a cluster.
  if (/[{}]/.test(prefix)) throw new TypeError(`prefix: name one without braces, received ${prefix}`)
  let isDown = false
  let loggedAt = -Infinity

  /** @param {unknown} error */
  const reportOutage = (error) => {
    if (!isDown && Date.now() - loggedAt > quiet) {
      loggedAt = Date.now()
      const until = fail === 'open' ? 'each copy counts by itself' : 'requests are refused'
      console.error(`The relay cannot count in Redis (${reasonOf(error)}). Until it can, ${until}.`)
    }
    isDown = true
  }

  /** @param {string} script @param {{ keys: string[], arguments: string[] }} options */
  const run = async (script, options) => {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer for ${timeout} ms`)), timeout)
    })
    try {
      const answer = await Promise.race([client.eval(script, options), late])
      if (typeof answer !== 'number') throw new TypeError(`expected a number from eval, received ${typeof answer}`)
      isDown = false
      return answer
    } finally {
      clearTimeout(timer)
    }
  }

  return ({ requestsPerMinute, streams }) => {
    const alone = rateLimiter({ requestsPerMinute, streams })
    return {
      async take(user) {
        const id = crypto.randomUUID()
        // Both keys of a user are on the same node of a cluster. A name may have braces itself, so it is escaped.
        const name = `${prefix}:{${encodeURIComponent(user.toWellFormed())}}`
        const open = { keys: [`${name}:streams`], arguments: [id, String(lease)] }
        const end = () => void run(release, open).catch(reportOutage)
        try {
          const wait = await run(take, {
            keys: [`${name}:rate`, `${name}:streams`],
            arguments: [id, String(requestsPerMinute), String(streams), String(lease)],
          })
          if (wait > 0) return { refused: 'requests', retryAfter: wait / 1000 }
          if (wait < 0) return { refused: 'streams', retryAfter: 1 }
        } catch (error) {
          reportOutage(error)
          // It may have been taken, with the answer lost.
          end()
          return fail === 'open' ? alone.take(user) : { refused: 'unavailable', retryAfter: 1 }
        }
        const timer = setInterval(() => void run(renew, open).catch(reportOutage), renewal)
        // In Node, an answer that nobody reads must not keep the process alive.
        if (typeof timer === 'object') timer.unref()
        let isOpen = true
        return {
          release() {
            if (!isOpen) return
            isOpen = false
            clearInterval(timer)
            end()
          },
        }
      },
    }
  }
}
