// The first command of the README, as a person types it: it prints where the playground is, serves it to this machine
// only, and has a model that needs no key.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Starts it without a display, resolves with the address it prints. */
async function start(): Promise<{ url: string; server: ChildProcess }> {
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, MODEL_ENDPOINT: _endpoint, ...env } = process.env
  const server = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...env, CI: '1', NO_COLOR: '1', OFFLINE_MODEL_DELAY: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed)
      if (found) resolve(found[0])
    }
    server.stdout.on('data', read)
    server.stderr.on('data', read)
    server.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${printed}`)))
  })
  return { url, server }
}

test('npm start serves the playground and a model without an API key on 127.0.0.1 only', async () => {
  const { url, server } = await start()
  try {
    const home = await fetch(url)
    expect(home.status).toBe(200)
    const html = await home.text()
    for (const link of ['playground/booking/', 'playground/shop/']) expect(html).toContain(link)

    const answer = await fetch(`${url}v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url.replace(/\/$/, '') },
      body: JSON.stringify({ model: 'offline', stream: true, messages: [{ role: 'user', content: 'What are you?' }] }),
    })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    expect(await answer.text()).toMatch(/data: \{[\s\S]*data: \[DONE\]/)

    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one !== undefined && !one.internal && one.family === 'IPv4')
    if (outside) expect(await reachable(outside.address, Number(new URL(url).port))).toBe(false)
  } finally {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
})

function reachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const attempt = request({ host, port, timeout: 2_000 }, () => resolve(true))
    attempt
      .on('timeout', () => attempt.destroy())
      .on('error', () => resolve(false))
      .end()
  })
}
