// A panel that cannot be loaded: the visitor reads what helps, and the console says what is wrong and how to fix it.
import { readdirSync } from 'node:fs'
import { expect, test } from '../../support/project/dist.js'
import { serveStatic } from '../../support/page/static-server.js'

const broken = 'The assistant cannot be loaded on this page. Reload the page. If that does not help, tell its owner.'
const missing = { status: 404, contentType: 'text/plain', body: 'Not found' }
const html = { status: 200, contentType: 'text/html', body: '<!doctype html><title>Shop</title>' }
const older = { status: 200, contentType: 'text/javascript', body: 'export const another = 1' }

for (const [title, { answer, policy, offline = false, seen, logged }] of Object.entries<{
  answer?: typeof missing
  policy?: true
  offline?: true
  seen: string
  logged: string
}>({
  'a missing file': { answer: missing, seen: broken, logged: 'The file is missing (status 404). Serve all files' },
  'a page in place of the file': { answer: html, seen: broken, logged: 'text/html in place of JavaScript' },
  'a file of another version': { answer: older, seen: broken, logged: 'createPanel' },
  'a policy of the page': { policy: true, seen: broken, logged: 'script-src-elem blocks' },
  'no connection': {
    offline: true,
    seen: 'The assistant cannot be loaded, because you are offline. Try again when you are connected.',
    logged: 'The browser is offline.',
  },
})) {
  test(`${title} is told to the visitor and to the author of the page`, async ({
    page,
    context,
    dist,
    browserName,
  }) => {
    test.skip(browserName !== 'chromium', 'browsers word failed imports in their own way')
    const url = 'http://127.0.0.1'
    const files = readdirSync(dist).filter((file) => file.endsWith('.js') && !file.startsWith('panel-'))
    const server = await serveStatic({
      folders: { '/tool-agent/': dist },
      files: {
        '/index.html': `<!doctype html><html lang="en"><meta charset="utf-8"><body>
<tool-agent endpoint="/v1" model="m" layout="floating"></tool-agent>
<script type="module" src="/tool-agent/tool-agent.js"></script></body></html>`,
      },
      middleware(request, response, next) {
        const list = files.map(
          (file) => `${url}:${new URL(`http://${request.headers.host ?? ''}`).port}/tool-agent/${file}`,
        )
        if (policy) response.setHeader('content-security-policy', `script-src ${list.join(' ')}`)
        next()
      },
    })
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    if (answer) await page.route(/\/panel-[\w-]+\.js$/, (route) => route.fulfill(answer))
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(server.url)
    const launcher = page.locator('tool-agent').locator('.launcher')
    await expect(launcher).toBeVisible()
    if (offline) await context.setOffline(true)
    await launcher.click()
    await expect(page.locator('tool-agent').getByRole('alert')).toHaveText(seen)
    expect(errors.join('\n')).toContain(logged)
    await server.close()
  })
}
