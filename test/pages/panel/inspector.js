// The inspector, added before the element that it belongs to.
import '/src/inspector.ts'
import { FakeAgent } from '/test/support/lab/fake-agent.ts'
import { turnEvents } from '/test/support/page/rich-session.ts'

Object.assign(window, {
  FakeAgent,
  turnEvents,
  fake: new FakeAgent(),
  inspector: document.querySelector('tool-agent-inspector'),
})
document.documentElement.dataset.ready = ''
