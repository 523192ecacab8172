import { expect, test } from '../../../support/page/site.js'

test('rejects browser objects with their path, or converts them to data', async ({ page, site }) => {
  await page.goto(`${site}/test/pages/session/blank.html`)
  const answers = await page.evaluate(async () => {
    const { toJson } = (await import(
      '/src/page/schema/json-value.ts' as string
    )) as typeof import('../../../../src/page/schema/json-value.js')
    const frame = document.createElement('iframe')
    // A frame with an opaque origin: reading most properties of its window throws.
    frame.setAttribute('sandbox', '')
    document.body.append(frame)
    const own = document.createElement('iframe')
    document.body.append(own)
    const foreign = own.contentWindow as Window & typeof globalThis
    const form = new FormData()
    form.set('a', '1')
    const values: Record<string, unknown> = {
      element: { items: [document.body] },
      text: document.createTextNode('x'),
      document,
      list: document.querySelectorAll('body'),
      window,
      foreignWindow: { opener: frame.contentWindow },
      foreignNode: foreign.document.body,
      location: { at: location },
      event: { on: new CustomEvent('x', { detail: 1 }) },
      rect: new DOMRect(1, 2, 3, 4),
      url: new URL('https://a.example/'),
      form,
      headers: new Headers({ a: 'b' }),
      foreignDate: new foreign.Date(0),
      foreignMap: new foreign.Map([[1, 2]]),
      foreignView: new foreign.DataView(new foreign.Uint8Array([7, 8]).buffer, 1),
      foreignBuffer: new foreign.ArrayBuffer(1),
      foreignError: new foreign.Error('no'),
      domError: new DOMException('gone', 'AbortError'),
      file: new File(['abc'], 'a.txt', { type: 'text/plain' }),
    }
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        try {
          return [name, toJson(value).text]
        } catch (error) {
          return [name, String((error as Error).message)]
        }
      }),
    )
  })
  expect(answers).toMatchObject({
    element: expect.stringContaining('items[0] is a DOM node (body)'),
    text: expect.stringContaining('it is a DOM node (#text)'),
    document: expect.stringContaining('it is a DOM node (#document)'),
    list: expect.stringContaining('["0"] is a DOM node (body)'),
    window: expect.stringContaining('it is a Window'),
    foreignWindow: expect.stringContaining('opener is a Window'),
    foreignNode: expect.stringContaining('it is a DOM node (body)'),
    location: expect.stringMatching(/at\.\w+ is a function/),
    rect: expect.stringContaining('"width":3'),
    url: 'https://a.example/',
    form: '[["a","1"]]',
    headers: '[["a","b"]]',
    foreignDate: '1970-01-01T00:00:00.000Z',
    foreignMap: '[[1,2]]',
    foreignView: '[8]',
    foreignBuffer: '[0]',
    foreignError: '{"name":"Error","message":"no"}',
    domError: '{"name":"AbortError","message":"gone"}',
    file: '{"name":"a.txt","type":"text/plain","size":3}',
  })
})
