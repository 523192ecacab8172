// Limits the requests of each user in this process. With several copies of the relay each has its own count:
// `redisLimiter` is for a shared one.

/** Counts the requests and open answers of users. */
export interface RelayLimiter {
  /** Takes one request of a user, or refuses it. */
  take(user: string): LimiterTaken | Promise<LimiterTaken>
}

/**
 * The request was taken, or refused with the seconds after which to try again. `release` must be called once the answer
 * has ended; calling it again has no effect. `unavailable`: the counts could not be read.
 */
export type LimiterTaken =
  | { release: () => void }
  | { refused: 'requests' | 'streams' | 'unavailable'; retryAfter: number }

/** Creates the limiter of a relay from its limits. */
export type CreateLimiter = (limits: { requestsPerMinute: number; streams: number }) => RelayLimiter

/**
 * A token bucket for each user: `requestsPerMinute` at once, refilled evenly, and at most `streams` at the same time.
 * `now` returns milliseconds, `size` is the number of users that are remembered.
 */
export function rateLimiter(
  { requestsPerMinute, streams }: { requestsPerMinute: number; streams: number },
  now: () => number = Date.now,
): { readonly size: number; take(user: string): LimiterTaken } {
  const users = new Map<string, { left: number; at: number; open: number }>()
  const perMillisecond = requestsPerMinute / 60_000
  let sweptAt = now()

  /** Removes users that have all of their requests again, so that the map does not grow forever. */
  const sweep = () => {
    if (now() - sweptAt < 60_000) return
    sweptAt = now()
    for (const [name, { open, at }] of users) if (open === 0 && now() - at > 60_000) users.delete(name)
  }

  return {
    get size() {
      return users.size
    },
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
