// The scene on the home page of the site: a conversation whose words of visitor and model are written down here. All else
// is real: the panel, the page tools that fill the form and press its button, and the question before that. Nobody needs to press its
// button: the scene does it after a while. A visitor who prefers reduced motion sees the end at once.
import '../../src/index.js'
import type { ModelAdapter, ModelPart } from '../../src/core/data/model.js'
import { byId } from '../shared/dom.js'
import { pause } from '../shared/pause.js'
import { pace } from '../shared/use-model.js'

const isStill = pace() === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches
/** Milliseconds, or none of them for a still. */
const time = (ms: number): number => (isStill ? 0 : ms)

const friday = nextFriday()
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(friday)
const sentence = 'A table for 4 next Friday at 19:30 for Ada Lovelace, no shellfish'
const fields = [
  { field: 'Date', value: friday.toISOString().slice(0, 10) },
  { field: 'Time', value: '19:30' },
  { field: 'Guests', value: 4 },
  { field: 'Name', value: 'Ada Lovelace' },
  { field: 'Wishes', value: 'No shellfish' },
]

/** What the model does, step by step. */
const steps = [
  calls('form_fill', { fields }),
  calls('page_click', { target: 'Send request', role: 'button' }),
  says(`I have asked for a table for **4** on **Friday, ${day}, at 19:30**. The kitchen knows about the shellfish.`),
]
const notBooked = says('I have not sent it. What you said is still in the form.')
const toOthers = says(
  'This conversation is a recording. [The playground](../../index.html) has assistants that answer.',
)

const model: ModelAdapter = {
  async *stream({ messages }, signal) {
    const from = messages.findLastIndex(({ role }) => role === 'user')
    const isOurs = JSON.stringify(messages[from]).includes(sentence)
    const made = messages.slice(from).filter(({ role }) => role === 'assistant').length
    await reached(made === 0 ? 'said' : 'filled', made < 2)
    await pause(time(700), signal)
    for (const part of (isOurs ? stepAfter(made) : undefined) ?? toOthers) {
      yield part
      if (part.type === 'text-delta') await pause(time(45), signal)
    }
  },
}

const assistant = document.querySelector('tool-agent')
if (assistant === null) throw new Error('The page has no assistant')
assistant.modelAdapter = model
assistant.retention = { maxSessions: 1 }
document.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault()
  byId('booked', HTMLParagraphElement).textContent = 'Your request is sent.'
})
assistant.addEventListener('tool-agent-approval-request', ({ call }) => {
  void reached('asked').then(() => setTimeout(() => void assistant.approve(call.id), time(3_000)))
})
await assistant.sessions.create()
await reached('nothing')
await pause(time(600), new AbortController().signal)
await assistant.send(sentence)
await reached('booked')
document.documentElement.dataset['ready'] = ''

/** Names a moment of the scene. With `?still` it waits there until it was photographed. */
async function reached(name: string, isMoment = true): Promise<void> {
  if (!isMoment) return
  document.documentElement.dataset['scene'] = name
  if (!location.search.includes('still')) return
  await new Promise((done) => document.addEventListener('scene-next', done, { once: true }))
}

/** The step after this many others. The visitor may have refused to book. */
function stepAfter(made: number): readonly ModelPart[] | undefined {
  const isRefused = made === 2 && byId('booked', HTMLParagraphElement).textContent === ''
  return isRefused ? notBooked : steps[made]
}

/** A step with one call. */
function calls(toolName: string, input: object): ModelPart[] {
  return [
    { type: 'tool-call', toolCallId: '', toolName, input: JSON.stringify(input) },
    { type: 'finish', finishReason: { unified: 'tool-calls' } },
  ]
}

/** An answer, word by word. */
function says(text: string): ModelPart[] {
  const words = text.match(/\s*\S+/g) ?? []
  return [
    ...words.map((delta): ModelPart => ({ type: 'text-delta', id: 'answer', delta })),
    { type: 'finish', finishReason: { unified: 'stop' } },
  ]
}

/** The next Friday that is not today. */
function nextFriday(): Date {
  const now = new Date()
  const date = new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()))
  date.setUTCDate(date.getUTCDate() + ((5 - date.getUTCDay() + 7) % 7 || 7))
  return date
}
