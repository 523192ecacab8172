// What leaves the page while an action runs is held in WebKit, too, and then done once.
import { installToolRun } from '../support/page/tool-run.js'
import { expect, test } from '../support/page/webkit.js'

interface Scope {
  ran: number
  allow: (permission: object) => void
}

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Held</title></head><body>
<button id="b" aria-haspopup="menu" aria-expanded="false">Menu</button>
<form method="post" enctype="multipart/form-data" action="/sent/form"><input name="a" value="é 1"><input type="file" name="f"></form>
<a id="l" href="/sent/link">Link</a></body></html>`

for (const [what, script, arrived] of [
  [
    'a form with a file',
    `const all = new DataTransfer(); all.items.add(new File(['text'], 'a.txt')); document.querySelector('[type=file]').files = all.files
     document.forms[0].requestSubmit()`,
    /^POST \/sent\/form [\s\S]*name="a"\s+é 1\s[\s\S]*filename="a\.txt"[\s\S]*\stext\s/,
  ],
  ['a form without an event', 'document.forms[0].submit()', /^POST \/sent\/form [\s\S]*name="a"/],
  ['a link', "document.querySelector('#l').click()", /^GET \/sent\/link/],
] as const)
  test(`${what} is held, and then sent once`, async ({ webkit, serve }) => {
    const got: string[] = []
    const { origin } = await serve([], {
      files: { '/held.html': html },
      middleware: (request, response, next) => {
        if (!request.url?.startsWith('/sent')) return next()
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          got.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`)
          response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sent</title>Sent')
        })
      },
    })
    await webkit.goto(`${origin}/held.html`)
    await webkit.run(installToolRun)
    const held = await webkit.run(async (press) => {
      const { actTools } = (await import('/tool-agent/tools.js' as string)) as typeof import('../../src/tools.js')
      const scope = window as unknown as Scope
      const own = document.createElement('script')
      own.textContent = `window.ran = 0; document.querySelector('#b').onclick = () => { ran++; ${press} }`
      document.body.append(own)
      return new Promise<string>((resolve) => {
        const run = window.toolRun({
          permission: { effect: 'view', by: 'rule' },
          hold: (effects: readonly object[]) => {
            resolve(JSON.stringify(effects))
            return new Promise((allow) => {
              scope.allow = allow
            })
          },
        })
        const click = actTools().find(({ name }) => name === 'page_click') as unknown as {
          execute(input: object, run: object): Promise<unknown>
        }
        click.execute({ target: 'Menu' }, run).then(
          (output) => resolve(`ended ${JSON.stringify(output)}`),
          (error: unknown) => resolve(`failed ${String(error)}`),
        )
      })
    }, script)
    expect(held).toContain('/sent/')
    expect(got).toEqual([])
    await webkit.run(() => (window as unknown as Scope).allow({ effect: 'send', by: 'user' }))
    await expect.poll(() => got.length).toBe(1)
    expect(got[0]).toMatch(arrived)
    await webkit.until(() => document.title === 'Sent')
    expect(got).toHaveLength(1)
  })
