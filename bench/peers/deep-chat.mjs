// deep-chat: the element with a server of its own that streams.
import 'deep-chat'

/** @param {{ endpoint: string }} options */
window.startPeer = ({ endpoint }) => {
  const element = document.createElement('deep-chat')
  element.connect = { url: `${endpoint}/deep-chat`, stream: true }
  document.body.append(element)
  return { element }
}
if (window.peerOptions) window.startPeer(window.peerOptions)
document.documentElement.dataset.ready = ''
