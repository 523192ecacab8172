// `tool-agent/testing`: for the tests of a page. A model and a model server that answer from a script, traces played
// back, the tasks that `npx tool-agent eval` runs, and what a store of your own must pass.
export type { ModelAdapter, ModelRequest } from './core/data/model.js'
export {
  defineEval,
  defineEvals,
  type Eval,
  type EvalPage,
  type EvalRun,
  type EvalSuite,
} from './testing/define-eval.js'
export { replayTrace, type Replay } from './page/trace/replay.js'
export type { Trace } from './page/trace/trace.js'
export {
  scriptedEndpoint,
  type EndpointRequest,
  type EndpointStep,
  type ScriptedEndpoint,
} from './testing/scripted-endpoint.js'
export { scriptedModel, type ScriptedModel, type ScriptedStep } from './testing/scripted-model.js'
export type { ScriptedAnswer, ScriptedCall } from './testing/script.js'
export type { Store, StoreChange } from './core/state/store.js'
export { storeConformance, type StoreCase, type StoreHarness } from './testing/store/conformance.js'
