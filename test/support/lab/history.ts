// Checks that a request is a history that every provider accepts.
import { isObject, type JsonObject } from '../../../src/core/data/json.js'

/** What is wrong with the messages of a chat-completions body; empty when nothing is. */
export function historyFaults(body: JsonObject): string[] {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []
  const faults: string[] = []
  const seen = new Set<string>()
  let expected: string[] = []
  messages.forEach((message, index) => {
    const at = `message ${index} (${String(message['role'])})`
    if (message['role'] === 'tool') {
      const id = String(message['tool_call_id'])
      if (expected.shift() !== id) faults.push(`${at}: result of ${id} is not next in call order`)
      if (typeof message['content'] === 'string' && message['content'] === '') faults.push(`${at}: empty result`)
      return
    }
    if (expected.length > 0) faults.push(`${at}: stands before the results of ${expected.join(', ')}`)
    expected = []
    if (message['role'] === 'system' && index > 0) faults.push(`${at}: system text inside the history`)
    const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isObject) : []
    for (const call of calls) {
      const id = String(call['id'])
      if (seen.has(id)) faults.push(`${at}: id ${id} is used twice`)
      seen.add(id)
      expected.push(id)
      const args = isObject(call['function']) ? call['function']['arguments'] : undefined
      if (typeof args !== 'string' || !isObject(JSON.parse(args)))
        faults.push(`${at}: arguments of ${id} are not an object`)
    }
    const content = message['content']
    if (calls.length === 0 && (content === '' || content === null || content === undefined)) faults.push(`${at}: empty`)
    if (message['role'] === 'assistant' && messages[index - 1]?.['role'] === 'assistant')
      faults.push(`${at}: two assistant messages in a row`)
  })
  if (expected.length > 0) faults.push(`no result for ${expected.join(', ')}`)
  if (messages.at(-1)?.['role'] === 'assistant') faults.push('ends with an assistant message')
  if (Array.isArray(body['tools']) && body['tools'].length === 0) faults.push('an empty tools field')
  return faults
}
