// The offline model: rules, not a language model, so that the playground works without a key. A pure function from one
// request to the parts of its answer; it keeps nothing, and knows only what is in the request.
import type { JsonObject, JsonValue } from '../../src/core/data/json.js'
import type { Todo } from '../../src/core/data/todo.js'
import { fingerprint } from '../../src/core/state/fingerprint.js'
import { fillArguments } from './arguments.js'
import type { ChatRequest, OfflinePart } from './chat.js'
import { contextMoney, ownTools, type Context, type Outcome } from './context.js'
import { abilities, work } from './plans.js'
import { call, replay, together, type Plan } from './replay.js'
import { escape, failureInWords, resultInWords, sentence } from './speak.js'
import { splitTasks } from './tasks.js'
import { matchTools, namedTool } from './tool-match.js'
import { readTranscript, type Call, type Transcript } from './transcript.js'

interface Draft {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: JsonObject }[]
}

/** Said once in a conversation. */
const introduction =
  'By the way: I am a rule-based stand-in, not a language model, so I understand only plain requests.'
const introduced = /rule-based stand-in/

/** The answer to one request. Equal requests have equal answers, ids of calls included. */
export function offlineModel(request: ChatRequest): OfflinePart[] {
  const { text, calls } = draftOf(request)
  const mark = fingerprint(JSON.stringify(request.messages)).slice(0, 12)
  return [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...calls.map(
      ({ name, input }, index) => ({ type: 'tool-call', id: `call_${mark}_${index}`, name, input }) as const,
    ),
  ]
}

function draftOf(request: ChatRequest): Draft {
  const transcript = readTranscript(request)
  const { toolChoice } = request
  const tools = toolChoice === 'none' ? [] : request.tools
  const context: Context = {
    tools,
    today: transcript.today,
    earlier: transcript.earlier,
    made: transcript.calls,
    log: [],
    isContinued: transcript.isContinued,
    money: contextMoney(tools),
  }
  if (transcript.reminded) return updateTodos(transcript.reminded, context)
  if (typeof toolChoice === 'object') return forced(toolChoice.tool, transcript, context)
  const next = replay(turn(transcript.text, context), transcript.calls, context.log)
  if ('asks' in next) return { text: '', calls: next.asks }
  const [first] = tools
  if (toolChoice === 'required' && transcript.calls.length === 0 && first)
    return forced(first.name, transcript, context)
  const text = 'value' in next ? next.value : resultsInWords(next.others, context)
  const isNew =
    !introduced.test(text) && !request.messages.some((one) => one.role === 'assistant' && introduced.test(one.text))
  return { text: isNew ? `${text}\n\n${introduction}` : text, calls: [] }
}

/** After a navigation to a page with other tools: nothing is done again, and what was done is said. */
function resultsInWords(calls: readonly Call[], { money }: Context): string {
  const last = calls.findLast(({ name, result }) => result !== undefined && !name.startsWith('todo_'))
  if (last?.result === undefined) return 'I stopped, because this page has other tools.'
  return last.result.failed ? failureInWords(last.result) : resultInWords(last.result, money)
}

function* turn(text: string, context: Context): Plan<string> {
  const talk = smallTalk(text, context)
  if (talk !== undefined) return talk
  const tasks = splitTasks(text, (part) => isTask(part, context))
  if (tasks.length < 2) return (yield* work(context, tasks[0] ?? text)).text
  return yield* several(tasks, context)
}

function smallTalk(text: string, context: Context): string | undefined {
  if (
    /^\W*(?:ok(?:ay)?\W+|great\W+|perfect\W+)?(?:thanks?|thank you|thx|cheers|merci|danke)\b[^?]*$/i.test(text) &&
    text.length < 60
  )
    return 'You are welcome.'
  const isAboutMe =
    /\b(?:who|what) are you\b|\bwhat can (?:you|i) (?:do|ask)\b|\b(?:which|what) (?:kind of )?(?:tools|model)\b|\byour tools\b|\bare you (?:a|an|really|real|the|chatgpt|gpt|claude|human)\b/i.test(
      text,
    )
  const isGreeting = /^\W*(?:help|hi|hello|hey|hallo|good (?:morning|afternoon|evening|day)|test)(?: there)?\W*$/i.test(
    text,
  )
  if (!isAboutMe && !isGreeting) return undefined
  return `I am a rule-based stand-in, not a language model, so I understand only plain requests. ${abilities(context)}`
}

/** Whether a text alone is a task for a tool of the page. */
function isTask(text: string, context: Context): boolean {
  if (namedTool(text, context.tools)) return true
  const [tool] = matchTools(text, ownTools(context))
  return tool !== undefined && /^\W*(?:please )?\p{L}+ \S/u.test(text) && !thing.test(text)
}

/** The beginning of a thing, which belongs to the task before it: "add a teapot and a kettle". */
const thing = /^\W*(?:an?|the|some|one|two|three|another|my|our|for|to|with|of)\b/i

/** Several tasks, one after the other, with a todo list if there is a tool for it. */
function* several(tasks: readonly string[], context: Context): Plan<string> {
  const canList =
    context.tools.some(({ name }) => name === 'todo_write') || context.made.some(({ name }) => name === 'todo_write')
  const outcomes: Outcome[] = []
  const list = (active: number): { name: string; input: JsonObject } => ({
    name: 'todo_write',
    input: {
      items: tasks.map((text, index): JsonValue => {
        const outcome = outcomes[index]
        const later = index === active ? 'in_progress' : 'pending'
        const ended = outcome?.isDone === true ? 'completed' : 'pending'
        const status = outcome === undefined ? later : ended
        return { id: String(index + 1), text: text.replace(/\s+/g, ' '), status }
      }),
    },
  })
  for (const [index, task] of tasks.entries()) {
    const plan = work(context, task)
    outcomes.push(yield* canList ? together(list(index), plan) : plan)
  }
  if (canList) yield* call('todo_write', list(tasks.length).input)
  const done = outcomes.filter(({ isDone }) => isDone).length
  const all = done === 2 ? 'Both' : `All ${done}`
  const head = done === tasks.length ? `${all} steps are done.` : `${done} of ${tasks.length} steps are done.`
  const lines = outcomes.map(
    ({ text, isDone }, index) =>
      `${index + 1}. **${escape(tasks[index] ?? '')}**${isDone ? '' : ' is left open'}: ${sentence(text)}`,
  )
  return `${head}\n\n${lines.join('\n')}`
}

/** The reminder asks for the list alone: what has a result becomes completed, what has none waits. */
function updateTodos(reminded: readonly Todo[], { tools, made }: Context): Draft {
  if (!tools.some(({ name }) => name === 'todo_write')) return { text: '', calls: [] }
  const last = made.findLast(({ name }) => !name.startsWith('todo_'))
  const items = reminded.map(({ id, text, status }): JsonValue => {
    const after = last?.result?.failed === false ? 'completed' : 'pending'
    return { id, text, status: status === 'in_progress' ? after : status }
  })
  return { text: '', calls: [{ name: 'todo_write', input: { items } }] }
}

/** A caller that forces a tool gets it called, once, with what the sentence gives for it. */
function forced(name: string, { text, calls }: Transcript, context: Context): Draft {
  const tool = context.tools.find((one) => one.name === name)
  if (tool === undefined || calls.some((one) => one.name === name)) {
    const next = replay(turn(text, { ...context, tools: [] }), [], context.log)
    return 'value' in next ? { text: next.value, calls: [] } : { text: 'I called it once.', calls: [] }
  }
  return { text: '', calls: [{ name, input: fillArguments(tool, text, context.earlier, context.today).input }] }
}
