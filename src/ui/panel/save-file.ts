// A value as a JSON file that the browser saves.
import type { JsonValue } from '../../core/data/json.js'
import { unclobbered } from '../../core/data/unclobbered.js'

/** `name` loses what file systems do not take. */
export function saveFile(name: string, value: JsonValue): void {
  const href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  Object.assign(unclobbered(document).createElement('a'), {
    href,
    download: name.replace(/[\\/:*?"<>|\p{C}]+/gu, '-'),
  }).click()
  // The browser has begun to read it by then.
  setTimeout(() => {
    URL.revokeObjectURL(href)
  }, 10_000)
}
