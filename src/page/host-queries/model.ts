// Answers `model`: streams the parts of a model in the page, from the option `modelAdapter` or built into the browser.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ModelAdapter } from '../../core/data/model.js'
import type { QueryOf } from '../../core/loop/turn-deps.js'
import { loadPart } from '../client/load-part.js'
import { toJson } from '../schema/output-json.js'
import type { QueryContext, QueryRun } from './query-context.js'

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
