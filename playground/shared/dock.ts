// The dock around <tool-agent>: a bar with the model and the inspector, a sheet on narrow screens. All of it is the
// playground's own and stands in `data-tool-agent-ignore`, so that the assistant reads and fills the page alone.
import { h } from './dom.js'
import { nameOf, storedChoice, type ModelChoice, type Relay } from './model-choice.js'
import { createModelPanel } from './model-panel.js'
import { pace, useModel } from './use-model.js'
import { offlineAdapter } from '../offline/adapter.js'
import type { ToolAgentElement } from '../../src/ui/element/tool-agent-element.js'

/** Set by the static build, which has no server to ask. */
declare const isStaticPlayground: true | undefined

const openKey = 'playground-dock'
const drawerKey = 'playground-inspector'

/** Builds the dock around the page's `<tool-agent id="assistant">` and hands the element back. */
export function createDock(): ToolAgentElement {
  const agent = document.querySelector<ToolAgentElement>('tool-agent#assistant')
  const dock = agent?.closest<HTMLElement>('.dock')
  if (!agent || !dock) throw new Error('The page has no <tool-agent id="assistant"> in a .dock')
  const parent = agent.parentElement ?? dock

  let relay = rememberedRelay()
  let choice = storedChoice() ?? firstChoice(relay)
  const offline = offlineAdapter(pace, (offers) => {
    agent.followUps = offers
  })
  const modelName = h('span', {})
  const modelButton = h(
    'button',
    {
      class: 'dock-button model',
      type: 'button',
      'aria-expanded': 'false',
      'aria-controls': 'model-panel',
      onclick: () => {
        showModels(panel.element.hidden === true)
      },
    },
    modelName,
    h('em', {}, 'Change'),
  )
  let panel = makePanel()

  function makePanel(): ReturnType<typeof createModelPanel> {
    return createModelPanel({
      relay,
      choice,
      onchoice: use,
      show() {
        setOpen(true)
        showModels(true)
      },
      close() {
        showModels(false)
        modelButton.focus()
      },
    })
  }
  function showModels(open: boolean): void {
    panel.element.hidden = !open
    modelButton.setAttribute('aria-expanded', String(open))
  }
  function use(next: ModelChoice): void {
    choice = next
    modelName.textContent = nameOf(next, relay)
    modelButton.dataset['kind'] = next.kind
    modelButton.title = 'Choose the model'
    if (!agent) return
    useModel(agent, next, {
      relay,
      offline,
      askForKey() {
        panel.askForKey()
      },
    })
  }

  // The inspector is there from the start, so that it has seen what happened before it is opened.
  const inspector = document.createElement('tool-agent-inspector')
  inspector.setAttribute('for', agent.id)
  const drawer = h(
    'section',
    {
      class: 'drawer',
      hidden: true,
      'aria-label': 'Inspector',
      'data-tool-agent-ignore': true,
      onkeydown: (event) => {
        if ((event as KeyboardEvent).key === 'Escape') showDrawer(false)
      },
    },
    h(
      'div',
      { class: 'drawer-bar' },
      h('h2', {}, 'Inspector'),
      h(
        'button',
        {
          class: 'dock-button',
          type: 'button',
          onclick: () => {
            showDrawer(false)
          },
        },
        'Close',
      ),
    ),
    inspector,
  )
  const inspectorButton = h(
    'button',
    {
      class: 'dock-button inspect',
      type: 'button',
      'aria-expanded': 'false',
      onclick: () => {
        showDrawer(drawer.hidden === true)
      },
    },
    'Inspector',
  )
  function showDrawer(open: boolean): void {
    drawer.hidden = !open
    document.body.classList.toggle('has-drawer', open)
    inspectorButton.setAttribute('aria-expanded', String(open))
    remember(drawerKey, open)
    if (!open) inspectorButton.focus()
  }

  const name = agent.getAttribute('heading') ?? 'Assistant'
  const opener = h(
    'button',
    {
      class: 'button dock-open',
      type: 'button',
      'aria-expanded': 'false',
      onclick: () => {
        setOpen(true)
      },
    },
    name,
  )
  function setOpen(open: boolean): void {
    dock?.toggleAttribute('data-open', open)
    opener.setAttribute('aria-expanded', String(open))
    remember(openKey, open)
  }
  // Behind the closed sheet nobody would see that something is going on, or waits for an answer.
  const sayings = {
    'awaiting-approval': `${name} is waiting for you`,
    running: `${name} is working…`,
    interrupted: `${name} was interrupted`,
    idle: name,
    loading: name,
    ready: name,
  }
  agent.subscribe(() => {
    const said = sayings[agent.status]
    if (opener.textContent !== said) opener.textContent = said
    // A question needs more room than an answer.
    dock.toggleAttribute('data-asks', agent.status === 'awaiting-approval')
  })
  const closer = h(
    'button',
    {
      class: 'dock-button dock-close',
      type: 'button',
      onclick() {
        setOpen(false)
        opener.focus()
      },
    },
    'Close',
  )
  const taller = h(
    'button',
    {
      class: 'dock-button dock-tall',
      type: 'button',
      'aria-pressed': 'false',
      onclick() {
        const isTall = dock.toggleAttribute('data-tall')
        taller.setAttribute('aria-pressed', String(isTall))
      },
    },
    'Taller',
  )
  const bar = h('div', { class: 'dock-bar' }, modelButton, inspectorButton, taller, closer, panel.element)
  showFilledFields(dock, agent)
  dock.prepend(opener, bar)
  if (parent === dock) dock.append(agent)
  document.body.append(drawer)

  use(choice)
  setOpen(remembered(openKey))
  if (remembered(drawerKey)) showDrawer(true)
  void readRelay().then((found) => {
    relay = found
    choice = storedChoice() ?? firstChoice(relay)
    const fresh = makePanel()
    panel.element.replaceWith(fresh.element)
    panel = fresh
    use(choice)
  })
  return agent
}

/** On narrow screens the sheet covers half of the page, so a field that the assistant fills is scrolled above it. */
function showFilledFields(dock: HTMLElement, agent: ToolAgentElement): void {
  const narrow = matchMedia('(max-width: 1023px)')
  document.addEventListener('input', ({ target }) => {
    const isFilled = agent.status === 'running' && target instanceof Element && !dock.contains(target)
    if (isFilled && narrow.matches && dock.hasAttribute('data-open')) target.scrollIntoView({ block: 'nearest' })
  })
}

const relayKey = 'playground-relay'

function firstChoice(relay: Relay | undefined): ModelChoice {
  return { kind: relay ? 'server' : 'offline' }
}

/** What the server relays. Without the development server, nothing is relayed and nothing is asked. */
async function readRelay(): Promise<Relay | undefined> {
  if (typeof isStaticPlayground !== 'undefined') return undefined
  try {
    const response = await fetch('/playground/config.json')
    const { relay } = (response.ok ? await response.json() : {}) as { relay?: Relay | null }
    // A turn that continues after a navigation must not wait for this answer.
    sessionStorage.setItem(relayKey, JSON.stringify(relay ?? null))
    return relay ?? undefined
  } catch {
    return undefined
  }
}

function rememberedRelay(): Relay | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(relayKey) ?? 'null') as Relay | null) ?? undefined
  } catch {
    return undefined
  }
}

function remember(key: string, value: boolean): void {
  try {
    sessionStorage.setItem(key, String(value))
  } catch {
    // Without storage the next page begins with what is usual.
  }
}

function remembered(key: string): boolean {
  try {
    return sessionStorage.getItem(key) === 'true'
  } catch {
    return false
  }
}
