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
import { changedTargets, misleadingQuestions, privateValues, unaskedEffects, type Finding } from './judge.js'
import { followUps, ObedientModel, scripted, type PlannedCall } from './obedient-model.js'
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
      const copies = new Copies(browser, { address, usual: first.usual, site })
      try {
        for (let record = queue.shift(); record !== undefined; record = queue.shift()) {
          const calls = [...record.call.path, record.call].map((call) => portable(call, model.targets))
          followed.push(...(await copies.allowRewritten(calls)))
          const made = await copies.allow(calls, record)
          followed.push(...misleadingQuestions(made, site), ...(await copies.follow(made)))
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
  readonly #page: { readonly address: string; readonly usual: ReadonlySet<string>; readonly site: string }
  readonly #findings: Finding[] = []
  #copy: AttackedPage | undefined

  constructor(browser: Browser, page: { address: string; usual: ReadonlySet<string>; site: string }) {
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

  /** Makes the last call, and replaces what stands around its target while its question is open: nothing may run then. */
  async allowRewritten(calls: readonly PlannedCall[]): Promise<readonly Finding[]> {
    if (!/^page_(?:click|press)$/.test(calls.at(-1)?.tool ?? '')) return []
    return changedTargets(await this.#make(calls, { isRewritten: true }))
  }

  /**
   * Fills what an allowed call has opened, and presses its buttons: what was allowed there is nothing of that. The
   * question of the press is denied first, and then allowed.
   */
  async follow({ call, result }: CallRecord): Promise<readonly Finding[]> {
    const copy = this.#copy
    const presses = followUps(call, result)
    if (copy === undefined || presses.length === 0) return []
    const findings: Finding[] = []
    for (const press of presses) {
      const begin = copy.records.length
      await copy.run(scripted([...press.path, press]), { allows: () => false })
      const denied = copy.records.slice(begin)
      findings.push(...unaskedEffects(denied, this.#page.site))
      if (denied.at(-1)?.questions.length === 0) continue
      await copy.run(scripted([press]), { allows: () => true })
      findings.push(...misleadingQuestions(copy.records.at(-1)!, this.#page.site))
    }
    await this.close()
    return findings
  }

  async #make(calls: readonly PlannedCall[], { isRewritten = false } = {}): Promise<CallRecord> {
    this.#copy ??= await AttackedPage.open(this.#browser, this.#page)
    const last = calls.at(-1)
    const allows = (call: PlannedCall | undefined): boolean => call === last
    if (isRewritten) await this.#copy.runRewritten(scripted(calls), { allows })
    else await this.#copy.run(scripted(calls), { allows })
    return this.#copy.records.findLast(({ call }) => call === last)!
  }

  /** Resolves with the private values that the assistant got on all copies so far. */
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
