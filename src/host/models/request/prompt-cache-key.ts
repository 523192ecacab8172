// OpenAI sends requests with the same `prompt_cache_key` to the same machine, which has their beginning in its cache.
// https://platform.openai.com/docs/guides/prompt-caching
import type { JsonObject } from '../../../core/data/json.js'
import type { ModelRequest, PromptMessage } from '../../../core/data/model.js'
import { fingerprint } from '../../../core/state/fingerprint.js'
import { memoize } from '../../../core/state/memoize.js'

/** The option of the adapters whose servers may know the key. */
export interface PromptCacheKeyOptions {
  /**
   * Whether requests have a `prompt_cache_key`: a fingerprint of the instructions and the first message, which names
   * neither the user nor the session. Turn it on for a relay in front of OpenAI. Other servers may refuse the field.
   * @default true at api.openai.com, false elsewhere
   */
  readonly promptCacheKey?: boolean
}

/** The field of one request. Conversations that begin alike have the same key. */
export function promptCacheKey(
  { endpoint, promptCacheKey: isWanted = isOpenAI(endpoint) }: PromptCacheKeyOptions & { readonly endpoint: string },
  { system, messages: [first] }: ModelRequest,
): JsonObject {
  return isWanted ? { prompt_cache_key: fingerprint(`${system}\n${first ? beginning(first) : ''}`) } : {}
}

const beginning = memoize((message: PromptMessage) => fingerprint(JSON.stringify(message.content)))

/** Also with a region in front, such as `eu.api.openai.com`. */
function isOpenAI(endpoint: string): boolean {
  return URL.canParse(endpoint) && /(^|\.)api\.openai\.com$/.test(new URL(endpoint).hostname)
}
