// Which failed model calls are repeated, and after how long.
import { expect, test } from '../../../support/lab/lab.js'
import type { ErrorCode, Failure } from '../../../../src/core/data/errors.js'
import { chooseRecovery, retryDelay } from '../../../../src/core/loop/model-step.js'

const failure = (code: ErrorCode, details?: Failure['details']): Failure => ({
  code,
  message: '',
  ...(details === undefined ? {} : { details }),
})

test('retries network and server errors until the retries are used up', () => {
  for (const code of ['network', 'server', 'rate-limited'] as const) {
    expect(chooseRecovery(failure(code), 0, 2)).toBe('retry')
    expect(chooseRecovery(failure(code), 1, 2)).toBe('retry')
    expect(chooseRecovery(failure(code), 2, 2)).toBe('give-up')
  }
  for (const code of ['unauthorized', 'bad-request', 'bad-response', 'model-timeout'] as const)
    expect(chooseRecovery(failure(code), 0, 2)).toBe('give-up')
})

test('lets the adapter decide with details.retry', () => {
  expect(chooseRecovery(failure('server', { retry: false }), 0, 2)).toBe('give-up')
  expect(chooseRecovery(failure('bad-response', { retry: true }), 0, 2)).toBe('retry')
})

test('tries again without a retry left if the adapter has another model', () => {
  const details = { retry: true, model: 'a', fallback: 'b' }
  expect(chooseRecovery(failure('not-found', details), 2, 2)).toBe('retry')
})

test('waits for the network without using up retries', () => {
  expect(chooseRecovery(failure('offline'), 9, 2)).toBe('wait-for-network')
})

test('waits as long as the server requests, at most a minute', () => {
  expect(retryDelay(failure('rate-limited', { retryAfter: 7_000 }), 0, 0.5)).toBe(7_000)
  expect(retryDelay(failure('rate-limited', { retryAfter: 3_600_000 }), 0, 0.5)).toBe(60_000)
  expect(retryDelay(failure('rate-limited', { retryAfter: -5 }), 0, 0.5)).toBe(0)
})

test('doubles the delay with each attempt and spreads its second half', () => {
  expect([0, 1, 2].map((attempt) => retryDelay(failure('server'), attempt, 0))).toEqual([250, 500, 1_000])
  expect([0, 1, 2].map((attempt) => retryDelay(failure('server'), attempt, 1))).toEqual([500, 1_000, 2_000])
})
