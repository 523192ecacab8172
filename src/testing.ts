// `tool-agent/testing`: for the tests of a page. A model that answers from a script, and traces played back.
export type { ModelAdapter, ModelRequest } from './core/data/model.js'
export { replayTrace, type Replay } from './page/trace/replay.js'
export type { Trace } from './page/trace/recorder.js'
export {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedStep,
} from './testing/scripted-model.js'
