// The assistant as an author gets it: the launcher in the corner, one tool, and no option for its look. The bar above the
// page chooses the model and is not part of the demo.
import { z } from 'zod'
import '../../src/index.js'
import type { ToolAgentElement } from '../../src/index.js'
import { availabilityOn } from '../booking/house.js'
import { offlineAdapter } from '../offline/adapter.js'
import { byId } from '../shared/dom.js'
import { nameOf, storedChoice, type ModelChoice } from '../shared/model-choice.js'
import { createModelPanel } from '../shared/model-panel.js'
import { pace, useModel } from '../shared/use-model.js'

// Under a policy without `unsafe-eval` zod must not try to compile its schemas.
z.config({ jitless: true })

const source = `<script type="module" src="/tool-agent/tool-agent.js"></script>
<tool-agent layout="floating" endpoint="/v1" model="gpt-5-mini" page-tools="read fill"></tool-agent>
<script type="module">
  document.querySelector('tool-agent').registerTool({
    name: 'check_tables',
    title: 'Look for a free table',
    description: 'Check which arrival times are still free on a day for a party.',
    inputSchema: z.object({ date: z.iso.date(), guests: z.int().min(1).max(12).default(2) }),
    annotations: { readOnlyHint: true },
    execute: ({ date, guests }) => availabilityOn(date, guests),
  })
</script>`

const agent = document.querySelector<ToolAgentElement>('tool-agent#assistant')!
agent.registerTool({
  name: 'check_tables',
  title: 'Look for a free table',
  description: 'Check which arrival times are still free on a day for a party.',
  inputSchema: z.object({ date: z.iso.date(), guests: z.int().min(1).max(12).default(2) }),
  annotations: { readOnlyHint: true },
  execute: ({ date, guests }: { date: string; guests: number }) => availabilityOn(date, guests),
})

const button = byId('model', HTMLButtonElement)
// The relay of a server is not offered here.
const stored = storedChoice()
const first: ModelChoice = stored === undefined || stored.kind === 'server' ? { kind: 'offline' } : stored
const panel = createModelPanel({
  relay: undefined,
  choice: first,
  onchoice: use,
  show() {
    showModels(true)
  },
  close() {
    showModels(false)
    button.focus()
  },
})
button.after(panel.element)
button.addEventListener('click', () => {
  showModels(panel.element.hidden === true)
})
const offline = offlineAdapter(pace, (offers) => {
  agent.followUps = offers
})
use(first)

byId('source', HTMLElement).textContent = source
byId('quick', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  byId('booked', HTMLOutputElement).value = 'Your table is booked. It is made up, as all of Halden.'
})

function showModels(isOpen: boolean): void {
  panel.element.hidden = !isOpen
  button.setAttribute('aria-expanded', String(isOpen))
}

function use(choice: ModelChoice): void {
  button.querySelector('span')!.textContent = nameOf(choice, undefined)
  button.dataset['kind'] = choice.kind
  useModel(agent, choice, {
    relay: undefined,
    offline,
    askForKey() {
      panel.askForKey()
    },
  })
}
