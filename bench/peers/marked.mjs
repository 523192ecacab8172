// The naive way to draw an answer: marked over the whole text, once per frame.
import { marked } from 'marked'

/** @param {{ endpoint: string }} options */
window.startPeer = ({ endpoint }) => {
  const box = document.querySelector('#answer')
  return {
    async send(text) {
      const response = await fetch(`${endpoint}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: text }] }),
      })
      let answer = ''
      let frame = 0
      const draw = () => {
        frame = 0
        box.innerHTML = marked.parse(answer)
        box.scrollTop = box.scrollHeight
      }
      let rest = ''
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (!line.startsWith('data: {')) continue
          answer += JSON.parse(line.slice(6)).choices[0]?.delta.content ?? ''
          frame ||= requestAnimationFrame(draw)
        }
      }
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      return answer
    },
  }
}
document.documentElement.dataset.ready = ''
