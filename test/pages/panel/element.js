// A page on which specs create the element themselves, with a scripted model.

const finish = (unified) => ({ type: 'finish', finishReason: { unified } })

Object.assign(window, {
  /** Defines the element. */
  load: () => import('/src/index.ts'),
  says: (text) => [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: text },
    { type: 'text-end', id: 't' },
    finish('stop'),
  ],
  calls: (name, input, toolCallId = `call-${name}`) => [
    { type: 'tool-call', toolCallId, toolName: name, input: JSON.stringify(input) },
    finish('tool-calls'),
  ],
  /** A model in the page: one list of parts per step. `requests` holds what it received. */
  model(...steps) {
    const requests = []
    return {
      requests,
      async *stream(request) {
        requests.push(request)
        const parts = steps.shift()
        if (parts === undefined) throw new Error('The script of the model is at its end')
        yield* parts
      },
    }
  },
  heard: [],
})
for (const type of [
  'turn-start',
  'turn-end',
  'tool-call',
  'tool-result',
  'approval-request',
  'todos-change',
  'session-change',
  'error',
]) {
  addEventListener(`tool-agent-${type}`, (event) => {
    window.heard.push(event)
  })
}
document.documentElement.dataset.ready = ''
