// The element with a fake agent. Specs use the agent through `window.fake`.
import '/src/ui/element/define.ts'
import { FakeAgent } from '/test/support/lab/fake-agent.ts'
import { richSession, turnEvents } from '/test/support/page/rich-session.ts'

const fake = new FakeAgent()
const element = document.querySelector('tool-agent')
element.agent = fake
Object.assign(window, { fake, element, FakeAgent, richSession, turnEvents })
document.documentElement.dataset.ready = ''
