// The built page tools: code that only some pages need is loaded by the first tool that needs it, and by no other page.
import type { Agent } from '../../../src/page/agent.js'
import { expect, test } from '../../support/project/dist.js'
import { serveStatic } from '../../support/page/static-server.js'

const html = (form: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Order</title>
<script type="module" src="/tool-agent/tool-agent.js"></script><script src="/element.js"></script></head>
<body><form aria-label="Order">${form}</form>
<tool-agent endpoint="/v1" model="gpt-test" page-tools="read fill"></tool-agent></body></html>`

/** A field of a library, which holds its value itself. */
const element = `customElements.define('star-rating', class extends HTMLElement {
  static formAssociated = true
  value = ''
  constructor() { super(); this.attachInternals() }
})`

const forms = {
  plain: '<label>Name <input name="name"></label> <label>Guests <input name="guests" type="number"></label>',
  uncommon: '<label>Country <select name="country"><option>France</option><option>Spain</option></select></label>',
  harmless: '<label>City <input name="city"></label> <label>PIN code <input name="pincode" value="560001"></label>',
  custom: '<star-rating aria-label="Rating" tabindex="0" style="display: block; height: 20px"></star-rating>',
}

for (const [name, tool, input, chunks, result] of [
  ['plain', 'form_read', {}, [], { fields: [{ label: 'Name' }, { label: 'Guests' }] }],
  ['uncommon', 'form_read', {}, ['uncommon-fields'], { fields: [{ label: 'Country', options: ['France', 'Spain'] }] }],
  ['harmless', 'form_read', {}, ['harmless-phrases'], { fields: [{ label: 'City' }, { value: '560001' }] }],
  [
    'custom',
    'form_fill',
    { fields: [{ field: 'Rating', value: '4' }] },
    ['uncommon-fields'],
    [{ field: 'Rating', now: '4', ok: true }],
  ],
] as const)
  test(`${tool} as the first call on a page with ${name} fields loads ${chunks.join() || 'no further code'}`, async ({
    page,
    dist,
  }) => {
    const server = await serveStatic({
      folders: { '/tool-agent/': dist },
      files: { '/index.html': html(forms[name]), '/element.js': element },
    })
    await page.goto(server.url)
    const found = await page.evaluate(
      async ([called, given]) => {
        await customElements.whenDefined('tool-agent')
        const agent = document.querySelector('tool-agent') as unknown as Agent
        await expectTool()
        return agent.callTool(called, given)

        /** The element loads the definitions of the page tools when it is connected. */
        async function expectTool(): Promise<void> {
          while (!agent.tools.some((one) => one.name === called)) await new Promise(requestAnimationFrame)
        }
      },
      [tool, input] as const,
    )
    expect(found).toMatchObject(result as unknown as unknown[])
    const loaded = ['uncommon-fields', 'harmless-phrases'].filter((chunk) =>
      server.requests.some((path) => path.startsWith(`/tool-agent/${chunk}-`)),
    )
    expect(loaded).toEqual(chunks)
    await server.close()
  })
