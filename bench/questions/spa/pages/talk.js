// What the pages share: they talk to their server, and tell who watches from outside when a handler for a deed runs.

export const ran = (what) => window.ran?.(what)

const send = async (address, options) => {
  const answer = await fetch(address, { headers: { 'content-type': 'application/json' }, ...options })
  if (!answer.ok) throw new Error(String(answer.status))
  return answer.json()
}
const post = (address, body) => send(address, { method: 'POST', body: JSON.stringify(body) })

export const load = () => fetch('/api/state').then((answer) => answer.json())
export const save = (state) => send('/api/state', { method: 'PUT', body: JSON.stringify(state) })
export const rpc = (method, params = {}) => post('/rpc', { method, params }).then(({ result }) => result)
export const gql = (kind, operationName, variables = {}) =>
  post('/graphql', { operationName, query: `${kind} ${operationName} { result }`, variables }).then(({ data }) => data)

/** Runs the last of several calls, after a pause. */
export function debounce(run, time) {
  let timer
  return (...args) => {
    clearTimeout(timer)
    timer = setTimeout(() => run(...args), time)
  }
}
