// The page without search: the colour switch, the menu of narrow windows, the contents of the page and copy buttons. Shows
// the controls that need a script; without it, the rest of the page works.
const root = document.documentElement
const narrow = matchMedia('(width < 64rem)')
const withoutContents = matchMedia('(width < 80rem)')

/** @template {Element} T @param {string} selector @returns {T | null} */
const find = (selector) => /** @type {T | null} */ (document.querySelector(selector))

// The colour switch.
const themeButton = /** @type {HTMLButtonElement | null} */ (find('#theme'))
if (themeButton !== null) {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (root.dataset['theme'] ?? (dark.matches ? 'dark' : 'light')) === 'dark'
  const show = () => themeButton.setAttribute('aria-pressed', String(isDark()))
  themeButton.hidden = false
  themeButton.addEventListener('click', () => {
    root.dataset['theme'] = isDark() ? 'light' : 'dark'
    try {
      localStorage.setItem('tool-agent-site-theme', root.dataset['theme'])
    } catch {
      // Storage is blocked: the choice lasts until the next page.
    }
    show()
  })
  dark.addEventListener('change', show)
  show()
}

// The menu. Without this script, its link opens it as the target of the address.
const menuLink = /** @type {HTMLAnchorElement | null} */ (find('#menu'))
const menu = /** @type {HTMLElement | null} */ (find('#navigation'))
if (menuLink !== null && menu !== null) {
  menuLink.setAttribute('role', 'button')
  menuLink.setAttribute('aria-controls', menu.id)
  /** @param {boolean} isOpen */
  const setOpen = (isOpen) => {
    root.classList.toggle('menu-open', isOpen)
    menuLink.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) (menu.querySelector('[aria-current]') ?? menu.querySelector('a'))?.scrollIntoView({ block: 'center' })
  }
  setOpen(false)
  const toggle = () => {
    const isOpen = !root.classList.contains('menu-open')
    setOpen(isOpen)
    if (isOpen) /** @type {HTMLElement | null} */ (menu.querySelector('a'))?.focus({ preventScroll: true })
  }
  menuLink.addEventListener('click', (event) => {
    event.preventDefault()
    toggle()
  })
  menuLink.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return
    event.preventDefault()
    toggle()
  })
  menu.querySelector('.menu-close')?.addEventListener('click', (event) => {
    event.preventDefault()
    setOpen(false)
    menuLink.focus()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !root.classList.contains('menu-open')) return
    setOpen(false)
    menuLink.focus()
  })
  narrow.addEventListener('change', () => setOpen(false))
  if (!narrow.matches) menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
}

// The contents of the page: open beside the text, closed above it.
const contents = /** @type {HTMLDetailsElement | null} */ (find('#contents'))
if (contents !== null) {
  const adapt = () => {
    contents.open = !withoutContents.matches
  }
  adapt()
  withoutContents.addEventListener('change', adapt)
  markSection(contents)
}

/** Marks the section in view. @param {HTMLElement} list */
function markSection(list) {
  const links = new Map([...list.querySelectorAll('a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]))
  const headings = [...document.querySelectorAll('main :is(h2, h3)[id]')].filter(({ id }) => links.has(id))
  const update = () => {
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? headings[0]
    for (const [id, link] of links) {
      if (id === current?.id) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  let isWaiting = false
  document.addEventListener(
    'scroll',
    () => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(() => {
        isWaiting = false
        update()
      })
    },
    { passive: true },
  )
  update()
}

// Copy buttons.
for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  const status = document.createElement('span')
  status.className = 'visually-hidden'
  status.setAttribute('role', 'status')
  button.addEventListener('click', () => {
    const text = block.querySelector('code')?.textContent ?? ''
    navigator.clipboard.writeText(text).then(
      () => report('Copied'),
      () => report('Not copied'),
    )
  })
  /** @param {string} text */
  const report = (text) => {
    button.textContent = text
    status.textContent = text
    setTimeout(() => {
      button.textContent = 'Copy'
      status.textContent = ''
    }, 2000)
  }
  block.append(button, status)
}

// What scrolls sideways must be reachable by keyboard.
const adaptScrollers = () => {
  for (const box of document.querySelectorAll('.table, pre')) {
    if (box.scrollWidth > box.clientWidth) box.setAttribute('tabindex', '0')
    else box.removeAttribute('tabindex')
  }
}
adaptScrollers()
addEventListener('resize', adaptScrollers)

// Search: loaded with its first use.
const searchButton = /** @type {HTMLButtonElement | null} */ (find('#search'))
if (searchButton !== null) {
  const open = () => {
    import('./search.js').then(
      ({ openSearch }) => openSearch(searchButton.dataset['base'] ?? ''),
      () => {
        searchButton.textContent = 'Search did not load'
      },
    )
  }
  searchButton.hidden = false
  searchButton.addEventListener('click', open)
  document.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target)
    const isTyping = target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName)
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
    const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isSlash && !isCommand) return
    event.preventDefault()
    open()
  })
}
