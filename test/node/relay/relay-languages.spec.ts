// The relays in other languages of `examples/relay`, each where its language is installed: they ask for a user, a model and
// a page of their own site, stream, and keep the key.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSocket, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { signSession } from '../../../src/relay/session-cookie.js'
import { root } from '../../support/project/build-once.js'

const [secret, key] = ['signs the cookies', 'sk-of-the-server']
const relays: Readonly<Record<string, (port: number) => readonly string[]>> = {
  'relay.py': () => ['python3', 'relay.py'],
  'relay.php': (port) => ['php', '-S', `127.0.0.1:${port}`, 'relay.php'],
  'relay.go': () => ['go', 'run', 'relay.go'],
}

for (const [file, commandOf] of Object.entries(relays)) {
  test(`${file}: asks who it is, streams and keeps the key`, { tag: '@long' }, async () => {
    test.setTimeout(180_000)
    const folder = join(root, 'examples/relay')
    expect(readFileSync(join(folder, file), 'utf8').split('\n').length - 1, 'lines').toBeLessThanOrEqual(60)
    const port = await freePort()
    const [program = '', ...args] = commandOf(port)
    const isThere = spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0
    if (!isThere) console.log(`SKIPPED ${file}: there is no ${program}`)
    test.skip(!isThere)
    const asked: { request: IncomingMessage; response: ServerResponse }[] = []
    const model = createServer((request, response) => void asked.push({ request: request.resume(), response }))
    const endpoint = `http://127.0.0.1:${await listening(model)}/v1`
    const env = { MODEL_ENDPOINT: endpoint, MODEL_API_KEY: key, SESSION_SECRET: secret, PORT: String(port) }
    const server = spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, detached: true })
    try {
      const url = `http://127.0.0.1:${port}`
      await expect
        .poll(
          () =>
            fetch(url).then(
              () => true,
              () => false,
            ),
          { timeout: 120_000 },
        )
        .toBe(true)
      const cookie = `session=${await signSession('ada', { secret })}`
      const ask = (headers: Record<string, string>, model = 'gpt-5-mini') =>
        fetch(`${url}/models/openai/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'a'.repeat(100_000) }] }),
        })
      const forged = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')).replace('session=', 'session=x')
      const old = `session=${await signSession('ada', { secret, seconds: -5 })}`
      for (const wrong of [{}, { cookie: forged }, { cookie: old }, { cookie: 'session=' }])
        expect((await ask(wrong)).status, JSON.stringify(wrong)).toBe(401)
      expect((await ask({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
      expect([400, 403]).toContain((await ask({ cookie }, 'large')).status)
      expect([404, 501]).toContain((await fetch(`${url}/etc/passwd`)).status)
      expect(asked, 'what is refused does not reach the model').toHaveLength(0)

      const answer = ask({ cookie, 'sec-fetch-site': 'same-origin' })
      await expect.poll(() => asked.length).toBe(1)
      const { request, response } = asked[0]!
      expect(request.headers.authorization).toBe(`Bearer ${key}`)
      expect(request.headers.cookie, 'the session stays here').toBeUndefined()
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      const { status, headers, body } = await answer
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/event-stream')])
      const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader.read()).value).toBe('data: 1\n\n')
      // Sent only after the first part has arrived.
      response.end('data: 2\n\n')
      expect((await reader.read()).value).toBe('data: 2\n\n')

      const failing = ask({ cookie })
      await expect.poll(() => asked.length).toBe(2)
      asked[1]!.response.writeHead(401).end(`Wrong key ${key}`)
      expect((await failing).status).toBeGreaterThanOrEqual(400)
      expect(await (await failing).text()).not.toContain(key)
    } finally {
      // The group, because `go run` starts the program that it has built.
      process.kill(-server.pid!, 'SIGKILL')
      await new Promise((done) => model.close(done).closeAllConnections())
    }
  })
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const socket = createSocket()
  await new Promise<void>((done) => socket.listen(0, '127.0.0.1', done))
  const { port } = socket.address() as AddressInfo
  await new Promise((done) => socket.close(done))
  return port
}
