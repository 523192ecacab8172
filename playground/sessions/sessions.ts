// Replays recorded sessions: traces of the demos, or one that the visitor chooses. The real agent plays the recorded
// answers and results again. Each replay has a new agent and a new session, and is stored apart from the demos.
import '../../src/index.js'
import { createAgent } from '../../src/agent.js'
import type { ModelAdapter, ModelPart } from '../../src/core/data/model.js'
import type { Agent } from '../../src/page/agent.js'
import { replayTrace, type Trace } from '../../src/testing.js'
import { byId, h } from '../shared/dom.js'
import { pause } from '../shared/pause.js'
import { pace } from '../shared/use-model.js'

/** The recordings beside this page, which `node playground/sessions/record.mjs` makes. */
const recordings = [
  {
    file: 'booking.session.json',
    title: 'A table is booked',
    text: 'A form is filled from one sentence. The assistant asks which day is meant, and the last change is undone.',
  },
  {
    file: 'cart.session.json',
    title: 'A coupon is applied',
    text: 'The page asks before the coupon is applied. A second one is refused.',
  },
  {
    file: 'orders.session.json',
    title: 'An order is changed',
    text: 'Several clicks, each approved by the user, and a request that the page cannot fulfil.',
  },
] as const

const state = byId('state', HTMLParagraphElement)
const problem = byId('problem', HTMLParagraphElement)
let current: Agent | undefined

byId('recordings', HTMLUListElement).append(
  ...recordings.map(({ file, title, text }) =>
    h(
      'li',
      {},
      h('span', {}, title, h('small', {}, text)),
      h(
        'button',
        {
          class: 'button',
          type: 'button',
          'aria-label': `Replay: ${title}`,
          onclick: () => void replay(title, async () => (await fetch(file)).text()),
        },
        'Replay',
      ),
    ),
  ),
)
byId('file', HTMLInputElement).addEventListener('change', ({ target }) => {
  const file = (target as HTMLInputElement).files?.[0]
  if (file) void replay(file.name, () => file.text())
})

/** Plays a trace in a new panel. */
async function replay(title: string, read: () => Promise<string>): Promise<void> {
  problem.textContent = ''
  state.textContent = `“${title}” is loading.`
  current?.stop()
  try {
    const trace = JSON.parse(await read()) as Trace
    const played = replayTrace(trace)
    const agent = createAgent({
      ...played.options,
      modelAdapter: slowly(played.modelAdapter),
      scope: 'playground-replay',
      retention: { maxSessions: 1 },
    })
    current = agent
    const element = document.createElement('tool-agent')
    element.setAttribute('heading', title)
    element.agent = agent
    byId('preview', HTMLDivElement).replaceChildren(element)
    showFacts(trace)
    element.scrollIntoView({ block: 'nearest' })
    await agent.sessions.create()
    state.textContent = `“${title}” is played.`
    await played.run(agent)
    if (current !== agent) return
    const rest = played.left === 0 ? 'Every recorded answer was played.' : `${played.left} answers were not played.`
    state.textContent = `“${title}” has ended. ${rest}`
  } catch (error) {
    state.textContent = ''
    problem.textContent = `This is not a trace that can be replayed: ${(error as Error).message}`
  }
}

/** A trace has whole answers, so they are shown word by word at the pace of the demos. */
function slowly(model: ModelAdapter): ModelAdapter {
  return {
    async *stream(request, signal) {
      await pause(pace() * 30, signal)
      for await (const part of model.stream(request, signal)) {
        for (const piece of wordsOf(part)) {
          yield piece
          if (piece.type === 'text-delta') await pause(pace(), signal)
        }
      }
    },
  }
}

function wordsOf(part: ModelPart): ModelPart[] {
  if (part.type !== 'text-delta') return [part]
  return (part.delta.match(/\s*\S+(?:\s+$)?/g) ?? [part.delta]).map((delta) => ({ ...part, delta }))
}

function showFacts({ exportedAt, config, events, tools }: Trace): void {
  const names = [...new Set(tools.map(({ title }) => title))]
  const facts = [
    ['Recorded', new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(exportedAt)],
    [
      'Model',
      config.model === 'offline' ? 'the offline model of this playground' : (config.model ?? 'a model adapter'),
    ],
    ['Events', String(events.length)],
    ['Tools', names.join(', ')],
  ]
  byId('facts', HTMLDListElement).replaceChildren(
    ...facts.flatMap(([name = '', value = '']) => [h('dt', {}, name), h('dd', {}, value)]),
  )
}

document.documentElement.dataset['ready'] = ''
