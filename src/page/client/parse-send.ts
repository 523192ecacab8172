// Checks the options of one send.
import { isObject } from '../../core/data/json.js'
import type { SendOptions } from '../options.js'
import { is, isText, object, oneOf, parseSend, text, toolList, type Check } from '../parse-options.js'

const sendChecks: Record<keyof SendOptions, Check> = {
  tools: toolList,
  activeTools: is((value) => Array.isArray(value) && value.every(isText), 'an array of names'),
  toolContext: object,
  toolChoice: is(
    (value) =>
      isObject(value)
        ? value['type'] === 'tool' && isText(value['toolName'])
        : ['auto', 'none', 'required'].includes(String(value)),
    "'auto', 'none', 'required' or { type: 'tool', toolName }",
  ),
  instructions: text,
  output: Boolean, // Checked when it is compiled.
  signal: is((value) => value instanceof AbortSignal, 'an AbortSignal'),
  whenBusy: oneOf('queue', 'interrupt'),
}

/** Returns the options of one send without undefined ones. @throws `invalid-option` */
export const parseSendOptions = (options: unknown): SendOptions => parseSend(options, sendChecks)
