// What other libraries call our options: the AI SDK, LangChain, MCP, OpenAI, CopilotKit and others. Authors and models
// write those names from memory, and the hint names ours. Add a name to the text of the option that it means.
import type { Limits, ToolAnnotations } from '../../core/data/tool.js'
import type { Hooks } from '../options.js'
import type { Tool } from '../tools/tool.js'

/** Names of other libraries, in small letters without `_` and `-`, by the name that they have here. */
export type OtherNames<Names extends string = string> = Readonly<Partial<Record<Names, string>>>

/** Names of a field or hint that asks for approval. */
export const approvalNames =
  'ask askuser askfirst humanintheloop humaninloop hitl interruptbefore interrupton renderandwait ' +
  'renderandwaitforresponse'

/** Names for the fields of a tool. */
export const otherToolFields = {
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
} satisfies OtherNames<Extract<keyof Tool, string>>

/** Names for its annotations. */
export const otherAnnotations = {
  readOnlyHint: 'isreadonly safe pure',
  destructiveHint: 'dangerous danger unsafe deletes harmful',
  idempotentHint: 'repeatable retryable',
  untrustedContentHint: 'untrusted fenced',
  consequentialHint: 'sideeffects hassideeffects',
} satisfies OtherNames<keyof ToolAnnotations>

/** Names for the hooks. */
export const otherHooks = {
  beforeModel: 'preparestep prepare beforerequest beforesend beforemodelcall beforellmcall onllmstart prerequest',
  beforeTool:
    'beforetoolcall beforetooluse beforetoolexecution pretooluse pretool ontoolcall ontoolstart ontooluse guard',
  afterTool: 'aftertoolcall aftertooluse posttooluse posttool ontoolend ontoolresult ontoolfinish',
} satisfies OtherNames<keyof Hooks>

/** Names for limits. */
export const otherLimits = {
  steps: 'maxsteps maxturns maxiterations recursionlimit iterations',
  toolCalls: 'maxtoolcalls maxcalls calls',
  callsPerTool: 'maxcallspertool',
  concurrency: 'maxconcurrency parallel paralleltoolcalls',
  turn: 'timeout maxtime maxduration totaltimeout',
  modelRetries: 'maxretries retries',
  resultChars: 'maxresultchars maxresultlength',
} satisfies OtherNames<keyof Limits>
