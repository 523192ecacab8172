// The one Trusted Types policy of the SDK, `tool-agent`: Lit gives it the HTML of its templates
// (`litApart`), and the start of a worker its URL. A page that has a list of policies must allow this name alone.
import * as log from './log.js'

interface Policy {
  /** For constant HTML of templates, which Lit parses before it adds a value. */
  createHTML(html: string): string
  /** For workers: refuses each URL that `allowedWorkerUrl` did not get. */
  createScriptURL(url: string): string
}
interface TrustedTypesLike {
  createPolicy(name: string, rules: Policy): Policy
}

const workerUrls = new Set<string>()
let policy: Policy | undefined | null = null

/** The policy, created once per copy of this script. Undefined if the browser has none, or the page forbids it. */
export function trustedTypesPolicy(): Policy | undefined {
  if (policy !== null) return policy
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesLike }
  try {
    policy = trustedTypes?.createPolicy('tool-agent', {
      createHTML: (html) => html,
      createScriptURL(url) {
        if (!workerUrls.has(url)) throw new TypeError(`Not a worker of tool-agent: ${url}`)
        return url
      },
    })
  } catch (thrown) {
    policy = undefined
    log.debug('The Trusted Types policy tool-agent cannot be created', thrown)
  }
  return policy
}

/** The URL of a worker as the page's policy wants it. Must not get a URL of the page or of a message. */
export function allowedWorkerUrl(url: string): string {
  workerUrls.add(url)
  return trustedTypesPolicy()?.createScriptURL(url) ?? url
}
