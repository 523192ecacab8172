// The page-tool laboratory: reads pasted HTML with the real page tools and shows their results. The HTML is put into an
// open shadow root, so that its styles stay there. All else on this page is marked as ignored.
import { createAgent } from '../../src/agent.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import { readTools } from '../../src/tools.js'
import { byId, h } from '../shared/dom.js'
import { parseSafely } from './safe-html.js'
import { samples } from './samples.js'

const agent = createAgent({
  tools: readTools(),
  // Nothing asks a model here.
  modelAdapter: {
    async *stream() {
      yield { type: 'finish', finishReason: { unified: 'stop' } }
    },
  },
})
const sample = byId('sample', HTMLSelectElement)
const html = byId('html', HTMLTextAreaElement)
const problem = byId('problem', HTMLParagraphElement)
const shadow = byId('page', HTMLDivElement).attachShadow({ mode: 'open' })
// A form that is tried out sends nothing.
shadow.addEventListener('submit', (event) => {
  event.preventDefault()
})
shadow.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target.closest('a, area') : null
  if (target) event.preventDefault()
})

sample.append(...[...samples.keys()].map((title) => h('option', { value: title }, title)))
sample.addEventListener('change', () => {
  html.value = samples.get(sample.value) ?? ''
  void read(true)
})
byId('read', HTMLButtonElement).addEventListener('click', () => void read(true))
// Values that are typed into the page change what is read.
shadow.addEventListener('change', () => void read(false))
html.value = samples.get(sample.value) ?? ''
await read(true)
document.documentElement.dataset['ready'] = ''

/** Shows the HTML, if it is `isNew`, and what the tools return for it. */
async function read(isNew: boolean): Promise<void> {
  problem.textContent = ''
  try {
    if (isNew) {
      const { nodes, styles } = parseSafely(html.value)
      shadow.adoptedStyleSheets = [...styles]
      shadow.replaceChildren(nodes)
    }
    const outline = await agent.callTool('page_read')
    const forms = await agent.callTool('form_read')
    show('page-read', outline)
    show('form-read', forms)
    byId('private', HTMLDivElement).replaceChildren(...privateParts(forms as JsonValue, textOf(outline)))
  } catch (error) {
    problem.textContent = `The page could not be read: ${(error as Error).message}`
  }
}

function show(id: string, result: unknown): void {
  byId(id, HTMLPreElement).textContent = textOf(result)
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2)
}

/** The private fields and the copies of their values, in words. */
function privateParts(forms: JsonValue, outline: string): HTMLElement[] {
  const fields = privateFields(forms)
  // The mark of a field is followed by its state.
  const copies = outline.match(/\[private\](?! \[(?:filled|empty)\])/g)?.length ?? 0
  if (fields.length === 0 && copies === 0) return [h('p', { class: 'soft' }, 'Nothing here is private.')]
  const items = fields.map(({ label, state }) => h('li', {}, `${label}: the model reads only that it is ${state}`))
  const repeated = `${copies === 1 ? 'One copy' : `${copies} copies`} of such a value in the page: replaced by [private]`
  return [h('ul', {}, ...items, copies > 0 && h('li', {}, repeated))]
}

/** The fields that have a state in place of a value. */
function privateFields(value: JsonValue | undefined): { label: string; state: string }[] {
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => privateFields(one))
  if (!isObject(value)) return []
  const { label, private: kind, state } = value as JsonObject
  if (typeof kind === 'string') return [{ label: String(label), state: `${String(state)} (${kind})` }]
  return Object.values(value as JsonObject).flatMap(privateFields)
}
