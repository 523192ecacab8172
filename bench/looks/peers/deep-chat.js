// deep-chat with its default style and a server of its own that streams. The suggestions are its documented buttons in
// the introduction. It has no tools with a server of its own, and no dark colours.
import 'deep-chat'

const { endpoint, texts, isPhone } = globalThis.looks

const element = document.createElement('deep-chat')
element.connect = { url: `${endpoint}/deep-chat`, stream: true }
element.introMessage = {
  html: `<div class="deep-chat-temporary-message"><p style="margin: 0 0 10px">${texts.greeting}</p>${texts.suggestions
    .map(
      (text) => `<button class="deep-chat-button deep-chat-suggestion-button" style="margin: 0 0 6px">${text}</button>`,
    )
    .join('<br>')}</div>`,
}
// Its default is a box of 320×350 in the page. Here it gets the room that the others take.
element.style.cssText = isPhone
  ? 'position: fixed; inset: 0; width: 100vw; height: 100dvh; border: 0'
  : 'position: fixed; right: 24px; bottom: 24px; width: 400px; height: 640px; border-radius: 10px'
element.dataset.looksPanel = ''
document.body.append(element)
