// Answers `read`: checks calls that only read, and runs those that need no question.
import type { AssistantMessage } from '../../core/data/message.js'
import type { QueryOf } from '../../core/data/protocol.js'
import type { Session } from '../../core/data/session.js'
import type { JsonValue } from '../../core/data/json.js'
import { checkCalls } from './check-call.js'
import type { Executions } from './execute-call.js'
import type { QueryContext, QueryRun } from './query-context.js'

/** All verdicts are known before the first call runs. */
export async function readCalls(
  before: QueryContext,
  { calls, untrusted, message }: QueryOf<'read'>,
  run: QueryRun,
  executions: Executions,
): Promise<null> {
  const context = withMessage(before, message)
  const verdicts = await checkCalls(context, { calls, untrusted }, run)
  run.signal.throwIfAborted()
  run.onProgress({ verdicts })
  const work = verdicts.map(async (verdict) => {
    const called = calls.find(({ callId }) => callId === verdict.callId)
    if (verdict.do !== 'run' || called === undefined) return
    const { callId, input, hash } = verdict
    const query: QueryOf<'execute'> = { type: 'execute', callId, name: called.name, input, hash }
    const onProgress = (value: unknown) => run.onProgress({ callId, value: value as JsonValue })
    await run.runAlone(callId, async (signal) => {
      const outcome = await executions.execute(context, query, { ...run, signal, onProgress })
      run.onProgress({ outcome })
    })
  })
  await Promise.all(work)
  return null
}

/** The context as it is once the page has received `message`, which may still be on its way to the disk. */
function withMessage(context: QueryContext, message: AssistantMessage): QueryContext {
  const { deps } = context
  const session = (): Session => {
    const now = deps.session()
    return now.messages.findLastIndex(({ id }) => id === message.id) >= 0
      ? now
      : { ...now, messages: [...now.messages, message] }
  }
  return { ...context, deps: { ...deps, session } }
}
