// Builds of the package without one of its guards, to see what the guard is good for, and whether a test notices.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { build } from '../../scripts/build.mjs'

/**
 * The beginnings of functions, each with what makes it do nothing.
 * @typedef {{ file: string, openings: readonly (readonly [opening: string, early: string])[] }} Guard
 */

const actionGuard = 'src/page-tools/effects/action-guard.ts'

/** @satisfies {Record<string, Guard>} */
export const guards = {
  /** Stops effects while an action runs. */
  effects: {
    file: actionGuard,
    openings: [
      ['  require(what: StoppedEffect): void {\n', '    if (what) return\n'],
      ['  #isPermitted(what: StoppedEffect): boolean {\n', '    if (what) return true\n'],
    ],
  },
  /** Removes copies of private values from what is read. */
  copies: {
    file: 'src/page-tools/sensitive/redact.ts',
    openings: [
      [
        'export function redactEchoes(values: readonly string[]): (text: string) => string {\n',
        '  if (values) return String\n',
      ],
    ],
  },
  /** Limits what a press may do whose effect nobody knew when it was allowed. */
  limits: {
    file: 'src/page-tools/effects/permission.ts',
    openings: [['function limitOf({ effect, by }: Permission): Effect {\n', "  if (by === 'user') return 'destroy'\n"]],
  },
  /** Tells a key that the page takes, such as Enter in a chat, from the change of a value. */
  keys: {
    file: actionGuard,
    openings: [['  mayRunCommand(): void {\n', '    if (this) return\n']],
  },
  /** Reads what the parameters of an address do. */
  parameters: {
    file: 'src/page-tools/effects/read-request.ts',
    openings: [["export function effectOfQuery(url: URL): 'destroy' | undefined {\n", '  if (url) return undefined\n']],
  },
  /** Binds a question to what stands around its control. */
  rows: {
    file: 'src/page-tools/act/bound-parts.ts',
    openings: [
      [
        '  fields: readonly { readonly members: readonly Element[] }[],\n): string {\n',
        "  if (control.isConnected) return ''\n",
      ],
    ],
  },
  /** Tells the operations of one address apart. */
  operations: {
    file: 'src/page-tools/effects/telemetry.ts',
    openings: [
      [
        'export function isUsual(request: PageRequest): boolean {\n',
        '  if (sentByItself().has(keyOf(request))) return true\n',
      ],
    ],
  },
  /** Keeps an allowance to the press that it was given for. */
  allowances: {
    file: 'src/page/answers/needs-approval.ts',
    openings: [
      [
        'function needOfAction(action: ForecastAction, context: NeedContext): ApprovalNeed {\n',
        "  const parts = context.run.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []))\n" +
          "  if (action.effect !== 'outside' && parts.some((part) => part.approval && part.started)) return { do: 'run', by: 'off' }\n",
      ],
    ],
  },
}

/**
 * Builds a changed copy of the project in a temporary folder.
 * @param {string} root
 * @param {Guard} guard the one that is left out
 * @returns {Promise<{ dist: string, remove: () => void }>}
 */
export async function buildUnguarded(root, { file, openings } = guards.effects) {
  const copy = mkdtempSync(join(tmpdir(), 'unguarded-'))
  const left = /^(?:node_modules|dist|test|test-results|\.git)$/
  cpSync(root, copy, { recursive: true, filter: (from) => !left.test(relative(root, from).split(sep)[0] ?? '') })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  let code = readFileSync(join(copy, file), 'utf8')
  for (const [opening = '', early = ''] of openings) {
    if (!code.includes(opening)) throw new Error(`${file} has no ${JSON.stringify(opening)}`)
    code = code.replace(opening, opening + early)
  }
  writeFileSync(join(copy, file), code)
  await build({ root: copy, declarations: false })
  return { dist: join(copy, 'dist'), remove: () => rmSync(copy, { recursive: true }) }
}
