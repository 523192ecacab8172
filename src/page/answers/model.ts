// Answers `model`: streams one model request through the page's `modelAdapter`. The parts are sent as progress.
import { ToolAgentError } from '../../core/data/errors.js'
import type { QueryOf } from '../../core/turn/turn-deps.js'
import { toJson } from '../schema/output-json.js'
import type { AnswerContext, QueryRun } from './answer-context.js'

/** Rejects with `no-endpoint` where the option was removed after the request began. */
export async function streamModel(
  { deps }: AnswerContext,
  { request }: QueryOf<'model'>,
  { signal, onProgress }: QueryRun,
): Promise<null> {
  const { modelAdapter } = deps.options()
  if (modelAdapter === undefined)
    throw new ToolAgentError('no-endpoint', 'The option modelAdapter was removed while a turn runs: set it again')
  for await (const part of modelAdapter.stream(request, signal)) onProgress(toJson(part).json)
  return null
}
