// The relay as a file of the package: it imports nothing, runs where there is no Node, and the example that is packed
// starts with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { importsOf } from '../../support/project/project-rules.js'
import { expect, test } from '../../support/project/dist.js'
import { packInto } from '../../support/project/package.js'

/** What an edge runtime has of the names that the relay uses. */
const edge = {
  AbortController,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  atob,
  btoa,
  clearTimeout,
  crypto,
  setTimeout,
}

test('the built file imports nothing, and answers in a runtime that has only web APIs', async ({ dist }) => {
  const code = readFileSync(join(dist, 'relay.js'), 'utf8')
  expect(importsOf({ path: 'relay.js', code })).toEqual([])
  // A script in place of the module, because a context takes modules only with a flag of Node.
  const exported = /export ?\{([^}]*)\}/.exec(code)?.[1] ?? ''
  const names = exported.split(',').map((one) => one.trim().split(' as '))
  const list = names.map(([local = '', name = local]) => `${name}: ${local}`).join(', ')
  const script = `(() => {${code.replace(/export ?\{[^}]*\};?/, '')}; return { ${list} } })()`
  const { createRelay, sessionCookie, signSession } = runInContext(script, createContext(edge)) as Pick<
    typeof import('../../../src/relay.js'),
    'createRelay' | 'sessionCookie' | 'signSession'
  >
  const relay = createRelay({
    upstreams: { openai: { protocol: 'openai', endpoint: 'https://model.example/v1', models: ['small'] } },
    user: sessionCookie({ secret: 'of the test' }),
    fetch: (url, { body }) => Promise.resolve(new Response(`${url.href} ${body}`)),
  })
  const cookie = `session=${await signSession('ada', { secret: 'of the test' })}`
  const ask = (headers: Record<string, string>) =>
    relay(
      new Request('https://site.example/models/openai/chat/completions', {
        method: 'POST',
        headers: { origin: 'https://site.example', ...headers },
        body: JSON.stringify({ model: 'small', messages: [] }),
      }),
    )
  expect(await (await ask({ cookie })).text()).toBe(
    'https://model.example/v1/chat/completions {"model":"small","messages":[]}',
  )
  expect((await ask({})).status).toBe(401)
})

test('the example in the package starts a server that refuses a visitor without a session', async ({ dist }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-relay-'))
  try {
    packInto(dist, join(folder, 'node_modules/tool-agent'))
    cpSync(join(folder, 'node_modules/tool-agent/examples/relay'), join(folder, 'relay'), { recursive: true })
    const server = spawn(process.execPath, [join(folder, 'relay/server.mjs')], {
      env: { ...process.env, SESSION_SECRET: 'of the test', PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [line] = (await once(server.stdout, 'data')) as [Buffer]
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line))?.[0] ?? String(line)
      const response = await fetch(`${url}/models/openai/chat/completions`, {
        method: 'POST',
        headers: { origin: url },
      })
      expect([response.status, await response.json()]).toEqual([
        401,
        { error: { message: 'Sign in to use the assistant', type: 'relay_error', code: 'unauthenticated' } },
      ])
    } finally {
      server.kill()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
