// The guard displays the same text as the complete filter, however the text is cut, and loads that filter only for text
// that may contain a call.
import { expect, test } from 'playwright/test'
import { createCallMarkupGuard } from '../../../../src/core/prompt/call-markup-guard.js'
import { createCallMarkupFilter } from '../../../../src/core/prompt/strip-call-markup.js'

const isOffered = (name: string) => name === 'look'
const texts = {
  plain: [
    'Hello, I can call you back.',
    'a < b, [link](x), <div>, <b>, [TODO], recall',
    'ends with cal',
    'ends with <|tool',
    '<<',
  ],
  markup: [
    'Let me see: <tool_call>{"name":"look","arguments":{}}</tool_call> done',
    '[TOOL_CALL]{"name":"look"}[/TOOL_CALL]',
    'a<|tool_call_start|>[look(a=1)]<|tool_call_end|>b',
    '<|tool_call>call:look{a:1}<tool_call|>',
    '<start_function_call>call:look{}<end_function_call> after',
    'x call:look{a:{b:1}} y',
    'call:look{a:1}',
    'please call: 555, or recall:look{a:1}',
    '<tool_call>{"name":"other"}</tool_call>',
    '<tool_call is cut',
    '<<tool_call>{"name":"look"}</tool_call>',
  ],
}

async function shown(text: string, cuts: readonly number[], load: () => void): Promise<string> {
  const guard = createCallMarkupGuard(async () => {
    load()
    return createCallMarkupFilter(isOffered)
  })
  let out = ''
  let from = 0
  for (const cut of cuts) {
    out += await guard(text.slice(from, cut), false)
    from = cut
  }
  return out + (await guard(text.slice(from), true))
}

for (const [kind, list] of Object.entries(texts)) {
  test(`text is displayed as by the complete filter: ${kind}`, async () => {
    for (const text of list) {
      const filter = createCallMarkupFilter(isOffered)
      const expected = filter(text, true)
      const all = Array.from(text, (_, index) => index)
      for (const cuts of [[], all, ...all.map((index) => [index])]) {
        let loads = 0
        expect(await shown(text, cuts, () => loads++), `${text} at ${cuts.join()}`).toBe(expected)
        expect(loads, text).toBe(kind === 'plain' ? 0 : 1)
      }
    }
  })
}

test('text is held back only while it may begin a call', async () => {
  const guard = createCallMarkupGuard(async () => (text) => text)
  expect(await guard('a [', false)).toBe('a ')
  expect(await guard('x', false)).toBe('[x')
  expect(await guard(' <tool', false)).toBe(' ')
  expect(await guard('s>', false)).toBe('<tools>')
})
