// The model for a step whose answer must be an object (the option `output` of `send`). The turn only knows a call of
// the tool `final_result`: this file sends its schema as the response format of the model where that is supported, and
// turns an answer in text into a call. So validation, retries and the end of the turn are the same for every model.
import { withIndex } from '../data/lists.js'
import { ToolAgentError } from '../data/errors.js'
import { beginsAnswer, ownsRuns, type ModelAdapter, type ModelPart, type ModelRequest } from '../data/model.js'
import type { HostConfig } from '../data/protocol.js'
import { hostToolNames } from './builtin-tools.js'
import { abortOnReturn } from './abort.js'
import { createAnswerReader } from './output-answer.js'
import { outputToolName } from './tool-names.js'
import { formatRequest, type OutputMode } from './output-request.js'
import type { ModelAttempt, TurnDeps } from './turn-deps.js'

/** The modes that endpoints refused, by endpoint and model. Saves one refused request per model call. */
const refused = new Map<string, ReadonlySet<OutputMode>>()

/** The model of `attempt`, whose answer in text becomes a call of `final_result`. */
export function outputModel(deps: TurnDeps, attempt: ModelAttempt): ModelAdapter {
  return {
    stream(request, signal) {
      return abortOnReturn(signal, (both) => streamAnswer(deps, { ...attempt, request }, both))
    },
  }
}

/** Streams the answer. A mode that the endpoint refuses before the first part is replaced by the next one. */
async function* streamAnswer(
  deps: TurnDeps,
  attempt: ModelAttempt,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
  const config = deps.config()
  const { request } = attempt
  const key = `${config.endpoint ?? ''} ${request.model}`
  const all = outputModes(config, request)
  const known = all.filter((mode) => !refused.get(key)?.has(mode))
  const modes = known.length > 0 ? known : all.slice(-1)
  const failed: OutputMode[] = []
  for (const [index, mode] of withIndex(modes)) {
    const asked = formatRequest(request, mode, isInPrompt(config))
    const reader = createAnswerReader(deps.id('call'))
    let hasStarted = false
    try {
      const model = await deps.model({ ...attempt, request: asked })
      for await (const part of model.stream(asked, signal)) {
        hasStarted ||= beginsAnswer(part)
        yield* reader.add(part)
      }
      // Only now it is known that the mode was the reason.
      refused.set(key, new Set([...(refused.get(key) ?? []), ...failed]))
      return
    } catch (error) {
      if (hasStarted || signal.aborted || index === modes.length - 1 || !isRefusal(error)) {
        // The text so far is kept, as that of any answer that fails.
        yield* reader.held()
        throw error
      }
      failed.push(mode)
    }
  }
}

/** The modes to try, in this order. */
function outputModes(config: HostConfig, request: ModelRequest): readonly OutputMode[] {
  // A run is started once.
  if (ownsRuns(config)) return ['tool']
  const isNative =
    config.responseFormat &&
    config.textProtocol === undefined &&
    supportsFormat(config, request) &&
    mismatches(request) < 2
  return isNative ? ['json', 'tool', 'free'] : ['tool', 'free']
}

/**
 * The objects of this turn that did not match the schema. A server may accept the response format and ignore it; then
 * the next objects are asked for by the final tool.
 */
function mismatches({ messages }: ModelRequest): number {
  return messages
    .slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
    .flatMap((message) => (message.role === 'tool' ? message.content : []))
    .filter(({ toolName, output }) => toolName === outputToolName && output.type === 'error-text').length
}

/**
 * Whether the response format is the first choice. Many servers apply it to every token, so that the model cannot call
 * a tool any more. Where that is not known to work, it is used only for requests without other tools.
 */
function supportsFormat(
  { provider: own, fallbacks, pageModel, endpoint = '' }: HostConfig,
  { model, tools }: ModelRequest,
): boolean {
  const provider = fallbacks?.provider ?? own
  if (provider === 'anthropic' && !pageModel) return false
  if (!tools.some(({ name }) => !hostToolNames.has(name))) return true
  if (pageModel) return false
  if (provider === 'google') return /gemini-([3-9]|\d\d)/.test(model)
  return provider === 'openai-responses' || isOpenAI(endpoint)
}

function isOpenAI(endpoint: string): boolean {
  return /^https:\/\/([\w-]+\.)*openai(\.azure)?\.com[/:]?/i.test(endpoint)
}

/** Servers of other makers may ignore the response format, or do not show the schema to the model. */
function isInPrompt({ provider: own, fallbacks, pageModel, endpoint = '' }: HostConfig): boolean {
  const provider = fallbacks?.provider ?? own
  return !pageModel && provider !== 'google' && provider !== 'openai-responses' && !isOpenAI(endpoint)
}

/** Whether the error may be about the form of the request. Some servers answer 500 to an unknown schema. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ToolAgentError)) return false
  return error.code === 'bad-request' || (error.code === 'server' && /format|schema|grammar|tool/i.test(error.message))
}
