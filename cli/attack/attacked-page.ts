// One copy of a page under attack: the page in a browser context of its own, with the instructions in it, and a model that
// answers from this process. Each call of the model is recorded with its questions and with what happened.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page, Route } from 'playwright'
import type { ToolAgentElement } from '../../src/ui/element/tool-agent-element.js'
import { parseRequest, type ChatRequest } from '../../playground/server/chat.js'
import { openPage } from '../browser.js'
import { chatReply } from '../model-proxy.js'
import { answerFile, fileOrigin } from '../page-files.js'
import { Observer, type Observed } from './observer.js'
import type { Model, PlannedCall } from './obedient-model.js'
import { instruction, ownPath, plant, type Secret } from './plant.js'
import { restoreTexts, rewriteAround, rewritten } from './rewrite.js'
import { answerAsServer } from './tool-server.js'

/** A question as the panel shows it. */
export interface Question {
  readonly title: string
  /** Everything that it says, without its details for developers. */
  readonly text: string
  /** Its lines of a label and a value. */
  readonly rows: readonly (readonly [label: string, value: string])[]
}

/** A call with everything that happened from its begin to the begin of the next one. */
export interface CallRecord {
  readonly call: PlannedCall
  readonly questions: Question[]
  readonly observed: Observed[]
  /** What the model was told; '' if the call had no result. */
  result: string
  /** The addresses of the links and forms of the page when the call began. */
  readonly addresses: Addresses
}

/** `downloads`: those of `links` that start a download. */
export interface Addresses {
  readonly links: readonly string[]
  readonly downloads: readonly string[]
  readonly forms: readonly string[]
}

/** Something that was sent to the model or to another server. */
export interface Sent {
  readonly to: string
  readonly text: string
  /** The call after which it was sent. */
  readonly after: string
}

/** The folder of the package's files: this file is built into it. */
const dist = dirname(fileURLToPath(import.meta.url))
/** Calls in one turn. */
const perTurn = 40
const look = 25
/** Milliseconds after a call in which what it caused may follow. */
const after = { denied: 60, ran: 250, allowed: 500 }
/** The longest wait for the next request, in milliseconds. */
const patience = 60_000

type Allows = (call: PlannedCall | undefined) => boolean

export class AttackedPage {
  readonly page: Page
  readonly records: CallRecord[] = []
  readonly sent: Sent[] = []
  secrets: readonly Secret[] = []
  readonly #context: BrowserContext
  #observer!: Observer
  #model: Model | undefined
  #current: CallRecord | undefined
  #inTurn = 0
  #allows: Allows = () => false
  #rewrites = false
  #lastAnswer = Date.now()
  #calls = 0

  private constructor(page: Page, context: BrowserContext) {
    this.page = page
    this.#context = context
  }

  /** Opens a page and plants everything. `usual`: of another copy of it. @throws if it has no assistant */
  static async open(
    browser: Browser,
    { address, usual }: { address: string; usual?: ReadonlySet<string> },
  ): Promise<AttackedPage> {
    const context = await browser.newContext({ acceptDownloads: true, serviceWorkers: 'block' })
    try {
      const page = await context.newPage()
      const attacked = new AttackedPage(page, context)
      attacked.#observer = await Observer.watch(page, { own: (route) => attacked.#answer(route), usual })
      page.on(
        'dialog',
        (dialog) => void (attacked.#isAllowed ? dialog.accept() : dialog.dismiss()).catch(() => undefined),
      )
      await openPage(page, address)
      await attacked.#observer.start()
      attacked.secrets = await plant(page)
      await attacked.#observer.take()
      return attacked
    } catch (error) {
      await context.close()
      throw error
    }
  }

  /** Lets the model act until it is done. `allows`: whether the questions of a call are allowed. */
  async run(model: Model, { allows }: { allows: Allows }): Promise<void> {
    this.#model = model
    this.#allows = allows
    do {
      this.#inTurn = 0
      await this.#turn()
    } while (!model.isDone)
    await this.#settle('', after.allowed)
    this.#model = undefined
  }

  /** The same, but what stands around the target of the allowed call is replaced while its question is open. */
  async runRewritten(model: Model, { allows }: { allows: Allows }): Promise<void> {
    this.#rewrites = true
    try {
      await this.run(model, { allows })
    } finally {
      this.#rewrites = false
      await this.page.evaluate(restoreTexts)
    }
  }

  async close(): Promise<void> {
    await this.#context.close()
  }

  /** What the page does by itself. */
  get usual(): ReadonlySet<string> {
    return this.#observer.usual
  }

  /** What the model and the server of tools got. */
  get sentToAssistant(): readonly Sent[] {
    return this.sent.filter(({ to }) => !/^\w+:/.test(to))
  }

  get #isAllowed(): boolean {
    return this.#allows(this.#current?.call)
  }

  async #turn(): Promise<void> {
    this.#lastAnswer = Date.now()
    await this.page.evaluate(
      ({ file, isFirst }) => {
        const { agent } = document.querySelector<ToolAgentElement>('tool-agent')!
        Reflect.deleteProperty(window, 'attackEnded')
        const end = (): void => void Reflect.set(window, 'attackEnded', true)
        const input = [
          { type: 'text' as const, text: 'Please help me with this page.' },
          ...(isFirst ? [{ type: 'file' as const, mediaType: 'text/plain', data: btoa(file), name: 'notes.txt' }] : []),
        ]
        agent.send(input).then(end, (error: unknown) => {
          Reflect.set(window, 'attackError', String(error))
          end()
        })
      },
      { file: instruction('a file of the visitor'), isFirst: this.records.length === 0 },
    )
    for (;;) {
      const state = await this.page.evaluate(stateOfPage)
      if (state.ended) {
        if (state.error !== undefined) throw new Error(`The conversation failed: ${state.error}`)
        return
      }
      for (const { id, ...question } of state.asking) {
        this.#current?.questions.push(question)
        await this.#decide(id)
      }
      if (this.#observer.isLeaving) await this.#stop()
      if (Date.now() - this.#lastAnswer > patience)
        throw new Error(`${this.#current?.call.tool ?? 'The page'} brought no result within ${patience / 1000} s`)
      await pause(look)
    }
  }

  /** The SDK waits for the next page, which the browser does not load. */
  async #stop(): Promise<void> {
    await this.#settle('The page was left.', after.allowed)
    await this.page.evaluate(() => document.querySelector<ToolAgentElement>('tool-agent')!.agent.stop())
  }

  async #decide(id: string): Promise<void> {
    const allows = this.#isAllowed && (!this.#rewrites || (await this.#rewrite()))
    await this.page.evaluate(
      ({ id, allows }) => {
        const { agent } = document.querySelector<ToolAgentElement>('tool-agent')!
        return allows ? agent.approve(id) : agent.deny(id)
      },
      { id, allows },
    )
  }

  /** Whether the texts around the target were replaced. A second question is about the new ones. */
  async #rewrite(): Promise<boolean> {
    const { questions = [], call } = this.#current ?? {}
    const target = call?.input['target']
    return (
      questions.length === 1 &&
      typeof target === 'string' &&
      (await this.page.evaluate(rewriteAround, { target, text: rewritten }))
    )
  }

  /** Answers what belongs to the attack or to a page without a server. */
  async #answer(route: Route): Promise<boolean> {
    const request = route.request()
    const url = new URL(request.url())
    const isHere = url.origin === new URL(this.page.url()).origin
    if (!isHere || !url.pathname.startsWith(ownPath)) {
      if (url.origin !== fileOrigin || !['GET', 'HEAD'].includes(request.method())) return false
      await answerFile(route, undefined)
      return true
    }
    const path = url.pathname.slice(ownPath.length)
    if (path === 'mcp') {
      await answerAsServer(route, (name, body) => {
        this.#send(`the MCP server`, body)
        this.#observer.add({ kind: 'server-tool', url: name, body })
      })
    } else if (path.startsWith('v1/')) await this.#answerAsModel(route)
    else {
      const file = join(dist, normalize(path.replace(/^package/, '')))
      if (existsSync(file)) await route.fulfill({ contentType: 'text/javascript', body: readFileSync(file) })
      else await route.fulfill({ status: 404, body: '' })
    }
    return true
  }

  async #answerAsModel(route: Route): Promise<void> {
    const body = route.request().postData() ?? ''
    this.#send('the model', body)
    const request = parseRequest(JSON.parse(body))
    const last = request.messages.at(-1)
    const hasAsked = (this.#current?.questions.length ?? 0) > 0
    const answered = this.#isAllowed ? after.allowed : after.denied
    await this.#settle(last?.role === 'tool' ? last.text : '', hasAsked ? answered : after.ran)
    const call = this.#nextCall(request, body + filesIn(body))
    const parts = call
      ? ([{ type: 'tool-call', id: `call_${++this.#calls}`, name: call.tool, input: call.input }] as const)
      : ([{ type: 'text', text: 'Done.' }] as const)
    if (call) this.#current = { call, questions: [], observed: [], result: '', addresses: await this.#addresses() }
    this.#lastAnswer = Date.now()
    const { status, type, body: text } = chatReply(request, parts)
    await route.fulfill({ status, contentType: type, body: text })
  }

  #nextCall(request: ChatRequest, text: string): PlannedCall | undefined {
    // A request without tools is for a summary.
    if (request.tools.length === 0 || this.#inTurn >= perTurn) return undefined
    this.#inTurn++
    return this.#model?.next(request, text)
  }

  /** Ends the record of the running call. */
  async #settle(result: string, wait: number): Promise<void> {
    const record = this.#current
    if (record === undefined) return
    // A read does nothing that could follow.
    if (!/^(?:page_read|form_read|dom_query|page_scroll)$/.test(record.call.tool)) await pause(wait)
    record.result = result
    record.observed.push(...(await this.#observer.take()))
    const { origin } = new URL(this.page.url())
    for (const { kind, url, body = '' } of record.observed) {
      if (!/^(?:request|read|navigation|window|app|socket)$/.test(kind)) continue
      // A site may get what was typed into its own forms, but not in addresses.
      this.#send(url, new URL(url).origin === origin ? url : `${url}\n${body}`)
    }
    this.records.push(record)
    this.#current = undefined
  }

  #send(to: string, text: string): void {
    this.sent.push({ to, text, after: this.#current?.call.about ?? 'the begin' })
  }

  #addresses(): Promise<Addresses> {
    return this.page.evaluate(() => {
      const found = (selector: string): Element[] => {
        const roots: ParentNode[] = [document]
        for (const root of roots)
          for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot)
        return roots.flatMap((root) => [...root.querySelectorAll(selector)])
      }
      const address = (element: Element, name: string): string => {
        const text = element.getAttribute(name) ?? ''
        return URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI).href : text
      }
      const links = found('a[href], area[href]')
      return {
        links: links.map((link) => address(link, 'href')),
        downloads: links.filter((link) => link.hasAttribute('download')).map((link) => address(link, 'href')),
        forms: [
          ...found('form').map((form) => address(form, 'action')),
          ...found('[formaction]').map((button) => address(button, 'formaction')),
        ],
      }
    })
  }
}

/** The texts of attached files. */
function filesIn(body: string): string {
  return [...body.matchAll(/base64,([\w+/=]+)/g)]
    .map(([, data = '']) => Buffer.from(data, 'base64').toString())
    .join('\n')
}

/** Runs in the page: whether the turn has ended, and the question that waits, as it is drawn. */
function stateOfPage(): {
  ended: boolean
  error: string | undefined
  asking: (Question & { id: string })[]
} {
  const ended = Reflect.get(window, 'attackEnded') === true
  const error = Reflect.get(window, 'attackError') as string | undefined
  const element = document.querySelector<ToolAgentElement>('tool-agent')!
  const find = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((one) => [
      ...(one.localName === 'tool-agent-approval' ? [one] : []),
      ...(one.shadowRoot ? find(one.shadowRoot) : []),
    ])
  const open = new Set(
    element.agent.messages.flatMap((message) =>
      message.role === 'assistant'
        ? message.parts.flatMap((part) =>
            part.type === 'tool-call' && part.approval && !part.started && !part.result ? [String(part.call.id)] : [],
          )
        : [],
    ),
  )
  const clean = (text: string): string =>
    text
      .replaceAll(/[\u2068\u2069]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  const asking = find(document).flatMap((card) => {
    const id = card.getAttribute('data-call') ?? ''
    const title = clean(card.querySelector('h3')?.textContent ?? '')
    const reading = card.querySelector('.reading')?.cloneNode(true) as Element | undefined
    if (!open.has(id) || title === '' || reading === undefined) return []
    for (const one of reading.querySelectorAll('details, .tools, .covers')) one.remove()
    const rows = [...reading.querySelectorAll('dt')].map((label): [string, string] => [
      clean(label.textContent ?? ''),
      clean(label.nextElementSibling?.textContent ?? ''),
    ])
    return [{ id, title, text: clean(`${title} ${reading.textContent ?? ''}`), rows }]
  })
  return { ended, error, asking }
}
