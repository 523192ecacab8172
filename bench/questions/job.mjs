// Runs one job as a visitor sees it: opens the panel with the mouse, asks, and answers each question with the mouse. What
// happened is observed from outside, by the servers and the browser.
import { setTimeout as pause } from 'node:timers/promises'
import { handsFor } from '../tasks/hands.mjs'
import { policyModel } from './model.mjs'
import { differsFromServer } from './shown.mjs'
import { startServers } from './server.mjs'

/** @typedef {import('./server.mjs').Effect} Effect */
/** @typedef {import('../tasks/hands.mjs').Hands} Hands */

/**
 * A change that the data of the server must have at the end, as `changesBetween` words it. `value`: of a field or a
 * setting, which is saved without a question. `says`: the words that a question must contain to name this deed, first the one that tells it from other deeds. `isLate`: the
 * page itself sends it seconds later, after a time in which it can be taken back.
 * @typedef {{ what: string, effect: 'value' | 'send' | 'destroy', says: string[], isLate?: boolean }} Expected
 */

/**
 * A job. `effects` is written before the run: every send, destroy and outside that must reach the network, such as
 * `send POST /api/messages`, and no other may. `local`: controls whose effect stays in the page, by what the policy says
 * to them. `changes`: of an application with a group, where the data of the server is the truth.
 * @typedef {object} Job
 * @property {string} name
 * @property {string} task what the user asks
 * @property {string[]} effects
 * @property {Record<string, Effect>} [local]
 * @property {Expected[]} [changes]
 * @property {string} [region] like that of the application; empty if the job ends in another view
 * @property {(hands: Hands) => Promise<void>} policy
 * @property {(end: { data: any, page: import('playwright').Page, servers: import('./server.mjs').Servers }) => unknown} [done]
 * @property {string} [path] default: `/`
 */

/**
 * Photographs of all questions, in a window of this width. `story`: also after each call that acts, and of the end.
 * @typedef {{ folder: string, width: number, dark: boolean, story?: boolean }} Shots
 */

/** What happened, observed from outside. @typedef {{ at: number, effect: Effect, what: string, expected?: Expected }} Observed */

/**
 * A question that the panel showed. `effect`: the class that the session gives, or `n/a`. `text`: all that it shows.
 * @typedef {{ call: string, effect: string, title: string, text: string, shownAt: number, answeredAt: number,
 *   answer: Answer }} Question
 */

/** What the visitor presses. @typedef {'allow' | 'task' | 'deny'} Answer */

/**
 * How the visitor decides: allows everything, allows for the task where it is offered, or denies each question that is
 * about a deed and allows the others.
 * @typedef {'allow' | 'task' | 'deny'} Visitor
 */

/** The visitor denied the call, so the policy ends, as a model must. */
class Denied extends Error {}

/**
 * @typedef {object} Run
 * @property {string} name
 * @property {string[]} effects the expected ones
 * @property {Record<string, Effect>} local
 * @property {import('./model.mjs').Call[]} calls
 * @property {Question[]} questions
 * @property {Observed[]} observed
 * @property {boolean} ended whether the state of the server or page is right, and no effect is missing or too many
 * @property {string} [problem]
 * @property {import('./server.mjs').Group} group
 * @property {Visitor} visitor
 * @property {Expected[]} [changes] the expected ones
 * @property {string[]} handlers what the page says each time that one of its handlers for a deed runs
 * @property {{ shown: string, held: string }} [differs] what the page shows at the end, if its server holds something else
 */

const grave = new Set(['send', 'destroy', 'outside'])
/** Whether the user must be asked about it. @param {{ effect: string }} one */
export const isGrave = ({ effect }) => grave.has(effect)

/** Methods of the hands whose first argument names what they act on. */
const named = /** @type {const} */ (['click', 'press', 'fill', 'tryFill', 'choose', 'submit'])

/** @param {import('./server.mjs').Received} request */
const textOf = ({ method, path, operation }) => [method, path, operation].filter(Boolean).join(' ')

/**
 * The world that a policy acts in, as only a verifier may see it.
 * @typedef {{ hands: Hands, data: any, page: import('playwright').Page, servers: import('./server.mjs').Servers }} World
 */

/**
 * The product that a policy plays with. `begin` starts it in the page that was opened, and resolves with what ends it.
 * @typedef {object} Player
 * @property {Hands} hands
 * @property {import('./server.mjs').Model} model
 * @property {string} [attributes] of the element; without them, the page has none
 * @property {(page: import('playwright').Page) => Promise<unknown>} [prepare]
 * @property {(page: import('playwright').Page) => Promise<() => Promise<unknown>>} begin
 * @property {() => void} [leave] the page went to another site, where nothing can bring the result of the last call
 */

/**
 * Plays a policy with the panel. See `play`.
 * @param {import('playwright').Browser} browser
 * @param {Omit<Parameters<typeof play>[1], 'player'> & { name: string, task: string, attributes?: string,
 *   decide?: (question: { effect: string, text: string }) => Answer }} options
 */
export async function playInPanel(browser, { attributes = '', decide = () => 'allow', ...options }) {
  const { app, name, task, shots } = options
  const model = policyModel()
  /** @type {Question[]} */
  const questions = []
  /** @type {import('playwright').Page | undefined} */
  let shown
  let count = 0
  const photograph = async () => {
    if (shots === undefined || shown === undefined) return
    const file = `${name.replaceAll('/', '-')}-${++count}-${shots.width}${shots.dark ? '-dark' : ''}.png`
    await shown.screenshot({ path: `${shots.folder}${app ? `${app.name}-` : ''}${file}` })
  }
  const tellStory = async () => {
    // The page may be navigating.
    if (shots?.story) await photograph().catch(() => undefined)
  }
  /** @type {Player} */
  const player = {
    model,
    attributes,
    hands: withIntents(model, tellStory),
    leave: () => model.leave(),
    /** Opens the panel with the mouse, sends the message of the user, and answers questions. */
    async begin(page) {
      shown = page
      await say(page, task)
      const stop = new AbortController()
      const pointer = answerQuestions(page, { questions, decide, photograph, signal: stop.signal })
      return async () => {
        model.finish('Done.')
        // Requests of the last action may still be on their way.
        await pause(500)
        await tellStory()
        stop.abort()
        await pointer
      }
    },
  }
  const played = await play(browser, { ...options, player })
  return { ...played, calls: model.calls, requests: model.requests(), questions }
}

/**
 * Opens a fresh page and lets a policy play with a product in it. `isRight` is asked for two seconds after the policy has
 * ended.
 * @param {import('playwright').Browser} browser
 * @param {{ app?: import('./server.mjs').App, path?: string, dist: string, shots?: Shots, player: Player,
 *   policy: (world: World) => Promise<unknown>, isRight: (world: World) => unknown,
 *   prepare?: (context: import('playwright').BrowserContext) => Promise<unknown>,
 *   look?: (world: World) => Promise<void> }} options `look`: called at the end, while the page is still there
 */
export async function play(browser, options) {
  const { app, path = '/', dist, shots, player } = options
  const { model, attributes } = player
  const servers = await startServers({
    ...(app ? { app } : {}),
    ...(attributes === undefined ? {} : { attributes }),
    dist,
    model,
  })
  const viewport = { width: shots?.width ?? 1280, height: 800 }
  const context = await browser.newContext({
    viewport,
    acceptDownloads: true,
    ...(shots?.dark ? { colorScheme: 'dark' } : {}),
  })
  /** @type {Observed[]} */
  const seen = []
  let problem = ''
  let isRight = false
  try {
    await options.prepare?.(context)
    const page = await context.newPage()
    await watch({ context, page, servers, seen })
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && frame.url().startsWith(servers.otherUrl)) player.leave?.()
    })
    await player.prepare?.(page)
    await page.goto(servers.url + path)
    const end = await player.begin(page)
    const world = { hands: player.hands, data: servers.data, page, servers }
    try {
      await options.policy(world)
    } catch (thrown) {
      if (!(thrown instanceof Denied)) problem = /** @type {Error} */ (thrown).message
    }
    await end()
    isRight = await becomesTrue(async () => options.isRight(world))
    await options.look?.(world)
  } catch (thrown) {
    problem ||= /** @type {Error} */ (thrown).message
  } finally {
    await context.close()
    await servers.close()
  }
  const observed = [
    ...seen,
    ...servers.log.map((one) => ({ at: one.at, effect: effectOf(app, one), what: textOf(one) })),
    ...servers.elsewhere.map((one) => ({ at: one.at, effect: outside, what: `other site ${textOf(one)}` })),
    ...servers.changes.map(({ at, what }) => ({ at, effect: /** @type {const} */ ('send'), what })),
  ].toSorted((one, other) => one.at - other.at)
  return { observed, isRight, problem, changed: servers.changed() }
}

/**
 * @param {import('playwright').Browser} browser
 * @param {{ app?: import('./server.mjs').App, job: Job, dist: string, attributes?: string, visitor?: Visitor,
 *   shots?: Shots }} options
 * @returns {Promise<Run>}
 */
export async function runJob(browser, { job, visitor = 'allow', ...options }) {
  const { name, task, path, changes } = job
  const { group = 'plain' } = options.app ?? {}
  const { region = options.app?.region } = job
  /** @type {string[]} */
  const handlers = []
  /** @type {Run['differs']} */
  let differs
  const played = await playInPanel(browser, {
    ...options,
    name,
    task,
    ...(path === undefined ? {} : { path }),
    decide: (question) => (visitor === 'deny' ? denied(question, changes) : visitor),
    policy: ({ hands }) => job.policy(hands),
    isRight: (world) => (changes ? isAsWanted(world.servers.changed(), changes, visitor) : (job.done?.(world) ?? true)),
    prepare: async (context) => {
      // Pages of a group tell each run of a handler.
      if (changes) await context.exposeFunction('ran', (/** @type {string} */ what) => void handlers.push(what))
    },
    look: async ({ page, servers }) => {
      if (region) differs = await differsFromServer({ page, region, url: servers.url + (path ?? '/') })
    },
  })
  const { calls, questions } = played
  const observed = played.observed.map((one) => withExpected(one, changes ?? []))
  const isRight = played.problem === '' && played.isRight
  let { problem } = played
  const happened = observed.filter((one) => isGrave(one) && !changed.test(one.what))
  const words = happened.map(({ effect, what }) => `${effect} ${what}`)
  const ended = isRight && words.toSorted().join() === job.effects.toSorted().join()
  if (isRight && !ended) problem = `expected effects: ${job.effects.join()}; observed: ${words.join()}`
  if (!isRight && problem === '')
    problem = changes ? `the server has: ${played.changed.join('; ')}` : 'the end state is not right'
  const run = {
    name,
    effects: job.effects,
    local: job.local ?? {},
    calls,
    questions,
    observed,
    ended,
    group,
    visitor,
    ...(changes ? { changes } : {}),
    handlers,
    ...(differs ? { differs } : {}),
  }
  return problem === '' ? run : { ...run, problem }
}

/** What `changesBetween` says, which no request is called. */
const changed = /^(?:add|remove|set) /

/**
 * Whoever denies deeds allows what is only opened or shown. They know a deed by its first word.
 * @param {{ effect: string, text: string }} question @param {Expected[]} [changes] @returns {Answer}
 */
const denied = (question, changes = []) =>
  isGrave(question) ||
  changes.some(({ effect, says }) => effect !== 'value' && isNamed(question, { says: says.slice(0, 1) }))
    ? 'deny'
    : 'allow'

/** @param {string[]} now @param {Expected[]} changes @param {Visitor} visitor */
function isAsWanted(now, changes, visitor) {
  // A policy ends at the first denial, so fields may be saved or not. What comes too late for a question cannot be denied.
  if (visitor === 'deny')
    return now.map((what) => expectedOf(what, changes)).every((one) => one?.effect === 'value' || one?.isLate)
  return (
    now.toSorted().join() ===
    changes
      .map(({ what }) => what)
      .toSorted()
      .join()
  )
}

/** Whether a question names a deed. @param {{ text: string }} question @param {Pick<Expected, 'says'>} expected */
export const isNamed = ({ text }, { says }) => says.every((word) => text.toLowerCase().includes(word.toLowerCase()))

/** The expected change of which this is one, or a step on the way to it. @param {string} what @param {Expected[]} changes */
function expectedOf(what, changes) {
  const path = (/** @type {string} */ text) => text.replace(/ = .*/, '')
  return (
    changes.find((one) => one.what === what) ??
    changes.find((one) => one.effect === 'value' && path(one.what) === path(what))
  )
}

/** @param {Observed} one @param {Expected[]} changes @returns {Observed} */
function withExpected(one, changes) {
  const expected = changed.test(one.what) ? expectedOf(one.what, changes) : undefined
  return expected ? { ...one, effect: expected.effect, expected } : one
}

const outside = /** @type {const} */ ('outside')

/** @param {import('./server.mjs').App | undefined} app @param {import('./server.mjs').Received} request @returns {Effect} */
function effectOf(app, request) {
  if (app?.group) return 'view'
  if (app?.effectOf) return app.effectOf(request)
  return request.method === 'GET' ? 'view' : 'send'
}

/**
 * The hands of a policy, whose calls say what they act on. `acted` is called after each call that is more than reading.
 * @param {import('./model.mjs').PolicyModel} model @param {() => Promise<void>} acted @returns {Hands}
 */
function withIntents(model, acted) {
  let intent = ''
  const hands = handsFor(async (tool, input = {}) => {
    const answer = await model.call(tool, input, intent)
    if (!tool.endsWith('_read')) await acted()
    if (answer.startsWith('Error (denied)')) throw new Denied(answer)
    return answer
  })
  const wrapped = named.map((method) => {
    const own = /** @type {(...args: any[]) => Promise<any>} */ (hands[method])
    /** @param {unknown[]} args */
    const act = async (...args) => {
      const [first = ''] = args
      intent = `${method} ${typeof first === 'object' ? Object.keys(first ?? {}).join() : String(first)}`.trim()
      try {
        return await own(...args)
      } finally {
        intent = ''
      }
    }
    return [method, act]
  })
  return { ...hands, ...Object.fromEntries(wrapped) }
}

/**
 * Observes what no server sees: downloads and addresses that another program opens.
 * @param {{ context: import('playwright').BrowserContext, page: import('playwright').Page, seen: Observed[], servers: import('./server.mjs').Servers }} world
 */
async function watch({ context, page, seen, servers }) {
  // Nothing but the two servers of the job may be reached.
  await context.route(
    (url) => url.protocol.startsWith('http') && ![servers.url, servers.otherUrl].includes(url.origin),
    (route) => {
      seen.push({
        at: Date.now(),
        effect: outside,
        what: `other site ${route.request().method()} ${route.request().url()}`,
      })
      return route.abort()
    },
  )
  // A person keeps the text that a question of the browser suggests.
  page.on('dialog', (dialog) => void dialog.accept(dialog.defaultValue()).catch(() => undefined))
  context.on('page', (opened) => void seen.push({ at: Date.now(), effect: 'view', what: `window ${opened.url()}` }))
  page.on('download', (download) => {
    seen.push({ at: Date.now(), effect: outside, what: `download ${download.suggestedFilename()}` })
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Page.enable')
  devtools.on('Page.frameRequestedNavigation', ({ url }) => {
    if (!/^(?:https?|about|blob|data|javascript):/.test(url))
      seen.push({ at: Date.now(), effect: outside, what: `address ${url.replace(/[?].*/, '')}` })
  })
}

/** Presses the middle of an element with the mouse. @param {import('playwright').Page} page @param {import('playwright').Locator} target */
async function press(page, target) {
  const box = await target.boundingBox({ timeout: 5_000 })
  if (box === null) throw new Error('The element is not visible')
  await page.mouse.move(box.x + box.width / 2 - 2, box.y + box.height / 2)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** Opens the panel, types the message and sends it. @param {import('playwright').Page} page @param {string} text */
async function say(page, text) {
  const launcher = page.locator('tool-agent .launcher')
  await launcher.waitFor()
  await press(page, launcher)
  const field = page.locator('tool-agent textarea')
  await field.waitFor()
  await press(page, field)
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/**
 * Answers each question after its reading time, until the signal ends. A question that has to be read to its end is
 * scrolled with the wheel.
 * @param {import('playwright').Page} page
 * @param {{ questions: Question[], decide: (question: { effect: string, text: string }) => Answer,
 *   photograph: () => Promise<void>, signal: AbortSignal }} options
 */
async function answerQuestions(page, { questions, decide, photograph, signal }) {
  const card = page.locator('tool-agent-approval').first()
  let shown = { key: '', at: 0 }
  while (!signal.aborted) {
    // The page may be navigating.
    const open = await page.evaluate(pendingQuestion).catch(() => undefined)
    if (open === undefined) {
      await pause(60)
      continue
    }
    if (shown.key !== open.key) {
      shown = { key: open.key, at: Date.now() }
      await photograph()
    }
    if (!open.isReady) {
      // The beginning has to be read first.
      if (open.scrolls && Date.now() - shown.at > 1_200) await scrollToEnd(page, card).catch(() => undefined)
      await pause(60)
      continue
    }
    const task = card.locator('.approve-task')
    const wanted = decide(open)
    const isOffered = wanted === 'task' && (await task.isVisible().catch(() => false))
    const answer = wanted === 'task' && !isOffered ? 'allow' : wanted
    const answeredAt = Date.now()
    try {
      await press(page, { allow: card.locator('.approve'), deny: card.locator('.deny'), task }[answer])
    } catch {
      continue
    }
    const last = questions.at(-1)
    const isSame = last !== undefined && `${last.call} ${last.shownAt}` === `${open.call} ${shown.at}`
    // A press that did not count is made again.
    if (!isSame)
      questions.push({
        call: open.call,
        effect: open.effect,
        title: open.title,
        text: open.text,
        shownAt: shown.at,
        answeredAt,
        answer,
      })
    await pause(80)
  }
}

/** @param {import('playwright').Page} page @param {import('playwright').Locator} card */
async function scrollToEnd(page, card) {
  const box = await card.locator('.reading').boundingBox({ timeout: 500 })
  if (box === null) return
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.wheel(0, 400)
}

/** Runs in the page: the question that waits for an answer. */
function pendingQuestion() {
  const element = /** @type {any} */ (document.querySelector('tool-agent'))
  /** @param {ParentNode} root @returns {Element | undefined} */
  const find = (root) => {
    for (const one of root.querySelectorAll('*')) {
      if (one.localName === 'tool-agent-approval') return one
      const inner = one.shadowRoot && find(one.shadowRoot)
      if (inner) return inner
    }
    return undefined
  }
  const card = element?.shadowRoot && find(element.shadowRoot)
  const call = card?.getAttribute('data-call')
  const approve = card?.querySelector('.approve')
  if (!call || !approve || approve.disabled) return undefined
  const parts = (element.agent.session?.messages ?? []).flatMap((/** @type {any} */ message) => message.parts)
  const { approval } = parts.findLast((/** @type {any} */ part) => part.call?.id === call) ?? {}
  const reading = card.querySelector('.reading')
  return {
    call,
    key: `${call} ${approval?.at}`,
    effect: String(approval?.preview?.effect ?? 'n/a'),
    title: String(card.querySelector('h3')?.textContent ?? '').trim(),
    text: `${card.querySelector('.ask')?.innerText ?? ''}\n${reading?.innerText ?? ''}`,
    isReady: card.querySelector('.decision[data-ready]') !== null,
    scrolls: reading !== null && reading.scrollHeight > reading.clientHeight + 1,
  }
}

/** Whether something is true within two seconds. @param {() => Promise<unknown>} check */
async function becomesTrue(check) {
  for (let tries = 0; tries < 20; tries++) {
    // The page may be navigating.
    if (await check().catch(() => false)) return true
    await pause(100)
  }
  return false
}
