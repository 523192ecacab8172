// What a person who clicks a button of the page notices of everything else in it.

/** The button, and how often it was pressed. */
export const counter = `<p>Clicks: <output>0</output> <button type="button" id="count">Count</button></p>
<script>
document.querySelector('#count').onclick = () => { const box = document.querySelector('output'); box.value = Number(box.value) + 1 }
</script>`

/** Collects long tasks, layout shifts and clicks of the button; runs before the scripts of the page. */
export function observeCost() {
  const cost = { blocking: 0, shift: 0, worst: 0 }
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
    if (interactionId && target?.id === 'count') cost.worst = Math.max(cost.worst, duration)
  })
}
