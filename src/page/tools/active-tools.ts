// Checks the names in `activeTools`: at `send`, and again at the first step, after the providers have answered. This
// file is separate because the code that collects the available tools loads later, together with the host.
import { ToolAgentError } from '../../core/data/errors.js'
import { builtinToolNames } from '../../core/data/tool.js'
import type { SendOptions } from '../options.js'
import type { ToolRegistry } from './registry.js'

/**
 * Checks `activeTools` when `send` is called. With providers, the check waits for the first step, because their names
 * are not known yet.
 * @throws ToolAgentError `invalid-option` for a name that no tool has.
 */
export function checkActiveTools(
  names: readonly string[],
  registry: ToolRegistry,
  send: SendOptions,
  hasProviders: boolean,
): void {
  const known = new Set([...builtinToolNames, ...(send.tools ?? []).map((tool) => tool.name)])
  for (const entry of registry.entries()) known.add(entry.name)
  if (!hasProviders) refuseUnknown(names, (name) => known.has(name))
}

/** @throws ToolAgentError `invalid-option` that lists every name for which `isKnown` is false. */
export function refuseUnknown(names: readonly string[], isKnown: (name: string) => boolean): void {
  const unknown = names.filter((name) => !isKnown(name))
  if (unknown.length > 0) {
    throw new ToolAgentError(
      'invalid-option',
      `activeTools: no tool is called ${unknown.map((name) => `'${name}'`).join(', ')}`,
    )
  }
}
