// A page for a model of your own: an endpoint with its key in memory, or the model of the browser, and two small tools
// that show whether the model calls tools.
import '../../src/index.js'
import { defineTool } from '../../src/agent.js'
import type { ToolAgentElement } from '../../src/index.js'
import { offlineAdapter } from '../offline/adapter.js'
import { byId, h } from '../shared/dom.js'
import { nameOf, storedChoice, type ModelChoice } from '../shared/model-choice.js'
import { createModelPanel } from '../shared/model-panel.js'
import { pace, useModel } from '../shared/use-model.js'

/** Endpoints that answer pages of other origins. */
const endpoints = [
  { name: 'OpenAI', url: 'https://api.openai.com/v1', model: 'gpt-5-mini', hint: 'needs a key' },
  { name: 'OpenRouter', url: 'https://openrouter.ai/api/v1', model: '', hint: 'many models, needs a key' },
  { name: 'Ollama', url: 'http://localhost:11434/v1', model: '', hint: 'this computer, with OLLAMA_ORIGINS set' },
  { name: 'LM Studio', url: 'http://localhost:1234/v1', model: '', hint: 'this computer, with CORS turned on' },
] as const

const agent = document.querySelector<ToolAgentElement>('tool-agent')!
const offline = offlineAdapter(pace)
const stored = storedChoice()
/** What was chosen in this tab. The relay of the server is not offered here. */
const chosen = stored?.kind === 'server' ? undefined : stored

agent.registerTool([
  defineTool({
    name: 'current_time',
    title: 'Tell the time',
    description: 'Tell which time it is for the visitor.',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: {} },
    execute: () => `It is ${new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' }).format()}.`,
  }),
  defineTool({
    name: 'write_note',
    title: 'Write a note',
    description: 'Write a note into the list on this page.',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string', description: 'The note' } },
      required: ['text'],
    },
    execute(input) {
      const text = String((input as { text?: unknown }).text)
      byId('notes', HTMLUListElement).append(h('li', {}, text))
      byId('no-notes', HTMLParagraphElement).hidden = true
      return `The note “${text}” is on the page.`
    },
  }),
])

const panel = createModelPanel({
  relay: undefined,
  choice: chosen ?? { kind: 'endpoint', url: '', model: '', needsKey: false },
  onchoice(choice) {
    use(choice)
    agent.scrollIntoView({ block: 'nearest' })
  },
  show() {
    panel.element.scrollIntoView({ block: 'nearest' })
  },
})
panel.element.hidden = false
byId('choice', HTMLDivElement).append(panel.element)
byId('endpoints', HTMLUListElement).append(
  ...endpoints.map(({ name, url, model, hint }) =>
    h(
      'li',
      {},
      h('span', {}, name, h('small', {}, `${url} · ${hint}`)),
      h(
        'button',
        {
          class: 'button quiet',
          type: 'button',
          'aria-label': `Fill in the address of ${name}`,
          onclick: () => {
            panel.enter(url, model)
          },
        },
        'Fill in',
      ),
    ),
  ),
)
use(chosen ?? { kind: 'offline' })

function use(choice: ModelChoice): void {
  useModel(agent, choice, {
    relay: undefined,
    offline,
    askForKey() {
      panel.askForKey()
    },
  })
  byId('state', HTMLParagraphElement).textContent = `The assistant on this page asks: ${nameOf(choice, undefined)}.`
  byId('code', HTMLElement).textContent = codeFor(choice)
}

/** The element for a page of your own. A key belongs to a server. */
function codeFor(choice: ModelChoice): string {
  const attributes = (): string => {
    if (choice.kind === 'endpoint') return ` endpoint="${choice.url}" model="${choice.model}"`
    return choice.kind === 'browser' ? ' provider="browser"' : ' endpoint="/v1" model="gpt-5-mini"'
  }
  const relay = '<!-- A key must not be in a page: put a relay between, see docs/relay.md. -->\n'
  return `${choice.kind === 'endpoint' && choice.needsKey ? relay : ''}<tool-agent${attributes()}></tool-agent>`
}
