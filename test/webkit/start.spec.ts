import { expect, isStatus, seen, send, begin, test, untilRuns, visit, opened, runs } from '../support/webkit.js'

test('the element starts with a worker and stores in IndexedDB', async ({ webkit, serve }) => {
  const { page } = await serve([{ text: 'Green or black?' }])
  await visit(webkit, page())
  expect(await send(webkit, 'Tea')).toBe('Green or black?')
  expect(await seen(webkit)).toEqual({ host: 'worker', storage: 'indexeddb', status: 'idle', error: null, messages: ['Tea', 'Green or black?'] })
})

test('navigation at rest', async ({ webkit, serve }) => {
  const { page } = await serve([{ text: 'Green or black?' }, { text: 'two' }])
  await visit(webkit, page())
  await send(webkit, 'Tea')
  await visit(webkit, page('?x=1'))
  console.log(await webkit.run(() => [sessionStorage.getItem('hidden'), JSON.stringify((performance.getEntriesByType('navigation')[0] as any)?.type)]))
  console.log(await seen(webkit))
  expect(await send(webkit, 'Tea')).toBe('two')
})
test('navigation in mid-turn', async ({ webkit, serve }) => {
  const { page } = await serve([{ calls: [{ name: 'go', arguments: {} }] }, { text: 'There.' }])
  await visit(webkit, page())
  await begin(webkit, 'Go')
  await webkit.until(() => location.search.includes('there'))
  await opened(webkit)
  console.log(await seen(webkit))
  await isStatus(webkit, 'idle')
  console.log(await seen(webkit))
})
