// What a page says in words beside a field during a fill is told in the result of this field, and of no other.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

interface Filled {
  readonly field: string
  readonly ok: boolean
  readonly problem?: string
  readonly appeared?: readonly string[]
  readonly elsewhere?: readonly string[]
}

const fill = (page: Page, values: Record<string, unknown>): Promise<Filled[]> =>
  call(page, 'form_fill', { fields: Object.entries(values).map(([field, value]) => ({ field, value })) })

/** Runs a script of the page. */
const script = (page: Page, code: string): Promise<unknown> =>
  page.evaluate((text) => {
    const element = document.createElement('script')
    element.textContent = `{${text}}`
    document.body.append(element)
    element.remove()
  }, code)

const tooLong = 'Please use at most 8 characters'
/** Ways to object to more than eight characters. `input` is the field, `slot` an element behind it. */
const ways: readonly (readonly [name: string, code: string, ok: boolean])[] = [
  ['feedback', `slot.innerHTML = '<div class="invalid-feedback" style="display:block">${tooLong}</div>'`, true],
  ['alert', `slot.innerHTML = '<p role="alert">${tooLong}</p>'`, true],
  ['invalid', `input.setAttribute('aria-invalid', 'true'); slot.innerHTML = '<span>${tooLong}</span>'`, false],
  [
    'described',
    `slot.id = 'why'; input.setAttribute('aria-describedby', 'why'); slot.textContent = '${tooLong}'`,
    true,
  ],
  ['plain box', `slot.append(Object.assign(document.createElement('u'), { textContent: '${tooLong}' }))`, true],
  ['moved in', `input.after(Object.assign(document.createElement('b'), { textContent: '${tooLong}' }))`, true],
  ['above', `input.before(Object.assign(document.createElement('b'), { textContent: '${tooLong}' }))`, true],
  ['rewritten hint', `hint.textContent = '${tooLong}'`, true],
  ['shown by a class', `row.classList.add('wrong')`, true],
  ['said by a screen reader', `slot.innerHTML = '<p role="alert" class="unseen">${tooLong}</p>'`, true],
]
const css =
  '.why { display: none } .wrong .why { display: block } ' +
  '.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }'

for (const event of ['input', 'blur', 'late'])
  test(`an objection beside a field is told, however the page draws it (${event})`, async ({ page, site }) => {
    const rows = ways.map(
      ([name], at) =>
        `<div class="row" id="row${at}"><label for="in${at}">Title ${name}</label><input id="in${at}"><i id="hint${at}">A short one</i><div id="slot${at}"></div><p class="why">${tooLong}</p></div>`,
    )
    await openMarkup(page, site, `<form>${rows.join('')}<button type="button">Save</button></form>`, css)
    for (const [at, [, code]] of ways.entries())
      await script(
        page,
        `const [row, input, hint, slot] = ['row', 'in', 'hint', 'slot'].map((id) => document.getElementById(id + ${at}))
        const check = () => { if (input.value.length > 8) { ${code} } }
        input.addEventListener('${event === 'late' ? 'input' : event}', () => {
          if (${event !== 'late'}) return check()
          input.dataset.checking = ''
          setTimeout(check, 60)
        })`,
      )
    const asked = Object.fromEntries(ways.map(([name]) => [`Title ${name}`, 'Far too long']))
    for (const [at, filled] of (await fill(page, asked)).entries()) {
      const [name, , ok] = ways[at]!
      expect.soft(filled, name).toMatchObject({ field: `Title ${name}`, ok, appeared: [tooLong] })
      if (!ok) expect.soft(filled.problem, name).toContain(tooLong)
    }
    // What is told stays told while it stands there, and is no news beside the others.
    expect(await fill(page, { 'Title feedback': 'Much too long' })).toMatchObject([{ appeared: [tooLong] }])
    const [fine] = await fill(page, { 'Title alert': 'Short' })
    expect(fine?.elsewhere).toBeUndefined()
  })

test('a message is told of its own field, in every layout, and otherwise of none', async ({ page, site }) => {
  const field = (name: string): string => `<input id="${name}" aria-label="${name}">`
  const layouts: Record<string, string> = {
    'in rows': `<form><div>${field('One')}<p id="at"></p></div><div>${field('Two')}</div></form>`,
    'under rows': `<form><div>${field('One')}</div><p id="at"></p><div>${field('Two')}</div></form>`,
    'without boxes': `<form><label for="One">One</label>${field('One')}<p id="at"></p><label for="Two">Two</label>${field('Two')}</form>`,
    'in a table': `<table><tr><td>${field('One')}</td><td id="at"></td></tr><tr><td>${field('Two')}</td><td></td></tr></table>`,
    'in a list without a form': `<ul><li>${field('One')} <span id="at"></span></li><li>${field('Two')} <span></span></li></ul>`,
    'in a label': `<label>One ${field('One')} <span id="at"></span></label><label>Two ${field('Two')}</label>`,
    'described from far away': `<form>${field('Two')}${field('One').replace('>', ' aria-describedby="at">')}<hr><footer><p id="at"></p></footer></form>`,
    'in a tooltip at the end of the page': `<form>${field('One').replace('>', ' aria-describedby="at">')}${field('Two')}</form><div role="tooltip" id="at"></div>`,
    'before its field': `<form><label for="Two">Two</label>${field('Two')}<label for="One">One</label><p id="at"></p>${field('One')}</form>`,
    'from right to left': `<form dir="rtl"><div>${field('One')}<p id="at"></p></div><div>${field('Two')}</div></form>`,
  }
  for (const [name, html] of Object.entries(layouts)) {
    await openMarkup(page, site, html)
    await script(page, `One.oninput = () => { at.textContent = 'Only letters, please' }`)
    const [one, two] = await fill(page, { One: '1', Two: '2' })
    expect.soft(one, name).toMatchObject({ appeared: ['Only letters, please'] })
    expect.soft(two, name).toEqual({ field: 'Two', asked: '2', now: '2', ok: true })
  }
  // Of the form as a whole, of a row with two fields, beside a field that was not filled.
  const shared: Record<string, readonly [html: string, told: string]> = {
    above: [`<form><p id="at"></p><div>${field('One')}</div><div>${field('Two')}</div></form>`, 'Only letters'],
    below: [`<form><div>${field('One')}</div><div>${field('Two')}</div><p id="at"></p></form>`, 'Only letters'],
    row: [
      `<form><div>${field('One')}${field('Two')}</div><p id="at"></p><div>${field('Three')}</div></form>`,
      'Only letters',
    ],
    third: [
      `<form><div>${field('One')}</div>${field('Two')}<div>${field('Three')}<p id="at"></p></div></form>`,
      'Three: Only letters',
    ],
    toast: [`<main>${field('One')}${field('Two')}</main><div role="alert" id="at"></div>`, 'Only letters'],
  }
  for (const [name, [html, told]] of Object.entries(shared)) {
    await openMarkup(page, site, html)
    await script(page, `One.oninput = () => { at.textContent = 'Only letters' }`)
    const [one, two] = await fill(page, { One: '1', Two: '2' })
    expect.soft(one, name).toEqual({ field: 'One', asked: '1', now: '1', ok: true })
    expect.soft(two, name).toEqual({ field: 'Two', asked: '2', now: '2', ok: true, elsewhere: [told] })
  }
  // A message that names its field, and one that only this fill can have caused.
  await openMarkup(page, site, `<form><p id="at"></p><div>${field('One')}</div><div>${field('Two')}</div></form>`)
  await script(page, `One.oninput = () => { at.textContent = 'The field One takes letters' }`)
  expect((await fill(page, { One: '1', Two: '2' })).map(({ appeared }) => appeared?.length)).toEqual([1, undefined])
  await script(page, `Two.oninput = () => { at.textContent = 'No digits here' }`)
  expect(await fill(page, { Two: '3' })).toMatchObject([{ appeared: ['No digits here'] }])
})

test('hints, counters, values and lists that a fill draws are not told as messages', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<form><div><label for="bio">Bio</label><p>At most 20 characters</p><textarea id="bio"></textarea>
      <output id="count">0/20</output> <span id="rest">20 characters left</span><div id="echo"></div></div>
      <div><label for="city">City</label><input id="city" role="combobox" aria-expanded="false" aria-controls="list">
      <ul id="list" role="listbox" hidden><li role="option">Paris</li></ul></div></form>
      <p id="clock">Saved at noon</p>`,
  )
  await script(
    page,
    `bio.oninput = () => {
      count.textContent = bio.value.length + '/20'
      rest.textContent = 20 - bio.value.length + ' characters left'
      echo.textContent = bio.value
      clock.textContent = 'Saved a moment ago'
      bio.parentElement.append(bio.parentElement.children[1].cloneNode(true))
      bio.parentElement.children[1].remove()
    }
    city.oninput = () => { list.hidden = false; city.setAttribute('aria-expanded', 'true') }
    list.onclick = () => { city.value = 'Paris'; list.hidden = true; city.setAttribute('aria-expanded', 'false') }`,
  )
  expect(await fill(page, { Bio: 'I like tea', City: 'Paris' })).toEqual([
    { field: 'Bio', asked: 'I like tea', now: 'I like tea', ok: true },
    { field: 'City', asked: 'Paris', now: 'Paris', ok: true },
  ])
})

test('a field that is marked as invalid has the text beside it as its problem, also if it stood there', async ({
  page,
  site,
}) => {
  await openMarkup(
    page,
    site,
    `<form><div><label for="a">Room</label><input id="a" aria-invalid="true"><span>Rooms have three digits</span></div>
      <div><label for="b">Guest</label><input id="b"></div></form>`,
  )
  expect(await fill(page, { Room: '7', Guest: 'Ada' })).toEqual([
    { field: 'Room', asked: '7', now: '7', ok: false, problem: 'Rooms have three digits' },
    { field: 'Guest', asked: 'Ada', now: 'Ada', ok: true },
  ])
})

test('what appears is without private values and ignored parts', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<form><div><label for="pass">Password</label><input id="pass" type="password" value="tulip-4711"></div>
      <div><label for="name">Name</label><input id="name"><p id="why"></p><p id="own" data-tool-agent-ignore></p></div></form>`,
  )
  await script(
    page,
    `document.getElementById('name').oninput = () => {
      why.textContent = 'Must not be part of tulip-4711'
      own.textContent = 'For the visitor alone'
    }`,
  )
  expect(await fill(page, { Name: 'tulip' })).toMatchObject([{ appeared: ['Must not be part of [private]'] }])
})

test('suggestions are told once, and not as texts that have appeared', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<form><label>Subject <input></label><label>Assignee <input id="who" autocomplete="off"></label>
      <div id="list"></div></form>`,
  )
  await script(
    page,
    `who.oninput = () => (list.innerHTML = ['Maria Lopez', 'Mario Rossi'].map((name) =>
      '<div style="cursor:pointer">' + name + '</div>').join(''))`,
  )
  const [, who] = await fill(page, { Subject: 'Broken lamp', Assignee: 'Mari' })
  expect(who).toMatchObject({ suggestions: ['Maria Lopez', 'Mario Rossi'], now: 'Mari' })
  for (const twin of ['appeared', 'elsewhere']) expect(who).not.toHaveProperty(twin)
})
