// What a person who clicks a button of the page notices of everything else in it.

/** The button, and how often it was pressed. */
export const counter = `<p>Clicks: <output>0</output> <button type="button" id="count">Count</button></p>
<script>
document.querySelector('#count').onclick = () => { const box = document.querySelector('output'); box.value = Number(box.value) + 1 }
</script>`

/** Collects long tasks, layout shifts and how long each click of the button took; runs before the scripts of the page. */
export function observeCost() {
  const cost = { blocking: 0, shift: 0, clicks: /** @type {Record<number, number>} */ ({}) }
  ;/** @type {any} */ (window).cost = cost
  /** @param {PerformanceObserverInit & { durationThreshold?: number }} options @param {(entry: any) => void} add */
  const each = (options, add) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ ...options, buffered: true })
  each({ type: 'longtask' }, ({ duration }) => {
    cost.blocking += Math.max(0, duration - 50)
  })
  each({ type: 'layout-shift' }, ({ value, hadRecentInput }) => {
    if (!hadRecentInput) cost.shift += value
  })
  each({ type: 'event', durationThreshold: 16 }, ({ target, interactionId, duration }) => {
    if (!interactionId || target?.id !== 'count') return
    cost.clicks[interactionId] = Math.max(cost.clicks[interactionId] ?? 0, duration)
  })
}

/**
 * The interaction to next paint of a visit, as web-vitals computes it: the longest interaction, without one for each 50.
 * The browser reports none below 16 ms. @param {Record<number, number>} clicks @param {number} count of all clicks
 */
export function interactionToNextPaint(clicks, count) {
  const longest = Object.values(clicks).sort((one, other) => other - one)
  return longest[Math.floor(count / 50)] ?? 16
}
