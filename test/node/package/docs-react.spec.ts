// The TypeScript of the React section in docs/start.md compiles unchanged, as strictly as in Vite's React template.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const section = /^## React\n([^]*?)^## /m.exec(readFileSync(join(root, 'docs/start.md'), 'utf8'))?.[1] ?? ''
const blocks = [...section.matchAll(/^```(tsx?)\n([^]*?)^```/gm)].map(([, language = '', code = '']) => ({
  language,
  code,
}))
const component = blocks.find(({ language }) => language === 'tsx')?.code ?? ''
const declaration = blocks.find(({ code }) => code.includes("declare module 'react'"))?.code ?? ''
const recipe = blocks.find(({ code }) => code.includes('import.meta.hot'))?.code ?? ''

/** How a reader uses it. */
const usage = `
import { useState } from 'react'
import { z } from 'zod'
import { Assistant, useTool } from './assistant'

export function Page() {
  const [query, setQuery] = useState('')
  useTool({
    name: 'search', description: 'Searches.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, limit: { type: 'integer' } }, required: ['text'] },
    execute({ text, limit = 10 }, { signal }) {
      setQuery(text.trim())
      return signal.aborted ? [] : Array.from({ length: limit }, () => query)
    },
  })
  useTool({ name: 'clear', inputSchema: z.object({ sure: z.boolean() }), execute: ({ sure }) => { if (sure) setQuery('') } })
  return <main lang="en"><Assistant /><tool-agent layout="inline" className="small" /></main>
}
// @ts-expect-error no such layout
export const wrong = <tool-agent layout="round" />
`
const agent = `
import { createAgent } from 'tool-agent/agent'
export const agent = createAgent({ endpoint: '/v1', model: 'm' })
${recipe}`

test('the React recipes compile in strict mode without unused names', () => {
  expect([component, declaration, recipe].every((code) => code !== '')).toBe(true)
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-react-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const [name, code] of Object.entries({
      'agent.ts': agent,
      'assistant.tsx': component,
      'tool-agent.d.ts': declaration,
      'page.tsx': usage,
    }))
      writeFileSync(join(folder, name), code)
    const entry = (path: string) => [join(root, 'src', path)]
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noUnusedLocals: true,
          noUnusedParameters: true,
          noEmit: true,
          skipLibCheck: true,
          jsx: 'react-jsx',
          target: 'ES2022',
          module: 'ESNext',
          moduleResolution: 'bundler',
          verbatimModuleSyntax: true,
          lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
          types: ['vite/client'],
          paths: { 'tool-agent': entry('index.ts'), 'tool-agent/agent': entry('agent.ts') },
        },
        include: ['*.ts', '*.tsx'],
      }),
    )
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'],
      { encoding: 'utf8', cwd: folder },
    )
    expect(stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
