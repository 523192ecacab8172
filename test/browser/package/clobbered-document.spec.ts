// Named elements of a page hide what its document has: after `<img name=createElement>`, `document.createElement` is the
// image. A page that shows what its users wrote can have any of them. The panel is drawn all the same, asks its
// questions, and the page tools read and fill.
import { startEndpoint } from '../../support/lab/endpoint.js'
import { serveStatic } from '../../support/page/static-server.js'
import { expect, test } from '../../support/project/dist.js'
import { sample } from '../../support/project/long.js'

const html = (layout: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/tool-agent/tool-agent.js"></script></head>
<body><form aria-label="Booking"><label>Name <input name="who"></label></form>
<tool-agent layout="${layout}" endpoint="/v1" model="m" page-tools="read fill act" attachments open></tool-agent></body></html>`

/** Runs in the page, because the tools of the test need a document whose methods are not hidden. */
async function visit(name: string): Promise<string> {
  const image = document.createElement('img')
  image.setAttribute('name', name)
  document.body.append(image)
  const { querySelector } = Document.prototype
  type Element_ = HTMLElement & {
    send(text: string): Promise<{ text: string }>
    approve(id: string): Promise<void>
    registerTool(tool: object): void
  }
  const element = querySelector.call(document, 'tool-agent') as Element_
  element.registerTool({ name: 'order', description: 'Orders tea', needsApproval: true, execute: () => 'ordered' })
  const shows = (selector: string, text: string) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = [...element.shadowRoot!.querySelectorAll<HTMLElement>(selector)].find((one) =>
          one.textContent.includes(text),
        )
        if (found) resolve(found.dataset['call'] ?? '')
        else setTimeout(look, 20)
      }
      look()
    })
  const turn = element.send('Hello')
  await element.approve(await shows('tool-agent-approval', 'order'))
  await shows('tool-agent-transcript', 'Done, the tea is ordered')
  await turn
  return (querySelector.call(document, '[name=who]') as HTMLInputElement).value
}

const names = [
  'createElement createElementNS createTreeWalker createComment createTextNode createDocumentFragment importNode',
  'adoptNode createRange createEvent addEventListener removeEventListener dispatchEvent querySelector',
  'querySelectorAll getElementById getElementsByTagName elementFromPoint elementsFromPoint getSelection hasFocus',
  'getAnimations activeElement body head documentElement defaultView baseURI URL title readyState hidden',
  'visibilityState adoptedStyleSheets styleSheets fonts cookie dir scrollingElement fullscreenElement',
  'implementation prerendering ownerDocument nodeType childNodes firstChild append contains designMode forms images',
].flatMap((line) => line.split(' '))

for (const [layout, tried] of [
  ['inline', sample(names, 5)],
  ['floating', sample(names.slice(0, 8), 3)],
] as const) {
  const title = `an element with the name of a property of the document hides nothing, ${layout}`
  test(title, { tag: '@matrix' }, async ({ page, dist }) => {
    test.setTimeout(240_000)
    const endpoint = await startEndpoint([])
    const server = await serveStatic({
      folders: { '/tool-agent/': dist },
      files: { '/index.html': html(layout) },
      relay: { '/v1': endpoint.url },
    })
    try {
      for (const name of tried) {
        endpoint.push(
          { calls: [{ name: 'page_read', arguments: {} }] },
          {
            calls: [
              { name: 'form_fill', arguments: { fields: [{ field: 'Name', value: 'Ada' }] } },
              { name: 'order', arguments: {} },
            ],
          },
          { text: '**Done**, the tea is ordered.' },
        )
        await page.goto(server.url)
        await page.waitForFunction(() => customElements.get('tool-agent') !== undefined)
        const value = await Promise.race([
          page.evaluate(visit, name),
          new Promise<string>((resolve) => setTimeout(resolve, 60_000, 'nothing within a minute')),
        ])
        expect(value, name).toBe('Ada')
        expect(endpoint.left, name).toBe(0)
        await page.evaluate(() => sessionStorage.clear())
      }
    } finally {
      await server.close()
      await endpoint.close()
    }
  })
}
