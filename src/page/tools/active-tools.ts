// The checks of `activeTools`: at `send`, and again at the first step, when the providers have answered. They are apart
// from the offer itself, which is loaded with the host.
import { ToolAgentError } from '../../core/data/errors.js'
import { builtinToolNames } from '../../core/data/tool.js'
import type { SendOptions } from '../options.js'
import type { ToolRegistry } from './registry.js'

/** Throws `invalid-option` for a name in `activeTools` that no tool has, now that something can be done about it. */
export function checkActiveTools(
  names: readonly string[],
  registry: ToolRegistry,
  send: SendOptions,
  hasProviders: boolean,
): void {
  const known = new Set([...builtinToolNames, ...(send.tools ?? []).map((tool) => tool.name)])
  if (send.toolsMode !== 'replace') for (const entry of registry.entries()) known.add(entry.name)
  // A provider's names are not known before it is asked.
  if (!hasProviders) refuseUnknown(names, (name) => known.has(name))
}

export function refuseUnknown(names: readonly string[], isKnown: (name: string) => boolean): void {
  const unknown = names.filter((name) => !isKnown(name))
  if (unknown.length > 0) {
    throw new ToolAgentError(
      'invalid-option',
      `activeTools: there is no tool ${unknown.map((name) => `'${name}'`).join(', ')}`,
    )
  }
}
