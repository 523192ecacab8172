// Which model the assistant asks. The choice outlives a navigation within the tab; a key never does: it stays in this
// module's memory, and after a navigation the assistant waits until it is entered again.

export type ModelChoice =
  /** The rules that run in this page. */
  | { readonly kind: 'offline' }
  /** The built-in model of the browser. */
  | { readonly kind: 'browser' }
  /** `/v1` of the development server: its relay, which holds the key. */
  | { readonly kind: 'server' }
  | { readonly kind: 'endpoint'; readonly url: string; readonly model: string; readonly needsKey: boolean }

/** What the server says about its relay; `model` is null where the page names the model. */
export interface Relay {
  readonly model: string | null
}

const storageKey = 'playground-model'
let key = ''
const waiting: ((headers: Record<string, string>) => void)[] = []

/** What was chosen in this tab, or undefined: then the relay answers where there is one, and the offline model elsewhere. */
export function storedChoice(): ModelChoice | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    const { kind, url, model, needsKey } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<
      string,
      unknown
    >
    if (kind === 'endpoint') return { kind, url: String(url), model: String(model), needsKey: needsKey === true }
    return kind === 'offline' || kind === 'browser' || kind === 'server' ? { kind } : undefined
  } catch {
    // Storage may be unavailable, or contain what another version wrote.
    return undefined
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

/** The choice in one line. */
export function nameOf(choice: ModelChoice, relay: Relay | undefined): string {
  if (choice.kind === 'offline') return 'Offline model (no key)'
  if (choice.kind === 'browser') return 'The model of this browser'
  if (choice.kind === 'server')
    return relay?.model ? `${relay.model}, by way of this server` : 'The model behind this server'
  return URL.canParse(choice.url, location.href)
    ? `${choice.model} at ${new URL(choice.url, location.href).host}`
    : choice.model
}
