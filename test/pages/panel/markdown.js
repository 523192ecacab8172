// Draws texts as the transcript does, complete or streaming, and lists what is not allowed in the result.
import { render } from 'lit'
import { createMarkdown } from '/src/ui/markdown/markdown.ts'
import { words } from '/src/ui/i18n/en.ts'

const box = document.querySelector('#box')
const markdown = createMarkdown(words)

const elements = new Set(
  'p h3 h4 h5 h6 pre code blockquote ul ol li div span table thead tbody tr th td strong em del br hr a svg path tool-agent-copy'.split(
    ' ',
  ),
)
const attributes = new Map([
  ['*', new Set(['class', 'part'])],
  ['a', new Set(['href', 'target', 'rel', 'referrerpolicy'])],
  ['ul', new Set(['dir'])],
  ['ol', new Set(['start', 'dir'])],
  ['pre', new Set(['data-language', 'tabindex'])],
  ['div', new Set(['tabindex', 'role', 'aria-label', 'dir'])],
  ['span', new Set(['role', 'aria-label'])],
  ['svg', new Set(['viewBox', 'aria-hidden', 'focusable'])],
  ['path', new Set(['d'])],
])

function breaches() {
  const found = []
  for (const element of box.querySelectorAll('*')) {
    const name = element.localName
    if (!elements.has(name)) found.push(`<${name}>`)
    for (const { name: attribute, value } of element.attributes) {
      if (!attributes.get('*').has(attribute) && !attributes.get(name)?.has(attribute))
        found.push(`<${name} ${attribute}>`)
      if (
        attribute === 'class' &&
        !/^(|plain|scroll|table|code-(?:keyword|string|number|name|comment|added|removed)|(?:left|right|center)?(?: ?long)?|host|gap|image|icon|box|check|code|short)$/.test(
          value,
        )
      )
        found.push(`class=${value}`)
    }
    if (name === 'a') {
      const { protocol, username, password, rel, referrerPolicy } = element
      if (
        !['http:', 'https:', 'mailto:'].includes(protocol) ||
        (username !== '' && protocol !== 'mailto:') ||
        password !== ''
      )
        found.push(`href=${element.href}`)
      if (rel !== 'noopener noreferrer nofollow' || referrerPolicy !== 'no-referrer') found.push(`rel=${rel}`)
    }
  }
  return found
}

const plainHtml = () => box.innerHTML.replaceAll(/<!--.*?-->/g, '')

Object.assign(window, {
  whole(text) {
    render(markdown.render(text), box)
    return { breaches: breaches(), html: plainHtml(), text: box.textContent }
  },
  announced: (text) => markdown.toPlainText(text),
  /** Streams the text in pieces of `step` characters, with a check after each piece. */
  growing(text, step) {
    render('', box)
    const draw = markdown.stream()
    const found = new Set()
    for (let end = step; end < text.length + step; end += step) {
      render(draw(text.slice(0, end)), box)
      for (const one of breaches()) found.add(one)
    }
    return { breaches: [...found], html: plainHtml(), text: box.textContent }
  },
})
document.documentElement.dataset.ready = ''
