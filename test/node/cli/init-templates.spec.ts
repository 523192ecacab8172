// The templates of `tool-agent init` against the packed package: those for TypeScript compile in strict mode, and the server
// for plain HTML serves the page and nothing else, and adds the key.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInit } from '../../../cli/init/run-init.js'
import { startEndpoint } from '../../support/lab/endpoint.js'
import { typeErrorsOf } from '../../support/project/compile.js'
import { expect, root, test } from '../../support/project/dist.js'
import { filesOf, projectFolder, projects } from '../../support/project/init-projects.js'
import { packInto } from '../../support/project/package.js'

const port = { templates: pathToFileURL(join(root, 'cli/init/templates/')), print: () => undefined }

test('the files for React, Vite and Next.js compile in strict mode', { tag: '@long' }, async ({ dist }) => {
  const names = ['@types/react', 'csstype', '@standard-schema/spec', '@types/node', 'undici-types', 'vite']
  const packages = Object.fromEntries(names.map((name) => [name, join(root, 'node_modules')]))
  for (const framework of ['vite', 'react', 'next'] as const) {
    const folder = projectFolder(projects[framework])
    try {
      await runInit({ folder, remove: false, yes: true }, port)
      const all = Object.entries(filesOf(folder)).filter(([path]) => /assistant|\/route\.ts$/.test(path))
      const files = Object.fromEntries(all.filter(([path]) => /\.tsx?$/.test(path)))
      expect(Object.keys(files).length, framework).toBeGreaterThan(2)
      const more = { skipLibCheck: true, verbatimModuleSyntax: true, noUnusedParameters: true, types: ['node'] }
      expect(typeErrorsOf(files, { dist, packages, more }), framework).toBe('')
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
})

test('the server for plain HTML serves the page and the SDK, refuses the rest, and keeps the key', async ({ dist }) => {
  const folder = projectFolder({ ...projects.html, '.env': 'MODEL_API_KEY=secret', 'data.json': '{}' })
  const endpoint = await startEndpoint([{ text: 'Hello.' }])
  await runInit({ folder, remove: false, yes: true }, port)
  packInto(dist, join(folder, 'node_modules/tool-agent'))
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'sub/index.html'), 'below')
  const outside = projectFolder({ 'secret.html': 'outside' })
  symlinkSync(outside, join(folder, 'out'))
  const server = spawn(process.execPath, ['assistant/server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', MODEL_ENDPOINT: endpoint.url, MODEL_API_KEY: 'key-of-the-server' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer]
    const url = String(line).trim().replace(/\/$/, '')
    const status = async (path: string) => (await fetch(url + path)).status
    const text = async (path: string) => (await fetch(url + path)).text()
    expect(await text('/')).toBe(readFileSync(join(folder, 'index.html'), 'utf8'))
    expect(await text('/sub/')).toBe('below')
    expect(await text('/assistant/tools.js')).toContain("from '/tool-agent/agent.js'")
    for (const path of [
      '/data.json',
      '/tool-agent/tool-agent.js',
      '/tool-agent/worker.js',
      '/tool-agent/models/openai.js',
    ])
      expect(await status(path), path).toBe(200)
    for (const path of ['/.env', '/%2eenv', '/a%2f..%2f.env', '/node_modules/tool-agent/package.json', '/%ff'])
      expect(await status(path), path).toBe(403)
    for (const path of [
      '/none.html',
      '/sub',
      '/LICENSE',
      '/out/secret.html',
      '/.tool-agent%5cinit.json',
      '/tool-agent/',
    ])
      expect([403, 404], path).toContain(await status(path))
    expect(await statusFor(`${url}/`, 'evil.example')).toBe(403)
    const asked = await fetch(`${url}/models/openai/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ model: 'gpt-5-mini', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect({ status: asked.status, text: await asked.text() }).toEqual({
      status: 200,
      text: expect.stringContaining('Hello.'),
    })
    expect(endpoint.requests[0]?.headers.authorization).toBe('Bearer key-of-the-server')
    await endpoint.close()
  } finally {
    server.kill()
    await once(server, 'close')
    await endpoint.stop()
    for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true })
  }
})

/** The status for a request that names another host: `fetch` does not set this header. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  const request = get(url, { headers: { host } })
  const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage]
  response.resume()
  return response.statusCode
}
