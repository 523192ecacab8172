// The panel that chooses the model: the offline one, that of the browser, the server's relay, or any endpoint with a key
// that is kept in memory only.
import { h } from './dom.js'
import { choose, type ModelChoice, type Relay } from './model-choice.js'

export interface ModelPanel {
  readonly element: HTMLFormElement
  /** Opens on the key field, with the reason. */
  askForKey(): void
  /** Enters an endpoint, and puts the focus where something is missing. */
  enter(url: string, model: string): void
}

function hasBrowserModel(): boolean {
  return 'LanguageModel' in globalThis
}

export function createModelPanel(options: {
  readonly relay: Relay | undefined
  readonly choice: ModelChoice
  readonly onchoice: (choice: ModelChoice) => void
  readonly show: () => void
  /** Without it there is no button to close the panel. */
  readonly close?: () => void
}): ModelPanel {
  const { relay, choice } = options
  const endpoint = choice.kind === 'endpoint' ? choice : undefined
  const shown = choice.kind
  const plain = { spellcheck: 'false', autocomplete: 'off' }
  const url = h('input', {
    id: 'model-url',
    type: 'text',
    inputmode: 'url',
    value: endpoint?.url ?? '',
    placeholder: 'https://api.openai.com/v1',
    ...plain,
  })
  const model = h('input', {
    id: 'model-name',
    type: 'text',
    value: endpoint?.model ?? '',
    placeholder: 'gpt-5-mini',
    ...plain,
  })
  const secret = h('input', { id: 'model-key', type: 'password', autocomplete: 'off', placeholder: 'none' })
  const problem = h('p', { class: 'error', role: 'alert' })
  const fields = h(
    'div',
    { class: 'model-fields', hidden: !endpoint },
    h('label', {}, 'URL, up to and including the version', url),
    h('label', {}, 'Model', model),
    h('label', {}, 'Key', secret),
    h(
      'p',
      { class: 'hint' },
      'The key stays in this page’s memory: it is not stored, and a navigation forgets it. ' +
        `The page asks the endpoint itself, so the endpoint has to allow ${location.origin} (CORS). ` +
        'OpenRouter and OpenAI do; Ollama does after OLLAMA_ORIGINS is set. Use the relay of npm start for others.',
    ),
  )
  const kinds = new Map<ModelChoice['kind'], HTMLInputElement>()
  const option = (kind: ModelChoice['kind'], title: string, text: string, enabled = true): HTMLLabelElement => {
    const input = h('input', {
      type: 'radio',
      name: 'model-kind',
      value: kind,
      checked: kind === shown,
      disabled: !enabled,
      onchange: () => {
        fields.hidden = kind !== 'endpoint'
      },
    })
    kinds.set(kind, input)
    return h('label', { class: 'model-choice' }, input, h('strong', {}, title), h('small', {}, text))
  }
  const element = h(
    'form',
    { class: 'model-panel', id: 'model-panel', hidden: true, novalidate: true, onsubmit: apply },
    h(
      'fieldset',
      {},
      h('legend', {}, 'Which model answers?'),
      option(
        'offline',
        'Offline model',
        'Fixed rules in this page, in seven languages, not a language model. It acts only when it understands every word.',
      ),
      option(
        'browser',
        'The model of this browser',
        hasBrowserModel()
          ? 'Runs on this device. The first use may download it, which takes minutes.'
          : 'This browser has none. Chrome has one on desktop computers from version 148.',
        hasBrowserModel(),
      ),
      option(
        'server',
        'This server’s relay',
        relay
          ? `The server asks ${relay.model ?? 'its model'} and keeps the key.`
          : 'Not configured. Start with MODEL_ENDPOINT=… MODEL_NAME=… MODEL_API_KEY=… npm start',
        relay !== undefined,
      ),
      option('endpoint', 'Any endpoint', 'OpenAI-compatible chat completions, asked by the page itself.'),
    ),
    fields,
    problem,
    h(
      'div',
      { class: 'actions' },
      h('button', { class: 'button primary', type: 'submit' }, 'Use this model'),
      options.close && h('button', { class: 'button quiet', type: 'button', onclick: options.close }, 'Cancel'),
    ),
    h(
      'p',
      { class: 'hint' },
      'A small model can also run in the page itself, with weights from your own server: ' +
        'the page “Models” of the documentation has recipes for WebLLM, wllama and Transformers.js.',
    ),
  )

  function apply(event: Event): void {
    event.preventDefault()
    const kind = [...kinds].find(([, input]) => input.checked)?.[0] ?? 'offline'
    const isEndpoint = kind === 'endpoint'
    const isUrl = url.value.trim() !== '' && URL.canParse(url.value.trim(), location.href)
    mark(url, isEndpoint && !isUrl ? 'Give the URL of the endpoint' : '')
    if (problem.textContent === '')
      mark(model, isEndpoint && model.value.trim() === '' ? 'Give the name of the model' : '')
    if (problem.textContent !== '') return
    const chosen: ModelChoice =
      kind === 'endpoint'
        ? { kind, url: url.value.trim(), model: model.value.trim(), needsKey: secret.value !== '' }
        : { kind }
    choose(chosen, secret.value)
    options.onchoice(chosen)
    options.close?.()
  }

  function mark(input: HTMLInputElement, message: string): void {
    problem.textContent = message
    if (message === '') input.removeAttribute('aria-invalid')
    else {
      input.setAttribute('aria-invalid', 'true')
      input.focus()
    }
  }

  return {
    element,
    askForKey() {
      options.show()
      problem.textContent = 'The key was kept in memory only and went with the last page. Enter it again to go on.'
      secret.focus()
    },
    enter(address, name) {
      const input = kinds.get('endpoint')
      if (input) input.checked = true
      fields.hidden = false
      url.value = address
      model.value = name
      mark(url, '')
      mark(model, '')
      model.focus()
    },
  }
}
