// What the pages of libraries that send requests share. Each sets `window.fixture`: `idle` sends requests of all kinds and
// tells what the library made of the answers; the button sends what nobody was asked about, and `seen` is what came of it.

/** What can be told apart of an error. */
export const told = (error) => ({
  name: error.name,
  message: error.message,
  ...(error.code === undefined ? {} : { code: error.code }),
  isTypeError: error instanceof TypeError,
  isException: error instanceof DOMException,
})

export const outcome = (promise) =>
  promise.then(
    (value) => ({ value }),
    (error) => ({ error: told(error) }),
  )

export const asText = (path, init) => fetch(path, init).then((answer) => answer.text())

/**
 * Aborts a request that has reached the server, and waits until the server has noticed.
 * @param send Sends to a path, and ends it by a signal.
 * @param isTold Whether the server can notice. A service worker does not pass it on.
 */
export async function abortLate(send, isTold = true) {
  const abort = new AbortController()
  const sending = outcome(send('/api/slow', abort.signal))
  await asText('/api/arrived')
  abort.abort()
  const result = await sending
  if (isTold) await asText('/api/closed')
  return result
}

export const form = () => {
  const data = new FormData()
  data.append('name', 'Zoë')
  data.append('file', new File(['text of the file'], 'a.txt', { type: 'text/plain' }))
  return data
}

/** Large enough that it is not sent at once. */
export const large = () => new Blob(['x'.repeat(400_000)])

const seen = []
/** Adds a button that looks as if it only opened a menu. */
export function addButton(name, press) {
  const button = document.createElement('button')
  button.textContent = name
  button.setAttribute('aria-haspopup', 'menu')
  button.setAttribute('aria-expanded', 'false')
  button.addEventListener('click', () => {
    const sent = press()
    if (sent) void outcome(sent).then((result) => seen.push(result))
  })
  document.querySelector('#app').append(button)
}

export const ready = (fixture) => {
  window.fixture = { seen, ...fixture }
  document.documentElement.dataset.ready = ''
}
