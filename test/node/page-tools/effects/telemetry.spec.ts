// Telemetry is recognized by what real libraries send, through a tunnel of the site: path and shape of the body were
// recorded with their trackers on one page. Nothing else is, and nothing that carries a value of the assistant.
import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { noteText } from '../../../../src/page-tools/effects/filled-values.js'
import type { PageRequest } from '../../../../src/page-tools/effects/read-request.js'
import { isTelemetry, isTelemetryAddress } from '../../../../src/page-tools/effects/telemetry.js'

test.beforeEach(() => {
  Object.assign(globalThis, { location: { origin: 'https://shop.example' } })
})
test.afterEach(() => {
  Reflect.deleteProperty(globalThis, 'location')
})

interface Recorded {
  readonly library: string
  readonly path: string
  readonly body?: string
  /** The body cannot be read. */
  readonly packed?: true
}
const recorded = JSON.parse(
  readFileSync(new URL('../../../support/page/telemetry.json', import.meta.url), 'utf8'),
) as readonly Recorded[]

const request = (path: string, body?: string, more: Partial<PageRequest> = {}): PageRequest => ({
  method: 'POST',
  url: new URL(path, 'https://shop.example/'),
  body,
  ...more,
})

test('what libraries send is telemetry, and only with their path and shape', () => {
  for (const { library, path, body, packed } of recorded)
    expect([library, path, isTelemetry(request(path, body, { isUnreadable: packed }))]).toEqual([library, path, true])
  const matomo = request('/matomo.php?action_name=x&idsite=1&rec=1')
  expect(isTelemetry(matomo)).toBe(true)
})

test('is by the way it is sent to this site, if it neither deletes nor pays, and the action is known', () => {
  const isUnanswered = true
  expect(isTelemetry(request('/g/collect', 'en=click', { isUnanswered }), true)).toBe(false)
  expect(isTelemetry(request('https://stats.example/g/collect', 'en=click', { isUnanswered }))).toBe(false)
  expect(isTelemetry(request('/g/collect', 'en=click', { isUnanswered }))).toBe(true)
  expect(isTelemetry(request('/g/collect', 'en=click'))).toBe(false)
  expect(isTelemetry(request('/api/pay', 'x', { isUnanswered }))).toBe(false)
  expect(isTelemetry(request('/items', '{"_method":"delete"}', { isUnanswered }))).toBe(false)
  expect(isTelemetry(request('/items', 'x', { isUnanswered, method: 'PUT' }))).toBe(false)
})

test('requests of applications are none', () => {
  for (const [path, body] of [
    ['/api/orders', '{"item":7}'],
    ['/api/events', '{"name":"Party","date":"2026-12-01"}'],
    ['/api/event', '{"name":"Party","url":"https://a.example"}'],
    ['/rpc', '{"type":"send","message":"Hi","context":{}}'],
    ['/graphql', '{"query":"mutation send { x }"}'],
    ['/track', '{"parcel":"7"}'],
    ['/api/batch', '{"batch":[{"method":"DELETE","path":"/items/7"}]}'],
    ['/messages', 'data=SGVsbG8gd29ybGQ%3D'],
    ['/save', '{"token":"csrf","title":"x"}'],
    ['/lines', '{"sent_at":"x"}\n{"text":"y"}'],
  ] as const)
    expect([path, isTelemetry(request(path, body))]).toEqual([path, false])
})

test('an address alone says it only on another site, where Sentry or PostHog measure', () => {
  const isAddress = (address: string): boolean => isTelemetryAddress(new URL(address))
  for (const address of [
    'https://o1.ingest.sentry.io/api/1/envelope/?sentry_version=7&sentry_key=k',
    'https://us.i.posthog.com/e/',
    'https://us.i.posthog.com/i/v0/e/?ver=1',
    'https://us.i.posthog.com/flags/?v=2',
    'https://us.i.posthog.com/array/phc_Key/config',
  ])
    expect([address, isAddress(address)]).toEqual([address, true])
  for (const address of [
    'https://shop.example/e/',
    'https://shop.example/api/1/envelope/?sentry_key=k',
    'https://api.example/api/1/envelope/',
    'https://api.example/orders',
    'https://api.example/orders/e/',
    'https://api.example/e',
  ])
    expect([address, isAddress(address)]).toEqual([address, false])
})

test('never carries a value that the assistant has filled in', () => {
  noteText('Ada Lovelace')
  noteText('a "b" c')
  const [plausible] = recorded.filter(({ library }) => library.startsWith('plausible'))
  const event = (text: string) => JSON.stringify({ n: 'x', u: 'u', d: 'd', p: text })
  expect(isTelemetry(request(plausible!.path, event('Ada')))).toBe(true)
  expect(isTelemetry(request(plausible!.path, event('to Ada Lovelace')))).toBe(false)
  expect(isTelemetry(request(plausible!.path, event('a "b" c')))).toBe(false)
  const isUnanswered = true
  expect(isTelemetry(request('/collect?to=Ada+Lovelace', '', { isUnanswered }))).toBe(false)
  expect(isTelemetry(request('/collect', 'to=Ada%20Lovelace', { isUnanswered }))).toBe(false)
  expect(isTelemetry(request('/collect', `data=${btoa('{"to":"Ada Lovelace"}')}`, { isUnanswered }))).toBe(false)
  // A short one is a whole value, at any depth. A number or a letter is so by chance.
  for (const text of ['Li', '李', '4', 'x']) noteText(text)
  for (const [body, isIt] of [
    ['{"a":[{"b":"Li"}]}', false],
    ['{"a":"{\\"b\\":\\"Li\\"}"}', false],
    ['{"a":1}\n{"b":"Li"}', false],
    ['a=1&b=Li', false],
    ['{"b":"李"}', false],
    ['{"b":"Lib","c":"to Li","d":4,"e":"4","f":"x"}', true],
  ] as const)
    expect([body, isTelemetry(request('/collect', body, { isUnanswered }))]).toEqual([body, isIt])
  expect(isTelemetry(request('/collect?b=Li', undefined, { isUnanswered }))).toBe(false)
  // What cannot be read may carry it.
  expect(isTelemetry(request('/collect', undefined, { isUnanswered, isUnreadable: true }))).toBe(false)
  expect(isTelemetry(request('/collect', 'to=Ada', { isUnanswered }))).toBe(true)
})
