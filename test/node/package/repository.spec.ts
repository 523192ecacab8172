// What outside contributors expect in a repository: workflows, forms for issues, a template for pull requests, a code of
// conduct. Workflows are checked by GitHub's own parser; the form of issue forms is written down here, because no package
// has it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'playwright/test'
import { build } from 'rolldown'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../../support/project/build-once.js'
import { linkFaults, textBeside } from '../../support/project/docs.js'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const list = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)

type Parser = typeof import('@actions/workflow-parser')
interface Problem {
  readonly message: string
}

/** GitHub's parser. It imports JSON without an attribute, which Node refuses, so it is bundled. */
async function workflowParser(): Promise<Parser> {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-workflows-'))
  try {
    const { output } = await build({
      cwd: root,
      input: '@actions/workflow-parser',
      platform: 'node',
      write: false,
      output: { format: 'es', codeSplitting: false },
    })
    const file = join(folder, 'parser.mjs')
    writeFileSync(file, output[0].code)
    return (await import(pathToFileURL(file).href)) as Parser
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('every workflow is valid by the schema of GitHub, with its expressions', async () => {
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await workflowParser()
  const problems = async (name: string, content: string) => {
    const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
    if (value) await convertWorkflowTemplate(context, value)
    return (context.errors.getErrors() as readonly Problem[]).map(({ message }) => message)
  }
  const job = (steps: string) => `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n${steps}`
  expect(await problems('a.yml', job('    steps:\n      - run: echo ${{ github.ref }}\n'))).toEqual([])
  expect(await problems('a.yml', job('    stepz: []\n'))).toEqual([expect.stringContaining("Unexpected value 'stepz'")])
  expect((await problems('a.yml', job('    steps:\n      - run: echo ${{ github.ref\n'))).join()).toContain(
    'expression',
  )
  const workflows = list('.github/workflows')
  expect(workflows.length).toBeGreaterThan(1)
  for (const file of workflows) expect(await problems(file, read(file)), file).toEqual([])
})

test('CI runs what .ci/run has; a release tests, compares the tag and publishes with provenance', () => {
  interface Workflow {
    readonly on: { readonly push?: { readonly tags?: readonly string[] } }
    readonly permissions: object
    readonly jobs: Record<
      string,
      { uses?: string; needs?: string; permissions?: object; steps?: readonly { run?: string }[] }
    >
  }
  const workflow = (file: string) => parse(read(`.github/workflows/${file}`)) as Workflow
  const ci = workflow('ci.yml')
  expect(ci.permissions).toEqual({ contents: 'read' })
  expect(ci.jobs['test']?.steps?.map(({ run }) => run)).toContain('bash .ci/run')
  const release = workflow('release.yml')
  expect(release.on.push?.tags).toEqual(['v*.*.*'])
  expect(release.permissions).toEqual({ contents: 'read' })
  expect(release.jobs['test']?.uses).toBe('./.github/workflows/ci.yml')
  const publish = release.jobs['publish']
  expect(publish).toMatchObject({ needs: 'test', permissions: { 'id-token': 'write' } })
  const commands = publish?.steps?.map(({ run = '' }) => run).join('\n') ?? ''
  expect(commands).toContain('package.json')
  for (const line of commands.split('\n').filter((one) => one.includes('npm publish')))
    expect(line).toContain('npm publish --provenance')
  expect(read('.ci/run'), 'the tests need no workflow file').not.toContain('.github')
})

const label = z.string().min(1)
const id = z
  .string()
  .regex(/^[\w-]+$/)
  .optional()
const validations = z.strictObject({ required: z.boolean().optional() }).optional()
const description = z.string().optional()
const field = { label, description, placeholder: z.string().optional(), value: z.string().optional() }
/** The syntax of issue forms: https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests */
const issueForm = z.strictObject({
  name: label,
  description: label,
  title: label.optional(),
  labels: z.array(label).min(1).optional(),
  body: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: label }) }),
        z.strictObject({ type: z.literal('input'), id, attributes: z.strictObject(field), validations }),
        z.strictObject({
          type: z.literal('textarea'),
          id,
          attributes: z.strictObject({ ...field, render: z.string().optional() }),
          validations,
        }),
        z.strictObject({
          type: z.literal('dropdown'),
          id,
          attributes: z.strictObject({
            label,
            description,
            multiple: z.boolean().optional(),
            options: z.array(label).min(1),
          }),
          validations,
        }),
      ]),
    )
    .min(1),
})

test('every issue form has the syntax of GitHub, different ids and names, and a field to fill', () => {
  expect(issueForm.safeParse({ name: 'A', description: 'B', body: [{ type: 'input' }] }).success).toBe(false)
  const forms = list('.github/ISSUE_TEMPLATE').filter((file) => !file.endsWith('/config.yml'))
  expect(forms.length).toBeGreaterThan(1)
  const names = forms.map((file) => {
    const form = issueForm.parse(parse(read(file)), { error: () => file })
    const ids = form.body.flatMap((one) => ('id' in one && one.id !== undefined ? [one.id] : []))
    expect(new Set(ids).size, file).toBe(ids.length)
    expect(
      form.body.some(({ type }) => type !== 'markdown'),
      file,
    ).toBe(true)
    return form.name
  })
  expect(new Set(names).size).toBe(names.length)
  const config = z.strictObject({ blank_issues_enabled: z.boolean() })
  expect(config.safeParse(parse(read('.github/ISSUE_TEMPLATE/config.yml'))).success).toBe(true)
})

test('every link of every page in Markdown leads to a file and a section that exist', () => {
  const files = spawnSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).stdout.trim().split('\n')
  expect(files.length).toBeGreaterThan(60)
  const faults = files.flatMap((file) =>
    linkFaults(read(file), textBeside(join(root, file)))
      .filter((fault) => !fault.startsWith('the contents leave out') && !fault.startsWith('two headings'))
      .map((fault) => `${file}: ${fault}`),
  )
  expect(faults).toEqual([])
})

test('the files for contributors lead to files and commands that exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const file of ['CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'SECURITY.md', '.github/pull_request_template.md']) {
    const text = read(file)
    const faults = linkFaults(text, textBeside(join(root, file)))
    expect(
      faults.filter((fault) => !fault.startsWith('the contents leave out')),
      file,
    ).toEqual([])
    for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g)) expect(scripts, file).toHaveProperty([name])
    for (const [, path = ''] of text.matchAll(/`node ([\w/.-]+\.mjs)/g))
      expect(existsSync(join(root, path)), path).toBe(true)
  }
  expect(read('CONTRIBUTING.md')).toContain('CODE_OF_CONDUCT.md')
})
