// `npm run bench -- plots`: measures how each cost grows and draws one small SVG for each. Both axes are logarithmic where
// the values span more than a factor of 20, so a cost that grows with its size is a straight line upwards.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOnce, shopPage } from '../rows/page-read.mjs'
import { openSessions } from '../rows/sessions.mjs'
import { mirrored, registerMany } from '../rows/tools.mjs'
import { median } from './numbers.mjs'
import { composer, converse, ourPage } from './ours.mjs'

/** A line of a plot. @typedef {{ name: string, points: readonly (readonly [x: number, y: number])[] }} Line */
/** @typedef {{ file: string, title: string, x: string, y: string, lines: readonly Line[] }} Plot */
/** @typedef {import('./lab.mjs').Lab} Lab */

/** Colours that differ in light and in dark pages, also for people who see few colours. */
const colours = ['#0072b2', '#d55e00', '#009e73']

/** @param {number} from @param {number} to */
function scaleOf(from, to) {
  const isLog = from > 0 && to / from > 20
  const low = isLog ? Math.log(from) : 0
  const high = isLog ? Math.log(to) : to * 1.1
  return {
    isLog,
    place: (/** @type {number} */ value) => ((isLog ? Math.log(value) : value) - low) / (high - low || 1),
  }
}

/** One plot as SVG. @param {Plot} plot */
export function svgOf({ title, x, y, lines }) {
  const [width, height, left, right, top, bottom] = [480, 260, 64, 28, 40, 44]
  const points = lines.flatMap((line) => line.points)
  const xs = points.map(([one]) => one)
  const ys = points.map(([, one]) => one)
  const across = scaleOf(Math.min(...xs), Math.max(...xs))
  const up = scaleOf(Math.min(...ys), Math.max(...ys))
  const placeX = (/** @type {number} */ value) => left + across.place(value) * (width - left - right)
  const placeY = (/** @type {number} */ value) => height - bottom - up.place(value) * (height - top - bottom)
  const show = (/** @type {number} */ value) =>
    value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })
  const escape = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const xTicks = [...new Set(xs)]
  const top10 = Math.max(...ys)
  const yTicks = up.isLog ? [Math.min(...ys), Math.sqrt(Math.min(...ys) * top10), top10] : [0, top10 / 2, top10]
  const axis = `<path d="M${left} ${top} V${height - bottom} H${width - right}" fill="none" stroke="#888"/>`
  const marks = [
    ...xTicks.map(
      (value) =>
        `<text x="${placeX(value).toFixed(1)}" y="${height - bottom + 16}" text-anchor="middle">${show(value)}</text>`,
    ),
    ...yTicks.map(
      (value) =>
        `<path d="M${left} ${placeY(value).toFixed(1)} H${width - right}" stroke="#888" stroke-opacity=".25"/><text x="${left - 6}" y="${(placeY(value) + 4).toFixed(1)}" text-anchor="end">${show(value)}</text>`,
    ),
  ]
  const drawn = lines.map(({ name, points: own }, index) => {
    const colour = colours[index % colours.length]
    const path = own.map(([one, other]) => `${placeX(one).toFixed(1)} ${placeY(other).toFixed(1)}`).join(' L')
    const dots = own
      .map(([one, other]) => `<circle cx="${placeX(one).toFixed(1)}" cy="${placeY(other).toFixed(1)}" r="3"/>`)
      .join('')
    return `<g fill="${colour}"><path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}<text x="${150 + index * 130}" y="${top - 6}">${escape(name)}</text></g>`
  })
  const scale = (/** @type {boolean} */ isLog) => (isLog ? ' (log)' : '')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888" role="img" aria-label="${escape(title)}">
<text x="${left}" y="16" font-size="14">${escape(title)}</text>
${axis}
${[...marks, ...drawn].join('\n')}
<text x="${width - right}" y="${height - 8}" text-anchor="end">${escape(x)}${scale(across.isLog)}</text>
<text x="8" y="${top - 6}">${escape(y)}${scale(up.isLog)}</text>
</svg>
`
}

/** Main CPU of a question and its answer, by the messages of the session. @param {Lab} lab @returns {Promise<Plot>} */
async function messagesPlot(lab) {
  const lengths = [100, 1_000, 3_000, 10_000]
  const { page, ids, openOne } = await openSessions(lab, lengths)
  /** @type {[number, number][]} */
  const clock = []
  /** @type {[number, number][]} */
  const main = []
  for (const [index, id] of ids.entries()) {
    await openOne(id)
    /** @type {number[]} */
    const times = []
    const rounds = 5
    const { main: spent } = await lab.cpu(page, async () => {
      for (let count = 0; count < rounds; count++) times.push(await converse(page, 'And now?'))
    })
    clock.push([lengths[index] ?? 0, median(times)])
    main.push([lengths[index] ?? 0, spent / rounds])
  }
  await page.context().close()
  return {
    file: 'bench-messages.svg',
    title: 'A question and its answer',
    x: 'messages in the session',
    y: 'ms',
    lines: [
      { name: 'clock', points: clock },
      { name: 'main CPU', points: main },
    ],
  }
}

/** Registering, and one question, by the number of tools. @param {Lab} lab @returns {Promise<Plot>} */
async function toolsPlot(lab) {
  /** @type {[number, number][]} */
  const registering = []
  /** @type {[number, number][]} */
  const asking = []
  for (const count of [1, 10, 50, 100, 500]) {
    const model = lab.site.model(() => ({ pieces: ['Hello.'] }))
    const page = await lab.open(lab.site.add(ourPage({ endpoint: model.path })))
    await composer(page).waitFor()
    await converse(page, 'Hello')
    const { main } = await lab.cpu(page, () => page.evaluate(registerMany, count))
    registering.push([count, main])
    const rounds = 5
    const { main: spent } = await lab.cpu(page, async () => {
      for (let round = 0; round < rounds; round++) await converse(page, 'And now?')
    })
    asking.push([count, spent / rounds])
    await page.context().close()
  }
  return {
    file: 'bench-tools.svg',
    title: 'Tools of the page',
    x: 'registered tools',
    y: 'main CPU, ms',
    lines: [
      { name: 'registering all', points: registering },
      { name: 'one question', points: asking },
    ],
  }
}

/** Reading a page by its size. @param {Lab} lab @returns {Promise<Plot>} */
async function pagePlot(lab) {
  /** @type {Record<'ours' | 'page-agent', [number, number][]>} */
  const lines = { ours: [], 'page-agent': [] }
  for (const products of [20, 60, 180, 560])
    for (const product of /** @type {const} */ (['ours', 'page-agent'])) {
      const { elements, sum } = await readOnce(lab, { body: shopPage(products), product })
      lines[product].push([elements, sum])
    }
  return {
    file: 'bench-page-size.svg',
    title: 'Reading a page',
    x: 'elements of the page',
    y: 'main CPU, ms',
    lines: Object.entries(lines).map(([name, points]) => ({ name, points })),
  }
}

/** An answer of 5,000 tokens, by the number of tabs that show it. @param {Lab} lab @returns {Promise<Plot>} */
async function tabsPlot(lab) {
  /** @type {[number, number][]} */
  const driver = []
  /** @type {[number, number][]} */
  const mirror = []
  const sum = async (/** @type {number} */ tabs, /** @type {'driver' | 'mirror'} */ watch) => {
    const sums = []
    for (let round = 0; round < 3; round++) sums.push((await mirrored(lab, { mirrors: tabs - 1, watch })).sum)
    return median(sums)
  }
  for (const tabs of [1, 2, 3, 4]) {
    driver.push([tabs, await sum(tabs, 'driver')])
    if (tabs > 1) mirror.push([tabs, await sum(tabs, 'mirror')])
  }
  return {
    file: 'bench-tabs.svg',
    title: 'An answer of 5,000 tokens in several tabs',
    x: 'tabs of the session',
    y: 'main CPU, ms',
    lines: [
      { name: 'driver', points: driver },
      { name: 'one mirror', points: mirror },
    ],
  }
}

/** Measures and writes all plots. Returns their paths. @param {Lab} lab @param {string} folder */
export async function drawPlots(lab, folder) {
  mkdirSync(folder, { recursive: true })
  const files = []
  for (const measure of [messagesPlot, toolsPlot, pagePlot, tabsPlot]) {
    const plot = await measure(lab)
    const path = join(folder, plot.file)
    writeFileSync(path, svgOf(plot))
    files.push(path)
    for (const { name, points } of plot.lines)
      lab.log(`  ${plot.title}, ${name}: ${points.map(([x, y]) => `${x}: ${y.toFixed(1)}`).join(', ')}`)
  }
  return files
}
