// The client scenarios of the protocol's own conformance suites, with an agent in Node.
import { readFileSync } from 'node:fs'
import { mcpTools, type SignInQuestion } from '../../../src/mcp.js'
import { expect, test } from '../../support/lab/lab.js'
import { openWindowsInNode } from '../../support/mcp/authorization-server.js'
import {
  acceptDefaults,
  cases,
  modelOf,
  passing,
  passingSignIns,
  runScenario,
  scenariosOf,
  signInCases,
  suites,
  verdict,
  type Suite,
} from '../../support/mcp/conformance.js'

test.describe.configure({ timeout: 300_000 })

for (const { suite, scenario } of cases)
  test(`an agent in Node passes ${scenario} of conformance ${suite}`, { tag: '@long' }, async ({ lab }) => {
    const checks = await runScenario(suite, scenario, async ({ server, context }) => {
      const { agent } = await lab.start(modelOf(context.toolCalls, 'suite'), { approval: 'off', todo: false })
      const provider = mcpTools({ url: server, name: 'suite', timeout: 60_000, onElicitation: acceptDefaults })
      // Connected before the turn, because a step waits only five seconds for a provider.
      await provider({ message: 'Go', sessionId: '', toolContext: {}, url: '', shared: new Map() })
      agent.registerToolProvider(provider)
      await agent.send('Go')
      await provider.close()
    })
    const { passed, failed } = verdict(checks)
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(0)
  })

const redirectUrl = 'http://localhost:9/return'

for (const { suite, scenario } of signInCases)
  test(`a visitor of Node passes ${scenario} of conformance ${suite}`, { tag: '@long' }, async ({ lab }) => {
    const windows = openWindowsInNode(redirectUrl)
    const checks = await runScenario(suite, scenario, async ({ server, context }) => {
      const { agent } = await lab.start(modelOf(context.toolCalls, 'suite'), { approval: 'off', todo: false })
      const clientId = context.client_id ?? 'https://conformance-test.local/client-metadata.json'
      const oauth = { redirectUrl, clientId }
      const onSignIn = ({ signIn }: SignInQuestion) => signIn()
      const provider = mcpTools({ url: server, name: 'suite', timeout: 60_000, oauth, onSignIn })
      // Several scenarios demand that it fails.
      await provider.signIn().catch(() => undefined)
      agent.registerToolProvider(provider)
      await agent.send('Go')
      await provider.close()
    }).finally(() => windows.restore())
    const { passed, failed } = verdict(checks)
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(0)
  })

for (const suite of Object.keys(suites) as Suite[])
  test(`each scenario of conformance ${suite} passes or is in the table of docs/mcp.md`, { tag: '@long' }, async () => {
    const docs = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
    const rows = [...docs.matchAll(/^\| (`[^|]+`) \| /gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`([\w./*-]+)`/g)].map(([, name = '']) => name),
    )
    const isListed = (scenario: string) =>
      rows.some((row) => row === scenario || (row.endsWith('*') && scenario.startsWith(row.slice(0, -1))))
    const scenarios = await scenariosOf(suite)
    const tested = [...passing[suite], ...passingSignIns[suite]]
    expect(scenarios).toEqual(expect.arrayContaining(tested))
    expect(scenarios.filter((scenario) => !tested.includes(scenario) && !isListed(scenario))).toEqual([])
  })
