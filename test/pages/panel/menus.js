// Menus as pages write them by hand, each closed by another event outside of it, with an assistant that may click.
// `?in=` puts them into a shadow root or into a modal dialog.
import '/src/index.ts'

const query = new URLSearchParams(location.search)
const main = document.querySelector('main')

function place() {
  if (query.get('in') === 'a shadow root')
    return main.appendChild(document.createElement('x-app')).attachShadow({ mode: 'open' })
  if (query.get('in') !== 'a modal dialog') return main
  const dialog = main.appendChild(document.createElement('dialog'))
  dialog.showModal()
  return dialog
}
const root = place()

const isInside = (event, ...elements) => elements.some((element) => event.composedPath().includes(element))
const closesOn = (target, type, isCaptured) => (menu, button) =>
  target.addEventListener(
    type,
    (event) => {
      if (!isInside(event, menu, button)) menu.hidden = true
    },
    isCaptured,
  )
/** How each menu is closed, by its name. */
const kinds = {
  'click on the document': closesOn(document, 'click'),
  'captured click on the window': closesOn(window, 'click', true),
  'captured click on the document': closesOn(document, 'click', true),
  'pointerdown on the document': closesOn(document, 'pointerdown'),
  'captured mousedown on the document': closesOn(document, 'mousedown', true),
  'mouseup on the body': closesOn(document.body, 'mouseup'),
  'pointermove on the window': closesOn(window, 'pointermove', true),
  'focusin on the document': closesOn(document, 'focusin'),
  'captured focus on the window': closesOn(window, 'focus', true),
  'focusout of the menu': (menu) =>
    menu.addEventListener('focusout', ({ relatedTarget }) => {
      if (!menu.contains(relatedTarget)) menu.hidden = true
    }),
  'blur of the button': (menu, button) => button.addEventListener('blur', () => (menu.hidden = true)),
}

function addMenu(name, close) {
  const box = root.appendChild(document.createElement('div'))
  const button = box.appendChild(document.createElement('button'))
  const menu = box.appendChild(document.createElement('div'))
  button.textContent = `Open: ${name}`
  menu.hidden = true
  menu.role = 'menu'
  const item = menu.appendChild(document.createElement('button'))
  item.textContent = `Choose: ${name}`
  // As menus do that keep the focus on their button.
  if (name.startsWith('blur')) item.onmousedown = (event) => event.preventDefault()
  item.onclick = () => {
    menu.hidden = true
    window.chosen.push(name)
  }
  button.onclick = () => {
    menu.hidden = !menu.hidden
    if (menu.hidden) return
    if (name.startsWith('blur')) button.focus()
    else item.focus()
  }
  close(menu, button)
}

window.chosen = []
window.kinds = Object.keys(kinds)
for (const [name, close] of Object.entries(kinds)) addMenu(name, close)

/** The letters that ran a shortcut of the page, by the listener that saw them. */
window.shortcuts = []
for (const [where, target] of Object.entries({ window, document, body: document.body }))
  for (const type of ['keydown', 'keypress', 'keyup', 'input', 'beforeinput', 'paste', 'copy', 'compositionstart'])
    for (const isCaptured of [true, false])
      target.addEventListener(
        type,
        (event) => {
          if (/^(?:input|textarea|select)$/i.test(event.target.tagName) || event.ctrlKey || event.metaKey) return
          window.shortcuts.push(`${where} ${isCaptured ? 'captured ' : ''}${type} ${event.key ?? ''}`)
          event.preventDefault()
        },
        isCaptured,
      )

const element = document.createElement('tool-agent')
Object.assign(element, {
  endpoint: query.get('endpoint'),
  model: 'm',
  pageTools: 'read fill act',
  layout: 'floating',
  open: true,
})
document.body.append(element)
window.element = element
window.agent = element.agent
