// Reads the results of a request as a model does: a result that is sent as changes is completed from the full one.

const repeated =
  /^(?:[^]*\n)?Unchanged since the last full result of [^\n]* with these arguments(, except [^\n]*)?\.(?:\n|$)/

/** A result without its fence and the notes before it. @param {string} text */
export function withoutFence(text) {
  return /<untrusted-([^<>\s]+)>\n([^]*)\n<\/untrusted-\1>/.exec(text)?.[2] ?? text
}

/** The text of which `changed` tells the changes. @param {string} full @param {string} changed */
export function applyChanges(full, changed) {
  const before = full.split('\n')
  const parts = changed.split('\n')
  /** @type {string[]} */
  const after = []
  let place = 0
  for (let at = 0; at < parts.length;) {
    /** @type {string[]} */
    const above = []
    for (; parts[at]?.startsWith(' '); at++) above.push(String(parts[at]).slice(1))
    const isAbove = (/** @type {number} */ from) => above.every((line, index) => before[from + index] === line)
    let to = place
    while (!isAbove(to)) if (++to > before.length) throw new Error(`No such lines: ${above.join(' / ')}`)
    after.push(...before.slice(place, to + above.length))
    place = to + above.length
    for (; /^[-+]/.test(parts[at] ?? ''); at++) {
      const line = String(parts[at])
      if (line.startsWith('+')) after.push(line.slice(1))
      else if (before[place++] !== line.slice(1)) throw new Error(`Not there: ${line}`)
    }
    if (above.length === 0 && at < parts.length && !/^[ -+]/.test(String(parts[at]))) throw new Error(String(parts[at]))
  }
  return [...after, ...before.slice(place)].join('\n')
}

/**
 * The full texts of the results of a chat completions request, without fences, by the id of their call.
 * @param {{ messages?: any[] }} body
 */
export function fullResults({ messages = [] }) {
  /** @type {Map<string, string>} */
  const inputs = new Map()
  /** @type {Map<string, string>} */
  const newest = new Map()
  /** @type {Map<string, string>} */
  const results = new Map()
  for (const { role, content, tool_calls: calls = [], tool_call_id: id } of messages) {
    for (const { id: call, function: made } of calls) inputs.set(call, `${made.name} ${made.arguments}`)
    if (role !== 'tool') continue
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    const call = inputs.get(id) ?? ''
    const [found, except] = repeated.exec(text) ?? []
    const base = newest.get(call)
    if (found === undefined || base === undefined) {
      newest.set(call, withoutFence(text))
      results.set(id, withoutFence(text))
    } else results.set(id, except ? applyChanges(base, withoutFence(text.slice(found.length))) : base)
  }
  return results
}
