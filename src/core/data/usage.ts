// Sums of token counts. A count that no endpoint reported stays absent.
import { dropUndefined } from './json.js'
import type { Usage } from './message.js'

const names = ['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens', 'totalTokens'] as const

/** The sum of counts; undefined if there are none. */
export function sumUsage(usages: readonly (Usage | undefined)[]): Usage | undefined {
  const known = usages.filter((usage) => usage !== undefined)
  const sum = (name: keyof Usage): number | undefined => {
    const counts = known.flatMap((usage) => usage[name] ?? [])
    return counts.length > 0 ? counts.reduce((total, count) => total + count, 0) : undefined
  }
  if (known.length < 2) return known[0]
  return dropUndefined(Object.fromEntries(names.map((name) => [name, sum(name)])))
}
