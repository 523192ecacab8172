// Decides whether hints for page authors may be needed, and loads their code (lint-tool.ts) only then. A check here may
// be wrong in one direction: it must be true whenever lint-tool.ts has something to log. Names that do not exist are
// found when a tool is registered: see known-names.ts.
import type { JsonObject } from '../../core/data/json.js'
import type { ToolSpec } from '../../core/data/tool.js'
import { combiningKeyword } from '../schema/check-schema.js'
import { eachSchema } from '../schema/walk.js'
import type { CompiledTool } from '../tools/registered-tool.js'

/** More tools than this are rejected by OpenAI and other providers. */
export const maxToolCount = 128
/** The characters that a text should have. */
export const textLimits = { name: 30, shortDescription: 20, description: 500, parameter: 150 }

const loadHints = () => import('./lint-tool.js')
// Imported once, so that the hints have the order of their tools.
let loading: ReturnType<typeof loadHints> | undefined

/** Runs the code of the hints. Without it only the hints are missing, so a failure to load it is not an error. */
async function withHints(use: (hints: Awaited<ReturnType<typeof loadHints>>) => void): Promise<void> {
  try {
    loading ??= loadHints()
    use(await loading)
  } catch {
    loading = undefined // The next hint tries again.
  }
}

/** Logs the hints for one tool, each once. */
export function lintTool(entry: CompiledTool): void {
  const { tool, schema, contextSchema } = entry
  const { name, description } = tool
  let mayNeed =
    (typeof description !== 'function' && isUnusual(description?.trim() ?? '')) ||
    name.length > textLimits.name ||
    (schema.wrongDefaults ?? contextSchema?.wrongDefaults) !== undefined ||
    combiningKeyword(schema.jsonSchema) !== undefined
  eachSchema(schema.jsonSchema, ({ description: text }: JsonObject) => {
    mayNeed ||= typeof text === 'string' && text.length > textLimits.parameter
  })
  if (mayNeed) void withHints((hints) => hints.lintTool(entry))
}

/** Logs a hint for a missing, short or long description. */
export function lintDescription(name: string, text: string): void {
  if (isUnusual(text)) void withHints((hints) => hints.lintDescription(name, text))
}

const isUnusual = ({ length }: string): boolean =>
  length < textLimits.shortDescription || length > textLimits.description

/** Logs a warning if a request offers more tools than many models accept. Returns whether it does. */
export function warnAboutToolCount(
  tools: readonly Pick<ToolSpec, 'name' | 'description' | 'inputSchema'>[],
  builtIn = 0,
): boolean {
  const isTooMany = tools.length + builtIn > maxToolCount
  if (isTooMany) void withHints((hints) => hints.warnAboutToolCount(tools, builtIn))
  return isTooMany
}
