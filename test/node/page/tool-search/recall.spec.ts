// How well the search finds, on the tools of twenty public MCP packages: ten on which it was tuned, and ten others. The
// numbers are those of docs/offering-tools.md.
import { CatalogueIndex } from '../../../../src/page/tool-search/catalogue-index.js'
import { expect, test } from '../../../support/lab/lab.js'
import { availableTools, corpusName, corpusTools, sentences } from '../../../support/lab/tool-corpus.js'

const kinds = ['en', 'de', 'enQuery', 'deQuery'] as const

test('finds what a model asks for among the first five, and less of what a visitor says', async () => {
  const tools = availableTools(corpusTools())
  expect(tools.size).toBe(634)
  const index = new CatalogueIndex()
  await index.update(tools)
  const found = (set: 'tune' | 'test') =>
    kinds.map((kind) => {
      const hits = sentences[set].filter((sentence) =>
        index.search(sentence[kind], tools, 5).includes(corpusName(set, sentence.tool)),
      )
      return `${kind} ${hits.length} of ${sentences[set].length}`
    })
  expect(found('tune')).toEqual(['en 18 of 30', 'de 16 of 30', 'enQuery 30 of 30', 'deQuery 30 of 30'])
  expect(found('test')).toEqual(['en 7 of 30', 'de 9 of 30', 'enQuery 30 of 30', 'deQuery 30 of 30'])
})

test('is built in pieces, and follows the tools', async () => {
  const tools = availableTools(corpusTools())
  let now = 0
  const pauses = [0]
  // Each look at the clock takes a millisecond.
  const index = new CatalogueIndex({ now: () => now++, pause: async () => void pauses.push(now) })
  await index.update(tools)
  const pieces = pauses.slice(1).map((pause, at) => pause - (pauses[at] ?? 0))
  expect(new Set(pieces)).toEqual(new Set([21]))
  expect(pieces.length).toBeGreaterThan(30)
  expect(index.search('slack list channels', tools, 1)).toEqual(['slack_slack_list_channels'])

  const [first] = availableTools([{ name: 'shout', description: 'Shouts at the neighbour', execute: () => null }])
  const fewer = new Map([...[...tools].slice(0, 20), first!])
  await index.update(fewer)
  expect(index.search('neighbour shouting', fewer, 5)).toEqual(['shout'])
  const gone = new Map(fewer)
  gone.delete('shout')
  expect(index.search('neighbour shouting', gone, 5)).toEqual([])
})

test('an update that nobody waits for ends', async () => {
  const tools = availableTools(corpusTools())
  const stopped = new AbortController()
  const index = new CatalogueIndex({ now: () => performance.now() * 1e6, pause: async () => stopped.abort() })
  await expect(index.update(tools, stopped.signal)).rejects.toThrow('aborted')
  await index.update(new Map())
  expect(index.search('slack', tools, 5)).toEqual([])
})
