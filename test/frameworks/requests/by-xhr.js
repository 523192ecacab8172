// One XMLHttpRequest with all that can be seen of it.

/** Sends by XMLHttpRequest and tells every event of it and of its upload, except those that are repeated. */
export function byXhr(path, body, { before = () => {}, method = 'POST' } = {}) {
  const xhr = new XMLHttpRequest()
  const events = []
  const note = (prefix) => (event) => {
    const { type, loaded } = event
    const size = loaded > 0 && loaded < 1000 ? ` ${loaded}` : ''
    const text = `${prefix}${type} ${xhr.readyState}${size}`
    if (events.at(-1) !== text && !(type === 'progress' && events.at(-1)?.startsWith(`${prefix}progress`)))
      events.push(text)
  }
  for (const type of ['readystatechange', 'loadstart', 'progress', 'load', 'error', 'abort', 'timeout', 'loadend']) {
    xhr.addEventListener(type, note(''))
    if (type !== 'readystatechange') xhr.upload.addEventListener(type, note('upload '))
  }
  xhr.open(method, path)
  xhr.setRequestHeader('x-marker', 'xhr')
  before(xhr)
  return new Promise((resolve) => {
    // A task later, to see what stays.
    xhr.addEventListener('loadend', () =>
      setTimeout(() =>
        resolve({
          // Whether the network has told how far the upload was before it failed depends on the time.
          events: xhr.status === 0 ? events.filter((one) => !one.startsWith('upload progress')) : events,
          state: xhr.readyState,
          status: xhr.status,
          statusText: xhr.statusText,
          text: xhr.responseText,
          headers: xhr.getAllResponseHeaders() !== '',
          url: new URL(xhr.responseURL || 'http://none/').pathname,
        }),
      ),
    )
    xhr.send(body)
  })
}
