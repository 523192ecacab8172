// The components in docs/start.md compile unchanged, as strictly as in the templates of Vite. The blocks of
// docs/frameworks.md are parts of projects that the integration test builds.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { blocksOf } from '../../support/project/docs.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const pageOf = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')
const blocks = blocksOf(pageOf('start.md'))
const codeOf = (heading: string, language: string) =>
  blocks.find((block) => block.heading === heading && block.language === language)?.code ?? ''

const files = {
  'assistant.tsx': codeOf('React', 'tsx'),
  'agent.ts': `
import { createAgent } from 'tool-agent/agent'
export const agent = createAgent({ endpoint: '/v1', model: 'm' })
${codeOf('React', 'ts')}`,
  'vue.ts': `${/<script setup lang="ts">([^]*?)<\/script>/.exec(codeOf('Vue', 'vue'))?.[1] ?? ''}
export const used = [ToolAgent, agent]`,
}

test('the components of docs/start.md compile in strict mode without unused names', () => {
  expect(Object.values(files).every((code) => code.includes('tool-agent/'))).toBe(true)
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-react-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code)
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
          lib: ['ES2023', 'ES2024.String', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
          types: ['vite/client'],
          paths: {
            'tool-agent': entry('index.ts'),
            'tool-agent/agent': entry('agent.ts'),
            'tool-agent/react': entry('react.ts'),
            'tool-agent/vue': entry('vue.ts'),
          },
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

test('every block of docs/frameworks.md is a part of the file that it names', () => {
  const all = blocksOf(pageOf('frameworks.md'))
  expect(all.length).toBeGreaterThan(12)
  for (const { line, code, marks } of all) {
    const path = /^part of ((?:examples|test\/(?:integrations|frameworks\/wrappers))\/\S+)$/.exec(
      marks.get('fragment') ?? '',
    )?.[1]
    expect(path, `line ${line} names its file`).toBeDefined()
    expect(readFileSync(join(root, path ?? ''), 'utf8'), `line ${line}: ${path}`).toContain(code)
  }
})

test('the page of examples/headless is that of docs/headless.md', () => {
  const chat = blocksOf(pageOf('headless.md')).find(({ language }) => language === 'html')?.code
  expect(readFileSync(join(root, 'examples/headless/index.html'), 'utf8').trimEnd()).toBe(chat)
})
