// `npm start`: serves the playground on 127.0.0.1 and opens it in a browser if there is a display.
import { fileURLToPath } from 'node:url'
import { requireNode } from './node-version.mjs'

requireNode()
const { createServer } = await import('vite')

const server = await createServer({ root: fileURLToPath(new URL('..', import.meta.url)), clearScreen: false })
await server.listen()
server.printUrls()
const display =
  process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'] ?? ['darwin', 'win32'].includes(process.platform)
if (display && !process.env['CI']) server.openBrowser()
