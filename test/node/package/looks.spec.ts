// The parts of `npm run looks` that decide what is voted on and how it is counted. Taking the pictures is not a test.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'playwright/test'
import { pairsOf } from '../../../bench/looks/pairs.mjs'
import { setup } from '../../../bench/looks/setup.mjs'
import { choicesOf, countOf, faultsOf, majorities, resultsOf } from '../../../bench/looks/tally.mjs'
import { findVersionRanges } from '../../support/project/project-rules.js'

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../bench/looks/${path}`, import.meta.url)), 'utf8')
const pairs = pairsOf(setup, 7)

test('every state of a peer is a pair in each size, once, and half of a peer are on each side', () => {
  for (const peer of setup.peers) {
    const own = pairs.filter((pair) => pair.peer === peer)
    const states = setup.states.filter(({ peers }) => peers.includes(peer))
    expect(new Set(own.map(({ state, size }) => `${state} ${size}`)).size).toBe(states.length * setup.sizes.length)
    expect(own).toHaveLength(states.length * setup.sizes.length)
    expect(own.filter(({ left }) => left === 'ours')).toHaveLength(own.length / 2)
    for (const { left, right } of own) expect([left, right].toSorted()).toEqual(['ours', peer].toSorted())
  }
  expect(pairs.map(({ pair }) => pair)).toEqual(pairs.map((_, index) => index + 1))
})

test('the same seed makes the same pairs, and another one others', () => {
  expect(pairsOf(setup, 7)).toEqual(pairs)
  expect(pairsOf(setup, 8)).not.toEqual(pairs)
})

test('a round without a vote, with two votes, or without a reason is refused', () => {
  const votes = pairs.map(({ pair }) => ({ pair, vote: 'left' as const, reason: 'clear' }))
  const round = { round: 1, voter: 'a', votes }
  expect(faultsOf(pairs, round)).toEqual([])
  expect(faultsOf(pairs, { ...round, votes: votes.slice(1) })).toEqual(['pair 1 has 0 votes'])
  expect(faultsOf(pairs, { ...round, votes: [...votes, votes[0]!] })).toEqual(['pair 1 has 2 votes'])
  expect(faultsOf(pairs, { ...round, votes: votes.map((vote) => ({ ...vote, reason: ' ' })) })).toHaveLength(
    pairs.length,
  )
})

test('a vote for a side counts for the product on that side, and a tie lowers the share', () => {
  const three = pairs.slice(0, 3)
  const sideOf = (product: 'ours' | 'peer', index: number) =>
    (three[index]!.left === 'ours') === (product === 'ours') ? ('left' as const) : ('right' as const)
  const round = (number: number) => ({
    round: number,
    voter: 'a',
    votes: [
      { pair: 1, vote: sideOf('ours', 0), reason: 'good' },
      { pair: 2, vote: sideOf('peer', 1), reason: 'better | colours' },
      { pair: 3, vote: 'tie' as const, reason: 'same' },
    ],
  })
  const choices = choicesOf(three, [round(1), round(2)])
  expect(countOf(choices)).toEqual({ votes: 6, first: 2, ties: 2, second: 2, share: 1 / 3 })
  expect(majorities(choices)).toEqual({ pairs: 3, ours: 1, even: 1, peer: 1 })
  const text = resultsOf({ seed: 7, versions: { ours: 'abc' }, pairs: three }, [round(1), round(2)])
  expect(text).toContain('Ours first in 33 % of 6 votes')
  expect(text.match(/better \\\| colours/g)).toHaveLength(2)
  expect(text.match(/\| tie \| same \|/g)).toHaveLength(2)
  expect(text).not.toContain('| good |')
})

test('the products have exact versions, the lock file has them, and the peers parse', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dependencies?: object }> }
  expect(findVersionRanges({ dependencies })).toEqual([])
  expect(lock.packages['']?.dependencies).toEqual(dependencies)
  for (const name of ['copilotkit.jsx', 'assistant-ui.jsx', 'deep-chat.js'])
    expect(parseSync(name, read(`peers/${name}`)).errors, name).toEqual([])
})
