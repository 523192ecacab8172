// Saves a conversation as a JSON file, as a download of the browser.
import type { JsonValue } from '../../core/data/json.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { Agent } from '../../page/agent.js'

/** Saves a conversation: by default the open one. */
export async function saveSession(agent: Agent, title = agent.session?.title, id?: string): Promise<void> {
  saveFile(`${title ?? 'session'}.json`, await agent.sessions.export(id))
}

/** Starts the download. Characters of `name` that file systems do not accept become hyphens. */
export function saveFile(name: string, value: JsonValue): void {
  const href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  Object.assign(unclobbered(document).createElement('a'), {
    href,
    download: name.replace(/[\\/:*?"<>|\p{C}]+/gu, '-'),
  }).click()
  // By then the browser has started to read the file.
  setTimeout(() => {
    URL.revokeObjectURL(href)
  }, 10_000)
}
