// Text in boxes that scroll: what a person can scroll to is read, what no scrolling of a person reveals is not.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'
import { seeds } from '../../../support/project/long.js'

/** Shows the markup, and scrolls the elements that say `data-to="left top"`. */
async function show(page: Page, markup: string): Promise<void> {
  await page.evaluate((markup) => {
    const root = document.documentElement
    for (const name of root.getAttributeNames()) root.removeAttribute(name)
    for (const name of document.body.getAttributeNames()) document.body.removeAttribute(name)
    document.head.innerHTML = '<style>body { margin: 0; font: 16px/20px sans-serif } p { margin: 0 }</style>'
    const body = /^<body([^>]*)>/.exec(markup)
    document.body.innerHTML = markup.replace(/^<body[^>]*>/, '')
    for (const [, name = '', value = ''] of body?.[1]?.matchAll(/([\w-]+)="([^"]*)"/g) ?? [])
      (name.startsWith('html-') ? root : document.body).setAttribute(name.replace('html-', ''), value)
    for (const host of document.querySelectorAll('[data-shadow]')) {
      const content = host.querySelector('template')
      if (content) host.attachShadow({ mode: 'open' }).append(content.content.cloneNode(true))
    }
    const scroll = (tree: ParentNode): void => {
      for (const box of tree.querySelectorAll('*')) {
        const [left, top] = (box.getAttribute('data-to') ?? '').split(' ').map(Number)
        if (left !== undefined && top !== undefined) box.scrollTo({ left, top, behavior: 'instant' })
        if (box.shadowRoot) scroll(box.shadowRoot)
      }
    }
    scroll(document)
    scrollTo(0, 0)
  }, markup)
}

const rows = (count: number, word = 'SEEN row'): string =>
  Array.from({ length: count }, (_, at) => `<p>${word} ${at + 1}</p>`).join('')
/** 200 px high, with 30 rows of 20 px. */
const scroller = (inner: string, style = '', attributes = ''): string =>
  `<div style="height:200px;width:300px;overflow:auto;${style}" ${attributes}>${inner}</div>`
const clipped = (inner: string, style = ''): string =>
  `<div style="height:200px;width:400px;overflow:hidden;${style}">${inner}</div>`
const tall = '<div style="height:600px"></div>'
const wide = (inner: string): string => `<div style="width:2000px;height:30px;position:relative">${inner}</div>`

/** Markup whose texts say whether they can be seen: `SEEN …` or `HIDE …`. */
const cases: Readonly<Record<string, string>> = {
  'rows below the fold': clipped(scroller(rows(30))),
  'rows above the fold': scroller(rows(30), '', 'data-to="0 400"'),
  'rows above the fold in a clipped box': clipped(scroller(rows(30), '', 'data-to="0 400"')),
  'text above a box that is scrolled to its end': clipped(
    scroller(`${rows(30)}<p style="margin-top:-1200px">HIDE</p>`, '', 'data-to="0 400"'),
  ),
  'the shell of an app with a header': `<div style="height:100vh;overflow:hidden;display:flex;flex-direction:column"><header>SEEN header</header>
    <main style="flex:1;overflow-y:auto;min-height:0">${rows(60)}</main></div>`,
  'a box without anything to scroll in a clipped box': clipped(
    `<div style="overflow:auto">${rows(10)}${rows(5, 'HIDE')}</div>`,
  ),
  'a box whose end is cut off': clipped(
    `${scroller(`${rows(17)}<p style="margin-top:40px">HIDE last</p>`, 'height:240px')}`,
  ),
  'a box of which two pixels are visible': clipped(`<div style="height:198px"></div>${scroller(rows(30, 'HIDE'))}`),
  'a box that is cut off': clipped(`<div style="height:250px"></div>${scroller(rows(30, 'HIDE'))}`),
  'a box without height': `<div style="height:0;overflow:auto">${rows(30, 'HIDE')}</div>`,
  'overflow hidden': clipped(rows(10) + rows(20, 'HIDE')),
  'overflow hidden that a script has scrolled': `<div data-to="0 200" style="height:100px;overflow:hidden">${rows(10, 'HIDE')}${rows(5)}${rows(20, 'HIDE')}</div>`,
  'overflow clip': clipped(rows(10) + rows(20, 'HIDE'), 'overflow:clip'),
  'scrolled across only': scroller(
    wide(
      `SEEN start<p style="position:absolute;left:1900px">SEEN end</p>${`<p style="position:absolute;top:300px">HIDE below</p>`}`,
    ),
    'overflow:auto hidden',
  ),
  'scrolled down only': scroller(
    `${tall}<p>SEEN below</p>${wide('<p style="position:absolute;left:1900px">HIDE right</p>')}`,
    'overflow:hidden auto',
  ),
  'carousel that a person scrolls': clipped(
    `<div style="display:flex;overflow-x:auto;scroll-snap-type:x mandatory;scrollbar-width:none;width:400px">${[1, 2, 3, 4].map((at) => `<div style="flex:0 0 100%;scroll-snap-align:start">SEEN slide ${at}</div>`).join('')}</div>`,
  ),
  'carousel that a script moves': clipped(
    `<div style="display:flex;transform:translateX(-400px)">${['HIDE', 'SEEN', 'HIDE'].map((at) => `<div style="flex:0 0 400px">${at} slide</div>`).join('')}</div>`,
  ),
  'left of a box': clipped(
    scroller(`<p style="margin-left:-900px;width:200px">HIDE</p>${wide('SEEN')}`, '', 'data-to="500 0"'),
  ),
  'right to left': clipped(
    scroller(
      wide(
        '<p style="position:absolute;right:1800px">SEEN left</p><p style="position:absolute;right:-900px">HIDE right</p>',
      ),
      'direction:rtl;position:relative',
    ),
  ),
  'right to left, scrolled': clipped(
    scroller(
      wide(
        '<p style="position:absolute;right:0">SEEN right</p><p style="position:absolute;right:1900px">SEEN left</p>',
      ),
      'direction:rtl',
      'data-to="-1000 0"',
    ),
  ),
  'a page from right to left': `<body html-dir="rtl">${wide('<p style="position:absolute;right:1900px">SEEN left</p><p>SEEN right</p>')}`,
  'vertical writing': clipped(
    scroller(`<p>SEEN first</p><div style="width:900px"></div><p>SEEN left</p>`, 'writing-mode:vertical-rl'),
  ),
  'a reversed column': clipped(
    scroller(
      `<div style="flex:none;height:20px">SEEN newest</div><div style="flex:none;height:900px"></div><div style="flex:none;height:20px">SEEN oldest</div>`,
      'display:flex;flex-direction:column-reverse',
    ),
  ),
  'below the end of a reversed column': clipped(
    scroller(
      `<p style="position:absolute;top:400px">HIDE</p><div style="flex:none;height:900px">SEEN</div>`,
      'display:flex;flex-direction:column-reverse;position:relative',
    ),
  ),
  'a box in a box': clipped(
    scroller(`${tall}${scroller(`${rows(30)}${scroller(`${tall}SEEN deep`)}`)}${tall}<p>SEEN end</p>`),
  ),
  'a clipped box in a box': clipped(scroller(`${tall}${clipped(`${rows(10)}${rows(5, 'HIDE')}`)}`)),
  'positioned rows of a virtual list': clipped(
    scroller(
      `<div style="position:relative;height:1000px">${[0, 300, 980].map((top) => `<div style="position:absolute;top:${top}px"><button>SEEN ${top}</button></div>`).join('')}</div>`,
      '',
      'data-to="0 700"',
    ),
  ),
  'out of the document, in a box that is scrolled': scroller(
    `<div style="position:relative;height:4000px"><button style="position:absolute;top:0">SEEN first</button></div>`,
    '',
    'data-to="0 3800"',
  ),
  'absolute, not in the box around it': clipped(
    scroller(
      `${tall}<p style="position:absolute;top:300px">HIDE below</p><p style="position:absolute;top:10px">SEEN</p>`,
    ),
    'position:relative',
  ),
  'absolute, not in the clipped box around it': `<div style="position:relative">${clipped(`<p style="position:absolute;top:300px">SEEN</p>`)}</div>`,
  'absolute in a clipped box that is not the nearest': clipped(
    clipped('<p style="position:absolute;top:300px">HIDE</p>', 'height:50px'),
    'position:relative',
  ),
  'fixed, not in the box around it': `${scroller(`${tall}<p style="position:fixed;top:100px">SEEN</p><p style="position:fixed;left:5000px;top:0">HIDE</p>`, 'position:relative')}`,
  'fixed in a transformed box': clipped(
    scroller(`<div style="transform:translateX(0);height:900px"><p style="position:fixed;top:880px">SEEN</p></div>`) +
      '<div style="transform:translateX(0)"><p style="position:fixed;top:500px">HIDE</p></div>',
  ),
  sticky: clipped(
    scroller(
      `<p style="position:sticky;top:0">SEEN head</p>${rows(30)}<p style="position:sticky;bottom:0">SEEN foot</p>`,
      '',
      'data-to="0 100"',
    ),
  ),
  'contained paint': `<div style="contain:paint;height:200px">${rows(10)}${rows(5, 'HIDE')}</div>`,
  'rows whose contents are postponed': clipped(
    scroller(
      Array.from(
        { length: 30 },
        (_, at) => `<div style="content-visibility:auto;contain-intrinsic-height:20px"><p>SEEN ${at}</p></div>`,
      ).join(''),
    ),
  ),
  'rows whose contents are postponed, without a size': clipped(
    scroller(
      `${tall}${Array.from({ length: 9 }, (_, at) => `<div style="content-visibility:auto"><p>SEEN ${at}</p></div>`).join('')}`,
    ),
  ),
  'contents that are left out': scroller(`${tall}<div style="content-visibility:hidden"><p>HIDE</p></div><p>SEEN</p>`),
  'a scaled box': clipped(
    `<div style="transform:scale(.5);transform-origin:0 0">${scroller(rows(60), 'height:400px')}</div>`,
  ),
  'a scaled box with text above': `<div style="transform:scale(.5);transform-origin:0 0;margin-top:900px">${scroller(`<p style="position:absolute;top:-700px">HIDE</p>${rows(60)}`, 'height:400px;position:relative', 'data-to="0 600"')}</div>`,
  'a mirrored list': clipped(
    scroller(
      Array.from({ length: 30 }, (_, at) => `<p style="transform:scaleY(-1)">SEEN ${at}</p>`).join(''),
      'transform:scaleY(-1)',
    ),
  ),
  'a turned box': clipped(scroller(rows(30), 'transform:rotate(90deg)')),
  'a box that takes no pointer': clipped(scroller(rows(30), 'pointer-events:none')),
  'a covered box': clipped(
    `${scroller(rows(30))}<div style="position:relative;margin-top:-200px;height:200px;background:#eee"></div>`,
  ),
  'a table in a box': clipped(
    scroller(
      `<table>${Array.from({ length: 30 }, (_, at) => `<tr><td>SEEN cell ${at}</td><td>SEEN other</td></tr>`).join('')}</table>`,
    ),
  ),
  'slotted rows': clipped(
    `<div data-shadow><template><div style="height:200px;overflow:auto"><slot></slot></div></template>${rows(30)}</div>`,
  ),
  'rows in a shadow root': clipped(
    `<div data-shadow><template><style>p { margin: 0 }</style><div style="height:100px;overflow:auto">${rows(30)}</div></template></div>`,
  ),
  'slotted rows in a clipped box': `<div data-shadow><template><div style="height:200px;overflow:hidden"><slot></slot></div></template>${rows(10)}${rows(9, 'HIDE')}</div>`,
  'a body that scrolls itself': `<body html-style="overflow:hidden;height:100%" style="margin:0;height:100%;overflow:auto" data-to="0 900"><div style="height:100px">SEEN top</div><button style="position:absolute;top:0">SEEN button</button>${rows(100)}`,
  'a page whose scrolling is locked': `<body style="overflow:hidden;height:100vh">${rows(100)}`,
}

test('reads what a person can scroll to, and nothing else', { tag: '@S2' }, async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  const wrong: Record<string, { missing: string[]; told: string[] }> = {}
  for (const [name, markup] of Object.entries(cases)) {
    await show(page, markup)
    const outline = await call<string>(page, 'page_read', { maxChars: 40_000 })
    const texts = [...markup.matchAll(/SEEN(?: \w+)*/g)].map(([text]) => text)
    const missing = texts.filter((text) => !new RegExp(`${text}\\b`).test(outline))
    const told = outline.match(/HIDE[ \w]*/g) ?? []
    if (missing.length + told.length > 0) wrong[name] = { missing, told }
  }
  expect(wrong).toEqual({})
})

test(
  'reads a frame that scrolls, or can be scrolled to, but not one that is cut off',
  { tag: '@S2' },
  async ({ page, site }) => {
    await open(page, `${site}/test/pages/session/blank.html`)
    const frame = (word: string): string =>
      `<iframe title="${word} frame" height="100" srcdoc="<div style='height:900px'></div><p>${word} below</p><div style='height:50px;overflow:hidden'><div style='height:50px;overflow:auto'><div style='height:500px'></div>${word} inner</div></div>"></iframe>`
    await show(
      page,
      `${clipped(scroller(`${tall}${frame('SEEN')}`))}${clipped(`<div style="height:250px"></div>${frame('HIDE')}`)}`,
    )
    await page.waitForFunction(() =>
      [...document.querySelectorAll('iframe')].every((one) => one.contentDocument?.querySelector('p') !== null),
    )
    const outline = await call<string>(page, 'page_read')
    expect(outline).toContain('SEEN below')
    expect(outline).toContain('SEEN inner')
    expect(outline).not.toMatch(/HIDE (below|inner)/)
  },
)

const app = `<style>.app { height: 100vh; overflow: hidden; display: flex; flex-direction: column } main { flex: 1; overflow-y: auto; min-height: 0 } .row { cursor: pointer; height: 60px } footer { height: 50px }</style>
  <div class="app"><header>Mail</header><main aria-label="Mails">${Array.from({ length: 60 }, (_, at) => `<div class="row" onclick="this.setAttribute('aria-current', 'true');window.opened=${at + 1}"><input type="checkbox"><span>Sender ${at + 1}</span> <b>Subject ${at + 1}</b></div>`).join('')}
  <h2>Recent Vaccinations</h2><p>Tetanus, 2031</p></main><footer>Foot</footer></div>`

test('lists, finds, filters and clicks the rows of an app below the fold', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  await show(page, app)
  const outline = await call<string>(page, 'page_read', { maxChars: 40_000 })
  for (const at of [1, 30, 60]) expect(outline).toMatch(new RegExp(`"?Sender ${at}\\b`))
  expect(outline).toMatch(/heading "Recent Vaccinations" \[level=2\]\n.*Tetanus, 2031/)
  const screens = Number(/\((\d+) screens/.exec(outline)?.[1])
  expect(screens).toBe(
    await page.evaluate(() => {
      const main = document.querySelector('main')!
      return Math.ceil((innerHeight + main.scrollHeight - main.clientHeight) / innerHeight)
    }),
  )
  expect(screens).toBeGreaterThan(4)
  expect(await call<string>(page, 'page_read', { filter: 'Subject 57' })).toContain('Subject 57')
  expect(await call(page, 'dom_query', { text: 'Subject 58' })).toMatchObject({
    count: 1,
    matches: [{ visible: true }],
  })
  const [, ref = ''] = /Sender 59.*?\[ref=(e\d+)\]/.exec(outline) ?? []
  expect(await call(page, 'page_click', { target: ref })).not.toHaveProperty('error')
  expect(await page.evaluate(() => (window as unknown as { opened?: number }).opened)).toBe(59)
  const scrolled = await call<{ visible: string }>(page, 'page_scroll', { text: 'Sender 3 ', to: 'up' })
  expect(scrolled).toMatchObject({ found: true, visible: expect.stringContaining('Sender 3') })
  expect(scrolled.visible).not.toContain('Sender 59')
})

test('says what is in view now, also in boxes in the box that was scrolled', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  const inner = scroller(`${rows(30, 'inner')}`, 'height:100px')
  await show(
    page,
    `<div role="region" aria-label="Outer" style="height:300px;overflow:auto">${inner}${rows(30, 'outer')}</div>`,
  )
  const { visible } = await call<{ visible: string }>(page, 'page_scroll', { target: 'Outer', to: 'top' })
  for (const text of ['inner 1', 'inner 5', 'outer 1', 'outer 10']) expect(visible).toMatch(new RegExp(`${text}\\b`))
  for (const text of ['inner 7', 'inner 15', 'outer 12']) expect(visible).not.toMatch(new RegExp(`${text}\\b`))
  expect(await call(page, 'page_scroll', { target: 'Outer', text: 'inner 25' })).toMatchObject({
    found: true,
    visible: expect.stringContaining('inner 25'),
  })
})

/** A generator of numbers below `most` that repeats itself for a seed. */
function dice(seed: number): (most: number) => number {
  let state = (seed + 1) * 0x9e3779b1
  return (most) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * most)
  }
}

/** Boxes in boxes, of random sizes, positions and styles, with small texts in them. */
function layout(seed: number): string {
  const roll = dice(seed)
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T
  let count = 0
  const inside = (depth: number): string => {
    const parts = Array.from({ length: 1 + roll(3) }, () => {
      const place = pick([
        () => '',
        () => `margin-top:${roll(5) * 60 - 60}px;margin-left:${roll(5) * 60 - 60}px`,
        () => `position:absolute;left:${roll(9) * 60 - 120}px;top:${roll(9) * 60 - 120}px`,
        () => `position:relative;left:${roll(9) * 60 - 120}px;top:${roll(9) * 60 - 120}px`,
      ])()
      if (depth === 0 || roll(3) === 0) return `<i style="${place}">t${count++}</i>`
      const overflow = pick(['visible', 'auto', 'auto', 'scroll', 'hidden', 'hidden auto', 'auto hidden', 'clip'])
      const more = pick([
        '',
        '',
        '',
        'direction:rtl',
        'transform:translate(20px,-30px)',
        'transform:scale(.5)',
        'contain:paint',
        'position:relative',
      ])
      return `<div style="overflow:${overflow};width:${60 + roll(4) * 60}px;height:${60 + roll(4) * 60}px;${place};${more}" data-to="${roll(3) * 70 * (more.includes('rtl') ? -1 : 1)} ${roll(3) * 70}">${inside(depth - 1)}</div>`
    })
    return parts.join('')
  }
  return `<style>i { display: block; font: 10px/20px sans-serif; width: 20px; height: 20px } div { scrollbar-width: none }</style><div style="position:absolute;left:600px;top:600px;width:300px;height:300px">${inside(3)}</div>`
}

/**
 * The texts that are visible now, or after a person scrolls the boxes around them: each box so that the text is at one of
 * its edges, in its middle or in the middle of what other boxes leave of it, or as far as it goes. `letters`: their middle is seen. `box`: any of the box around them is,
 * which is wider, by an amount that the font decides. Runs in the page.
 */
function seenByHand(part: string): { seen: string[]; before: number; all: number } {
  const texts = [...document.querySelectorAll('i')]
  // Other texts do not count as covers.
  for (const one of document.querySelectorAll<HTMLElement>('div, i')) one.style.pointerEvents = 'none'
  // None of the places of letters is on a border of a box: Chromium finds there what the box cuts off.
  const places = part === 'letters' ? [0.31, 0.46, 0.69] : [0.05, 0.5, 0.95]
  const isSeen = (one: HTMLElement): boolean => {
    const range = document.createRange()
    range.selectNodeContents(one)
    const { left, top, width, height } = (part === 'letters' ? range : one).getBoundingClientRect()
    return places.some((x) => places.some((y) => document.elementFromPoint(left + width * x, top + height * y) === one))
  }
  /** Calls `then` with each position of the box in one direction, until it returns true. Restores the position. */
  const along = (
    box: HTMLElement,
    {
      side,
      name,
      size,
      isScrolled,
    }: { side: 'left' | 'top'; name: 'scrollLeft' | 'scrollTop'; size: number; isScrolled: boolean },
    one: HTMLElement,
    then: () => boolean,
  ): boolean => {
    if (!isScrolled) return then()
    const start = box[name]
    const end = side === 'left' ? 'right' : 'bottom'
    const [inner, outer] = [one.getBoundingClientRect(), box.getBoundingClientRect()]
    const middle = (rect: DOMRect): number => (rect[side] + rect[end]) / 2
    // What the boxes around it leave of it.
    let [first, last] = [outer[side], outer[end]]
    for (let up = box.parentElement; up; up = up.parentElement) {
      if (up.localName !== 'div' || getComputedStyle(up).overflow === 'visible') continue
      const around = up.getBoundingClientRect()
      ;[first, last] = [Math.max(first, around[side]), Math.min(last, around[end])]
    }
    const moves = [
      0,
      middle(inner) - middle(outer),
      middle(inner) - (first + last) / 2,
      inner[side] - outer[side],
      inner[end] - outer[end],
    ]
    const scale = (outer[end] - outer[side]) / (side === 'left' ? box.offsetWidth : box.offsetHeight)
    const found = [...moves.map((move) => start + move / scale), -size, size].some((to) => {
      box[name] = to
      return then()
    })
    box[name] = start
    return found
  }
  const search = (one: HTMLElement, boxes: readonly HTMLElement[]): boolean => {
    const [box, ...outer] = boxes
    if (!box) return isSeen(one)
    const { overflowX, overflowY } = getComputedStyle(box)
    const across = {
      side: 'left',
      name: 'scrollLeft',
      size: box.scrollWidth,
      isScrolled: /auto|scroll/.test(overflowX) && box.scrollWidth > box.clientWidth,
    } as const
    const down = {
      side: 'top',
      name: 'scrollTop',
      size: box.scrollHeight,
      isScrolled: /auto|scroll/.test(overflowY) && box.scrollHeight > box.clientHeight,
    } as const
    return along(box, across, one, () => along(box, down, one, () => search(one, outer)))
  }
  const seen: string[] = []
  let before = 0
  for (const one of texts) {
    one.style.pointerEvents = 'auto'
    const boxes: HTMLElement[] = []
    for (let up = one.parentElement; up; up = up.parentElement) if (up.localName === 'div') boxes.push(up)
    const isSeenNow = isSeen(one)
    if (isSeenNow) before++
    if (isSeenNow || search(one, boxes)) seen.push(one.textContent ?? '')
    one.style.pointerEvents = 'none'
  }
  return { seen: seen.sort(), before, all: texts.length }
}

test(
  'agrees with what scrolling by hand shows, on random layouts',
  { tag: ['@S2', '@matrix'] },
  async ({ page, site }) => {
    test.setTimeout(600_000)
    await open(page, `${site}/test/pages/session/blank.html`)
    // All of it is in the window, so that only the boxes need to be scrolled.
    const size = page.viewportSize()
    await page.setViewportSize({ width: 1800, height: 1800 })
    const totals = { seen: 0, unseen: 0, scrolled: 0 }
    for (const seed of seeds(6, 120)) {
      await show(page, layout(seed))
      const outline = await call<string>(page, 'page_read', { maxChars: 40_000 })
      const told = [...new Set(outline.match(/\bt\d+\b/g) ?? [])].sort()
      const { seen, all, before } = await page.evaluate(seenByHand, 'box')
      const legible = await page.evaluate(seenByHand, 'letters')
      const description = `seed ${seed}\n${layout(seed)}`
      expect(seen, description).toEqual(expect.arrayContaining(told))
      expect(told, description).toEqual(expect.arrayContaining(legible.seen))
      totals.seen += seen.length
      totals.scrolled += seen.length - before
      totals.unseen += all - seen.length
    }
    if (size) await page.setViewportSize(size)
    expect(totals.scrolled).toBeGreaterThan(10)
    expect(totals.unseen).toBeGreaterThan(10)
  },
)
