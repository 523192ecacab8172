// The tools that a provider gives for one step. A provider that fails, and a tool that cannot be registered, are
// reported and left out. Loaded with the first provider.
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import { fingerprint } from '../../core/data/json.js'
import { lintTool } from './lint-tool.js'
import type { AvailableToolsRequest } from './available-tools.js'
import { ToolRegistry } from './registry.js'
import type { AnyTool, ToolProvider } from './tool.js'

const providerTimeout = 5_000

/** Undefined where the provider failed, which is reported. */
export async function collectProviderTools(
  provider: ToolProvider,
  request: AvailableToolsRequest,
): Promise<ToolRegistry | undefined> {
  const found = new ToolRegistry()
  found.lintWith(lintTool)
  const {
    message,
    sessionId,
    toolContext,
    page: { url },
    shared,
  } = request
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it did not answer within ${providerTimeout} ms`)), providerTimeout)
    })
    const tools = await Promise.race([provider({ message, sessionId, toolContext, url, shared }), late])
    for (const tool of tools ?? []) register(found, tool, request)
    await found.ready()
    return found
  } catch (thrown) {
    request.report({
      code: 'invalid-tool',
      message: `A tool provider gave no tools for this step: ${errorMessage(thrown)}`,
    })
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function register(found: ToolRegistry, tool: AnyTool, request: AvailableToolsRequest): void {
  try {
    found.register(
      renamed(tool, (name) => found.get(name) !== undefined || request.registry.get(name) !== undefined),
      { source: 'provider' },
    )
  } catch (thrown) {
    request.report({
      code: thrown instanceof ToolAgentError ? thrown.code : 'invalid-tool',
      message: errorMessage(thrown),
    })
  }
}

/**
 * A foreign tool under a name that models accept: `_` for each character they do not; where that is too long or taken,
 * 57 characters and 6 hex digits of the original's hash. What the tool does itself is bound to the original.
 */
function renamed(tool: AnyTool, isTaken: (name: string) => boolean): AnyTool {
  const { name } = tool
  const plain = String(name).replace(/[^A-Za-z0-9_-]/g, '_')
  if (name === '' || (plain === name && name.length <= 64)) return tool
  const value = plain.length > 64 || isTaken(plain) ? `${plain.slice(0, 57)}_${fingerprint(name).slice(0, 6)}` : plain
  return Object.create(tool, { name: { value } }) as AnyTool
}
