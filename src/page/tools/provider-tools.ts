// Calls a tool provider for one step. A provider that fails and a tool that is invalid are reported and left out, once
// until the provider answers differently.
import { errorMessage, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { withIndex } from '../../core/data/lists.js'
import { fingerprint } from '../../core/state/fingerprint.js'
import { internals, type ToolContext } from '../../core/data/tool.js'
import { atOnce, compileInPieces } from './compile-in-pieces.js'
import { nextTask } from './compiled-tool.js'
import { lintTool } from '../hints/lint-tool.js'
import { ToolRegistry } from './registry.js'
import type { AnyTool, ToolProvider } from './tool.js'

/** What a provider gets for one step, and what its tools are checked against. */
export interface ProviderRequest {
  /** The registered tools of the agent. */
  readonly registry: ToolRegistry
  /** The text of the user's message. */
  readonly message: string
  /** The open session. */
  readonly sessionId: string
  /** The merged layers of the tool context. Never sent to the model. */
  readonly toolContext: Readonly<ToolContext>
  /** The address of the page and its language, for descriptions that are functions. */
  readonly page: { readonly url: string; readonly locale: string }
  /** Values that tools and providers of this turn share. Never stored. */
  readonly shared: Map<string, unknown>
  /** Receives one failure for each tool or provider that is left out. */
  report(failure: Failure): void
}

/** Milliseconds that a provider has to answer. */
const providerTimeout = 5_000

/** What was reported about the last step, by the registry of the agent and the provider. */
const reported = new WeakMap<ToolRegistry, WeakMap<ToolProvider, ReadonlySet<string>>>()

/** Returns the provider's tools, or undefined if the provider failed; the failure is reported. */
export async function collectProviderTools(
  provider: ToolProvider,
  given: ProviderRequest,
): Promise<ToolRegistry | undefined> {
  const { request, end } = reportingChanges(provider, given)
  const found = new ToolRegistry({ onError: request.report })
  // The page's author cannot change the texts of a discovered tool.
  found.lintWith((entry) => {
    if (!entry.tool[internals]?.isDiscovered) lintTool(entry)
  })
  found.compileWith(compileInPieces)
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
      timer = setTimeout(() => reject(new Error(`no answer within ${providerTimeout} ms`)), providerTimeout)
    })
    const tools = await Promise.race([provider({ message, sessionId, toolContext, url, shared }), late])
    for (const [at, tool] of withIndex(tools ?? [])) {
      if (at % atOnce === atOnce - 1) await nextTask()
      register(found, tool, request)
    }
    await found.ready()
    return found
  } catch (thrown) {
    request.report({
      code: 'invalid-tool',
      message: `A tool provider failed, so this step has none of its tools: ${errorMessage(thrown)}`,
    })
    return undefined
  } finally {
    clearTimeout(timer)
    end()
  }
}

/** A request that reports only what was not reported about the provider's last step. `end`: call it after this step. */
function reportingChanges(
  provider: ToolProvider,
  request: ProviderRequest,
): { readonly request: ProviderRequest; end(): void } {
  const { registry } = request
  const ofAgent = reported.get(registry) ?? new WeakMap<ToolProvider, ReadonlySet<string>>()
  reported.set(registry, ofAgent)
  const before = ofAgent.get(provider)
  const now = new Set<string>()
  return {
    request: {
      ...request,
      report(failure) {
        now.add(failure.message)
        if (!before?.has(failure.message)) request.report(failure)
      },
    },
    end: () => void ofAgent.set(provider, now),
  }
}

function register(found: ToolRegistry, tool: AnyTool, request: ProviderRequest): void {
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
 * Gives the tool a name that models accept. Every other character becomes `_`. If that name is too long or taken, it is
 * cut to 57 characters plus 6 hex digits of the original's hash. The tool's functions still use the original name.
 */
function renamed(tool: AnyTool, isTaken: (name: string) => boolean): AnyTool {
  const { name } = tool
  const plain = String(name).replace(/[^A-Za-z0-9_-]/g, '_')
  if (name === '' || (plain === name && name.length <= 64)) return tool
  const value = plain.length > 64 || isTaken(plain) ? `${plain.slice(0, 57)}_${fingerprint(name).slice(0, 6)}` : plain
  return Object.create(tool, { name: { value } }) as AnyTool
}
