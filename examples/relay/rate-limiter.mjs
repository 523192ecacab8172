// Limits the requests of each user in this process. With several copies of the relay each has its own count:
// `redis-limiter.mjs` is for a shared one.

/**
 * @typedef {object} Limiter
 * @property {(user: string) => Taken | Promise<Taken>} take Takes one request of a user.
 */
/**
 * The request was taken, or refused with the seconds after which to try again. `release` must be called once the answer
 * has ended; calling it again has no effect. `unavailable`: the counts could not be read.
 * @typedef {{ release: () => void } | { refused: 'requests' | 'streams' | 'unavailable', retryAfter: number }} Taken
 */
/** @typedef {(limits: { requestsPerMinute: number, streams: number }) => Limiter} CreateLimiter */

/**
 * A token bucket for each user: `requestsPerMinute` at once, refilled evenly, and at most `streams` at the same time.
 * @param {{ requestsPerMinute: number, streams: number }} limits
 * @param {() => number} [now] Milliseconds.
 */
export function rateLimiter({ requestsPerMinute, streams }, now = Date.now) {
  /** @type {Map<string, { left: number, at: number, open: number }>} */
  const users = new Map()
  const perMillisecond = requestsPerMinute / 60_000
  let sweptAt = now()

  /** Removes users that have all of their requests again, so that the map does not grow forever. */
  const sweep = () => {
    if (now() - sweptAt < 60_000) return
    sweptAt = now()
    for (const [name, { open, at }] of users) if (open === 0 && now() - at > 60_000) users.delete(name)
  }

  return {
    /** The number of users that are remembered. */
    get size() {
      return users.size
    },
    /** @param {string} name @returns {Taken} */
    take(name) {
      sweep()
      const user = users.get(name) ?? { left: requestsPerMinute, at: now(), open: 0 }
      users.set(name, user)
      user.left = Math.min(requestsPerMinute, user.left + Math.max(0, now() - user.at) * perMillisecond)
      user.at = now()
      if (user.open >= streams) return { refused: 'streams', retryAfter: 1 }
      if (user.left < 1) return { refused: 'requests', retryAfter: (1 - user.left) / perMillisecond / 1000 }
      user.left -= 1
      user.open += 1
      let isOpen = true
      return {
        release() {
          if (isOpen) user.open -= 1
          isOpen = false
        },
      }
    },
  }
}
