// A message that is faster than the files of the page tools: it waits for them, and its first request has them.
import { startEndpoint } from '../../support/lab/endpoint.js'
import { toolNames } from '../../support/lab/requests.js'
import { expect, test } from '../../support/project/dist.js'
import { serveStatic } from '../../support/page/static-server.js'

test('a message that is sent before the page tools are loaded waits for them', async ({ page, dist }) => {
  const endpoint = await startEndpoint([{ text: 'Done.' }])
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const server = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: {
      '/index.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>Form</title><body>
<form><label>Name <input name="name"></label></form>
<tool-agent endpoint="${endpoint.url}" model="m" page-tools="read fill act"></tool-agent>
<script type="module" src="/tool-agent/tool-agent.js"></script></body></html>`,
    },
    middleware({ url = '' }, _response, next) {
      if (/\/(?:tool-lists|act-tools)-/.test(url)) void released.then(next)
      else next()
    },
  })
  await page.goto(server.url)
  const sent = page.evaluate(async () => {
    await customElements.whenDefined('tool-agent')
    return (await document.querySelector('tool-agent')!.send('My name is Ada')).text
  })
  // What else a first message needs is there, so only the page tools are missing.
  await page.waitForFunction(() => document.querySelector('tool-agent')!.agent?.status === 'ready')
  release()
  expect(await sent).toBe('Done.')
  expect(toolNames(endpoint.requests[0]!)).toEqual(expect.arrayContaining(['page_read', 'form_fill', 'page_click']))
  await endpoint.close()
  await server.close()
})
