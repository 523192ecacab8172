// The sign-in to a protected server in a browser: the window opens in the press of the visitor, the code comes back from a
// page that is cut off from its opener, and a reload forgets the token. The policy of the page is strict.
import type { Page } from 'playwright/test'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { resultsOf, toolNames } from '../../support/lab/requests.js'
import { startAuthorizationServer } from '../../support/mcp/authorization-server.js'
import { startScriptedMcp, textTool } from '../../support/mcp/scripted-server.js'
import { serveStatic, strictPolicy } from '../../support/page/static-server.js'
import { expect, test } from '../../support/project/dist.js'

const page = (body: string) =>
  `<!doctype html><html lang="de"><meta charset="utf-8"><title>Shop</title><link rel="icon" href="/icon.svg">${body}`
const shop = page(`<script type="module" src="/tool-agent/tool-agent.js"></script>
<script type="module" src="/page.js"></script><tool-agent endpoint="/v1" model="gpt-test"></tool-agent>`)
const script = (url: string) => `import { mcpTools, signInDialog } from '/tool-agent/mcp.js'
const agent = document.querySelector('tool-agent')
await customElements.whenDefined('tool-agent')
agent.registerToolProvider(
  mcpTools({ url: '${url}', name: 'shop', oauth: { redirectUrl: '/signed-in.html' }, onSignIn: signInDialog() }))`

const call = (name: string) => ({ calls: [{ name, arguments: {} }] })

/** The tools of the server in a request. */
const ofShop = (request: Parameters<typeof toolNames>[0]) =>
  toolNames(request)?.filter((name) => String(name).startsWith('shop'))

async function send(page: Page, text: string): Promise<void> {
  const box = page.locator('tool-agent').getByRole('textbox')
  await box.fill(text)
  await box.press('Enter')
}

/** Everything that the page keeps beyond its memory. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie]
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name!)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error as Error)
      })
      for (const store of database.objectStoreNames)
        found.push(
          await new Promise((resolve, reject) => {
            const request = database.transaction(store).objectStore(store).getAll()
            request.onsuccess = () => resolve(request.result)
            request.onerror = () => reject(request.error as Error)
          }),
        )
      database.close()
    }
    return JSON.stringify(found)
  })

test('the visitor signs in in a window, the turn goes on, and a reload forgets the token', async ({ page, dist }) => {
  const authorization = await startAuthorizationServer()
  authorization.showsPage = true
  const server = await startScriptedMcp([textTool('search', 'Green tea')])
  server.authorize = (headers) => authorization.challenge(headers, server.url)
  const endpoint = await startEndpoint([
    call('shop_sign_in'),
    call('shop_search'),
    { text: 'Grüner Tee.' },
    { text: 'Nicht angemeldet.' },
  ])
  const site = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: {
      '/index.html': shop,
      '/page.js': script(server.url),
      '/signed-in.html': '<!doctype html><title>Signed in</title><script type="module" src="/signed-in.js"></script>',
      '/signed-in.js': `import { finishSignIn } from '/tool-agent/mcp.js'\nawait finishSignIn()`,
      '/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    },
    headers: {
      'content-security-policy': strictPolicy.replace(
        "connect-src 'self'",
        `connect-src 'self' ${new URL(server.url).origin} ${authorization.url}`,
      ),
    },
    relay: { '/v1': endpoint.url },
  })
  const answers = page.locator('tool-agent').getByRole('article', { name: 'Assistent' })
  try {
    await page.goto(site.url)
    await send(page, 'Tee?')
    const dialog = page.getByRole('dialog', { name: `Bei ${new URL(server.url).origin} anmelden` })
    await expect(dialog).toBeVisible()
    // Neither a script nor a press in the first moment opens a window.
    await page.evaluate(() => {
      const root = document.querySelector('[data-tool-agent-ignore]')!.shadowRoot!
      for (const button of root.querySelectorAll('button')) if (button.textContent === 'Anmelden') button.click()
    })
    await expect(dialog.getByRole('status')).toBeEmpty()
    const opened = page.waitForEvent('popup')
    await expect(async () => {
      await dialog.getByRole('button', { name: 'Anmelden' }).click()
      await expect(dialog.getByRole('status')).toHaveText('Fahren Sie in dem Fenster fort, das sich geöffnet hat.', {
        timeout: 100,
      })
    }).toPass()
    const window = await opened
    const link = window.getByRole('link', { name: 'Allow' })
    await expect(link).toBeVisible()
    expect(await window.evaluate(() => globalThis.opener)).toBe(null)
    const closed = window.waitForEvent('close')
    await link.click()
    await closed
    await page.locator('tool-agent .decision[data-ready]').locator('.approve').click()
    await expect(answers.getByText('Grüner Tee.')).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(endpoint.requests.map(ofShop)).toEqual([['shop_sign_in'], ['shop_search'], ['shop_search']])
    expect(resultsOf(endpoint.requests[2])[1]).toContain('Green tea')
    const stored = await kept(page)
    expect(stored).toContain('Green tea')
    for (const secret of authorization.secrets) expect(stored).not.toContain(secret)
    await page.reload()
    await send(page, 'Mehr?')
    await expect(answers.getByText('Nicht angemeldet.')).toBeVisible()
    expect(ofShop(endpoint.requests[3])).toEqual(['shop_sign_in'])
  } finally {
    await site.close()
    await server.stop()
    await endpoint.close()
    await authorization.close()
  }
})
