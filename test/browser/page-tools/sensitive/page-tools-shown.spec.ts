// Secrets that a page shows as text: found by the label beside them and by how they are written, in every tool; and
// ordinary texts beside such labels, which must stay readable.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/site.js'
import { call, open } from '../../../support/page/page-tools-call.js'
import { send, settled, test as turnTest } from '../../../support/page/session-page.js'

const words = 'ribbon velvet cactus art gravity lemon orbit puzzle act thunder canyon whisper'.split(' ')
const codes = ['8H2K-9QPL', '7TTR-4MXZ', '1B6N-WQ8E', 'P0LK-77SD', '3XCV-B2NM']
const list = (texts: readonly string[], tag = 'li'): string => texts.map((text) => `<${tag}>${text}</${tag}>`).join('')

/** What the page shows, and what no tool may tell of it. */
const shown: Readonly<Record<string, readonly [markup: string, secrets: readonly string[]]>> = {
  'a term and its description': ['<dl><dt>Webhook secret</dt><dd>w7Gh2kLp90</dd></dl>', ['w7Gh2kLp90']],
  'a label and code': ['<p>API key <code>9f3ac71b20de</code></p>', ['9f3ac71b20de']],
  'a label in a box of its own': [
    '<div class="row"><div><span>Access token</span></div><div><code>tok9f3ac71b20de</code></div></div>',
    ['tok9f3ac71b20de'],
  ],
  'a bold label before the text': ['<p><strong>Password:</strong> hunter2</p>', ['hunter2']],
  'a bold label and a colon': ['<p><b>PIN</b>: 4821</p>', ['4821']],
  'a dash between both': ['<li>Master password – Zx91mmq</li>', ['Zx91mmq']],
  'two in one text': ['<p>Username: ada Password: hunter2</p>', ['hunter2']],
  'lines of one paragraph': [`<p>Recovery codes:<br>${codes.join('<br>')}</p>`, codes],
  'a setting in code': [
    '<pre>{ "user": "ada", "apiKey": "9f3ac71b20de" }\nDB_PASSWORD=Xy7-aab1</pre>',
    ['9f3ac71b20de', 'Xy7-aab1'],
  ],
  'a value with a button to copy it': [
    '<div><span>Client secret</span><button>Copy</button><span><span>q1w2e3r4t5</span></span></div>',
    ['q1w2e3r4t5'],
  ],
  'words in numbered boxes': [
    `<h2>Your 12-word phrase</h2><div>${words.map((word, at) => `<div><span>${at + 1}</span><span>${word}</span></div>`).join('')}</div>`,
    ['velvet', 'thunder'],
  ],
  'words in read-only fields': [
    `<h2>Recovery phrase</h2><div>${words.map((word, at) => `<label>${at + 1} <input readonly value="${word}"></label>`).join('')}</div>`,
    ['velvet', 'thunder'],
  ],
  'one text': ['<p>Password: hunter2!</p>', ['hunter2!']],
  'one text with a plain word': ['<p>Wi-Fi password: sunflower</p>', ['sunflower']],
  'one sentence': ['<p>Your temporary password is Sommer-2026. Change it soon.</p>', ['Sommer-2026']],
  'a sentence with an element': ['<p>Your one-time code is <strong>482913</strong>.</p>', ['482913']],
  'a German sentence': ['<p>Ihr Einmalpasswort lautet: Kx7-99zQ</p>', ['Kx7-99zQ']],
  'a Japanese label': ['<p>パスワード：abc12345</p>', ['abc12345']],
  'a Chinese row': ['<table><tr><th>API 密钥</th><td>a8d9f0e1c2</td></tr></table>', ['a8d9f0e1c2']],
  'a French row': ["<table><tr><td>Clé d'API</td><td>a8d9f0e1c2</td></tr></table>", ['a8d9f0e1c2']],
  'an Arabic term': ['<dl dir="rtl"><dt>كلمة المرور</dt><dd>Qx81-zz0</dd></dl>', ['Qx81-zz0']],
  'a PIN': ['<p>Door PIN: 4821</p>', ['4821']],
  'a column of a table': [
    '<table><thead><tr><th>User</th><th>Password</th></tr></thead><tr><td>ada</td><td>Blue42sky</td></tr><tr><td>bob</td><td>Red77moon</td></tr></table>',
    ['Blue42sky', 'Red77moon'],
  ],
  'a grid of boxes': [
    '<div role="table"><div role="row"><span role="columnheader">Name</span><span role="columnheader">Access token</span></div><div role="row"><span role="cell">ci</span><span role="cell">x81kqp02mm</span></div></div>',
    ['x81kqp02mm'],
  ],
  'a list under a heading': [`<h3>Recovery codes</h3><p>Keep them safe.</p><ul>${list(codes)}</ul>`, codes],
  'a numbered list with a button in the heading': [
    `<section><header><h3>Codes de récupération</h3><button>Copier</button></header><div>${codes.map((code, at) => `<div>${at + 1}. ${code}</div>`).join('')}</div></section>`,
    codes,
  ],
  'codes in one block of text': [`<h3>Backup codes</h3><pre>${codes.join('\n')}</pre>`, codes],
  'codes of digits': [
    '<h4>Wiederherstellungscodes</h4><ol><li>4821 9930</li><li>1120 7741</li></ol>',
    ['4821 9930', '1120 7741'],
  ],
  'the words of a wallet in one text': [`<h3>Seed phrase</h3><p>${words.join(' ')}</p>`, [words.join(' '), 'velvet']],
  'the words of a wallet in a list': [
    `<h3>Secret recovery phrase</h3><ol>${list(words)}</ol>`,
    ['velvet', '"art"', 'thunder'],
  ],
  'a read-only field': ['<label>Key <input readonly value="Zk81mQp0027aBcD93xYt"></label>', ['Zk81mQp0027aBcD93xYt']],
  'a read-only field under its label': [
    '<div><label for="k">Signing secret</label><div><input id="k" readonly value="plainletters"></div></div>',
    ['plainletters'],
  ],
  'in an open shadow root': ['<div id="host"></div>', ['w7Gh2kLp90']],
  'keys of providers': [
    '<p>Use sk-live-4f9aC2kd88 or <code>ghp_16C7e42F292c6912E7710c838347Ae178B4a</code></p>' +
      `<p>github_pat_11ABCDEFG0123456789_abcdefghijkl glpat-ab12CD34ef56GH78 xoxb-17653672481-19874698323</p>` +
      '<p>AKIAIOSFODNN7EXAMPLE and AIzaSyA1234567890abcdefghijklmnopqrstuv whsec_a1b2c3d4e5f6</p>',
    ['4f9aC2kd88', '16C7e42F29', '11ABCDEFG0', 'ab12CD34', '17653672481', 'OSFODNN7', 'SyA12345', 'a1b2c3d4'],
  ],
  'a signed token': [
    '<p>eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U</p>',
    ['eyJzdWIi', 'dozjgNry'],
  ],
  'a private key': [
    '<pre>-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE\nbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQy\n-----END OPENSSH PRIVATE KEY-----</pre>',
    ['b3BlbnNza', 'bm9uZQAA'],
  ],
  'the address of an authenticator': ['<p>otpauth://totp/Shop:ada?secret=JBSWY3DPEHPK3PXP</p>', ['JBSWY3DP']],
  'an address with a password': ['<code>postgres://ada:Sup3rGeheim@db.example/shop</code>', ['Sup3rGeheim']],
}

/** Ordinary texts that stand beside names of secrets, or look like secrets. */
const ordinary: Readonly<Record<string, readonly [markup: string, texts: readonly string[]]>> = {
  'states and actions of a password': [
    '<dl><dt>Password</dt><dd>Changed 2026-01-02 <button>Change</button></dd><dt>Two-factor code</dt><dd>Enabled</dd></dl>' +
      '<p>Password: required</p><p>Passwort: erforderlich</p><p>Password: must have 8 characters</p>',
    ['Changed 2026-01-02', 'Enabled', 'Password: required', 'erforderlich', 'must have 8 characters'],
  ],
  'a masked key and what is told about it': [
    '<table><tr><th>Name</th><th>API key</th><th>Created</th></tr><tr><td>production-2</td><td>••••4f2a</td><td>2026-11-02</td></tr></table>' +
      '<p>API key name: backend-7</p><p>Token count: 12345</p>',
    ['production-2', '2026-11-02', 'backend-7', '12345'],
  ],
  'orders, hashes and ids': [
    '<p>Order 4f9a-22bc-7781</p><p>Commit 9f3ac71b20de44aa91</p><dl><dt>Session ID</dt><dd>a8d9f0e1c2b3</dd><dt>Key</dt><dd>PROJ-1234</dd></dl>' +
      '<p>Confirmation code: QK7P2M</p><p>Coupon code: SAVE20NOW</p><p>Tracking number: 1Z999AA10123456784</p>',
    ['4f9a-22bc-7781', '9f3ac71b20de44aa91', 'a8d9f0e1c2b3', 'PROJ-1234', 'QK7P2M', 'SAVE20NOW', '1Z999AA10123456784'],
  ],
  'a form below a heading about passwords': [
    '<h2>Change password</h2><p>At least 12 characters, one of them a number.</p><form><label>Current password <input type="password"></label><button>Save123</button></form>',
    ['At least 12 characters', 'Save123'],
  ],
  'what follows a field for a password': [
    '<label>Password <input type="password"></label><p>Step2 done</p><div><label>PIN</label><div><input></div></div><p>Room 4711b</p>',
    ['Step2 done', 'Room 4711b'],
  ],
  'names of coins': [
    '<table><tr><th>Token</th><th>Amount</th></tr><tr><td>stETH2</td><td>1.5</td></tr></table><p>Token: USDC2</p>',
    ['stETH2', 'USDC2'],
  ],
  'words in common text': [
    '<h2>API keys</h2><p>Learn how to create keys. See version 2.4.1 of the guide at https://docs.example/keys42.</p><ul><li>Rate limit: 100/min</li><li>Region: eu-west-1</li></ul>',
    ['version 2.4.1', 'https://docs.example/keys42', '100/min', 'eu-west-1'],
  ],
  'names that begin like keys': [
    '<p class="sk-spinner-1">sk-spinner-1-of-3 sk-SK ghp_short AKIA pk_live_51H8xyzAbCdEfGh1234567890 key-value-12</p>',
    ['sk-spinner-1-of-3', 'sk-SK', 'ghp_short', 'pk_live_51H8xyzAbCdEfGh1234567890', 'key-value-12'],
  ],
}

test.describe('secrets that a page shows', { tag: '@S17' }, () => {
  let page: Page
  test.beforeAll(async ({ browser, site }) => {
    page = await browser.newPage()
    await open(page, `${site}/test/pages/session/blank.html`)
  })
  test.afterAll(() => page.close())

  const set = (markup: string): Promise<void> =>
    page.evaluate((markup) => {
      document.body.innerHTML = `<main>${markup}</main>`
      const host = document.querySelector('#host')
      if (host) host.attachShadow({ mode: 'open' }).innerHTML = '<dl><dt>Webhook secret</dt><dd>w7Gh2kLp90</dd></dl>'
    }, markup)
  const everything = async (): Promise<string> => {
    const told = [
      await call(page, 'page_read', { maxChars: 40_000 }),
      await call(page, 'form_read'),
      await call(page, 'dom_query', {
        selector: '*',
        limit: 100,
        attributes: ['title', 'aria-label', 'href', 'value'],
      }),
      await call(page, 'dom_query', { text: 'e', limit: 100 }),
      await call(page, 'page_click', { target: 'nothing here' }),
    ]
    return told.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
  }

  for (const [name, [markup, secrets]] of Object.entries(shown))
    test(`finds ${name}`, async () => {
      await set(markup)
      const told = await everything()
      for (const secret of secrets) expect(told).not.toContain(secret)
      expect(told).toContain('[private]')
    })

  for (const [name, [markup, texts]] of Object.entries(ordinary))
    test(`leaves ${name} readable`, async () => {
      await set(markup)
      const told = await call<string>(page, 'page_read', { maxChars: 40_000 })
      for (const text of texts) expect(told).toContain(text)
    })

  test('no tool finds one by a guess, and none tells one that appears after a click', async () => {
    await set(
      `<button onclick="this.nextElementSibling.hidden=false;document.title='Codes ${codes[0]}'">Show</button><div hidden><h3>Recovery codes</h3><ul>${list(codes)}</ul></div>`,
    )
    const clicked = JSON.stringify(await call(page, 'page_click', { target: 'Show' }))
    expect(clicked).toContain('[private]')
    const told = [
      clicked,
      await everything(),
      JSON.stringify(await call(page, 'page_wait', { text: '8H2K', seconds: 0.2 })),
      JSON.stringify(await call(page, 'dom_query', { text: codes[1] })),
      JSON.stringify(await call(page, 'page_scroll', { text: codes[2] })),
    ].join('\n')
    for (const code of codes) expect(told.replaceAll(`named \\"${code}`, '')).not.toContain(code)
    expect(JSON.stringify(await call(page, 'page_wait', { text: '8H2K', seconds: 0.2 }))).toContain('"met":false')
  })
})

turnTest(
  'the title and the address in the facts of a turn have no private value',
  { tag: '@S17' },
  async ({ page, site, serveModel }) => {
    const endpoint = await serveModel([{ text: 'Hello.' }, { text: 'Hello again.' }])
    await page.goto(`${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(endpoint.url)}`)
    await page.waitForFunction(
      () =>
        ['ready', 'idle'].includes(window.agent?.status) && window.agent.tools.some(({ name }) => name === 'page_read'),
    )
    await page.evaluate(() => {
      const input = document.createElement('input')
      input.setAttribute('aria-label', 'API-Schlüssel')
      input.value = 'Zx91-mmq7'
      document.body.append(input)
      document.title = 'Login Zx91-mmq7 and ghp_16C7e42F292c6912E7710c838347Ae178B4a'
      history.replaceState(null, '', '/invite/Zx91-mmq7/start')
    })
    await send(page, 'Hi')
    await settled(page)
    await page.evaluate(() => document.body.append(...Array.from({ length: 4_000 }, () => document.createElement('i'))))
    await page.evaluate(() => (document.title = 'Large Zx91-mmq7'))
    await send(page, 'Hi again')
    await settled(page)
    const told = endpoint.requests.map(({ raw }) => raw).join('\n')
    expect(told).toContain('Page title: Login [private] and [private]')
    expect(told).toContain('Page title: Large [private]')
    expect(told).toContain('/invite/[private]/start')
    expect(told).not.toContain('Zx91')
  },
)
