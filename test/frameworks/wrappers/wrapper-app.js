// What the apps with the components for React and Vue share: their state, and what the specs read.

/** The object `app` of the page. The app sets `start` and `render`. */
export function application() {
  const listeners = new Set()
  const app = {
    state: {
      route: 'home',
      description: 'Searches the products of the shop by free text.',
      field: 'text',
      greeting: 'Hello',
      instructions: 'Be kind.',
      scope: '',
      hasTool: true,
      isLate: false,
    },
    ran: [],
    observe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(change) {
      app.state = { ...app.state, ...change }
      for (const listener of listeners) listener()
    },
    element: null,
    ref(element) {
      app.element = element
    },
    begin() {
      globalThis.app = app
      if (typeof document !== 'object') return
      Object.assign(app.state, Object.fromEntries(new URLSearchParams(location.search)))
      app.start(document.querySelector('main'))
    },
  }
  return app
}
