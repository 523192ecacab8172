// What a control says that it does: all that a person reads, what its markup calls it, and the question around it. And
// what a request says.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { open } from '../../../support/page/page-tools-call.js'

interface Forecast {
  readonly effect?: string
  readonly error?: string
}
interface Tool {
  execute(input: object, run: object): unknown
  readonly [key: symbol]: { preview(input: object, run: object): Forecast }
}

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-click.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

const show = (page: Page, html: string): Promise<void> =>
  page.evaluate((html) => {
    document.body.innerHTML = html
  }, html)

/** The class that a call is predicted to have. */
const forecast = (page: Page, tool: string, input: object): Promise<string | undefined> =>
  page.evaluate(
    ({ tool, input }) => {
      const { pageTools } = window as unknown as { pageTools: Map<string, Tool> }
      const run = { toolCallId: 'call', sessionId: 'session', messages: [] }
      return pageTools.get(tool)?.[Symbol.for('tool-agent.internals')]?.preview(input, run).effect
    },
    { tool, input },
  )

const overlay = (text: string, buttons: string): string =>
  `<div role=dialog aria-label=Question>${text} ${buttons}</div>`

test('a control is what it says, in any of the ways that a person or its markup says it', async ({ page }) => {
  for (const [effect, target, html] of [
    ['destroy', 'Make Payment', '<button>Make Payment</button>'],
    ['destroy', 'Void', '<button>Void</button>'],
    ['destroy', 'Sign Note', '<button>Sign Note</button>'],
    ['destroy', 'Mark as Declined', '<div onclick="0" style="cursor:pointer">Mark as Declined</div>'],
    ['destroy', 'Verwijderen', '<button>Verwijderen</button>'],
    ['destroy', '🗑', '<button>🗑</button>'],
    ['destroy', '⚑', '<button title="Delete">⚑</button>'],
    ['destroy', 'Row 1', '<button aria-description="Deletes at once" data-action="delete-sig">Row 1</button>'],
    ['destroy', 'Go', '<button onclick="removeSignature(5)">Go</button>'],
    ['destroy', 'Go', '<button hx-delete="/rows/5">Go</button>'],
    ['destroy', 'Go', '<button data-testid="void-invoice">Go</button>'],
    ['destroy', 'Apply', '<button class="btn btn-danger">Apply</button>'],
    ['view', 'Cancel', overlay('Sure?', '<button class="btn btn-danger">Cancel</button><button>OK</button>')],
    ['destroy', 'Apply', overlay('This cannot be undone.', '<button>Cancel</button><button>Apply</button>')],
    [
      'destroy',
      'Fortsetzen',
      overlay('Das ist unwiderruflich.', '<button>Abbrechen</button><button>Fortsetzen</button>'),
    ],
    ['destroy', 'Pay the open invoice now', '<label><input type=checkbox>Pay the open invoice now</label>'],
    ['destroy', 'Delete account', '<div role=checkbox tabindex=0 aria-checked=false>Delete account</div>'],
    [
      'value',
      'Pay the rent',
      '<ul><li><label><input type=checkbox>Pay the rent</label><li><label><input type=checkbox>Buy milk</label></ul>',
    ],
    [
      'value',
      'Pay by card',
      '<form method=post action="/x"><label><input type=checkbox>Pay by card</label><button>Go on</button></form>',
    ],
    ['destroy', 'Delete', '<dialog open><form method=dialog><button>Delete</button></form></dialog>'],
    ['view', 'Fine', '<dialog open><form method=dialog><button>Fine</button></form></dialog>'],
    ['destroy', 'Item seven', '<a href="/index.php?do=delete&id=7">Item seven</a>'],
    ['destroy', 'Entry 7', '<a href="/posts?delete=7">Entry 7</a>'],
    ['go', 'Newest', '<a href="/posts?order=desc&action=list">Newest</a>'],
    ['destroy', 'Profile', '<a href="/me" ping="/account/delete">Profile</a>'],
    ['send', 'Profile', '<a href="/me" ping="/log">Profile</a>'],
    ['destroy', 'Run', '<form action="/act"><input type=hidden name=do value=delete><button>Run</button></form>'],
    ['destroy', 'Run', '<form method=post><button name=action value=remove-all>Run</button></form>'],
    ['unknown', 'Run', '<form><input name=title><button>Run</button></form>'],
    ['go', 'Run', '<form role=search><input name=q><button>Run</button></form>'],
  ] as const) {
    await show(page, html)
    expect.soft(await forecast(page, 'page_click', { target }), html).toBe(effect)
  }
})

test('a request is what its address, its fields and its headers say', async ({ page }) => {
  const effects = await page.evaluate(async () => {
    const { effectOfRequest } = (await import('/src/page-tools/effects/read-request.ts' as string)) as {
      effectOfRequest(request: object, here: string): { readonly effect: string } | undefined
    }
    const read = (method: string, path: string, body?: string, override?: string) =>
      effectOfRequest({ method, url: new URL(path, location.href), body, override }, location.origin)?.effect
    return {
      payment: read('POST', '/api/payments', '{"amount":900}'),
      inTheMiddle: read('POST', '/subscriptions/charge/7'),
      paymentSearch: read('POST', '/api/payments/search', '{}'),
      override: read('POST', '/api/rows/7', '{}', 'DELETE'),
      field: read('POST', '/rpc', '{"op":"deleteAll","data":{}}'),
      inner: read('POST', '/rpc', '{"request":{"action":"remove"}}'),
      form: read('POST', '/admin', 'id=7&action=delete_account'),
      content: read('PUT', '/api/state', '{"notes":{"title":"delete"},"text":"remove all"}'),
      kind: read('POST', '/api/events', '{"type":"text"}'),
      getActs: read('GET', '/posts?do=delete&id=7'),
      getReads: read('GET', '/posts?order=asc&status=deleted'),
    }
  })
  expect(effects).toEqual({
    payment: 'destroy',
    inTheMiddle: 'destroy',
    paymentSearch: 'send',
    override: 'destroy',
    field: 'destroy',
    inner: 'destroy',
    form: 'destroy',
    content: 'send',
    kind: 'send',
    getActs: 'destroy',
    getReads: undefined,
  })
})
