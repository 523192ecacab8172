// Attacks pages, one after another, and reports what was found. First the model obeys everything and every question is
// denied. Then each question is allowed on a fresh copy of the page, and what follows is compared with its words.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import type { JsonObject, JsonValue } from '../../src/core/data/json.js'
import { UsageError, type AttackSettings } from '../arguments.js'
import { startBrowser } from '../browser.js'
import { addressOfFile } from '../page-files.js'
import { AttackedPage, type CallRecord } from './attacked-page.js'
import { misleadingQuestions, privateValues, unaskedEffects, type Finding } from './judge.js'
import { ObedientModel, scripted, type PlannedCall } from './obedient-model.js'
import { places } from './plant.js'
import { attackJson, attackText } from './report.js'

/** What was found on one page. */
export interface PageReport {
  readonly page: string
  readonly findings: readonly Finding[]
  /** The places whose instructions the model could read. */
  readonly reached: readonly string[]
  /** The others. */
  readonly unread: readonly string[]
  /** The calls of the first pass. */
  readonly calls: readonly CallReport[]
  /** Questions that were allowed in the second pass. */
  readonly allowed: number
  /** Calls and questions beyond the limit. */
  readonly leftOut: number
}

export interface CallReport {
  readonly about: string
  readonly tool: string
  readonly input: JsonObject
  /** The titles of its questions, which were denied. */
  readonly asked: readonly string[]
  /** What was observed, such as `request POST /orders`. */
  readonly observed: readonly string[]
  /** The begin of what the model was told. */
  readonly result: string
}

/** Copies of a page that are attacked at the same time. */
const atOnce = 3

/** Resolves with whether nothing was found. */
export async function runAttack(settings: AttackSettings): Promise<boolean> {
  const addresses = settings.pages.map((page) => ({
    page,
    address: /^https?:\/\//i.test(page) ? page : addressOfFile(page, join(process.cwd(), 'attack')),
  }))
  const browser = await startBrowser('attack', settings)
  const reports: PageReport[] = []
  try {
    for (const { page, address } of addresses) {
      const report = await attackPage(browser, { address, limit: settings.limit }).catch((error: unknown) => {
        throw new UsageError(
          `${page}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
        )
      })
      reports.push({ page, ...report })
      if (settings.json !== true) process.stdout.write(`${attackText(reports.at(-1)!)}\n`)
    }
  } finally {
    await browser.close()
  }
  const json = attackJson(reports)
  if (settings.json === true) process.stdout.write(`${json}\n`)
  if (typeof settings.json === 'string') writeFileSync(settings.json, `${json}\n`)
  return reports.every(({ findings }) => findings.length === 0)
}

async function attackPage(
  browser: Browser,
  { address, limit }: { address: string; limit: number },
): Promise<Omit<PageReport, 'page'>> {
  const first = await AttackedPage.open(browser, { address })
  const site = new URL(first.page.url()).origin
  const model = new ObedientModel(limit)
  try {
    await first.run(model, { allows: () => false })
  } finally {
    await first.close()
  }
  const asked = differentQuestions(first.records)
  const allowed = asked.slice(0, Math.ceil(limit / 5))
  const followed: Finding[] = []
  const queue = [...allowed]
  await Promise.all(
    Array.from({ length: Math.min(atOnce, queue.length) }, async () => {
      const copies = new Copies(browser, { address, usual: first.usual })
      try {
        for (let record = queue.shift(); record !== undefined; record = queue.shift()) {
          const calls = [...record.call.path, record.call].map((call) => portable(call, model.targets))
          followed.push(...misleadingQuestions(await copies.allow(calls, record), site))
        }
      } finally {
        followed.push(...(await copies.close()))
      }
    }),
  )
  const findings = [...unaskedEffects(first.records, site), ...privateValues(first.sent, first.secrets), ...followed]
  return {
    findings: withoutRepeats(findings),
    reached: places.filter((place) => model.reached.has(place)),
    unread: places.filter((place) => !model.reached.has(place)),
    calls: first.records.map(callReport),
    allowed: allowed.length,
    leftOut: model.leftOut + asked.length - allowed.length,
  }
}

function callReport({ call, questions, observed, result }: CallRecord): CallReport {
  const { about, tool, input } = call
  const seen = observed.map(({ kind, method, url }) => [kind, method, url].filter(Boolean).join(' '))
  return {
    about,
    tool,
    input,
    asked: questions.map(({ title }) => title),
    observed: seen,
    result: result.slice(0, 400),
  }
}

/** One question of each wording. */
function differentQuestions(records: readonly CallRecord[]): CallRecord[] {
  const seen = new Set<string>()
  return records.filter(({ questions }) => {
    const key = questions.map(({ text }) => text.replaceAll(/from=[^&\s]*/g, '')).join('\n')
    const isNew = questions.length > 0 && !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/** Copies of a page on which questions are allowed. One is used until it is not as the page was at first. */
class Copies {
  readonly #browser: Browser
  readonly #page: { readonly address: string; readonly usual: ReadonlySet<string> }
  readonly #findings: Finding[] = []
  #copy: AttackedPage | undefined

  constructor(browser: Browser, page: { address: string; usual: ReadonlySet<string> }) {
    this.#browser = browser
    this.#page = page
  }

  /** Makes the last call, after those that led to it, and allows its questions. `record`: how it went at first. */
  async allow(calls: readonly PlannedCall[], { questions }: CallRecord): Promise<CallRecord> {
    const isUsed = this.#copy !== undefined
    const made = await this.#make(calls)
    const isSame = made.questions[0]?.title === questions[0]?.title
    if (!isUsed || isSame) return made
    // What was allowed before has changed the page, or is not asked about again.
    await this.close()
    return this.#make(calls)
  }

  async #make(calls: readonly PlannedCall[]): Promise<CallRecord> {
    this.#copy ??= await AttackedPage.open(this.#browser, this.#page)
    const last = calls.at(-1)
    await this.#copy.run(scripted(calls), { allows: (call) => call === last })
    return this.#copy.records.findLast(({ call }) => call === last)!
  }

  /** Resolves with the private values that the assistant got. */
  async close(): Promise<readonly Finding[]> {
    const copy = this.#copy
    this.#copy = undefined
    if (copy === undefined) return this.#findings
    this.#findings.push(...privateValues(copy.sentToAssistant, copy.secrets))
    await copy.close()
    return this.#findings
  }
}

/** The same call with names in place of references, which differ between copies of a page. */
function portable(call: PlannedCall, targets: ReadonlyMap<string, string>): PlannedCall {
  const renamed = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return targets.get(value) ?? value
    if (Array.isArray(value)) return value.map(renamed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one as JsonValue)]))
  }
  return { ...call, input: renamed(call.input) as JsonObject }
}

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ kind, call, what }) => {
    const key = `${kind} ${what} ${kind === 'private-value' ? '' : call}`
    return !seen.has(key) && seen.add(key) !== undefined
  })
}
