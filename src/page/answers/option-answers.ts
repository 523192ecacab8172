// One chunk: the answers that only some options need: `headers`, `hooks.beforeModel`,
// `modelAdapter` and the built-in model of the browser.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import type { ModelAdapter } from '../../core/data/model.js'
import type { QueryOf } from '../../core/turn/turn-deps.js'
import { loadPart } from '../link/load-part.js'
import { toJson } from '../schema/output-json.js'
import type { AnswerContext, QueryRun } from './answer-context.js'

export { changedRequest } from './before-model.js'

/** Rejects with `invalid-option` unless it is an object of strings. The message omits the value: it may be secret. */
export async function requestHeaders(
  { deps }: AnswerContext,
  { reason }: QueryOf<'headers'>,
): Promise<Record<string, string>> {
  const { headers } = deps.options()
  const given: unknown = typeof headers === 'function' ? await headers(reason) : headers
  const [name, wrong] = isObject(given)
    ? (Object.entries(given).find(([, value]) => typeof value !== 'string') ?? [])
    : ['', given]
  if (name !== undefined) {
    const expected = name === '' ? 'headers: expected an object of strings' : `headers: expected a string for "${name}"`
    throw new ToolAgentError('invalid-option', `${expected}, received ${wrong === null ? 'null' : typeof wrong}`)
  }
  return given as Record<string, string>
}

/** The built-in model of each agent. It keeps its sessions between two queries. */
const browserModels = new WeakMap<AnswerContext, Promise<ModelAdapter>>()

/** Rejects with `no-endpoint` where the option was removed after the request began. */
export async function streamModel(
  context: AnswerContext,
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

function browserModel(context: AnswerContext): Promise<ModelAdapter> {
  const { deps } = context
  const known = browserModels.get(context)
  if (known) return known
  const loading = loadPart(() => import('../browser-model/browser-model.js')).then(
    ({ BrowserModel }) =>
      new BrowserModel({
        closed: deps.closed,
        language: () => deps.page().locale,
        onDownload: (loaded) => {
          const { progress } = deps.state
          // The panel reads the same key.
          if (loaded === undefined) progress.delete('model-download')
          else progress.set('model-download', loaded)
          deps.state.notify({ type: 'change' })
        },
      }),
  )
  browserModels.set(context, loading)
  // The next query tries again.
  loading.catch(() => browserModels.delete(context))
  return loading
}
