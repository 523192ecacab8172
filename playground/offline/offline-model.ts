// The offline model: rules, not a language model, so that the playground works without a key. A pure function from one
// chat-completions request to the parts of its answer; all that it knows stands in the request.
import type { JsonObject, JsonValue } from '../../src/core/data/json.js'
import { fingerprint } from '../../src/core/state/fingerprint.js'
import type { Todo } from '../../src/core/data/todo.js'
import { fillArguments } from './arguments.js'
import type { ChatRequest, OfflinePart } from './chat.js'
import { formMatch, isTask, nextStep, noneFits, type Surroundings, type TaskStep } from './task-step.js'
import { splitTasks } from './tasks.js'
import { readTranscript, type Call, type Transcript } from './transcript.js'
import { dealCalls, listedWork, type ListedWork } from './work.js'
import {
  describeFailure,
  describeFilling,
  describeResult,
  escape,
  failureCode,
  introduce,
  signature,
  summarise,
} from './wording.js'
import { isQuestion, isVerb, stemsOf } from './words.js'

interface Draft {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: JsonObject }[]
}

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
  const around: Surroundings = {
    tools: toolChoice === 'none' ? [] : request.tools,
    today: transcript.today,
    history: [...transcript.earlier, ...transcript.calls],
    isContinued: transcript.isContinued,
  }
  if (transcript.reminded) return updateTodos(transcript.reminded, transcript, around)
  if (typeof toolChoice === 'object') return callNamed(toolChoice.tool, transcript, around)
  const draft = workOn(transcript, around)
  const [first] = around.tools
  return toolChoice === 'required' && draft.calls.length === 0 && first
    ? callNamed(first.name, transcript, around)
    : draft
}

function workOn(transcript: Transcript, around: Surroundings): Draft {
  const { text, calls } = transcript
  if (calls.length === 0 && isAboutMe(text)) return say(introduce(around.tools, transcript.page))
  const begun = listedWork(calls)
  if (begun) return goOn(begun, transcript, around)
  const tasks = splitTasks(text, (part) => isTask(part, around))
  const canList =
    around.tools.some(({ name }) => name === 'todo_write') && !calls.some(({ name }) => name === 'todo_write')
  if (tasks.length > 1 && canList && calls.length === 0) return makeList(tasks, around)
  return tasks.length > 1 ? oneByOne(tasks, transcript, around) : alone(tasks[0] ?? text, transcript, around)
}

function isAboutMe(text: string): boolean {
  return (
    /\b(who|what) are you\b|\bwhat can (you|i) (do|ask)\b|\b(which|what) (kind of )?(tools|model)\b|\byour tools\b|\bare you (a|an|really|the|chatgpt|gpt|claude|human)\b/i.test(
      text,
    ) || /^\W*(help|hi|hello|hey|hallo|good (morning|afternoon|evening|day)|test)( there)?\W*$/i.test(text)
  )
}

function say(text: string): Draft {
  return { text: `${text}\n\n${signature}`, calls: [] }
}

// One task.

function alone(task: string, transcript: Transcript, around: Surroundings): Draft {
  const calls = transcript.calls.filter(({ name }) => !name.startsWith('todo_') || task.includes(name))
  const step = nextStep(task, calls, around)
  switch (step.type) {
    case 'call':
      return { text: againText(calls, step), calls: [step] }
    case 'done':
      return say(describeEnd(task, calls, around))
    case 'failed':
      return say(describeLeft(calls))
    case 'stuck':
      return say(
        calls.length === 0 && step.isMissingTool ? withoutTool(task, step.why) : `I cannot go on: ${step.why}.`,
      )
  }
}

/** The tools differ by page: what sounds like work for one may have its tool elsewhere. */
function withoutTool(task: string, why: string): string {
  const hint = 'Ask “what can you do?” for what I can do here.'
  if (why !== noneFits) return `I cannot do that: ${why}; another page may have it. ${hint}`
  const isWork = !isQuestion(task) && stemsOf(task).slice(0, 1).some(isVerb)
  return isWork
    ? `No tool on this page does that; another page may have one. ${hint}`
    : `I did not understand that. ${hint}`
}

function describeLeft(calls: readonly Call[]): string {
  const result = calls.at(-1)?.result
  return result && failureCode(result) === 'denied' ? lastFailure(calls) : `${lastFailure(calls)} I leave it at that.`
}

function againText(calls: readonly Call[], step: TaskStep): string {
  const last = calls.at(-1)
  return step.type === 'call' && last?.result?.failed && last.name === step.name
    ? `${lastFailure(calls)} I try once more.`
    : ''
}

function lastFailure(calls: readonly Call[]): string {
  const last = calls.at(-1)
  if (last?.result === undefined) return 'A tool did not answer.'
  const failures =
    calls.length - 1 - calls.findLastIndex(({ name, result }) => name !== last.name || result?.failed === false)
  return describeFailure(last.name, last.result, failures)
}

function describeEnd(task: string, calls: readonly Call[], around: Surroundings): string {
  const last = calls.at(-1)
  if (last === undefined) return 'There was nothing to do.'
  const before = calls.at(-2)
  const retried = before?.name === last.name && before.result?.failed ? 'The first try failed, the second worked. ' : ''
  const read = last.name === 'form_fill' ? calls.findLast(({ name }) => name === 'form_read') : undefined
  if (read === undefined) return `${retried}${describeResult(last)}`
  const { match, fields } = formMatch(task, read, around.today)
  const filled = new Set(match.fillings.map(({ field }) => field))
  const empty = fields.filter(
    (field) => field.required && !field.locked && !filled.has(field) && (field.value === '' || field.value === false),
  )
  return `${retried}${describeFilling(
    last,
    match,
    empty.map(({ label }) => label),
  )}`
}

// Several tasks, kept as todos.

function makeList(tasks: readonly string[], around: Surroundings): Draft {
  const todos = tasks.map((text, index): Todo => ({
    id: String(index + 1),
    text: text.replace(/\s+/g, ' '),
    status: index === 0 ? 'in_progress' : 'pending',
  }))
  const step = nextStep(todos[0]?.text ?? '', [], around)
  return {
    text: `I take this in ${todos.length} steps.`,
    calls: [writeTodos(todos), ...(step.type === 'call' ? [step] : [])],
  }
}

function writeTodos(todos: readonly Todo[]): Draft['calls'][number] {
  return { name: 'todo_write', input: { items: todos.map(({ id, text, status }) => ({ id, text, status })) } }
}

/** From the list as it stands: the next call of the item in progress, or the next item, or the closing words. */
function goOn(work: ListedWork, transcript: Transcript, around: Surroundings): Draft {
  const canWrite = around.tools.some(({ name }) => name === 'todo_write')
  const active = work.todos.find(({ status }) => status === 'in_progress')
  if (active === undefined || !canWrite) return say(closing(work, transcript, around))
  const calls = work.calls.get(active.id) ?? []
  const step = nextStep(active.text, calls, around)
  if (step.type === 'call') return { text: againText(calls, step), calls: [step] }
  const next = work.todos.find(({ id, status }) => status === 'pending' && !work.begun.has(id))
  const todos = work.todos.map((todo): Todo => {
    if (todo === active) return { ...todo, status: step.type === 'done' ? 'completed' : 'pending' }
    return todo === next ? { ...todo, status: 'in_progress' } : todo
  })
  const nextCall = next && nextStep(next.text, [], around)
  return {
    text: step.type === 'done' ? '' : setback(active.text, step, calls),
    calls: [writeTodos(todos), ...(nextCall?.type === 'call' ? [nextCall] : [])],
  }
}

function setback(text: string, step: TaskStep, calls: readonly Call[]): string {
  const why = step.type === 'stuck' ? step.why : lastFailure(calls)
  return `“${escape(text)}” stays open: ${why}${why.endsWith('.') ? '' : '.'}`
}

function closing({ todos, calls }: ListedWork, transcript: Transcript, around: Surroundings): string {
  return report(
    todos.map(({ id, text, status }) => ({ text, isDone: status === 'completed', calls: calls.get(id) ?? [] })),
    around,
  )
}

interface Part {
  readonly text: string
  readonly isDone: boolean
  readonly calls: readonly Call[]
}

function report(parts: readonly Part[], around: Surroundings): string {
  const done = parts.filter(({ isDone }) => isDone).length
  const lines = parts.map(({ text, isDone, calls }, index) => {
    const last = calls.at(-1)
    if (isDone) return `${index + 1}. ✓ **${escape(text)}**${last ? `: ${summarise(last)}` : ''}`
    const step = nextStep(text, calls, around)
    const failure = last?.result?.failed ? lastFailure(calls) : 'not done'
    const why = step.type === 'stuck' ? step.why : failure
    return `${index + 1}. **${escape(text)}** is left open: ${why}`
  })
  const forms = parts
    .filter(({ calls }) => calls.at(-1)?.name === 'form_fill')
    .map(({ text, calls }) => describeEnd(text, calls, around))
  const head =
    done === parts.length
      ? `${done === 2 ? 'Both' : `All ${done}`} steps are done.`
      : `${done} of ${parts.length} steps are done.`
  return [head, lines.join('\n'), ...forms].join('\n\n')
}

/** Without a todo list the tasks are done in order, and what cannot be done is said at the end. */
function oneByOne(tasks: readonly string[], transcript: Transcript, around: Surroundings): Draft {
  const dealt = dealCalls(tasks, transcript.calls, (task, calls) => nextStep(task, calls, around))
  const steps = tasks.map((task, index) => nextStep(task, dealt[index] ?? [], around))
  const last = dealt.findLastIndex((calls) => calls.length > 0)
  const open = steps.findIndex((step, index) => step.type === 'call' && index >= last)
  const step = steps[open]
  if (step?.type === 'call') return { text: againText(dealt[open] ?? [], step), calls: [step] }
  return say(
    report(
      tasks.map((text, index) => ({ text, isDone: steps[index]?.type === 'done', calls: dealt[index] ?? [] })),
      around,
    ),
  )
}

// What was not asked for in words.

/** The reminder asks for the list alone: what is done becomes completed, what is not waits. */
function updateTodos(reminded: readonly Todo[], transcript: Transcript, around: Surroundings): Draft {
  if (!around.tools.some(({ name }) => name === 'todo_write')) return { text: '', calls: [] }
  const work = listedWork(transcript.calls)
  const todos = reminded.map((todo): Todo => {
    if (todo.status !== 'in_progress') return todo
    const calls = work?.calls.get(todo.id) ?? transcript.calls.filter(({ name }) => !name.startsWith('todo_'))
    return { ...todo, status: calls.at(-1)?.result?.failed === false ? 'completed' : 'pending' }
  })
  return { text: '', calls: [writeTodos(todos)] }
}

/** A caller that forces a tool gets it called, once, with what the sentence gives for it. */
function callNamed(name: string, transcript: Transcript, around: Surroundings): Draft {
  const tool = around.tools.find((one) => one.name === name)
  if (tool === undefined || transcript.calls.some((call) => call.name === name)) return workOn(transcript, around)
  const step = nextStep(transcript.text, [], { ...around, tools: [tool] })
  if (step.type === 'call') return { text: '', calls: [step] }
  const input: Record<string, JsonValue | undefined> = fillArguments(
    tool,
    transcript.text,
    around.history,
    around.today,
  ).input
  return { text: '', calls: [{ name, input }] }
}
