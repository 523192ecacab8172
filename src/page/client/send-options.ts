// The options of one send: one entry of the table for each. Their types with docstrings are in page/options.ts.
import { dropUndefined, isObject } from '../../core/data/json.js'
import { is, isText, object, oneOf, optionsOf, text, toolList, type Option } from '../checks.js'
import type { SendOptions } from '../options.js'

const sendOptions: { readonly [Name in keyof Required<SendOptions>]: Option } = {
  tools: { check: toolList, others: 'functions actions' },
  activeTools: {
    check: is((value) => Array.isArray(value) && value.every(isText), 'an array of names'),
    others: 'toolsmode allowedtools toolnames',
  },
  toolContext: { check: object, others: 'experimentalcontext runtimecontext' },
  toolChoice: {
    check: is(
      (value) =>
        isObject(value)
          ? value['type'] === 'tool' && isText(value['toolName'])
          : ['auto', 'none', 'required'].includes(String(value)),
      "'auto', 'none', 'required' or { type: 'tool', toolName }",
    ),
    others: 'functioncall',
  },
  instructions: { check: text, others: 'system systemprompt systemmessage prompt' },
  // Checked when it is compiled.
  output: { check: () => {}, others: 'outputmode outputschema outputtype responseformat schema' },
  signal: { check: is((value) => value instanceof AbortSignal, 'an AbortSignal'), others: 'abortsignal abort' },
  whenBusy: { check: oneOf('queue', 'interrupt') },
}

/**
 * Returns the options of one send without undefined ones. Unknown options must throw, because the options are stored
 * with the turn. @throws `invalid-option`
 */
export function parseSendOptions(options: unknown): SendOptions {
  optionsOf(sendOptions, 'send: ')(options, 'send: options')
  return dropUndefined(options as SendOptions)
}
