// Selectors and waits against guessing: two pages that differ only in what must not be read give the same answers.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/site.js'
import { seeds } from '../../../support/project/long.js'
import { call, open } from '../../../support/page/page-tools-call.js'

/** A generator of numbers below `most` that repeats itself for a seed (mulberry32). */
function dice(seed: number): (most: number) => number {
  let state = seed + 1
  return (most) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * most)
  }
}
type Dice = ReturnType<typeof dice>
const pick = <T>(roll: Dice, list: readonly T[]): T => list[roll(list.length)] as T

const word = (roll: Dice): string => Array.from({ length: 8 }, () => String.fromCharCode(97 + roll(26))).join('')
const secretWord = (roll: Dice): string => `${word(roll)}${roll(10)}!${word(roll)}`

const letters = ['a', 'e', 'p', '1', 'r']

/** Something that must not be read. Its contents come from `secret`, its place from `roll`. */
function privatePart(roll: Dice, secret: Dice, inForm = false): string {
  // An editor may hold what the page around it is made of, too.
  const short = `${pick(secret, letters)}${pick(secret, letters)}`
  const inEditor = [
    '',
    `<b class="a">${secretWord(secret)}</b>`,
    `<h2 id="q">${short}</h2><p>${secretWord(secret)}</p>`,
    `<section aria-label="${short}"><button>${short}</button><a href="/${short}">${short}</a></section>`,
  ]
  switch (roll(8)) {
    case 0:
      return secret(2) === 0 ? `<input type="hidden" name="n${secret(3)}" class="a" value="${secretWord(secret)}">` : ''
    case 1:
      return `<label>Password <input type="password" name="pw" value="${secretWord(secret)}"${secret(2) === 0 ? ` title="${word(secret)}" data-state="a"` : ''}></label>`
    case 2:
      return `<label>Card number <input name="card" placeholder="${word(secret)}" value="${secret(2) === 0 ? '' : secretWord(secret)}"></label>`
    case 3:
      return `<select autocomplete="cc-exp-month" aria-label="Month">${Array.from({ length: 1 + secret(4) }, (_, at) => `<option${at === secret(3) ? ' selected' : ''}>${at}</option>`).join('')}</select>`
    case 4:
    case 5:
    case 6:
      return `<div contenteditable="true" aria-label="PIN">${pick(secret, inEditor)}</div>`
    // Nothing at all stands in the place of an ignored part on some of the pages.
    default:
      return secret(3) === 0
        ? ''
        : `<section data-tool-agent-ignore class="a b" id="i${secret(3)}">${Array.from({ length: secret(3) }, () => publicPart(secret, secret, 2, inForm)).join('')}<a href="/reset?token=${word(secret)}" title="${word(secret)}">R</a><input type="radio" name="r"${secret(2) === 0 ? ' checked' : ''}></section>`
  }
}

/** No form is inside a form: the parser would take it apart. */
function publicPart(roll: Dice, secret: Dice, depth: number, inForm = false): string {
  const inside = (isForm = inForm): string =>
    depth >= 4
      ? 'x'
      : Array.from({ length: roll(4) }, () =>
          roll(3) === 0 ? privatePart(roll, secret, isForm) : publicPart(roll, secret, depth + 1, isForm),
        ).join('')
  const name = pick(roll, ['a', 'b', 'c'])
  switch (roll(8)) {
    case 0:
      return `<div class="${name}">${inside()}</div>`
    case 1:
      return `<ul class="${name}"><li>one</li>${roll(2) === 0 ? '<li class="a">two</li>' : ''}</ul>`
    case 2:
      return `<a href="/page?id=${roll(4)}" class="${name}" title="Title ${roll(3)}">Link</a>`
    case 3:
      return `<input type="checkbox" aria-label="Box ${roll(3)}"${roll(2) === 0 ? ' checked' : ''}>`
    case 4:
      return inForm
        ? '<b>Bold</b>'
        : `<form id="f${roll(3)}" class="${name}">${inside(true)}<button disabled>Send</button></form>`
    case 5:
      return `<span class="${name}"></span>`
    case 6:
      return `<button type="button" aria-labelledby="q">Labelled ${roll(3)}</button><h3>Heading ${roll(3)}</h3>`
    default:
      return `<main class="${name} d">${inside()}</main>`
  }
}

const pageOf = (seed: number, privateSeed: number): string => {
  const [roll, secret] = [dice(seed), dice(privateSeed)]
  return Array.from({ length: 4 }, () => publicPart(roll, secret, 0)).join('') + privatePart(roll, secret)
}

function compound(roll: Dice, depth: number): string {
  const parts = [
    pick(roll, [
      '',
      '*',
      'div',
      'main',
      'section',
      'input',
      'option',
      'a',
      'b',
      'form',
      'li',
      'span',
      'select',
      'label',
      'body',
    ]),
  ]
  for (let more = roll(3); more > 0; more--) {
    const inner = (): string => (depth > 1 ? '.a' : selector(roll, depth + 1))
    const formula = pick(roll, ['1', '2', 'odd', 'even', '2n+1', '-n+2', 'n + 2', '3n'])
    parts.push(
      pick(roll, [
        () => pick(roll, ['.a', '.b', '.c', '#f1', '#i1']),
        () =>
          `[${pick(roll, ['href', 'title', 'placeholder', 'class', 'name', 'type', 'aria-label', 'data-state', 'data-tool-agent-ignore', 'checked', 'value', 'id'])}]`,
        () =>
          `[${pick(roll, ['href', 'title', 'placeholder', 'id', 'aria-label', 'name', 'type'])}${pick(roll, ['^', '$', '*', '~', '|', ''])}="${pick(roll, [...letters, '/reset?token=', 'pass', 'hidden', 'radio', 'n1'])}"]`,
        () =>
          `:${pick(roll, ['first-child', 'last-child', 'only-child', 'first-of-type', 'last-of-type', 'only-of-type', 'empty', 'checked', 'disabled', 'required', 'read-only', 'root'])}`,
        () => `:nth-${pick(roll, ['child', 'last-child', 'of-type', 'last-of-type'])}(${formula})`,
        () => `:${pick(roll, ['not', 'is', 'where'])}(${inner()}${roll(2) === 0 ? `, ${inner()}` : ''})`,
        () => `:has(${pick(roll, ['', '> ', '+ ', '~ '])}${inner()})`,
      ])(),
    )
  }
  return parts.join('') || '*'
}
function selector(roll: Dice, depth = 0): string {
  let text = compound(roll, depth)
  for (let more = roll(3); more > 0; more--) text += pick(roll, [' ', ' > ', ' + ', ' ~ ']) + compound(roll, depth)
  return text
}

const attributes = ['class', 'href', 'title', 'id', 'type']

/** The answer without refs, which count on over all pages. */
async function answer(page: Page, tool: string, input: object): Promise<string> {
  return JSON.stringify(await call(page, tool, input)).replaceAll(/\be\d+\b/g, 'e')
}

const show = (page: Page, markup: string): Promise<void> =>
  page.evaluate((markup) => {
    document.body.innerHTML = markup
  }, markup)

test.describe('guesses about private parts', () => {
  let page: Page
  test.beforeAll(async ({ browser, site }) => {
    page = await browser.newPage()
    await open(page, `${site}/test/pages/session/blank.html`)
    // In Firefox an empty editor has no height, and an empty span none in a line without text: then the size of public
    // elements would tell what stands beside them, to people as well. Chromium gives both a line.
    await page.addStyleTag({
      content: '[contenteditable] { min-height: 20px } span { display: inline-block; min-height: 20px }',
    })
  })
  test.afterAll(() => page.close())

  test('random selectors give the same answers on pages that differ only in private parts', async () => {
    test.setTimeout(600_000)
    let told = 0
    for (const seed of seeds(25, 400)) {
      const roll = dice(seed * 7 + 3)
      const selectors = Array.from({ length: 16 }, () => selector(roll))
      const [one, other] = [1, 2].map((kind) => pageOf(seed, seed * 31 + kind))
      const answers: string[][] = []
      for (const markup of [one, other]) {
        await show(page, markup ?? '')
        answers.push(
          await page.evaluate(
            async ({ selectors, attributes }) => {
              const { pageTools } = window as unknown as {
                pageTools: Map<string, { execute(input: object, run: object): unknown }>
              }
              const run = window.toolRun()
              const told: string[] = []
              for (const selector of selectors) {
                try {
                  const { count, matches } = (await pageTools
                    .get('dom_query')!
                    .execute({ selector, attributes, limit: 100 }, run)) as { count: number; matches: object[] }
                  // Whether a private field has a value is reported on purpose.
                  told.push(
                    JSON.stringify([
                      count,
                      matches.map((match) => ('private' in match ? { ...match, state: '' } : match)),
                    ]).replaceAll(/"e\d+"/g, '"e"'),
                  )
                } catch (error) {
                  told.push((error as Error).message)
                }
              }
              return told
            },
            { selectors, attributes },
          ),
        )
      }
      selectors.forEach((selector, at) =>
        expect(answers[1]?.[at], `${selector}\n${one}\n${other}`).toBe(answers[0]?.[at]),
      )
      told += (answers[0] ?? []).filter((text) => text.startsWith('[') && !text.startsWith('[0,')).length
    }
    // A generator whose selectors match nothing would prove nothing.
    expect(told).toBeGreaterThan(seeds(25, 400).length)
  })

  test('random words give the same answers on pages that differ only in private parts', async () => {
    test.setTimeout(600_000)
    let told = 0
    for (const seed of seeds(4, 40)) {
      const roll = dice(seed * 11 + 5)
      const markups = [1, 2].map((kind) => pageOf(seed, seed * 31 + kind))
      // What is on one of the pages, or the beginning of it, is the best of guesses.
      const words = markups
        .join(' ')
        .split(/[^\w!]+/)
        .filter((word) => word !== '')
      const guess = (): string => {
        const word = pick(roll, words)
        const guessed = roll(2) === 0 ? word : word.slice(0, 1 + roll(4))
        // Whether a private field has a value is told on purpose, so a filter may find it. Filters ignore case and
        // punctuation.
        return 'filled empty'.includes(guessed.toLowerCase().replaceAll('!', '')) ? `${guessed}zzz` : guessed
      }
      const role = (): string => pick(roll, ['heading', 'button', 'link', 'region', 'textbox', 'form', 'listitem'])
      const questions = Array.from({ length: 24 }, (_, at): [string, object] =>
        at < 4
          ? [
              'page_wait',
              {
                ...pick(roll, [
                  () => ({ text: guess() }),
                  () => ({ gone: guess() }),
                  () => ({ name: guess() }),
                  () => ({ role: role() }),
                  () => ({ role: role(), name: guess() }),
                  () => ({ url: guess() }),
                ])(),
                seconds: 0.1,
              },
            ]
          : pick(roll, [
              () =>
                [
                  'dom_query',
                  pick(roll, [
                    { text: guess() },
                    { name: guess() },
                    { label: guess() },
                    { role: role(), name: guess() },
                    { role: role() },
                  ]),
                ] as [string, object],
              () =>
                ['page_read', pick(roll, [{ scope: guess() }, { scope: role() }, { filter: guess() }, {}])] as [
                  string,
                  object,
                ],
              () => ['form_read', pick(roll, [{ form: guess() }, {}])] as [string, object],
            ])(),
      )
      const answers: string[][] = []
      for (const markup of markups) {
        await show(page, markup)
        const texts: string[] = []
        for (const [tool, input] of questions) {
          // Whether a private field has a value is reported on purpose, and a wait is measured.
          texts.push(
            (await answer(page, tool, input)).replaceAll(/\b(filled|empty)\b/g, '').replaceAll(/"seconds":[\d.]+/g, ''),
          )
        }
        answers.push(texts)
      }
      questions.forEach((question, at) =>
        expect(answers[1]?.[at], `${JSON.stringify(question)}\n${markups.join('\n')}`).toBe(answers[0]?.[at]),
      )
      told += (answers[0] ?? []).filter((text) => !text.includes('"error"') && !text.includes('"count":0')).length
    }
    expect(told).toBeGreaterThan(seeds(4, 40).length)
  })

  test('elements inside a private editor cannot be found, awaited, read or clicked', async () => {
    const markup = (
      inner: string,
    ): string => `<div contenteditable="true" aria-label="PIN"><h2 id="q">${inner}</h2><section aria-label="${inner}"><p>${inner}</p></section><a href="/${inner}">${inner}</a><button>${inner}</button></div>
      <button>ab public</button><button aria-labelledby="q">Labelled</button><input aria-labelledby="q"><form><div contenteditable="true" aria-label="PIN"><h2>${inner}</h2></div><label>Name <input></label></form>`
    const questions: [string, object][] = [
      ...['ab', 'zy'].flatMap((word): [string, object][] => [
        ['dom_query', { name: word }],
        ['dom_query', { role: 'heading', name: word }],
        ['dom_query', { text: word }],
        ['page_wait', { name: word, seconds: 0.1 }],
        ['page_wait', { role: 'heading', name: word, seconds: 0.1 }],
        ['page_read', { scope: word }],
        ['form_read', { form: word }],
        ['form_submit', { form: word }],
        ['form_submit', { button: word }],
        ['page_click', { target: word, role: 'link' }],
      ]),
      ['page_click', { target: 'zy' }],
      ['page_read', { scope: 'region' }],
      ['page_wait', { role: 'region', seconds: 0.1 }],
      ['page_wait', { role: 'heading', seconds: 0.1 }],
      ['form_read', {}],
      ['page_read', {}],
      ['dom_query', { role: 'button' }],
    ]
    const answers: string[][] = []
    for (const inner of ['ab', 'zy']) {
      await show(page, markup(inner))
      const texts: string[] = []
      for (const [tool, input] of questions)
        texts.push((await answer(page, tool, input)).replaceAll(/"seconds":[\d.]+/g, ''))
      answers.push(texts)
    }
    questions.forEach((question, at) => expect(answers[1]?.[at], JSON.stringify(question)).toBe(answers[0]?.[at]))
    expect(answers[0]?.join('\n')).not.toContain('- region')
  })

  test('a name that repeats a private value cannot be guessed by clicks or read in errors', async () => {
    await show(
      page,
      '<label>Password <input type="password" value="opensesame1"></label><button disabled>Use opensesame1</button><button>Copy opensesame1</button><button>Copy opensesame1</button><form aria-label="For opensesame1"><label>Name <input></label></form>',
    )
    const told: string[] = []
    for (const [tool, input] of [
      ['page_click', { target: 'Use [private]' }],
      ['page_click', { target: 'Copy [private]' }],
      ['form_submit', { form: 'nothing' }],
      ['page_click', { target: 'Copy opensesame1' }],
      ['form_submit', { form: 'For opensesame1' }],
      ['form_read', { form: 'For opensesame1' }],
    ] as const)
      told.push(await answer(page, tool, input))
    for (const text of told.slice(0, 3)) expect(text).not.toContain('opensesame1')
    expect(told[0]).toContain('is disabled')
    expect(told[1]).toContain('matches 2 elements')
    expect(told[3]).toContain('No clickable element')
    expect(told[4]).toContain('is not a form')
    expect(told[5]).toContain('No part of the page matches')
  })

  test('no query reveals a character of a hidden input, a password or an ignored part', async () => {
    const markup = (
      token: string,
      password: string,
      link: string,
      chosen: number,
    ): string => `<main><form><label>User <input name="user"></label>
      <input type="hidden" name="csrf" value="${token}"><input type="password" aria-label="Password" value="${password}"></form>
      <section data-tool-agent-ignore><a href="/reset?token=${link}" title="${link}" id="x${link}">Reset</a>${chosen === 1 ? '<p>more</p>' : ''}
      <input type="radio" name="plan"${chosen === 0 ? ' checked' : ''}><input type="radio" name="plan"${chosen === 1 ? ' checked' : ''}></section></main>`
    const questions = [
      '[value/**/^="a"]',
      'input[value/**/^="a"]',
      ':/**/checked',
      'body:has(:/**/checked)',
      'body:has([data-tool-agent-ignore] a[href^="/reset?token=a"])',
      'main:has(a[title^="a"])',
      'main:has([data-tool-agent-ignore] p:first-child)',
      'main:has([data-tool-agent-ignore] p)',
      'main:has(section > p)',
      'body:has(#xabc)',
      'form:not(:has(+ section))',
      'main > :nth-child(2)',
      'main > form:last-child',
      ':is(section, form):has(p)',
      'main:has(:nth-child(1 of [title^="a"]))',
      'form > :nth-child(2 of [value^="a"])',
      'form:has(> input:nth-child(2))',
      'label + input',
      'label:has(+ [type=hidden])',
      '[type=hidden]',
      '[name=csrf]',
      'section',
      '[data-tool-agent-ignore]',
      '[data-tool-agent-ignore] ~ *',
      'main:empty',
      'input:placeholder-shown',
      'input:valid',
      ':target',
      'input:invalid',
      'input:not([value^="a"])',
      '[\\76 alue^="a"]',
      '[v\\61lue*="a"]',
      '*|*[value]',
      'input::selection',
      ':host',
      'html:has(p)',
      ':scope p',
      'p:not(p + input)',
    ]
    const answers: string[][] = []
    for (const shown of [
      markup('abc', 'abcdefgh1', 'abc', 0),
      markup('zyx', 'zyxwvuts2', 'zyx', 1),
      markup('', 'zyxwvuts2', 'zyx', 2),
    ]) {
      await show(page, shown)
      const told: string[] = []
      for (const selector of questions)
        told.push(
          await answer(page, 'dom_query', { selector }),
          await answer(page, 'page_read', { scope: selector }),
          await answer(page, 'form_read', { form: selector }),
        )
      answers.push(told)
    }
    for (const told of answers.slice(1)) expect(told).toEqual(answers[0])
  })

  test('matches like the browser on a page without private parts', async () => {
    // The head of a page is not read, so that its body is an only child.
    await page.evaluate(() => document.head.remove())
    for (const seed of seeds(12, 300)) {
      const roll = dice(seed + 5000)
      const markup = `${publicPart(roll, roll, 0)}${publicPart(roll, roll, 1)}<div class="a"><i></i><b>x</b><i class="a"></i></div>`
      const selectors = Array.from({ length: 20 }, () => selector(roll))
      await show(page, markup)
      const wrong = await page.evaluate(async (selectors) => {
        // Nothing private in it, so that what the browser finds is right.
        for (const one of document.querySelectorAll(
          '[data-tool-agent-ignore],[type=hidden],[type=password],[name=card],[autocomplete],[contenteditable]',
        ))
          one.remove()
        const { pageTools } = window as unknown as {
          pageTools: Map<string, { execute(input: object, run: object): unknown }>
        }
        const run = window.toolRun()
        const wrong: string[] = []
        let compared = 0
        for (const selector of selectors) {
          let native: number
          try {
            native = [
              ...document.body.querySelectorAll(selector),
              ...['html', 'body'].filter((one) => document.querySelector(one)?.matches(selector)),
            ].length
          } catch {
            continue // A selector that browsers refuse, such as :has() inside :has().
          }
          try {
            const { count } = (await pageTools.get('dom_query')!.execute({ selector, limit: 1 }, run)) as {
              count: number
            }
            compared++
            if (count !== native) wrong.push(`${selector}: ${count} for ${native}`)
          } catch (error) {
            if (!(error as Error).message.startsWith('A selector cannot test inside :has()'))
              wrong.push(`${selector}: ${(error as Error).message}`)
          }
        }
        return { wrong, compared }
      }, selectors)
      expect(wrong.wrong, markup).toEqual([])
      expect(wrong.compared).toBeGreaterThan(0)
    }
  })

  test('does not read a frame whose document is marked as ignored', async () => {
    await page.evaluate(async () => {
      const frame = document.createElement('iframe')
      const loaded = new Promise((resolve) => {
        frame.onload = resolve
      })
      frame.srcdoc = '<html data-tool-agent-ignore><body><p>CANARY-frame</p></body></html>'
      document.body.replaceChildren(frame)
      await loaded
    })
    const told = JSON.stringify([
      await call(page, 'page_read'),
      await call(page, 'dom_query', { selector: 'p' }),
      await call(page, 'dom_query', { text: 'CANARY' }),
    ])
    expect(told).not.toContain('CANARY-frame')
  })

  test('the error of a refused selector lists what is supported', async () => {
    await show(page, '<p>One</p>')
    for (const selector of [
      '[value^="a"]',
      'p:hover',
      'p::before',
      'p:nth-child(1 of p)',
      '> p',
      'p >',
      'svg|a',
      '[title!="a"]',
      'a < b',
      'a || b',
    ]) {
      expect(await call(page, 'dom_query', { selector }), selector).toMatchObject({ error: 'invalid-input' })
    }
    const { message } = await call<{ message: string }>(page, 'dom_query', { selector: 'p:hover' })
    expect(message).toContain('A selector cannot use :hover')
    expect(message).toContain(':nth-child()')
  })

  test('attributes are redacted before they are compared', async () => {
    await show(
      page,
      `<label>Password <input type="password" value="opensesame1"></label><a href="/x?otp=482913&page=2" title="Word opensesame1">Go</a><label>One-time code <input placeholder="482913"></label>`,
    )
    for (const selector of ['[title*="open"]', '[href*="4829"]', '[placeholder]', '[placeholder^="4"]'])
      expect(await call(page, 'dom_query', { selector }), selector).toEqual({ count: 0, matches: [] })
    const found = await call(page, 'dom_query', {
      selector: '[title^="Word "][href$="page=2"]',
      attributes: ['href', 'title'],
    })
    expect(found).toMatchObject({
      count: 1,
      matches: [{ attributes: { href: '/x?otp=[private]&page=2', title: 'Word [private]' } }],
    })
  })

  test('waiting for a URL does not reveal a private parameter', async () => {
    await page.evaluate(() => history.replaceState(null, '', '?otp=482913&page=2#code=1&passwd=geheim'))
    const met = async (url: string): Promise<boolean> =>
      (await call<{ met: boolean }>(page, 'page_wait', { url, seconds: 0.1 })).met
    for (const url of ['otp=4', '482913', '913&', 'passwd=g', 'geheim']) expect(await met(url), url).toBe(false)
    for (const url of ['page=2', '/blank.html', 'code=1', new URL(page.url()).origin])
      expect(await met(url), url).toBe(true)
    expect(await call(page, 'page_wait', { url: 'page=2', seconds: 0.1 })).toMatchObject({
      url: '/test/pages/session/blank.html?otp=[private]&page=2#code=1&passwd=[private]',
    })
    await page.evaluate(() => history.replaceState(null, '', location.pathname))
  })

  test('waiting for a text or URL does not reveal a repeated private value', async () => {
    const met: boolean[][] = []
    for (const password of ['privatxe7', 'zzzzzzzz8']) {
      await show(
        page,
        `<h1>Box</h1><label>Password <input type="password" value="${password}"></label><p>Box: ${password}</p>`,
      )
      await page.evaluate((password) => history.replaceState(null, '', `#/${password}`), password)
      const told: boolean[] = []
      for (const input of [
        ...['priv', 'privat', 'privatx', 'v', 'Box: p', 'Box privat'].map((text) => ({ text })),
        ...['p', 'pri', '/priva', '7', 'z'].map((url) => ({ url: `#/${url}` })),
        { gone: 'privat' },
        { gone: 'zzzz' },
      ]) {
        told.push((await call<{ met: boolean }>(page, 'page_wait', { ...input, seconds: 0.1 })).met)
      }
      met.push(told)
    }
    expect(met[1]).toEqual(met[0])
    await page.evaluate(() => history.replaceState(null, '', location.pathname))
  })
})
