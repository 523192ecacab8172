// The sign-in of the visitor to a protected server: a whole agent, an MCP server and an authorization server over HTTP, and
// windows that follow redirects to the page of the return.
import { toolCallsOf } from '../../../src/core/data/message.js'
import { mcpTools, type McpOptions, type SignInQuestion } from '../../../src/mcp.js'
import { expect, test as base, until } from '../../support/lab/lab.js'
import { resultsOf, toolNames } from '../../support/lab/requests.js'
import {
  openWindowsInNode,
  startAuthorizationServer,
  type AuthorizationServer,
  type Windows,
} from '../../support/mcp/authorization-server.js'
import { startScriptedMcp, textTool, type ScriptedMcp, type ScriptedTool } from '../../support/mcp/scripted-server.js'

const redirectUrl = 'http://127.0.0.1:9/return'

interface Fixtures {
  authorization: AuthorizationServer
  windows: Windows
  /** A server that needs a token. */
  protectedServer: (tools: readonly ScriptedTool[]) => Promise<ScriptedMcp>
  /** The provider; closed after the test. */
  provide: (options: Partial<McpOptions> & { url: string }) => ReturnType<typeof mcpTools>
}

const test = base.extend<Fixtures>({
  authorization: async ({}, use) => {
    const server = await startAuthorizationServer()
    await use(server)
    await server.close()
  },
  windows: async ({}, use) => {
    const windows = openWindowsInNode(redirectUrl)
    await use(windows)
    await windows.restore()
  },
  protectedServer: async ({ authorization }, use) => {
    const servers: ScriptedMcp[] = []
    await use(async (tools) => {
      const server = await startScriptedMcp(tools)
      server.authorize = (headers) => authorization.challenge(headers, server.url)
      servers.push(server)
      return server
    })
    await Promise.all(servers.map((server) => server.stop()))
  },
  provide: async ({}, use) => {
    const providers: ReturnType<typeof mcpTools>[] = []
    await use((options) => {
      const provider = mcpTools({ name: 'shop', oauth: { redirectUrl }, ...options })
      providers.push(provider)
      return provider
    })
    await Promise.all(providers.map((provider) => provider.close()))
  },
})

const call = (name: string, args = {}, id?: string) => ({ calls: [{ name, arguments: args, ...(id ? { id } : {}) }] })
const off = { approval: 'off', todo: false } as const
const signIn = ({ signIn }: SignInQuestion) => signIn()
/** What a provider is asked before a step. */
const step = { message: '', sessionId: '', toolContext: {}, url: '', shared: new Map<string, unknown>() }

// The time for listing tools must not include the first import of the client.
test.beforeAll(() => import('../../../src/mcp/client/mcp-server.js'))

test(
  'a tool asks the visitor, and the next step of the turn has the tools of the server',
  { tag: '@R5.7' },
  async ({ lab, authorization, windows, protectedServer, provide }) => {
    const server = await protectedServer([textTool('search', 'Green tea')])
    const { agent, endpoint, events, stored } = await lab.start(
      [call('shop_sign_in'), call('shop_search'), { text: 'ok' }],
      off,
    )
    const questions: string[] = []
    const onSignIn = (question: SignInQuestion) => {
      questions.push(question.server)
      return question.signIn()
    }
    const provider = provide({ url: server.url, onSignIn })
    agent.registerToolProvider(provider)
    const { toolExecutions } = await agent.send('Go')
    expect(endpoint.requests.map(toolNames)).toEqual([['shop_sign_in'], ['shop_search'], ['shop_search']])
    expect(toolExecutions.map(({ output, error }) => error?.message ?? output)).toEqual([
      'The user has signed in. The tools of the server are available now.',
      'Green tea',
    ])
    expect(questions).toEqual([new URL(server.url).origin])
    expect(authorization.log).toEqual(['register', 'authorize', 'token authorization_code'])
    expect(authorization.asked.get('state')).toMatch(/^[0-9a-f]{64}$/)
    expect(authorization.asked.get('resource')).toBe(server.url)
    expect(windows.returns).toEqual([true])
    await provider.close()
    expect(server.count('DELETE')).toBe(1)
    // Nothing of it is stored, told to the model, or part of an event.
    const seen = JSON.stringify([endpoint.requests, events, await stored(), await agent.exportTrace()])
    for (const secret of [...authorization.secrets, String(authorization.asked.get('state'))])
      expect(seen).not.toContain(secret)
  },
)

test('a client is registered once, or is the document or the id of the author', async ({
  authorization,
  windows,
  protectedServer,
  provide,
}) => {
  const server = await protectedServer([textTool('search', 'Green tea')])
  const document = 'https://shop.example/client.json'
  authorization.clients.add(document)
  authorization.clients.add('of-the-author')
  const own = provide({ url: server.url })
  await own.signIn()
  await own.signIn()
  expect(authorization.log.filter((line) => line === 'register')).toHaveLength(1)
  await provide({ url: server.url, oauth: { redirectUrl, clientId: 'of-the-author' } }).signIn()
  expect(authorization.asked.get('client_id')).toBe('of-the-author')
  authorization.metadata = { client_id_metadata_document_supported: true }
  await provide({ url: server.url, oauth: { redirectUrl, clientId: document } }).signIn()
  expect(authorization.asked.get('client_id')).toBe(document)
  expect(authorization.log.filter((line) => line === 'register')).toHaveLength(1)
  // A server that reads no documents registers the page.
  authorization.metadata = {}
  await provide({ url: server.url, oauth: { redirectUrl, clientId: document } }).signIn()
  expect(authorization.log.filter((line) => line === 'register')).toHaveLength(2)
  expect(windows.returns).toEqual([true, true, true, true, true])
})

test('a token that has expired is refreshed once for all calls, without the visitor', async ({
  lab,
  authorization,
  windows,
  protectedServer,
  provide,
}) => {
  let runs = 0
  const handler = () => ({ content: [{ type: 'text', text: `run ${++runs}` }] })
  const server = await protectedServer([{ ...textTool('search', ''), handler }])
  const two = [1, 2].map((n) => ({ name: 'shop_search', arguments: { n } }))
  const { agent } = await lab.start([{ calls: two }, { text: 'ok' }], off)
  const provider = provide({ url: server.url })
  await provider.signIn()
  await provider(step)
  agent.registerToolProvider(provider)
  authorization.expire()
  const { toolExecutions } = await agent.send('Go')
  expect(new Set(toolExecutions.map(({ output }) => output))).toEqual(new Set(['run 1', 'run 2']))
  expect(authorization.log.filter((line) => line === 'token refresh_token')).toHaveLength(1)
  expect(windows.addresses).toHaveLength(1)
})

test('a call whose tokens are refused asks the visitor and runs once; its time stops meanwhile', async ({
  lab,
  authorization,
  windows,
  protectedServer,
  provide,
}) => {
  let runs = 0
  const handler = () => ({ content: [{ type: 'text', text: `run ${++runs}` }] })
  const server = await protectedServer([{ ...textTool('pay', ''), handler }])
  const { agent } = await lab.start([call('shop_pay'), { text: 'ok' }], off)
  let wait: Promise<unknown> = Promise.resolve()
  const onSignIn = async (question: SignInQuestion) => {
    await wait
    await question.signIn()
  }
  const provider = provide({ url: server.url, onSignIn, timeout: 2_000 })
  await provider.signIn()
  await provider(step)
  agent.registerToolProvider(provider)
  authorization.expire(true)
  wait = new Promise((resolve) => setTimeout(resolve, 2_500))
  const { toolExecutions } = await agent.send('Go')
  expect(toolExecutions.map(({ output, error }) => error?.message ?? output)).toEqual(['run 1'])
  expect(windows.addresses).toHaveLength(2)
})

test('a call with too few scopes asks for more beside those that were granted', async ({
  lab,
  authorization,
  windows,
  protectedServer,
  provide,
}) => {
  const server = await protectedServer([textTool('pay', 'paid')])
  authorization.metadata = { scopes_supported: ['read', 'write'] }
  // Its list needs less than its calls.
  server.authorize = (headers) =>
    authorization.challenge(headers, server.url, server.count('tools/list') > 0 ? 'write' : 'read')
  const { agent } = await lab.start([call('shop_sign_in'), call('shop_pay'), call('shop_pay'), { text: 'ok' }], off)
  agent.registerToolProvider(provide({ url: server.url, onSignIn: signIn }))
  const { toolExecutions } = await agent.send('Go')
  expect(toolExecutions.map(({ output, error }) => error?.message ?? output).slice(1)).toEqual(['paid', 'paid'])
  expect(authorization.asked.get('scope')).toBe('read write')
  expect(windows.addresses).toHaveLength(2)
})

test('a server that asks for scopes that it has granted is refused without the visitor', async ({
  lab,
  authorization,
  windows,
  protectedServer,
  provide,
}) => {
  const server = await protectedServer([textTool('pay', 'paid')])
  const { agent } = await lab.start([call('shop_pay'), { text: 'ok' }], off)
  server.authorize = (headers) => authorization.challenge(headers, server.url, 'read')
  const provider = provide({ url: server.url, onSignIn: signIn })
  await provider(step)
  await provider.signIn()
  await provider(step)
  agent.registerToolProvider(provider)
  server.authorize = (headers) =>
    headers['mcp-method'] === undefined && server.count('tools/list') > 0
      ? 'Bearer error="insufficient_scope", scope="read"'
      : undefined
  const { toolExecutions } = await agent.send('Go')
  expect(toolExecutions.map(({ error }) => error?.message)).toEqual([
    'The server refused the authorization (HTTP 403).',
  ])
  expect(windows.addresses).toHaveLength(1)
})

test.describe('an answer that must not count', () => {
  for (const [title, change, why] of [
    ['the issuer of another server', { iss: 'https://other.example' }, /issuer/i],
    ['no issuer, though the server sends one', { iss: undefined }, /issuer/i],
    ['a refusal', { code: undefined, error: 'access_denied' }, /refused it \(access_denied\)/],
    ['neither a code nor an error', { code: undefined, error: '<b>' }, /refused it \(no code\)/],
  ] as const)
    test(title, async ({ authorization, windows, protectedServer, provide }) => {
      const server = await protectedServer([textTool('search', 'Green tea')])
      authorization.comeBack = (usual) => {
        for (const [name, value] of Object.entries(change)) {
          if (value === undefined) usual.delete(name)
          else usual.set(name, value)
        }
        return usual
      }
      await expect(provide({ url: server.url }).signIn()).rejects.toMatchObject({ code: 'unavailable', message: why })
      expect(authorization.log).not.toContain('token authorization_code')
      expect(windows.open.size).toBe(0)
    })

  test('a code with another state reaches nobody', async ({ authorization, windows, protectedServer, provide }) => {
    const server = await protectedServer([textTool('search', 'Green tea')])
    authorization.comeBack = (usual) => {
      usual.set('state', 'f'.repeat(64))
      return usual
    }
    const provider = provide({ url: server.url })
    const first = provider.signIn()
    first.catch(() => undefined)
    await expect.poll(() => windows.returns).toEqual([false])
    authorization.comeBack = (usual) => usual
    await provider.signIn()
    await expect(first).rejects.toMatchObject({ message: 'Another sign-in began.' })
    expect(windows.returns).toEqual([false, true])
  })

  test('an address that would run as a script', async ({ authorization, windows, protectedServer, provide }) => {
    const server = await protectedServer([textTool('search', 'Green tea')])
    for (const authorization_endpoint of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd']) {
      authorization.metadata = { authorization_endpoint }
      await expect(provide({ url: server.url }).signIn()).rejects.toMatchObject({ code: 'unavailable' })
    }
    expect(windows.addresses).toEqual([])
    expect(windows.open.size).toBe(0)
  })
})

test('without a handler the page signs the visitor in, and the server is missing until then', async ({
  lab,
  windows,
  protectedServer,
  provide,
}) => {
  const server = await protectedServer([textTool('search', 'Green tea')])
  const { agent, endpoint } = await lab.start([{ text: 'a' }, { text: 'b' }, call('shop_search'), { text: 'c' }], off)
  const provider = provide({ url: server.url })
  agent.registerToolProvider(provider)
  const errors: string[] = []
  agent.observe((notice) => {
    if (notice.type === 'error') errors.push(notice.error.message)
  })
  await agent.send('Go')
  await agent.send('Go')
  expect(errors).toHaveLength(1)
  expect(errors[0]).toContain('the user has to sign in first')
  windows.isAllowed = false
  await expect(provider.signIn()).rejects.toMatchObject({ code: 'unavailable', message: /handler of a click/ })
  windows.isAllowed = true
  await provider.signIn()
  const { toolExecutions } = await agent.send('Go')
  expect(toolExecutions.map(({ output }) => output)).toEqual(['Green tea'])
  expect(endpoint.requests.slice(0, 2).map((request) => toolNames(request) ?? [])).toEqual([[], []])
})

test('a visitor who does not sign in is not asked again by the tool, and Stop withdraws the question', async ({
  lab,
  protectedServer,
  provide,
  windows,
}) => {
  const server = await protectedServer([textTool('search', 'Green tea')])
  const { agent, endpoint } = await lab.start([call('shop_sign_in'), { text: 'ok' }, call('shop_sign_in')], off)
  let isWithdrawn = false
  let answer = (_question: SignInQuestion): void | Promise<void> => undefined
  agent.registerToolProvider(provide({ url: server.url, onSignIn: (question) => answer(question) }))
  await agent.send('Go')
  expect(resultsOf(endpoint.requests[1])[0]).toContain('The user did not sign in. Do not ask again for this request.')
  answer = ({ signal, stop }) => {
    signal.addEventListener('abort', () => (isWithdrawn = true))
    stop()
    return new Promise(() => undefined)
  }
  expect((await agent.send('Go')).reason).toBe('stopped')
  expect(isWithdrawn).toBe(true)
  expect(windows.addresses).toEqual([])
})

test('a page that is loaded again has no token: a turn that goes on meets the server as unavailable', async ({
  lab,
  windows,
  protectedServer,
  provide,
}) => {
  const server = await protectedServer([textTool('search', 'Green tea')])
  const script = (body: object) =>
    JSON.stringify(body).includes('"tool"') ? { text: 'Sign in first.' } : call('shop_search', {}, 'c')
  // Killed after the step: its call is stored, and did not run.
  const first = await lab.start(script, { ...off, sessionId: 'signed-in', killAfter: 2 })
  const provider = provide({ url: server.url, onSignIn: signIn })
  await provider.signIn()
  await provider(step)
  first.agent.registerToolProvider(provider)
  void first.agent.send('Go').catch(() => undefined)
  await first.dead
  const second = await lab.start([], {
    ...off,
    sessionId: 'signed-in',
    store: first.store,
    endpointServer: first.endpoint,
    limits: { resumeWait: 200 },
  })
  second.agent.registerToolProvider(provide({ url: server.url, onSignIn: signIn }))
  await second.agent.connect()
  await until(second.agent, () => second.agent.status === 'idle')
  expect(second.agent.messages.flatMap(toolCallsOf).map(({ result }) => result?.error?.code)).toEqual(['unavailable'])
  expect(toolNames(first.endpoint.requests.at(-1))).toEqual(['shop_sign_in'])
  expect(server.count('tools/call')).toBe(0)
  expect(windows.addresses).toHaveLength(1)
})

test('a wrong option of the sign-in throws', () => {
  const url = 'http://127.0.0.1:9/mcp'
  for (const [options, message] of [
    [{ oauth: 'yes' }, 'oauth: expected an object with redirectUrl, received yes'],
    [{ oauth: {} }, 'oauth.redirectUrl: expected an address'],
    [{ oauth: { redirectUrl, clientId: 7 } }, 'oauth.clientId: expected a text, received 7'],
    [{ oauth: { redirectUrl }, headers: () => ({}) }, 'headers: expected an object beside oauth'],
    [{ oauth: { redirectUrl }, headers: { Authorization: 'x' } }, 'headers: expected no authorization beside oauth'],
    [{ onSignIn: signIn }, 'oauth: expected an object beside onSignIn'],
    [{ auth: {} }, 'Did you mean "oauth"?'],
  ] as const)
    expect(() => mcpTools({ url, ...options } as never), message).toThrow(message)
})
