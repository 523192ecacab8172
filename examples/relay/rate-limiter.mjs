// Limits the requests of each user in this process. With several copies of the relay each has its own count: the hook
// `allow` of the relay is for a shared one.

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
    /**
     * Takes one request. `release` must be called once the answer has ended; calling it again has no effect.
     * @param {string} name
     * @returns {{ release: () => void } | { retryAfter: number, reason: string }} `retryAfter` is in seconds.
     */
    take(name) {
      sweep()
      const user = users.get(name) ?? { left: requestsPerMinute, at: now(), open: 0 }
      users.set(name, user)
      user.left = Math.min(requestsPerMinute, user.left + (now() - user.at) * perMillisecond)
      user.at = now()
      if (user.open >= streams)
        return { retryAfter: 1, reason: `At most ${streams} answers at the same time are allowed` }
      if (user.left < 1)
        return {
          retryAfter: (1 - user.left) / perMillisecond / 1000,
          reason: `At most ${requestsPerMinute} requests per minute are allowed`,
        }
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
