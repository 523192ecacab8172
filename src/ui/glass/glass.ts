// What the line below the field opens to: what the assistant sees, fills, presses and sends, with what the visitor has
// allowed; what it reads, shown on the page; and the newest request as text. Loaded when it is first opened. To say
// another thing, add a row in rights.ts.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { errorMessage } from '../../core/data/errors.js'
import { internals } from '../../core/data/tool.js'
import { logWarning } from '../../page/log.js'
import type { GlassLook, PageGlass, GlassShown } from '../../page/tools/shown-on-page.js'
import { glassWords, type GlassWords } from '../i18n/glass.js'
import type { Words } from '../i18n/en.js'
import { textsOf } from '../message/message-texts.js'
import { toolTitle } from '../message/call-title.js'
import { toSingleLine, toVisibleText } from '../message/values/shown-text.js'
import { ActionEvent, actionListener } from '../panel/actions.js'
import { iconButton } from '../panel/icon-button.js'
import { grantTexts } from '../panel/notice-view.js'
import { adoptStyles, definePart, PanelPart, reactiveProperties, type PanelHost } from '../panel/render-context.js'
import { hasMessages, type PanelState } from '../panel/panel-view.js'
import { glassStyles } from '../styles/glass.js'
import { icon } from '../styles/icons.js'
import { lastRequest, type RequestText } from './request-text.js'
import { rightsNow } from './rights.js'
import { fillsWindow } from '../layout/modal-panel.js'
import { layerProperties } from '../stage/stage-controller.js'
import { placeOf, setPlace } from '../stage/panel-place.js'

/** The texts in the panel's language, with those that the page replaces. */
function glassTexts({ glass }: Words): GlassWords {
  const { asks, onPage } = glassWords
  return { ...glassWords, ...glass, asks: { ...asks, ...glass?.asks }, onPage: { ...onPage, ...glass?.onPage } }
}

/** `<tool-agent-glass>`. */
export class Glass extends PanelPart {
  /** Set by the template of the panel, and what is open. */
  static override properties: PropertyDeclarations = reactiveProperties(
    'state',
    'host',
    'look',
    'hasFailed',
    'showing',
    'request',
  )
  declare state: PanelState
  declare host: PanelHost
  /** Is told how many private fields the page has. */
  setHidden: (count: number) => void = () => {}
  /** What a reading has found. */
  declare look: GlassLook | undefined
  /** What reads the page cannot be loaded, or the page cannot be read. */
  declare hasFailed: boolean
  declare showing: Showing | undefined
  /** The newest request, while it is open: as it was when it was opened. */
  declare request: RequestText | undefined
  #page: PageGlass | undefined

  constructor() {
    super()
    this.hasFailed = false
  }

  /** Called by the browser. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.showing?.end()
  }

  /** Nothing stays on the page of a panel that was closed, nor a request of another conversation in the panel. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const { element } = this.host
    if (element.layout !== 'inline' && !element.open) this.showing?.end()
    const before = changed.get('state')
    if (before && before.session?.id !== this.state.session?.id) this.request = undefined
  }

  /** Takes the focus, and reads the page when that is drawn. */
  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('.glass')?.focus()
    const load = this.#loader
    if (load === undefined) return
    setTimeout(() => {
      this.#read(load).catch((thrown: unknown) => {
        logWarning(`The page cannot be read for its visitor: ${errorMessage(thrown)}`)
        this.hasFailed = true
      })
    })
  }

  async #read(load: () => Promise<PageGlass>): Promise<void> {
    this.#page = await load()
    if (this.isConnected) this.#setLook(this.#page.look())
  }

  get #loader(): (() => Promise<PageGlass>) | undefined {
    return this.host.element.tools.map(({ tool }) => tool[internals]?.glass).find((one) => one !== undefined)
  }

  #setLook(look: GlassLook): void {
    this.look = look
    this.setHidden(look.hidden.length)
  }

  /** What a button has added is in view, and a request from its newest message on. */
  protected override updated(changed: PropertyValues<this>): void {
    const text = this.querySelector<HTMLElement>('.request')
    const newest = text?.querySelector<HTMLElement>('.newest')
    if (changed.has('request') && text && newest) text.scrollTop = newest.offsetTop
    const box = this.querySelector<HTMLElement>('.glass')
    const isAdded = (changed.has('request') && this.request) || (changed.has('showing') && this.showing)
    if (box && isAdded) box.scrollTop = box.scrollHeight
  }

  /** Draws rows, grants, buttons, and the bar of a phone. */
  protected override render(): TemplateResult {
    const { state, showing } = this
    const { words } = state.renderState
    const texts = glassTexts(words)
    return html`<section class="glass" part="glass" role="group" aria-label=${texts.title} tabindex="-1"
        @keydown=${this.#onKeydown}>
      <div class="top"><h3>${texts.title}</h3>${iconButton({
        name: 'close',
        title: words.close,
        click: this.#close,
      })}</div>
      <dl>${this.#rights(texts).map(
        (right) =>
          html`<div><dt>${icon(right.icon)}<span>${right.label}</span></dt><dd dir="auto">${right.value}</dd></div>`,
      )}</dl>
      ${this.#grants()}
      <div class="acts">${this.#showButton(texts)}${this.#requestButton(texts)}</div>
      <p class="found muted" role="status">${this.#found(texts)}</p>
      ${this.#requestView(texts)}
    </section>
    ${
      showing === undefined
        ? nothing
        : html`<div class="glass-bar" part="bar"><p>${texts.shown}</p>
            <button type="button" @click=${() => showing.end()}>${words.approval.done}</button></div>`
    }`
  }

  #rights(words: GlassWords): ReturnType<typeof rightsNow> {
    const { state, look, host } = this
    const { renderState, trust } = state
    return rightsNow({
      words,
      look,
      language: renderState.words.language,
      base: unclobbered(document).baseURI,
      tools: host.element.tools,
      options: host.agent()?.options ?? host.element,
      isGranted: trust.isGranted,
      titleOf: ({ name }) => toSingleLine(toVisibleText(toolTitle(name, renderState))).slice(0, 80),
    })
  }

  #grants(): TemplateResult | typeof nothing {
    const texts = grantTexts(this.state)
    if (texts.length === 0) return nothing
    const { endGrants } = this.state.renderState.words.approval
    return html`<div class="grant" part="grant">${icon('shield')}<div>${texts.map((text) => html`<p>${text}</p>`)}</div>
      <button type="button" part="grant-end" @click=${this.#endGrants}>${endGrants}</button></div>`
  }

  /** The button that was pressed is gone then. */
  #endGrants = (event: Event): void => {
    actionListener({ do: 'end-grants' })(event)
    this.querySelector<HTMLElement>('.glass')?.focus()
  }

  #showButton({ show }: GlassWords): TemplateResult | typeof nothing {
    const { element } = this.host
    const reads = element.tools.some(({ name }) => name === 'page_read' || name === 'page_click')
    if (element.stage === 'off' || !reads || this.#loader === undefined) return nothing
    return html`<button type="button" class="show" aria-pressed=${this.showing !== undefined}
      aria-disabled=${this.look === undefined} @click=${this.#toggleShowing}>${show}</button>`
  }

  #requestButton({ request }: GlassWords): TemplateResult | typeof nothing {
    if (!hasMessages(this.state.session)) return nothing
    return html`<button type="button" class="see" aria-expanded=${this.request !== undefined}
      @click=${this.#toggleRequest}>${request}</button>`
  }

  #found({ unread, counted }: GlassWords): string {
    if (this.hasFailed) return unread
    return this.showing && this.look ? counted(this.look.read, this.look.hidden.length, this.look.closed) : ''
  }

  #requestView({ requestText, requestAbout }: GlassWords): TemplateResult | typeof nothing {
    const { request } = this
    if (request === undefined) return nothing
    const { earlier, newest } = request
    return html`<p class="muted about">${requestAbout}</p>
      <pre class="request" part="request" tabindex="0" role="region" aria-label=${requestText}>${
        earlier === '' ? '' : `${earlier}\n\n`
      }<span class="newest">${newest}</span></pre>`
  }

  #toggleShowing = (): void => {
    const { showing, look } = this
    const page = this.#page
    if (showing) return showing.end()
    if (page === undefined || look === undefined) return
    const { element } = this.host
    const { onPage } = glassTexts(this.state.renderState.words)
    const fills = element.tools.some(({ name }) => name === 'form_fill')
    this.showing = startShowing(this.host, page, {
      texts: { ...onPage, filled: fills ? onPage.readAndFilled : onPage.read },
      onChange: (next) => {
        this.#setLook(next)
      },
      ended: this.#ended,
    })
    void this.updateComplete.then(() => {
      // The button is hidden on a phone.
      if (!this.querySelector('.show')?.checkVisibility()) this.querySelector<HTMLElement>('.glass-bar button')?.focus()
    })
  }

  /** The focus stays where it was, unless that is gone. */
  #ended = (): void => {
    const hadFocus = this.querySelector('.glass-bar:focus-within') !== null
    this.showing = undefined
    if (!hadFocus || !this.isConnected) return
    void this.updateComplete.then(() => {
      this.querySelector<HTMLElement>('.show')?.focus()
    })
  }

  #toggleRequest = (): void => {
    const { session, renderState } = this.state
    if (this.request || session === undefined) {
      this.request = undefined
      return
    }
    const { notLoaded, resultOf } = glassTexts(renderState.words)
    const { you, assistant } = textsOf(renderState.words)
    const titleOf = (name: string): string => toolTitle(name, renderState)
    this.request = lastRequest(session, { you, assistant, notLoaded, resultOf, titleOf })
  }

  #onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    this.#close()
  }

  #close = (): void => {
    const root = this.getRootNode() as ShadowRoot
    this.dispatchEvent(new ActionEvent({ do: 'glass' }))
    root.querySelector<HTMLElement>('.trust')?.focus()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'tool-agent-glass': Glass
  }
}

/** What the panel uses of this chunk: draws the part. `setHidden` is told how many private fields the page has. */
export function glassPart(host: PanelHost, setHidden: (count: number) => void): (state: PanelState) => TemplateResult {
  definePart('tool-agent-glass', Glass)
  adoptStyles(host.element, glassStyles)
  return (state) => html`<tool-agent-glass .state=${state} .host=${host} .setHidden=${setHidden}></tool-agent-glass>`
}

/** What is shown now. */
interface Showing {
  /** Takes it away. Calling it again does nothing. */
  end(): void
}

/**
 * Shows what is read. It ends with Escape, and by itself when the visitor writes, here or on the page, or sends. On a
 * phone the panel is a line meanwhile, because it covers the page otherwise. `ended` is called once, also if the
 * visitor has ended it.
 */
function startShowing(
  host: PanelHost,
  glass: PageGlass,
  shown: Pick<GlassShown, 'texts' | 'onChange'> & { ended(): void },
): Showing {
  const { element } = host
  const section = element.shadowRoot?.querySelector<HTMLElement>('.panel')
  const listening = new AbortController()
  const release = glass.show({ ...shown, properties: layerProperties(element) })
  const end = (): void => {
    if (listening.signal.aborted) return
    listening.abort()
    release()
    if (section && placeOf(section) === 'glass') setPlace(section, 'own')
    shown.ended()
  }
  const onKey = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Escape' || event.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    end()
  }
  const options = { capture: true, signal: listening.signal }
  // Of what happens in the panel only copies arrive here, and only there: see isolation.ts.
  for (const target of [globalThis, element.shadowRoot]) target?.addEventListener('keydown', onKey, options)
  element.shadowRoot?.addEventListener('input', end, options)
  // Scripts of the page write, too.
  addEventListener('input', ({ isTrusted }) => isTrusted && end(), options)
  if (section && element.layout !== 'inline' && fillsWindow()) setPlace(section, 'glass')
  return { end }
}
