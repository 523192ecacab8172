// Shows on the page what an open question is about, and makes room for it. A controller of the panel, from the first
// conversation on. The page tools draw (`page-tools/stage/`); what they need to know comes from here.
import type { ReactiveController } from 'lit'
import { internals } from '../../core/data/tool.js'
import type { RegisteredTool } from '../../page/agent.js'
import type { PageStage, Release, StagedTarget, StageLevel } from '../../page/tools/shown-on-page.js'
import type { ApprovalCard } from '../approval/approval-card.js'
import type { Words } from '../i18n/en.js'
import { withoutFocusEvents } from '../isolation/isolation.js'
import type { PanelHost } from '../panel/render-context.js'
import { fitAtOnce } from '../layout/fit-height.js'
import { fillsWindow } from '../layout/modal-panel.js'
import { focusedElement } from '../panel/page-focus.js'
import { keepInSight, lower, makeRoom, placeOf, setPlace } from './panel-place.js'
import { barTexts, callOnPage, SheetBar } from './sheet-bar.js'

/** What the layer takes over from the panel: values of custom properties. */
export function layerProperties(element: HTMLElement): ReadonlyMap<string, string> {
  const style = getComputedStyle(element)
  const names = ['--_accent', '--_warn', '--_bad', '--tool-agent-font']
  return new Map(names.map((name) => [name, style.getPropertyValue(name)]))
}

/** The question that is shown on the page. */
interface Shown {
  /** Identifies the request: a repeated one is another question. */
  readonly request: string
  /** Undefined for a question that is about nothing of the page. */
  readonly target?: StagedTarget
  readonly release: Release
}

/** What the controller needs of its panel. */
export interface StageHost {
  readonly host: PanelHost
  words(): Words
  tools(): Iterable<RegisteredTool>
  /** The title of a tool in the panel's language. */
  titleOf(name: string): string
}

/** The controller. The panel calls `hostUpdated` after each update. */
export class StageController implements ReactiveController {
  readonly #panel: StageHost
  #stage: PageStage | undefined
  #loading: Promise<PageStage | undefined> | undefined
  #shown: Shown | undefined
  /** The turn that runs. */
  #turn: string | undefined
  /** A question of this turn has moved the panel to the other side. */
  #isAside = false
  readonly #bar = new SheetBar()
  /** The request that is being shown, while what it needs is not known. */
  #pending: string | undefined

  constructor(panel: StageHost) {
    this.#panel = panel
  }

  /** The panel was put into a document. */
  hostConnected(): void {
    addEventListener('resize', this.#again)
    this.#section?.addEventListener('fit', this.#onFit)
  }

  /** The panel was removed. */
  hostDisconnected(): void {
    removeEventListener('resize', this.#again)
    this.#section?.removeEventListener('fit', this.#onFit)
    this.#hide()
    this.#stage = this.#loading = undefined
  }

  /** The panel was drawn. */
  hostUpdated(): void {
    const { element } = this.#panel.host
    const card = this.#card
    const isOpen = element.layout === 'inline' || element.open
    const request = card === null || !isOpen ? undefined : `${card.item.call.id} ${card.item.approval?.at}`
    if (request === undefined) this.#showBar()
    if (request === (this.#pending ?? this.#shown?.request)) return
    this.#hide()
    if (card === null || request === undefined) return this.#restore()
    this.#pending = request
    void this.#show(card, request)
  }

  get #root(): ShadowRoot | null {
    return this.#panel.host.element.shadowRoot
  }

  get #section(): HTMLElement | null {
    return this.#root?.querySelector<HTMLElement>('.panel') ?? null
  }

  /** The questions. Each update asks, also those of an answer, so the conversation is not looked through. */
  get #questions(): HTMLElement | undefined {
    const children = [...(this.#section?.children ?? [])] as HTMLElement[]
    return children.find(({ localName }) => localName === 'tool-agent-questions')
  }

  /** The question that is open. */
  get #card(): ApprovalCard | null {
    return this.#questions?.querySelector('.approvals:not([hidden]) > tool-agent-approval') ?? null
  }

  /** The layer of the page tools; undefined without page tools. */
  #load(): Promise<PageStage | undefined> {
    if (this.#loading) return this.#loading
    const load = [...this.#panel.tools()].map(({ tool }) => tool[internals]?.stage).find((one) => one !== undefined)
    this.#loading = load?.().then(
      (stage) => {
        this.#stage = stage
        this.#configure()
        return stage
      },
      // What cannot be loaded is told by the call. The next question tries again.
      () => (this.#loading = undefined),
    )
    return this.#loading ?? Promise.resolve(undefined)
  }

  #configure(): void {
    const { element } = this.#panel.host
    this.#stage?.configure({
      mode: element.stage ?? 'auto',
      filling: this.#panel.words().stage.filling,
      properties: layerProperties(element),
      raised: () => this.#keepOnTop(),
    })
  }

  async #show(card: ApprovalCard, request: string): Promise<void> {
    const stage = await this.#load()
    // The level depends on the tool.
    await card.known
    await card.updateComplete
    const target = stage?.target(card.item.call.id)
    if (this.#pending !== request) return
    if (target !== undefined) {
      // Its button makes the question higher.
      card.untilPressed = (signal) => target.pressed(signal)
      card.requestUpdate()
      await card.updateComplete
      if (this.#pending !== request) return
    }
    this.#pending = undefined
    const level = (card.querySelector<HTMLElement>('.approval')?.dataset['level'] ?? 'consequences') as StageLevel
    if (target === undefined) {
      this.#shown = { request, release: () => {} }
      return this.#restore()
    }
    this.#configure()
    this.#makeRoom(target)
    const { layout } = this.#panel.host.element
    const { wants } = this.#panel.words().stage
    const release = target.show({
      level,
      label: wants[card.item.approval?.preview?.does ?? 'click'],
      // A panel in the page would be dimmed, too.
      dims: layout !== 'inline',
    })
    this.#shown = { request, target, release }
    card.checkReading()
  }

  #makeRoom(target: StagedTarget): void {
    const section = this.#section
    const question = this.#root?.querySelector<HTMLElement>('.approvals') ?? null
    if (section === null) return
    question?.toggleAttribute('data-asks', true)
    if (this.#panel.host.element.layout !== 'inline' || question?.matches(':modal')) {
      // Its question may need a higher panel than what was there before.
      fitAtOnce(section)
      const before = placeOf(section)
      if (makeRoom(section, target, question) === 'aside' && before !== 'aside') this.#isAside = true
      // What had the focus may be hidden now.
      const focused = this.#root?.activeElement
      if (focused && focused.getClientRects().length === 0) question?.querySelector<HTMLElement>('.approval')?.focus()
    } else if (this.#questions) keepInSight(this.#questions, target)
  }

  /** The layer has come above a dialog of the page, and the question must be above the layer. */
  #keepOnTop(): void {
    const dialog = this.#root?.querySelector<HTMLDialogElement>('.approvals:modal')
    if (!dialog) return
    const focused = this.#root?.activeElement
    withoutFocusEvents(() => {
      dialog.close()
      dialog.showModal()
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    })
  }

  /** The window has another size, or the question has moved above a dialog of the page. */
  readonly #again = (): void => {
    if (this.#shown?.target) this.#makeRoom(this.#shown.target)
    else if (this.#section && !fillsWindow()) this.#restore()
  }

  /** The panel has become higher, for more of the question. */
  readonly #onFit = (): void => {
    if (this.#shown?.target) this.#makeRoom(this.#shown.target)
  }

  #hide(): void {
    if (this.#card) this.#card.untilPressed = undefined
    this.#card?.parentElement?.removeAttribute('data-asks')
    if (this.#questions) lower(this.#questions)
    this.#shown?.release()
    this.#shown = this.#pending = undefined
  }

  /** On a phone the panel is a line while tools change the page, until the answer starts. */
  #showBar(): void {
    const { element } = this.#panel.host
    const agent = this.#panel.host.agent()
    const section = this.#section
    if (!section || !agent?.session) return
    const call = agent.status === 'running' ? callOnPage(agent.session) : undefined
    // Before the first call: the label of a field that is being filled comes from here. Once for each turn.
    const turn = agent.status === 'running' ? agent.session.turn?.id : undefined
    if (turn !== this.#turn && turn !== undefined && this.#stage === undefined) void this.#load()
    // Then the visitor looks at what was changed: the panel stands where it did not cover it.
    if (turn === undefined && this.#isAside) {
      this.#isAside = false
      if (placeOf(section) === 'aside') setPlace(section, 'own')
    }
    this.#turn = turn
    const isBar = placeOf(section) === 'bar'
    // In another tab its tools run elsewhere.
    const isHere = agent.role !== 'mirror' && this.#stage !== undefined
    if (call !== undefined && isHere && element.layout !== 'inline' && element.open && fillsWindow()) {
      if (!this.#bar.node.isConnected) section.appendChild(this.#bar.node)
      this.#bar.show(
        barTexts(call, agent, this.#panel.words(), this.#panel.titleOf(call.call.name)),
        this.#panel.words(),
      )
      if (isBar) return
      setPlace(section, 'bar')
      if (section.contains(this.#root?.activeElement ?? null) || focusedElement() === undefined) this.#bar.focus()
      return
    }
    if (isBar) this.#endBar(section)
  }

  /** The panel is as high as before. A keyboard of the screen does not come up by itself. */
  #endBar(section: HTMLElement): void {
    const hadFocus = this.#bar.node.contains(this.#root?.activeElement ?? null)
    setPlace(section, 'own')
    if (hadFocus && !matchMedia('(pointer: coarse)').matches)
      section.querySelector<HTMLElement>('.grow textarea')?.focus({ preventScroll: true })
  }

  /** The panel has its own height again. It stays at its side until the turn ends, for the next question. */
  #restore(): void {
    const section = this.#section
    if (section && placeOf(section) !== 'aside' && placeOf(section) !== 'bar') setPlace(section, 'own')
  }
}
