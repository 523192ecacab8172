// Limits the requests of each user across all copies of the relay, with counts in Redis 5 or later. It imports no
// client: the author passes one. Each check is one script, so two copies never count from the same number. A stream is
// a lease that its copy renews, so the streams of a copy that was killed are free again after `lease`.
import { unreferenced } from './runtime.js'
import { logError } from './log.js'
import { rateLimiter, type CreateLimiter } from './rate-limiter.js'
import { reasonOf } from './refusal.js'

/** What the limiter needs of a connected client: `createClient()` or `createCluster()` of the package `redis`. */
export interface RedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

export interface RedisLimiterOptions {
  /**
   * While Redis cannot be asked: `closed` refuses all requests with 503, `open` lets each copy count by itself, so a
   * user has the limits once for each copy.
   * @default closed
   */
  readonly fail?: 'closed' | 'open'
  /**
   * Milliseconds after which Redis counts as unavailable.
   * @default 1000
   */
  readonly timeout?: number
  /**
   * Begins the name of each key.
   * @default relay
   */
  readonly prefix?: string
}

/** Milliseconds after which a stream that is not renewed is free, and how often it is renewed. */
const [lease, renewal] = [30_000, 10_000]
/** Milliseconds between two lines of the log about Redis. */
const quiet = 60_000

/**
 * Takes one request, by the rule of `rateLimiter` and the clock of Redis. Returns 0 if it was taken, the milliseconds
 * to wait if there were too many requests, and -1 for too many streams. An id that is there already is not counted
 * again, because some clients send a command twice when their connection breaks.
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
 * For the option `limiter` of a relay: counts in Redis 5 or later for all of its copies together.
 * @throws TypeError if the options cannot work.
 */
export function redisLimiter(
  client: RedisClient,
  { fail = 'closed', timeout = 1000, prefix = 'relay' }: RedisLimiterOptions = {},
): CreateLimiter {
  if (fail !== 'closed' && fail !== 'open')
    throw new TypeError(`fail: expected closed or open, received ${String(fail)}`)
  // The braces of a key choose its node in a cluster.
  if (/[{}]/.test(prefix)) throw new TypeError(`prefix: name one without braces, received ${prefix}`)
  let isDown = false
  let loggedAt = -Infinity

  const reportOutage = (error: unknown) => {
    if (!isDown && Date.now() - loggedAt > quiet) {
      loggedAt = Date.now()
      const until = fail === 'open' ? 'each copy counts by itself' : 'requests are refused'
      logError(`The relay cannot count in Redis (${reasonOf(error)}). Until it can, ${until}.`)
    }
    isDown = true
  }

  const run = async (script: string, options: { keys: string[]; arguments: string[] }) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
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
        const timer = unreferenced(setInterval(() => void run(renew, open).catch(reportOutage), renewal))
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
