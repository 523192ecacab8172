// Serves pages that are files or texts, at an origin that only the browser of the evaluation knows. The package's own
// files are below /tool-agent/.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Route } from 'playwright'
import { UsageError } from './arguments.js'
import { servedFile } from './served-file.js'

/** The origin of pages without a server. */
export const fileOrigin = 'https://eval.tool-agent.test'

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
])

const element = '<tool-agent endpoint="/v1" page-tools="read fill act"></tool-agent>'
const script = '<script type="module" src="/tool-agent/tool-agent.js"></script>'
/** The folder of the package's files: this file is built into it. */
const dist = dirname(fileURLToPath(import.meta.url))

/** The address of a file, below the folder of the file with the tasks. */
export function addressOfFile(path: string, suite: string): string {
  const [file = '', tail = ''] = path.split(/(?=[?#])/, 2)
  const target = resolve(dirname(suite), file)
  const address = relative(process.cwd(), target).replaceAll('\\', '/')
  if (!existsSync(target)) throw new UsageError(`${suite}: the page ${path} does not exist`)
  if (address.startsWith('..')) throw new UsageError(`${suite}: the page ${path} is outside the working directory`)
  return `${fileOrigin}/${address}${tail}`
}

/** Answers a request to `fileOrigin`. `html`: the page at /. */
export async function answerFile(route: Route, html: string | undefined): Promise<void> {
  const path = decodeURIComponent(new URL(route.request().url()).pathname)
  if (path === '/' && html !== undefined) return fulfil(route, '.html', withAgent(html))
  const own = '/tool-agent/'
  const file = path.startsWith(own) ? servedFile(dist, path.slice(own.length - 1)) : servedFile(process.cwd(), path)
  if (file === 'forbidden') return route.fulfill({ status: 403, body: 'Not served' })
  if (file === undefined || file.isFolder) return route.fulfill({ status: 404, body: 'Not found' })
  const type = extname(file.path)
  return fulfil(route, type, type === '.html' ? withAgent(readFileSync(file.path, 'utf8')) : readFileSync(file.path))
}

function fulfil(route: Route, type: string, body: string | Buffer): Promise<void> {
  return route.fulfill({ contentType: types.get(type) ?? 'application/octet-stream', body })
}

/** A page without an assistant gets one. */
function withAgent(html: string): string {
  if (/<tool-agent[\s>]/.test(html)) return html
  const added = `${script}\n${element}\n`
  return /<\/body>/i.test(html) ? html.replace(/<\/body>/i, () => `${added}</body>`) : html + added
}
