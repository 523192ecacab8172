// The upper limit for each message of an event stream, whichever way its lines end.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'playwright/test'
import { McpHttp } from '../../../src/mcp/client/mcp-http.js'

const most = 200

/** Reads an event stream with this text through the limit. */
async function readStream(text: string): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await (await new McpHttp({}, most).fetch(`http://127.0.0.1:${port}/`)).text()
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

for (const [name, end] of [
  ['LF', '\n'],
  ['CR and LF', '\r\n'],
  ['CR', '\r'],
] as const) {
  test(`each message has its own limit where lines end with ${name}`, async () => {
    const text = `event: message${end}data: ${'x'.repeat(100)}${end}${end}`.repeat(10)
    expect(await readStream(text)).toBe(text)
  })

  test(`a message over the limit is refused where lines end with ${name}`, async () => {
    await expect(readStream(`data: ${'x'.repeat(100)}${end}`.repeat(3))).rejects.toThrow(`more than ${most} bytes`)
  })

  test(`fields that are null are left out of each message where lines end with ${name}`, async () => {
    const message = (at: number, rest = '') => `{"id":${at},"word":"${'é'.repeat(at % 40)}","list":[null]${rest}}`
    const lines = Array.from({ length: 300 }, (_, at) => [
      `id: ${at}`,
      `data: ${message(at, ',')}`.slice(0, -1),
      'data: "_meta":null}',
      '',
      '',
    ])
    const read = await readStream(lines.map((event) => event.join(end)).join(''))
    expect(read).toBe(lines.map((_, at) => `id: ${at}\ndata: ${message(at)}\n\n`).join(''))
  })
}

test('a stream that belongs to no call is read at no more than 500 messages a second', async () => {
  const startedAt = performance.now()
  const text = `data: ${'x'.repeat(40)}\n\n`.repeat(1_500)
  expect(await readStream(text)).toBe(text)
  // 500 at once, and a piece of 4 KiB more, which has 86 messages.
  expect(performance.now() - startedAt).toBeGreaterThan(1_900)
})
