// page-agent with its panel, as its README starts it.
import { PageAgent } from 'page-agent'

/** @param {{ endpoint: string, maxSteps?: number, enableMask?: boolean }} options */
window.startPeer = ({ endpoint, ...more }) => {
  const agent = new PageAgent({
    baseURL: new URL(endpoint, location.href).href,
    model: 'bench',
    apiKey: 'none',
    language: 'en-US',
    ...more,
  })
  return {
    agent,
    show: () => agent.panel.show(),
    send: (text) => agent.execute(text),
    read: () => agent.pageController.getBrowserState(),
    type: (index, text) => agent.pageController.inputText(index, text),
  }
}
if (window.peerOptions) {
  window.peer = window.startPeer(window.peerOptions)
  window.peer.show()
}
document.documentElement.dataset.ready = ''
