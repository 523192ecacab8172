// What a step costs the main thread of a page that shows the panel, from a trace of a turn of 20 steps: where the time
// goes, and how often the browser styles, lays out and paints. The counts do not depend on the load of the machine.
import { composer, converse, ourPage } from '../support/ours.mjs'
import { resultsIn } from '../support/site.mjs'

/** @typedef {import('../support/lab.mjs').TraceEvent} TraceEvent */

/** Calls in a turn. 20 model calls are the default limit of a turn. */
const steps = 19
/** Milliseconds that the slow model takes, so that each step is drawn by itself. */
const slowly = 250

/** What the main thread does in the events of a trace. The other events are the work of the browser around them. */
const kinds = new Map(
  Object.entries({
    script:
      'EvaluateScript EventDispatch FireAnimationFrame FunctionCall HandlePostMessage MajorGC MinorGC RunMicrotasks TimerFire v8.callFunction v8.compile',
    style: 'UpdateLayoutTree',
    layout: 'Layout',
    painting: 'Commit Layerize Paint PrePaint UpdateLayer',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => /** @type {const} */ ([name, kind]))),
)

/** Counts updates of the panel's parts, and mutations in the panel; runs before the scripts of the page. */
function countWork() {
  const scope = /** @type {any} */ (window)
  scope.counts = {}
  const add = (/** @type {string} */ what, number = 1) => {
    scope.counts[what] = (scope.counts[what] ?? 0) + number
  }
  const { define } = customElements
  customElements.define = function (name, type, options) {
    const { performUpdate } = type.prototype
    if (performUpdate)
      type.prototype.performUpdate = function () {
        add(`updates of ${name.replace('tool-agent-', '')}`)
        performUpdate.call(this)
      }
    define.call(this, name, type, options)
  }
  const { attachShadow } = Element.prototype
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options)
    const observed = { subtree: true, childList: true, attributes: true, characterData: true }
    new MutationObserver((records) => add('mutations', records.length)).observe(root, observed)
    return root
  }
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  const turn = async (/** @type {number} */ delayMs) => {
    const model = site.model((body) => {
      const results = resultsIn(body)
      return results < steps
        ? { delayMs, calls: [{ name: 'add', arguments: { a: results, b: 1 } }] }
        : { pieces: ['The sum', ' is known.'] }
    })
    const context = await lab.newContext()
    await context.addInitScript(countWork)
    const page = await lab.open(site.add(ourPage({ endpoint: model.path, hasTool: true })), { context })
    await composer(page).waitFor()
    await converse(page, 'Add them up.')
    await page.evaluate(() => {
      ;/** @type {any} */ (window).counts = {}
    })
    const trace = await lab.trace(page, () => converse(page, 'Add them up.'))
    const counts = /** @type {Record<string, number>} */ (await page.evaluate(() => /** @type {any} */ (window).counts))
    await context.close()
    const sums = Object.entries({ ...costsOf(trace), ...counts })
    return Object.fromEntries(sums.map(([what, sum]) => [what, sum / steps]))
  }
  const figures = await lab.inTurns(
    lab.isQuick ? 2 : 4,
    { 'quick steps': () => turn(0), 'slow steps': () => turn(slowly) },
    {},
  )
  const isTime = (/** @type {string} */ what) => what === 'main thread' || [...kinds.values(), 'other'].includes(what)
  return figures.map((figure) => ({ ...figure, unit: isTime(figure.what) ? 'ms' : 'per step' }))
}

/**
 * Milliseconds of thread time by kind, and how often the browser did what costs most. An event contains the time of the
 * events inside it, which are of another kind.
 * @param {readonly TraceEvent[]} events of the main thread
 */
function costsOf(events) {
  /** @type {Record<string, number>} */
  const sums = { 'main thread': 0, script: 0, style: 0, layout: 0, painting: 0, other: 0 }
  const add = (/** @type {string} */ what, /** @type {number} */ number) => {
    sums[what] = (sums[what] ?? 0) + number
  }
  /** The events around the one that is looked at. @type {{ event: TraceEvent, inner: number }[]} */
  const around = []
  const timeOf = (/** @type {TraceEvent} */ { tdur, dur }) => (tdur ?? dur ?? 0) / 1000
  const endInner = (/** @type {number} */ before) => {
    for (let last = around.at(-1); last && last.event.ts + (last.event.dur ?? 0) <= before; last = around.at(-1)) {
      around.pop()
      add(kinds.get(last.event.name) ?? 'other', Math.max(0, timeOf(last.event) - last.inner))
    }
  }
  for (const event of events.toSorted((one, two) => one.ts - two.ts || (two.dur ?? 0) - (one.dur ?? 0))) {
    endInner(event.ts)
    const outer = around.at(-1)
    if (outer) outer.inner += timeOf(event)
    else add('main thread', timeOf(event))
    if (event.name === 'Layerize') add('frames', 1)
    if (event.name === 'Layout') add('layouts', 1)
    if (event.name === 'UpdateLayoutTree') {
      add('recalculations of style', 1)
      add('elements styled', event.args?.elementCount ?? 0)
    }
    around.push({ event, inner: 0 })
  }
  endInner(Infinity)
  return sums
}
