// What an action on the page was about to do when it was stopped or held, and had done by then.
import { isEffect, type Effect } from './effect.js'
import { isObject } from './json.js'

/** What an action was about to do when it was stopped. */
export interface StoppedEffect {
  /** Its class. */
  readonly effect: Effect
  /** A request, the submission of a form, a navigation, a new window, a download, or an option of a list. */
  readonly does: 'request' | 'submit' | 'go' | 'open' | 'download' | 'choose'
  /** HTTP method in upper case, of a request or a form. */
  readonly method?: string
  /** The address, redacted: a path on this site, or a whole URL. */
  readonly url?: string
  /**
   * What the body of the request says it does: `operationName`, the method of JSON-RPC, `Next-Action`, `_method`. For
   * `choose`: the option.
   */
  readonly operation?: string
  /** The origin of the other site, or the scheme of an address such as `mailto:`. */
  readonly site?: string
  /**
   * Of a request that is held: the fields of the page that were filled and whose value it sends. For a private one
   * `value` is true.
   */
  readonly values?: readonly { readonly field: string; readonly value: string | boolean; readonly private?: true }[]
  /** What the call had done by then, on the first one of a list. */
  readonly done?: DoneBefore
}

/** What a call had done before it was stopped or held. */
export type DoneBefore = {
  /** What it has sent, as lines for the model. */
  readonly sent?: readonly string[]
  /** The labels of the fields that it has filled. */
  readonly filled?: readonly string[]
  /** The field that is put back unless the user allows what its value led to. */
  readonly putBack?: string
  /** Something was refused before on this page, which may still contain it. */
  readonly refused?: true
  /** The fields that it has not filled. */
  readonly left?: readonly string[]
}

/** What an action was about to do, as the end of a sentence: "would send POST /orders". Its texts are untrusted. */
export function stoppedWords({ does, method = '', url, operation, site }: StoppedEffect): string {
  const address = url === undefined ? (site ?? 'an unknown address') : url
  const sent = `${method} ${address}${operation ? ` (${operation})` : ''}`.trim()
  const words: Record<StoppedEffect['does'], string> = {
    request: `would send ${sent}`,
    submit: `would submit a form: ${sent}`,
    go: `would leave to ${address}`,
    open: `would open ${url === undefined ? 'a window' : address}`,
    download: `would download ${address}`,
    choose: `would choose ${JSON.stringify(operation ?? '')}`,
  }
  return words[does]
}

const isTextOrMissing = (value: unknown): boolean => value === undefined || typeof value === 'string'
const doings: ReadonlySet<unknown> = new Set<StoppedEffect['does']>([
  'request',
  'submit',
  'go',
  'open',
  'download',
  'choose',
])

/** Whether a value says what was stopped. */
export function isStoppedEffect(value: unknown): value is StoppedEffect {
  return (
    isObject(value) &&
    isEffect(value['effect']) &&
    doings.has(value['does']) &&
    ['method', 'url', 'operation', 'site'].every((name) => isTextOrMissing(value[name])) &&
    (value['values'] === undefined || (Array.isArray(value['values']) && value['values'].every(isObject))) &&
    (value['done'] === undefined || isDoneBefore(value['done']))
  )
}

const isDoneBefore = (value: unknown): boolean =>
  isObject(value) &&
  isTextOrMissing(value['putBack']) &&
  (value['refused'] === undefined || value['refused'] === true) &&
  ['sent', 'filled', 'left'].every((name) => {
    const list = value[name]
    return list === undefined || (Array.isArray(list) && list.every((one) => typeof one === 'string'))
  })

/**
 * What the call was stopped before, if the user was asked about that and the host or the page was lost before they
 * answered. It can only make the page ask.
 */
export function stoppedBefore(
  approval: { readonly preview?: { readonly stopped?: readonly unknown[] } } | undefined,
): readonly StoppedEffect[] {
  return approval?.preview?.stopped?.filter(isStoppedEffect) ?? []
}
