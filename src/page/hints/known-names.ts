// The names that a page author can use, one list per kind, and the name that was meant by one that does not exist: by
// spelling, or because another library calls it so. The lists are compared with the types by the compiler.
import { times } from '../../core/data/lists.js'
import type { Limits, ToolAnnotations } from '../../core/data/tool.js'
import type { AgentOptions, Hooks, SendOptions } from '../options.js'
import type { Tool } from '../tools/tool.js'

/** The fields of a tool. */
export const toolFields = {
  name: true,
  title: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
  annotations: true,
  timeout: true,
  maxRetries: true,
  exclusive: true,
  needsApproval: true,
  question: true,
  returnDirect: true,
  toModelOutput: true,
  summary: true,
  undo: true,
  contextSchema: true,
  execute: true,
  agent: true,
} satisfies Record<Extract<keyof Tool, string>, true>

/** The annotations of a tool. */
export const annotationFields = {
  readOnlyHint: true,
  destructiveHint: true,
  idempotentHint: true,
  untrustedContentHint: true,
  consequentialHint: true,
  title: true,
  openWorldHint: true,
} satisfies Record<keyof ToolAnnotations, true>

/** The hooks that are called. */
export const hookFields = {
  beforeModel: true,
  beforeTool: true,
  afterTool: true,
} satisfies Record<keyof Hooks, true>

/** Names of other libraries, in small letters without `_` and `-`, by the name that they have here. */
type OtherNames<Names extends string = string> = Readonly<Partial<Record<Names, string>>>

const approvalNames =
  'ask askuser askfirst humanintheloop humaninloop hitl interruptbefore interrupton renderandwait ' +
  'renderandwaitforresponse'

/** The AI SDK, LangChain, MCP, OpenAI, CopilotKit and others. */
const otherToolFields = {
  name: 'toolname functionname id',
  title: 'label displayname',
  description: 'desc describe text prompt doc docs help',
  inputSchema:
    'parameters params args arguments schema input inputs argsschema zodschema jsonschema parametersschema ' +
    'paramsschema argschema inputparameters inputjsonschema parametersjsonschema inputtype',
  outputSchema: 'output outputs returns responseschema resultschema returnschema outputtype responseformat',
  execute:
    'handler run invoke callback func fn function call action impl implementation perform exec executor onexecute ' +
    'oncall runtool toolfunction functionhandler',
  timeout: 'timeoutms timeoutmillis timelimit executiontimeout maxtime',
  maxRetries: 'retries retry retrycount maxretry',
  exclusive: 'sequential serial parallel concurrent',
  returnDirect: 'returnsdirect direct isfinal endsturn stopafter resultasanswer',
  toModelOutput:
    'experimentaltotoolresultcontent totoolresultcontent modeloutput formatoutput formatresult transformresult',
  contextSchema: 'toolcontextschema runtimecontextschema contexttype',
  summary: 'summarize statustext',
  question: 'approvalmessage approvaltext confirmmessage confirmtext confirmationmessage',
  annotations: 'hints',
  needsApproval: approvalNames,
} satisfies OtherNames<keyof typeof toolFields>

const otherAnnotations = {
  readOnlyHint: 'isreadonly safe pure',
  destructiveHint: 'dangerous danger unsafe deletes harmful',
  idempotentHint: 'repeatable retryable',
  untrustedContentHint: 'untrusted fenced',
  consequentialHint: 'sideeffects hassideeffects',
} satisfies OtherNames<keyof typeof annotationFields>

const otherHooks = {
  beforeModel: 'preparestep prepare beforerequest beforesend beforemodelcall beforellmcall onllmstart prerequest',
  beforeTool:
    'beforetoolcall beforetooluse beforetoolexecution pretooluse pretool ontoolcall ontoolstart ontooluse guard',
  afterTool: 'aftertoolcall aftertooluse posttooluse posttool ontoolend ontoolresult ontoolfinish',
} satisfies OtherNames<keyof typeof hookFields>

/** Names of other libraries for limits. */
export const otherLimits = {
  steps: 'maxsteps maxturns maxiterations recursionlimit iterations',
  toolCalls: 'maxtoolcalls maxcalls calls',
  callsPerTool: 'maxcallspertool',
  concurrency: 'maxconcurrency parallel paralleltoolcalls',
  turn: 'timeout maxtime maxduration totaltimeout',
  modelRetries: 'maxretries retries',
  resultChars: 'maxresultchars maxresultlength',
} satisfies OtherNames<keyof Limits>

/** Names of other libraries for options of an agent. */
export const otherOptions = {
  endpoint: 'url baseurl apiurl api apiendpoint baseuri host src href server',
  model: 'modelname modelid llm',
  provider: 'vendor protocol',
  instructions: 'system systemprompt systemmessage prompt',
  headers: 'apikey key authorization auth token bearer',
  toolContext: 'experimentalcontext runtimecontext',
  pageContext: 'pagestate appcontext appstate readable currentcontext',
  limits: 'maxsteps maxturns maxiterations maxretries timeout limit',
  sessionId: 'session conversationid conversation threadid thread chatid id',
  scope: 'user userid tenant',
  approval: 'approvals approvalmode humanintheloop hitl',
  hooks: 'middleware callbacks beforetool ontoolcall beforemodel aftertool',
  tools: 'functions actions',
  stopWhen: 'stopcondition until',
  todo: 'todos',
  onToolError: 'onunknowntool oninvalidinput oninvalidarguments onerror',
} satisfies OtherNames<keyof AgentOptions>

/** Names of other libraries for options of one `send`. */
export const otherSendOptions = {
  tools: 'functions actions',
  activeTools: 'toolsmode allowedtools toolnames',
  toolContext: 'experimentalcontext runtimecontext',
  toolChoice: 'functioncall',
  instructions: 'system systemprompt systemmessage prompt',
  output: 'outputmode outputschema outputtype responseformat schema',
  signal: 'abortsignal abort',
} satisfies OtherNames<keyof SendOptions>

/** Whether a field belongs to the author: it has no effect, and that is no mistake. */
export const isFreeName = (name: string): boolean => name === '_meta' || /^x-/i.test(name)

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/**
 * The known name that was meant: the same letters, at most two typing errors (one in a name of up to five letters), or
 * the name of another library. Undefined if it resembles none.
 */
export function meantName(name: string, known: readonly string[], others: OtherNames = {}): string | undefined {
  const given = plain(name)
  if (given === '') return undefined
  const forms = [given, given.replace(/^(?:on|is|has)(?=.{4})/, '')]
  const same = known.find((one) => forms.includes(plain(one)) || forms.includes(plain(one).replace(/hint$/, '')))
  if (same !== undefined) return same
  const other = Object.entries(others).find(([, names = '']) => names.split(' ').includes(given))
  if (other !== undefined) return other[0]
  let best: string | undefined
  let fewest = 3
  for (const one of known) {
    const right = plain(one)
    for (const form of [right, right.replace(/hint$/, '')]) {
      const errors = typingErrors(given, form)
      if (errors < fewest && errors <= (form.length < 6 ? 1 : 2)) [best, fewest] = [one, errors]
    }
  }
  return best
}

/** Whether a name is another one with typing errors. `input_schema` and the names of other libraries are none. */
function isMistypedName(name: string, meant: string, others: OtherNames): boolean {
  const isOther = Object.values(others).some((names) => names?.split(' ').includes(plain(name)))
  return !isOther && plain(name) !== plain(meant) && typingErrors(plain(name), plain(meant)) < 3
}

/** How many letters are wrong, missing, added, or exchanged with their neighbour. */
function typingErrors(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3
  let [before, last] = [[] as number[], times(other.length + 1, (index) => index)]
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isEqual = one[row - 1] === other[column - 1]
      let errors = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isEqual ? 0 : 1),
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        errors = Math.min(errors, (before[column - 2] ?? 0) + 1)
      next.push(errors)
    }
    ;[before, last] = [last, next]
  }
  return last[other.length] ?? 3
}

/** A name that does not exist. */
export interface UnknownName {
  /** What the author wrote. */
  readonly name: string
  /** The name to use: of a field, `annotations.…` for a hint. Undefined: it resembles none. */
  readonly meant: string | undefined
  /** Whether something would run without the question or the guard that the author asked for. */
  readonly isProtection: boolean
  /** Whether the name is a mistake also beside the one that was meant: no name of another library. */
  readonly isMistyped: boolean
}

/** What makes the visitor be asked, or a text be fenced. The other annotations only allow more. */
const protectingHints: ReadonlySet<string> = new Set(['destructiveHint', 'consequentialHint', 'untrustedContentHint'])
const asksForApproval = /approv|confirm|(?:need|requir|ask|request)\w*(?:consent|permission)/

/** The fields of a tool that do not exist. */
export function unknownToolFields(tool: object): UnknownName[] {
  return namesIn(tool, toolFields).map((name) => {
    const hint = meantName(
      name,
      Object.keys(annotationFields).filter((one) => one !== 'title'),
      otherAnnotations,
    )
    const field = asksForApproval.test(plain(name))
      ? 'needsApproval'
      : meantName(name, Object.keys(toolFields), otherToolFields)
    const isHint = field === undefined && hint !== undefined
    const isProtection = isHint ? protectingHints.has(hint) : field === 'needsApproval' || field === 'annotations'
    const isMistyped = field !== undefined && isMistypedName(name, field, otherToolFields)
    return { name, meant: isHint ? `annotations.${hint}` : field, isProtection, isMistyped }
  })
}

/** The annotations that do not exist. */
export function unknownAnnotations(annotations: object): UnknownName[] {
  return namesIn(annotations, annotationFields).map((name) => {
    const isApproval = asksForApproval.test(plain(name)) || approvalNames.split(' ').includes(plain(name))
    const hint = isApproval ? undefined : meantName(name, Object.keys(annotationFields), otherAnnotations)
    const isProtection = isApproval || (hint !== undefined && protectingHints.has(hint))
    const isMistyped = hint !== undefined && isMistypedName(name, hint, otherAnnotations)
    return { name, meant: isApproval ? 'needsApproval' : hint && `annotations.${hint}`, isProtection, isMistyped }
  })
}

/** The hooks that do not exist. Only `beforeTool` can refuse a call. */
export function unknownHooks(hooks: object): UnknownName[] {
  return namesIn(hooks, hookFields).map((name) => {
    const meant = meantName(name, Object.keys(hookFields), otherHooks)
    const isMistyped = meant !== undefined && isMistypedName(name, meant, otherHooks)
    return { name, meant, isProtection: meant === 'beforeTool', isMistyped }
  })
}

/** The names that an object has and that are not known. */
function namesIn(object: object, known: object): string[] {
  const names: string[] = []
  for (const name in object)
    if (!Object.hasOwn(known, name) && !isFreeName(name) && Reflect.get(object, name) !== undefined) names.push(name)
  return names
}
