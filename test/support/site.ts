// Serves the project with Vite's development server, once per test worker, on a loopback port of its own.
import { fileURLToPath } from 'node:url'
import { test as base } from 'playwright/test'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const test = base.extend<object, { site: string }>({
  site: [async ({}, use) => {
    const server = await createServer({ root, logLevel: 'error', server: { host: '127.0.0.1', port: 0, hmr: false, ws: false } })
    await server.listen()
    const address = server.httpServer?.address()
    if (typeof address !== 'object' || address === null) throw new Error('The development server has no port')
    await use(`http://127.0.0.1:${address.port}`)
    await server.close()
  }, { scope: 'worker' }],
})
export { expect } from 'playwright/test'
