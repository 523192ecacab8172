// Which model the assistant asks. The choice outlives a navigation within the tab; a key never does: it stays in this
// module's memory, and after a navigation the assistant waits until it is entered again.

export type ModelChoice =
  | { readonly kind: 'offline' }
  /** `/v1` of this server: its relay, which holds the key, or the offline model where none is configured. */
  | { readonly kind: 'server' }
  | { readonly kind: 'endpoint'; readonly url: string; readonly model: string; readonly needsKey: boolean }

/** What the server says about its relay; `model` is null where the page names the model. */
export interface Relay {
  readonly model: string | null
}

const storageKey = 'playground-model'
let key = ''
const waiting: ((headers: Record<string, string>) => void)[] = []

/** What was chosen in this tab, at first the server's. */
export function storedChoice(): ModelChoice {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    const { kind, url, model, needsKey } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<
      string,
      unknown
    >
    if (kind === 'endpoint') return { kind, url: String(url), model: String(model), needsKey: needsKey === true }
    return { kind: kind === 'offline' ? 'offline' : 'server' }
  } catch {
    // Storage may be closed, or hold what another version wrote: then the tab begins anew.
    return { kind: 'server' }
  }
}

/** `secret` is kept in memory alone. */
export function choose(choice: ModelChoice, secret: string): void {
  key = choice.kind === 'endpoint' ? secret : ''
  const headers = headersOf(choice)
  if (headers) for (const resolve of waiting.splice(0)) resolve(headers)
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(choice))
  } catch {
    // Without storage the choice holds for this page.
  }
}

function headersOf(choice: ModelChoice): Record<string, string> | undefined {
  if (choice.kind !== 'endpoint' || !choice.needsKey) return {}
  return key === '' ? undefined : { authorization: `Bearer ${key}` }
}

/** Headers for the choice; waits for the key where one is needed and `ask` has to get it from the visitor. */
export function headersFor(
  choice: ModelChoice,
  ask: () => void,
): Record<string, string> | Promise<Record<string, string>> {
  const headers = headersOf(choice)
  if (headers) return headers
  ask()
  return new Promise((resolve) => {
    waiting.push(resolve)
  })
}

/** What is said of a choice where there is room for a line. */
export function nameOf(choice: ModelChoice, relay: Relay | undefined): string {
  if (choice.kind === 'offline' || (choice.kind === 'server' && !relay)) return 'Offline model (rules, no key)'
  if (choice.kind === 'server')
    return relay?.model ? `${relay.model}, by way of this server` : 'The model behind this server'
  return URL.canParse(choice.url, location.href)
    ? `${choice.model} at ${new URL(choice.url, location.href).host}`
    : choice.model
}
