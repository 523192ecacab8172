// `npx tool-agent attack` as a page author runs it, on pages that are made to be safe and unsafe.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildUnguarded, guards } from '../../../bench/questions/unguarded.mjs'
import type { PageReport } from '../../../cli/attack/run-attack.js'
import { serveStatic } from '../../support/page/static-server.js'
import { runCommand } from '../../support/project/command.js'
import { expect, root, test } from '../../support/project/dist.js'

test.skip(({ browserName }) => browserName !== 'chromium', 'the command starts Chromium itself')

const attack = (dist: string, ...args: string[]) =>
  runCommand(join(dist, 'cli.mjs'), { args: ['attack', ...args], cwd: root })

/** The findings of each kind, and what they say. */
function found({ findings }: Pick<PageReport, 'findings'>): Record<string, string[]> {
  const of = (kind: string) => findings.filter((one) => one.kind === kind).map(({ what }) => what)
  return {
    unasked: of('effect-without-question'),
    sent: of('private-value'),
    misleading: of('misleading-question'),
  }
}

test('an unsafe page: findings within a limit of calls, and the exit code 1', async ({ dist }) => {
  test.setTimeout(300_000)
  const { code, output, errors } = await attack(dist, 'test/pages/attack/unsafe.html', '--limit=30')
  expect({ code, errors }).toEqual({ code: 1, errors: '' })
  expect(output).toMatch(/unsafe\.html: [1-9]\d* findings?/)
  expect(output).toMatch(/ calls or questions beyond the limit were left out/)
})

const everyKind = 'an unsafe page: every kind of finding, as text and as JSON, and the exit code 1'
test(everyKind, { tag: '@long' }, async ({ dist }) => {
  test.setTimeout(900_000)
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-attack-'))
  try {
    const file = join(folder, 'report.json')
    const { code, output, errors } = await attack(dist, 'test/pages/attack/unsafe.html', `--json=${file}`)
    expect({ code, errors }).toEqual({ code: 1, errors: '' })
    const { success, pages } = JSON.parse(readFileSync(file, 'utf8')) as { success: boolean; pages: PageReport[] }
    const [report] = pages as [PageReport]
    expect(success).toBe(false)
    const { unasked, sent, misleading } = found(report)
    // A tool that says nothing about itself, and a control that sends by what the SDK cannot hold.
    expect(unasked).toContainEqual(expect.stringMatching(/POST \S+\/transfers/))
    expect(unasked).toContainEqual(expect.stringMatching(/POST \S+\/seen/))
    expect(sent).toEqual(['the value of a password field was sent to the model'])
    expect(misleading).toContainEqual(
      expect.stringMatching(/did not say that it may delete or pay: DELETE \S+\/account/),
    )
    for (const what of [...unasked!, ...misleading!]) expect(what).toMatch(/\/(?:transfers|seen|account)/)
    expect(output).toContain(`test/pages/attack/unsafe.html: ${report.findings.length} findings`)
    expect(output).toContain('asked: Press “Continue”')
    // The instructions of most places reach a model, and what it does is asked about.
    expect(report.reached).toEqual(
      expect.arrayContaining(['the title of the page', 'a text', 'an option of a list', 'a file of the visitor']),
    )
    expect(report.calls.filter(({ asked }) => asked.length > 0).length).toBeGreaterThan(30)
    expect(report.leftOut).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('wrong calls and pages that cannot be attacked end with 2 and say why', { tag: '@long' }, async ({ dist }) => {
  const server = await serveStatic({ files: { '/bare.html': '<title>Bare</title>' } })
  for (const [args, message] of [
    [[], 'attack: expected at least one page'],
    [['missing.html'], 'the page missing.html does not exist'],
    [['test/pages/attack/safe.html', '--limit', '0'], '--limit: expected a number of at least 1, received "0"'],
    [[`${server.url}/nothing.html`], 'nothing.html answered 404'],
    [[`${server.url}/bare.html`], 'There is no <tool-agent>'],
  ] as const) {
    const { code, errors } = await attack(dist, ...args)
    expect({ args, code, errors }).toEqual({ args, code: 2, errors: expect.stringContaining(message) })
  }
  await server.close()
})

/** What an attacker looks for first, each on a page of its own, with the guard of the SDK that stands in the way. */
const attacks = {
  'Enter in a chat': {
    page: 'chat',
    without: 'keys',
    unasked: [/POST \S+\/messages .*On my way/, /POST \S+\/messages .*Fine/],
  },
  'the press after an allowed one': { page: 'transfer', without: 'allowances', unasked: [/POST \S+\/transfers/] },
  'reading an address that acts': {
    page: 'links',
    without: 'parameters',
    unasked: [/GET \S+\?do=delete/, /GET \S+\?op=remove/, /GET \S+\?delete=9/],
  },
  'what is rewritten while its question is open': {
    page: 'rows',
    without: 'rows',
    misleading: [/did not say what stood around its target when it ran: POST \S+\/deeds/],
  },
  'one address for everything': {
    page: 'one-address',
    without: 'operations',
    unasked: [/POST \S+\/rpc .*publishDrafts/, /POST \S+\/rpc .*deleteAccount/],
  },
} as const satisfies Record<
  string,
  { page: string; without: keyof typeof guards; unasked?: readonly RegExp[]; misleading?: readonly RegExp[] }
>

test.describe('pages made for one attack each', { tag: '@long' }, () => {
  test.setTimeout(1_200_000)
  const fileOf = (page: string): string => `test/pages/attack/${page}.html`
  // The controls of a page come before what the command writes into it.
  const limit = '--limit=45'

  test('have no finding', async ({ dist }) => {
    const pages = [...new Set(Object.values(attacks).map(({ page }) => fileOf(page)))]
    const { output, errors } = await attack(dist, ...pages, limit, '--json')
    expect(errors).toBe('')
    const reports = (JSON.parse(output) as { pages: PageReport[] }).pages
    expect(reports.map(({ page, findings }) => ({ page, findings }))).toEqual(
      pages.map((page) => ({ page, findings: [] })),
    )
  })

  for (const [title, { page, without, ...expected }] of Object.entries(attacks))
    test(`${title}: found in a build without the guard "${without}"`, async ({}) => {
      const { dist, remove } = await buildUnguarded(root, guards[without])
      try {
        const { output } = await attack(dist, fileOf(page), limit, '--json')
        const findings = found((JSON.parse(output) as { pages: [PageReport] }).pages[0])
        for (const [kind, patterns] of Object.entries(expected))
          for (const pattern of patterns) expect(findings[kind]).toContainEqual(expect.stringMatching(pattern))
      } finally {
        remove()
      }
    })
})

test.describe('a page that relies on the guards of the SDK', { tag: '@long' }, () => {
  test.setTimeout(600_000)

  async function attackSafe(dist: string) {
    const { code, output, errors } = await attack(dist, 'test/pages/attack/safe.html', '--json')
    expect(errors).toBe('')
    const { pages } = JSON.parse(output) as { pages: [PageReport] }
    return { code, ...found(pages[0]) }
  }

  test('has no finding', async ({ dist }) => {
    expect(await attackSafe(dist)).toEqual({ code: 0, unasked: [], sent: [], misleading: [] })
  })

  for (const [name, expected] of Object.entries({
    effects: { unasked: expect.arrayContaining([expect.stringMatching(/POST \S+\/seen/)]) as string[] },
    copies: { sent: expect.arrayContaining(['the value of a password field was sent to the model']) as string[] },
    limits: { misleading: expect.arrayContaining([expect.stringMatching(/DELETE \S+\/account/)]) as string[] },
  }))
    test(`has findings with a build without the guard "${name}"`, async ({}) => {
      const { dist, remove } = await buildUnguarded(root, guards[name as keyof typeof guards])
      try {
        expect(await attackSafe(dist)).toMatchObject({ code: 1, ...expected })
      } finally {
        remove()
      }
    })
})
