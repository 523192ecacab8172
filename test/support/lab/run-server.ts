// An agent on a server that speaks AG-UI over HTTP, written after the published protocol: a POST with `RunAgentInput`
// starts a run, whose events are server-sent events. Each run is one item of the script.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../../src/core/data/json.js'

/** The input of a run as the server received it. */
export interface RunInput {
  readonly threadId: string
  readonly runId: string
  readonly state: unknown
  readonly messages: readonly (JsonObject & { readonly id: string; readonly role: string })[]
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[]
  readonly context: readonly unknown[]
  readonly forwardedProps: unknown
  readonly resume?: readonly unknown[]
}

/** An event, or a promise that holds the rest back. */
export type RunEvent = JsonObject | Promise<unknown>
/** `events`: those between the start of the run and its end, which are added. */
export type Run =
  | { readonly events: readonly RunEvent[]; readonly end?: 'finish' | 'cut' | 'none' | JsonObject }
  | { readonly status: number; readonly headers?: Record<string, string> }
  /** The connection ends without an answer, after the request was read. */
  | { readonly lost: true }
export type RunScript = readonly (Run | ((input: RunInput) => Run))[]

/** A running agent. */
export interface RunServer {
  readonly url: string
  /** The inputs in the order in which they came. */
  readonly runs: readonly RunInput[]
  close(): Promise<void>
}

/** Starts an agent. A run that the script does not have gets the status 500. */
export async function startRunServer(script: RunScript): Promise<RunServer> {
  const runs: RunInput[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const input = JSON.parse(text) as RunInput
      const item = script[runs.push(input) - 1] ?? { status: 500 }
      void answer(response, typeof item === 'function' ? item(input) : item, input)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/agent`,
    runs,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function answer(response: ServerResponse, run: Run, { threadId, runId }: RunInput): Promise<void> {
  if ('lost' in run) return void response.destroy()
  if ('status' in run) return void response.writeHead(run.status, run.headers).end('{"error":"no"}')
  const { events, end = 'finish' } = run
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  const send = (event: JsonObject) => response.write(`data: ${JSON.stringify(event)}\n\n`)
  if (end !== 'none') send({ type: 'RUN_STARTED', threadId, runId })
  for (const event of events) {
    if (event instanceof Promise) await event
    else send(event as JsonObject)
  }
  // Without the end of the body, but not before what was written.
  if (end === 'cut') return void response.socket?.end()
  if (end === 'finish') send({ type: 'RUN_FINISHED', threadId, runId })
  else if (end !== 'none') send({ threadId, runId, ...end })
  response.end()
}

/** The events of a text. */
export const said = (messageId: string, ...deltas: string[]): JsonObject[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
  { type: 'TEXT_MESSAGE_END', messageId },
]

/** The events of a call; `result`: those of a call that the server runs itself. */
export const called = (
  toolCallId: string,
  toolCallName: string,
  input: JsonObject,
  { parent, result }: { readonly parent?: string; readonly result?: string } = {},
): JsonObject[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName, ...(parent === undefined ? {} : { parentMessageId: parent }) },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input) },
  { type: 'TOOL_CALL_END', toolCallId },
  ...(result === undefined
    ? []
    : [{ type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}-result`, toolCallId, content: result, role: 'tool' }]),
]
