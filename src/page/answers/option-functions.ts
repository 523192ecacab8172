// The queries that an option of the page answers: `hooks.beforeModel`, and the model, which is the option
// `modelAdapter` or built into the browser.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import type { ModelAdapter, ModelRequest } from '../../core/data/model.js'
import type { QueryOf } from '../../core/data/protocol.js'
import { loadPart } from '../client/load-part.js'
import { warnAboutToolCount } from '../hints/lint-tool.js'
import { received } from '../checks.js'
import { toJson } from '../schema/json-value.js'
import type { QueryContext, QueryRun } from './query-context.js'

/** Rejects with `invalid-option` where the hook returns something that is not a request. */
export async function changedRequest(
  context: QueryContext,
  { request }: QueryOf<'before-model'>,
): Promise<ModelRequest> {
  // The hook gets a copy: if it throws, the original must be unchanged.
  const copy = structuredClone(request)
  const returned = await context.deps.options().hooks?.beforeModel?.(copy)
  // The host must receive JSON: what the hook put in may be anything.
  const changed: unknown = JSON.parse(JSON.stringify(returned ?? copy))
  if (!isModelRequest(changed))
    throw new ToolAgentError(
      'invalid-option',
      'hooks.beforeModel: expected a request with system, messages and tools, or nothing, ' +
        `received ${received(changed)}`,
    )
  context.hasWarnedAboutToolCount ||= warnAboutToolCount(changed.tools)
  return changed
}

/** Checks only what the host relies on. Messages and tools are checked by the endpoint. */
function isModelRequest(value: unknown): value is ModelRequest {
  return (
    isObject(value) &&
    typeof value['system'] === 'string' &&
    Array.isArray(value['messages']) &&
    Array.isArray(value['tools'])
  )
}

/** The built-in model of each agent. It keeps its sessions between two queries. */
const browserModels = new WeakMap<QueryContext, Promise<ModelAdapter>>()

/** Rejects with `no-endpoint` where the option was removed after the request began. */
export async function streamModel(
  context: QueryContext,
  { request }: QueryOf<'model'>,
  { signal, onProgress }: QueryRun,
): Promise<null> {
  const { modelAdapter, provider } = context.deps.options()
  const model = modelAdapter ?? (provider === 'browser' ? await browserModel(context) : undefined)
  if (model === undefined)
    throw new ToolAgentError('no-endpoint', 'The option modelAdapter was removed while a turn runs: set it again')
  for await (const part of model.stream(request, signal)) onProgress(toJson(part).json)
  return null
}

function browserModel(context: QueryContext): Promise<ModelAdapter> {
  const { deps } = context
  const known = browserModels.get(context)
  if (known) return known
  const loading = loadPart(() => import('../browser-model/browser-model.js')).then(
    ({ BrowserModel }) =>
      new BrowserModel({
        closed: deps.closed,
        language: () => deps.page().locale,
        onDownload: (loaded) => {
          // The panel reads the same key.
          deps.state.setProgress('model-download', loaded)
          deps.state.notify({ type: 'change' })
        },
      }),
  )
  browserModels.set(context, loading)
  // The next query tries again.
  loading.catch(() => browserModels.delete(context))
  return loading
}
