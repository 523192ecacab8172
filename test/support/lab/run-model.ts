// One request of an adapter to a scripted server, for the specs of the protocols.
import { ToolAgentError } from '../../../src/core/data/errors.js'
import type { JsonObject } from '../../../src/core/data/json.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../src/core/data/model.js'
import { startEndpoint, type Handler, type RecordedRequest, type ScriptItem } from './endpoint.js'

export interface Ran {
  readonly parts: ModelPart[]
  readonly error: ToolAgentError | undefined
  readonly requests: readonly RecordedRequest[]
  /** The body of the last request; `{}` if there was none. */
  readonly body: JsonObject
}

/** Sends a request to a server with this script. Throws if a reply of the script is left over. */
export async function runAgainst(
  script: readonly ScriptItem[] | Handler,
  model: (endpoint: string) => ModelAdapter,
  request: ModelRequest,
): Promise<Ran> {
  const endpoint = await startEndpoint(script)
  const parts: ModelPart[] = []
  let error: ToolAgentError | undefined
  try {
    for await (const part of model(endpoint.url).stream(request, new AbortController().signal)) parts.push(part)
  } catch (thrown) {
    if (!(thrown instanceof ToolAgentError)) throw thrown
    error = thrown
  } finally {
    await endpoint.stop()
  }
  await endpoint.close()
  const { requests } = endpoint
  return { parts, error, requests, body: requests.at(-1)?.body ?? {} }
}
