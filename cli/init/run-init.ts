// `tool-agent init`: shows what it would add to a project, asks, and writes it. It never overwrites a file, writes all or
// nothing, and can remove what it added.
import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import { UsageError, type InitSettings } from '../arguments.js'
import { withInsertions } from './insert.js'
import { evals, planFor, type ByHand, type Plan } from './plan.js'
import { byHand, frameworkNames, frameworkOf, Project } from './project.js'
import { about, editRecord, hashOf, readRecord, recordFile, withoutInsertions, type InitRecord } from './record.js'

/** Where the command prints, and whom it asks. */
interface InitPort {
  /** The folder of the templates. */
  readonly templates: URL
  print(text: string): void
  /** Undefined if nobody can be asked. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined
}

/** A file before and after; undefined if there is none. */
interface Change {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * Resolves with whether the project is as the user asked: also if there was nothing to do, and not if the changes were only
 * shown.
 * @throws UsageError if the project has no template, or a file is in the way
 */
export async function runInit({ folder, remove, yes }: InitSettings, port: InitPort): Promise<boolean> {
  const project = new Project(folder)
  const record = readRecord(project)
  if (remove) return record === undefined ? nothingToRemove(port) : removeAll(project, record, { yes, port })
  if (record !== undefined) return alreadyThere(project, record, port)
  const plan = planFor(project, frameworkOf(project), port.templates)
  const changes = changesOf(project, plan)
  const all = [...changes, recordChange(project, plan, changes)]
  port.print(`tool-agent for ${frameworkNames[plan.framework]}:\n\n${all.map(diffOf).join('\n')}\n`)
  if (!(await mayWrite('Write these changes?', { yes, port }))) return false
  write(project, all)
  port.print(`${handText(plan.byHand)}${nextText(project, plan)}`)
  return true
}

function changesOf(project: Project, plan: Plan): Change[] {
  const added = [...plan.files].map(([path, after]): Change => ({ path, before: undefined, after }))
  const taken = added.filter(({ path }) => project.has(path)).map(({ path }) => path)
  if (taken.length > 0)
    throw new UsageError(
      `init: ${taken.join(', ')} ${taken.length === 1 ? 'exists' : 'exist'} already, and nothing is overwritten. ` +
        `Move ${taken.length === 1 ? 'it' : 'them'} away, or add the assistant by hand. ${byHand}`,
    )
  const edited = [...plan.edits].map(([path, insertions]): Change => {
    const before = project.read(path)
    return { path, before, after: withInsertions(before, insertions) }
  })
  return [...added, ...edited]
}

function recordChange(project: Project, plan: Plan, changes: readonly Change[]): Change {
  const paths = [...changes.map(({ path }) => path), recordFile]
  const folders = new Set(paths.flatMap((path) => foldersOf(path)).filter((path) => !project.has(path)))
  const record: InitRecord = {
    about,
    framework: plan.framework,
    files: Object.fromEntries([...plan.files].map(([path, text]) => [path, hashOf(text)])),
    edits: Object.fromEntries(
      changes.flatMap(({ path, before, after }) =>
        before === undefined || after === undefined
          ? []
          : [[path, editRecord(before, after, plan.edits.get(path) ?? [])] as const],
      ),
    ),
    folders: [...folders].sort((one, other) => other.split('/').length - one.split('/').length),
    byHand: plan.byHand,
  }
  return { path: recordFile, before: undefined, after: `${JSON.stringify(record, null, 2)}\n` }
}

/** The folders around a file, the inner ones first. */
function foldersOf(path: string): string[] {
  const folder = posix.dirname(path)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

function diffOf({ path, before, after }: Change): string {
  const name = (prefix: string, text: string | undefined): string =>
    text === undefined ? '/dev/null' : `${prefix}/${path}`
  // The record is for this command, not for people.
  if (path === recordFile)
    return `${after === undefined ? 'removes' : 'adds'} ${path}, which remembers this for --remove\n`
  return createTwoFilesPatch(name('a', before), name('b', after), before ?? '', after ?? '', undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  })
}

async function mayWrite(question: string, { yes, port }: { yes: boolean; port: InitPort }): Promise<boolean> {
  if (yes) return true
  if (port.ask === undefined) {
    port.print('Nothing was changed, because nobody can be asked here. Add --yes to do it.\n')
    return false
  }
  if (await port.ask(question)) return true
  port.print('Nothing was changed.\n')
  return false
}

/** Makes all changes or, if one fails, none. */
function write(project: Project, changes: readonly Change[]): void {
  const undo: (() => void)[] = []
  try {
    for (const { path, before, after } of changes) {
      const file = join(project.root, path)
      if (after === undefined) {
        rmSync(file)
        undo.push(() => writeFileSync(file, before ?? ''))
      } else if (before === undefined) {
        const first = mkdirSync(dirname(file), { recursive: true })
        if (first !== undefined) undo.push(() => rmSync(first, { recursive: true, force: true }))
        writeFileSync(file, after, { flag: 'wx' })
        undo.push(() => rmSync(file))
      } else {
        writeFileSync(file, after)
        undo.push(() => writeFileSync(file, before))
      }
    }
  } catch (error) {
    for (const one of undo.reverse()) one()
    throw new UsageError(`init: ${(error as Error).message}. Nothing was changed.`)
  }
}

function alreadyThere(project: Project, record: InitRecord, port: InitPort): boolean {
  const name = frameworkNames[record.framework]
  const gone = [...Object.keys(record.files), ...Object.keys(record.edits)].filter((path) => !project.has(path))
  const missing =
    gone.length === 0 ? '' : `Of what it added, ${gone.join(', ')} ${gone.length === 1 ? 'is' : 'are'} gone. `
  const open = record.byHand.filter(({ file, lines }) => {
    const text = project.has(file) ? project.read(file) : ''
    return lines.some((line) => !text.includes(line))
  })
  port.print(
    `The assistant for ${name} is already there, so nothing was changed. ${missing}npx tool-agent init --remove removes it.\n` +
      handText(open),
  )
  return true
}

function nothingToRemove(port: InitPort): boolean {
  port.print(`There is nothing to remove: ${recordFile} does not exist.\n`)
  return true
}

async function removeAll(
  project: Project,
  record: InitRecord,
  { yes, port }: { yes: boolean; port: InitPort },
): Promise<boolean> {
  const changes: Change[] = []
  const left: string[] = []
  for (const [path, hash] of Object.entries(record.files)) {
    if (!project.has(path)) continue
    const before = project.read(path)
    if (hashOf(before) === hash) changes.push({ path, before, after: undefined })
    else left.push(`${path} was changed by hand`)
  }
  for (const [path, edit] of Object.entries(record.edits)) {
    if (!project.has(path)) continue
    const before = project.read(path)
    const after = withoutInsertions(before, edit)
    if (after !== undefined) changes.push({ path, before, after })
    else {
      const lines = edit.inserted.map(({ text }) => `    ${text.trim()}`).join('\n')
      left.push(`${path}: what was added was changed by hand. It was:\n${lines}`)
    }
  }
  changes.push({ path: recordFile, before: project.read(recordFile), after: undefined })
  port.print(`${changes.map(diffOf).join('\n')}\n`)
  if (left.length > 0)
    port.print(
      `These stay, because they are yours now. They may name files that are removed:\n${left.map((one) => `  ${one}\n`).join('')}\n`,
    )
  if (!(await mayWrite('Remove this?', { yes, port }))) return false
  write(project, changes)
  for (const folder of record.folders) removeEmpty(join(project.root, folder))
  port.print('Removed.\n')
  return true
}

function removeEmpty(folder: string): void {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  if (isFolder && readdirSync(folder).length === 0) rmdirSync(folder)
}

function handText(all: readonly ByHand[]): string {
  if (all.length === 0) return ''
  const parts = all.map(
    ({ file, where, lines }) => `  ${file}, ${where}:\n${lines.map((line) => `    ${line}\n`).join('')}`,
  )
  return `Please add this by hand, because these files have a form that init does not change:\n${parts.join('')}\n`
}

function nextText(project: Project, { envFile, run, runWithoutKey, relay, isRoute = false }: Plan): string {
  const key =
    envFile === undefined
      ? 'Set MODEL_API_KEY in the environment'
      : `Write MODEL_API_KEY=… into ${envFile}, which must not be committed`
  const instead = envFile === undefined ? 'set' : 'write'
  const start =
    runWithoutKey === undefined
      ? [
          `${key}. Without a key: run npx tool-agent dev in another terminal, and ${instead} MODEL_ENDPOINT=http://127.0.0.1:8790/v1 instead`,
          ...run,
        ]
      : [`${key}, and run ${run.join(' and ')}. Without a key: ${runWithoutKey}`]
  const steps = [
    // Until the first release, the name on npm is not that of this package.
    ...(project.packages.has('tool-agent')
      ? []
      : [
          `${project.install} ../tool-agent-0.1.0.tgz, the file that npm pack wrote; ${project.install} tool-agent once it is on npm`,
        ]),
    ...start,
    'Open the address that it prints, write “Add a note: buy green tea” to the assistant, and allow it',
    ...(project.packages.has('playwright') || project.packages.has('@playwright/test')
      ? []
      : [
          `${project.install} ${project.install === 'npm install' ? '--save-dev' : '-D'} playwright, and npx playwright install chromium`,
        ]),
    // Vite and Next.js start one development server per project, and the eval starts its own.
    `Stop that server, and run npx tool-agent eval ${evals}`,
    isRoute
      ? `For visitors: ${relay} refuses everybody in production until its \`user\` names your users`
      : `For visitors: the relay in ${relay} is for development; node_modules/tool-agent/docs/relay.md puts one into your server`,
  ]
  const reach =
    'The assistant reads the page and fills its forms. Without page-tools="read fill" it has your tools alone.'
  return `Added. ${reach} Next:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`
}
