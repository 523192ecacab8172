// Counts the votes of all rounds and writes RESULTS.md: how often ours was first, and every reason against ours.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keyFile } from './pairs.mjs'
import { setup } from './setup.mjs'

/** @typedef {import('./pairs.mjs').Key} Key */
/** @typedef {import('./pairs.mjs').Pair} Pair */
/** @typedef {{ pair: number, vote: 'left' | 'right' | 'tie', reason: string }} Vote */
/** A complete set of votes of one voter. @typedef {{ round: number, voter: string, votes: Vote[] }} Round */
/** A vote with its product: the name of the product that was chosen, or `tie`. @typedef {Pair & { round: number, chosen: string, reason: string }} Choice */

const folder = fileURLToPath(new URL('votes', import.meta.url))
const resultsFile = new URL('RESULTS.md', import.meta.url)

/** What is wrong with a file of votes, in sentences. @param {readonly Pair[]} pairs @param {Round} round @returns {string[]} */
export function faultsOf(pairs, { round, voter, votes }) {
  const faults = []
  if (!Number.isInteger(round)) faults.push('round is not a number')
  if (typeof voter !== 'string' || voter === '') faults.push('voter is missing')
  for (const { pair } of pairs) {
    const count = votes.filter((vote) => vote.pair === pair).length
    if (count !== 1) faults.push(`pair ${pair} has ${count} votes`)
  }
  for (const { pair, vote, reason } of votes) {
    if (!pairs.some((one) => one.pair === pair)) faults.push(`there is no pair ${pair}`)
    if (!['left', 'right', 'tie'].includes(vote)) faults.push(`pair ${pair}: the vote is ${JSON.stringify(vote)}`)
    if (typeof reason !== 'string' || reason.trim() === '') faults.push(`pair ${pair}: no reason`)
  }
  return faults
}

/** The votes with the products that they chose. @param {readonly Pair[]} pairs @param {readonly Round[]} rounds @returns {Choice[]} */
export function choicesOf(pairs, rounds) {
  return rounds.flatMap(({ round, votes }) =>
    pairs.flatMap((pair) => {
      const found = votes.find((vote) => vote.pair === pair.pair)
      if (!found) return []
      return [{ ...pair, round, chosen: found.vote === 'tie' ? 'tie' : pair[found.vote], reason: found.reason }]
    }),
  )
}

/** Lists by a property of their entries, in the order of the first of each. @template T, K @param {readonly T[]} list @param {(one: T) => K} keyOf */
function grouped(list, keyOf) {
  /** @type {Map<K, T[]>} */
  const groups = new Map()
  for (const one of list) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}

/** How often ours was first, a tie, and second. `share`: ours first of all votes, ties included. @param {readonly Choice[]} choices */
export function countOf(choices) {
  const first = choices.filter(({ chosen }) => chosen === 'ours').length
  const ties = choices.filter(({ chosen }) => chosen === 'tie').length
  const all = choices.length
  return { votes: all, first, ties, second: all - first - ties, share: all === 0 ? 0 : first / all }
}

/**
 * How many pairs had ours first in more rounds than the peer.
 * @param {readonly Choice[]} choices
 */
export function majorities(choices) {
  const results = [...grouped(choices, ({ pair }) => pair).values()].map((votes) => {
    const { first, second } = countOf(votes)
    return Math.sign(first - second)
  })
  return {
    pairs: results.length,
    ours: results.filter((sign) => sign > 0).length,
    even: results.filter((sign) => sign === 0).length,
    peer: results.filter((sign) => sign < 0).length,
  }
}

/** Reads key and votes, and writes RESULTS.md. @param {(text: string) => void} log */
export function writeResults(log) {
  /** @type {Key} */
  const key = JSON.parse(readFileSync(keyFile, 'utf8'))
  const files = readdirSync(folder).filter((name) => /^round-\d+\.json$/.test(name))
  const rounds = files
    .map((name) => ({ name, round: /** @type {Round} */ (JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))) }))
    .toSorted((a, b) => a.round.round - b.round.round)
  const faults = rounds.flatMap(({ name, round }) => faultsOf(key.pairs, round).map((fault) => `${name}: ${fault}`))
  if (faults.length > 0) throw new Error(`The votes are not complete:\n${faults.join('\n')}`)
  const text = resultsOf(
    key,
    rounds.map(({ round }) => round),
  )
  writeFileSync(resultsFile, text)
  log(text.split('\n## Every reason')[0] ?? '')
}

const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`
const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()

/**
 * A table with a line for each value of a property.
 * @param {string} head @param {readonly Choice[]} choices @param {(choice: Choice) => string} groupOf
 */
function tableOf(head, choices, groupOf) {
  const lines = [...grouped(choices, groupOf)].map(([name, group]) => {
    const { votes, first, ties, second, share } = countOf(group)
    return `| ${name} | ${votes} | ${first} | ${ties} | ${second} | ${percent(share)} |`
  })
  return [
    `| ${head} | votes | ours first | tie | peer first | share of ours |`,
    '|---|--:|--:|--:|--:|--:|',
    ...lines,
  ].join('\n')
}

/** The text of RESULTS.md. @param {Key} key @param {readonly Round[]} rounds */
export function resultsOf(key, rounds) {
  const choices = choicesOf(key.pairs, rounds)
  const order = setup.states.map(({ name }) => name)
  const byState = choices.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  const byPeer = choices.toSorted((a, b) => setup.peers.indexOf(a.peer) - setup.peers.indexOf(b.peer))
  const total = countOf(choices)
  const pairs = majorities(choices)
  const against = byState.filter(({ chosen }) => chosen !== 'ours')
  const reasons = against.map(
    ({ state, peer, size, round, chosen, reason }) =>
      `| ${state} | ${peer} | ${size} | ${round} | ${chosen === 'tie' ? 'tie' : 'peer'} | ${cell(reason)} |`,
  )
  const known = Object.entries(key.versions).map(([name, version]) => `${name} ${version}`)
  return `# The blind choice

Written by \`npm run looks -- tally\` from \`key.json\` and \`votes/\`. [How it is done](README.md).

${rounds.length} rounds, ${key.pairs.length} pairs each. Seed of the sides: ${key.seed}. Shown: ${known.join(', ')}.

**Ours first in ${percent(total.share)} of ${total.votes} votes** (${total.first} first, ${total.ties} ties, ${total.second} second). By
pairs, the rounds preferred ours in ${pairs.ours} of ${pairs.pairs}, the peer in ${pairs.peer}, and neither in ${pairs.even}.

${tableOf('peer', byPeer, ({ peer }) => peer)}

${tableOf('state', byState, ({ state }) => state)}

${tableOf('size', choices, ({ size }) => size)}

${tableOf('round', choices, ({ round }) => String(round))}

${tableOf('side of ours', choices, ({ left }) => (left === 'ours' ? 'left' : 'right'))}

## Every reason against ours, and of every tie

| state | peer | size | round | vote | reason |
|---|---|---|--:|---|---|
${reasons.join('\n')}
`
}
