// Makes the pairs that are voted on: a picture of ours beside one of a peer, on random sides and in a random order. Which
// side is ours is in key.json alone.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../../scripts/browsers.mjs'
import { pictures, setup } from './setup.mjs'
import { shoot } from './shoot.mjs'

/** @typedef {{ pair: number, peer: string, state: string, size: string, left: string, right: string }} Pair */
/** @typedef {{ seed: number, versions: Record<string, string>, pairs: Pair[] }} Key */

export const keyFile = new URL('key.json', import.meta.url)

/** Numbers from 0 to 1 that follow from a seed (mulberry32). @param {number} seed */
export function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A new list in a random order. @template T @param {readonly T[]} list @param {() => number} random @returns {T[]} */
export function shuffled(list, random) {
  const result = [...list]
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[result[at], result[other]] = [/** @type {T} */ (result[other]), /** @type {T} */ (result[at])]
  }
  return result
}

/**
 * Every state that ours and a peer have, in every size. Of the pairs of a peer, ours is on the left in one half.
 * @param {Pick<import('./setup.mjs').Setup, 'peers' | 'sizes' | 'states'>} given @param {number} seed @returns {Pair[]}
 */
export function pairsOf({ peers, sizes, states }, seed) {
  const random = randomOf(seed)
  const all = peers.flatMap((peer) => {
    const shown = states.filter((state) => state.peers.includes(peer))
    const cases = shown.flatMap((state) => sizes.map((size) => ({ peer, state: state.name, size: size.name })))
    const halves = shuffled(
      cases.map((_, index) => index % 2 === 0),
      random,
    )
    return cases.map((one, index) => ({
      ...one,
      left: halves[index] ? 'ours' : peer,
      right: halves[index] ? peer : 'ours',
    }))
  })
  return shuffled(all, random).map((one, index) => ({ pair: index + 1, ...one }))
}

/**
 * Writes pairs/pair-01.png and on, pairs/index.json, which names no product, and key.json.
 * @param {{ seed: string | undefined, log: (text: string) => void }} options
 */
export async function writePairs({ seed: given, log }) {
  const seed = given === undefined ? storedSeed() : Number(given)
  if (!Number.isInteger(seed)) throw new Error(`The seed is not a whole number: ${given}`)
  const pairs = pairsOf(setup, seed)
  const folder = join(pictures, 'pairs')
  await drawPairs(
    folder,
    pairs.map((pair) => ({
      file: fileOf(pair),
      title: `Pair ${pair.pair}, ${pair.size}. ${aboutOf(pair.state)}`,
      sides: [
        { label: 'LEFT', shot: `${pair.left}.${pair.state}.${pair.size}` },
        { label: 'RIGHT', shot: `${pair.right}.${pair.state}.${pair.size}` },
      ],
    })),
  )
  const index = pairs.map((pair) => ({
    pair: pair.pair,
    file: `${fileOf(pair)}.png`,
    size: pair.size,
    about: aboutOf(pair.state),
  }))
  writeFileSync(join(folder, 'index.json'), `${JSON.stringify(index, undefined, 2)}\n`)
  /** @type {Key} */
  const key = { seed, versions: JSON.parse(readFileSync(join(pictures, 'shots/versions.json'), 'utf8')), pairs }
  writeFileSync(keyFile, `${JSON.stringify(key, undefined, 2)}\n`)
  log(`${pairs.length} pairs with the seed ${seed}`)
}

/** The seed of key.json, so that the same pairs are made again, or a new one. */
function storedSeed() {
  if (existsSync(keyFile)) return /** @type {Key} */ (JSON.parse(readFileSync(keyFile, 'utf8'))).seed
  return Math.floor(Math.random() * 2 ** 31)
}

const fileOf = (/** @type {Pair} */ { pair }) => `pair-${String(pair).padStart(2, '0')}`
const aboutOf = (/** @type {string} */ state) => setup.states.find(({ name }) => name === state)?.about ?? ''

/**
 * Writes before/<state>.<size>.png: our panel as an earlier build shows it, beside the present one.
 * @param {{ before: string, dist: string, log: (text: string) => void }} options
 */
export async function writeBefore({ before, dist, log }) {
  const shots = join(pictures, 'shots')
  const cases = setup.states.flatMap(({ name }) => setup.sizes.map((size) => `${name}.${size.name}`))
  await shoot({ dist: before, only: ['ours '], log })
  for (const one of cases) renameSync(join(shots, `ours.${one}.png`), join(shots, `before.${one}.png`))
  await shoot({ dist, only: ['ours '], log })
  await drawPairs(
    join(pictures, 'before'),
    cases.map((one) => ({
      file: one,
      title: aboutOf(one.split('.')[0] ?? ''),
      sides: [
        { label: 'BEFORE', shot: `before.${one}` },
        { label: 'NOW', shot: `ours.${one}` },
      ],
    })),
  )
}

/** @typedef {{ file: string, title: string, sides: readonly { label: string, shot: string }[] }} Drawn */

/** Writes one picture per pair into an empty folder. @param {string} folder @param {readonly Drawn[]} drawn */
async function drawPairs(folder, drawn) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const [found] = candidates('chromium')
  const { launchOptions = {} } = found ? launchSettings(found) : {}
  const env = { ...process.env, FONTCONFIG_FILE: join(pictures, 'fonts.conf') }
  const browser = await chromium.launch({ ...launchOptions, env })
  try {
    const page = await browser.newPage({ deviceScaleFactor: setup.scale })
    for (const one of drawn) {
      await page.setContent(htmlOf(one))
      await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
      await page.locator('main').screenshot({ path: join(folder, `${one.file}.png`) })
    }
  } finally {
    await browser.close()
  }
}

/** Both pictures in their own size on a neutral ground, their lower edges on one line. @param {Drawn} drawn */
function htmlOf({ title, sides }) {
  const labels = sides.map(({ label }) => `<b>${label}</b>`)
  const images = sides.map(({ shot }) => {
    const png = readFileSync(join(pictures, 'shots', `${shot}.png`))
    const width = png.readUInt32BE(16) / setup.scale
    return `<img width="${width}" src="data:image/png;base64,${png.toString('base64')}">`
  })
  return `<!doctype html><style>
    body { margin: 0; font: 15px/1.4 Inter, sans-serif; color: #222; }
    main { inline-size: max-content; background: #c9ccd1; padding: 16px; display: grid; grid-template-columns: auto auto; gap: 10px 28px; }
    p { grid-column: 1 / -1; margin: 0; contain: inline-size; }
    b { text-align: center; }
    img { display: block; align-self: end; justify-self: center; }
  </style><main><p>${title}</p>${labels.join('')}${images.join('')}</main>`
}
