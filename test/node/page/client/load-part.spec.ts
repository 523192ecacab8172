// Parts of the SDK that a page loads on first use.
import { expect, test } from 'playwright/test'
import { loadPart } from '../../../../src/page/client/load-part.js'
import { hurry } from '../../../support/lab/timers.js'

test('tries once more, after a delay, if a part cannot be loaded', async () => {
  const timers = hurry(1_000)
  const attempts: number[] = []
  const load = (failures: number) => () => {
    attempts.push(failures)
    return attempts.length > failures
      ? Promise.resolve('part')
      : Promise.reject(new TypeError('Importing a module script failed.'))
  }
  expect(await loadPart(load(0))).toBe('part')
  expect(attempts).toHaveLength(1)
  attempts.length = 0
  expect(await loadPart(load(1))).toBe('part')
  expect(attempts).toHaveLength(2)
  attempts.length = 0
  await expect(loadPart(load(2))).rejects.toThrow('Importing a module script failed.')
  expect(attempts).toHaveLength(2)
  expect(timers.asked(1_000)).toBe(2)
  timers.stop()
})
