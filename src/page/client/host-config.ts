// The part of the options that is sent to the host, as JSON.
import { dropUndefined } from '../../core/data/json.js'
import { agentProvider, ownsRuns } from '../../core/data/model.js'
import type { HostConfig } from '../../core/data/protocol.js'
import { defaultLimits, defaultReminder } from '../../core/data/tool.js'
import { modelUrls } from './spawn.js'
import type { AgentOptions } from '../options.js'
import { finiteLimits, resolveEndpoint } from '../option-table.js'

/**
 * Returns the serializable options that the host needs. Must not contain credentials: traces include it. `hasFiles`: a
 * message of the session has files, which some models refuse.
 */
export function hostConfig(options: AgentOptions, hasFiles = false): HostConfig {
  const { endpoint, todo, hooks, headers, modelAdapter, retention, provider = 'openai' } = options
  const [model = '', ...models] = [options.model ?? []].flat()
  const isBuiltIn = provider === 'browser'
  const { textProtocol = isBuiltIn && !modelAdapter } = options
  // The built-in model runs in the page, so its URL is not used.
  const { providerUrl, fallbacksUrl, ...urls } = modelUrls(isBuiltIn ? 'openai' : provider, options.workerUrl)
  // A run is started once, so there is nothing to fall back to.
  const isRun = ownsRuns({ provider }) || modelAdapter?.ownsRuns === true
  return dropUndefined({
    endpoint: endpoint ? resolveEndpoint(endpoint) : undefined,
    model,
    provider: isRun ? agentProvider : provider,
    ...urls,
    ...(!isRun && (hasFiles || models.length > 0)
      ? {
          provider: 'fallbacks',
          providerUrl: fallbacksUrl,
          fallbacks: dropUndefined({ models, provider, providerUrl }),
        }
      : { providerUrl }),
    pageModel: isBuiltIn || modelAdapter !== undefined,
    // The built-in model supports it.
    responseFormat: modelAdapter === undefined || modelAdapter.supportsResponseFormat === true,
    instructions: options.instructions ?? '',
    limits: { ...defaultLimits, ...finiteLimits(options.limits ?? {}) },
    todo: todo === false ? false : { ...defaultReminder, ...dropUndefined(todo ?? {}) },
    textProtocol: typeof textProtocol === 'object' ? dropUndefined(textProtocol) : textProtocol || undefined,
    stream: options.stream ?? true,
    credentials: options.credentials ?? 'same-origin',
    resume: options.resume ?? 'auto',
    contextWindow: dropUndefined(options.contextWindow ?? {}),
    hooks: {
      beforeModel: hooks?.beforeModel !== undefined,
      headers: headers !== undefined,
      stopWhen: options.stopWhen !== undefined,
    },
    retention: retention && dropUndefined(retention),
    debug: options.debug ?? false,
  })
}
