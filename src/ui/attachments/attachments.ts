// Files in the composer: the button, drag and drop, paste, and the list of what is attached. Adds itself to a panel
// whose element has the option `attachments`, and sends messages that have files. Reading a file is loaded with the
// first one.
import { insertNodes } from '../element/nodes.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { html, nothing, render, type ReactiveController } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { UserPart } from '../../core/data/message.js'
import type { AttachmentWords } from '../i18n/en.js'
import { sizeIn } from '../i18n/counting.js'
import { ActionEvent, sentCheck } from '../panel/actions.js'
import type { Composer } from '../panel/composer.js'
import { iconButton } from '../panel/icon-button.js'
import { icon } from '../styles/icons.js'
import { adoptStyles, type PanelPart } from '../panel/render-context.js'
import { attachmentStyles } from '../styles/attachments.js'
import type { AgentElement } from '../element/agent-element.js'
import { FileProblem, mostBytes, readFile } from './read-file.js'
import './file-view.js'

/** Not in icons.ts, because every panel loads that. */
const paperclip = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
  <path d="m20 11-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.4 8.4a1.7 1.7 0 0 1-2.4-2.4L14.5 7"/></svg>`
/** Files of one message. */
const mostFiles = 10

/** Adds files to the composer of a panel, once. The panel must be drawn already. */
export function attachTo(panel: PanelPart & { readonly scope: string }, element: AgentElement): void {
  const composer = panel.querySelector('tool-agent-composer')
  const section = panel.querySelector<HTMLElement>('section.panel')
  if (composer === null || section === null) throw new TypeError('The panel is not drawn yet')
  adoptStyles(element, attachmentStyles)
  const attachments = new Attachments(composer, section, element, panel.scope)
  // The option may change, which draws the panel; sending and restoring draws the composer.
  panel.addController(attachments)
  composer.addController(attachments)
}

/** The part of the composer with files. */
class Attachments implements ReactiveController {
  readonly #composer: Composer
  readonly #section: HTMLElement
  readonly #element: AgentElement
  /** That of the panel. The element has another one when the panel is removed for it. */
  readonly #scope: string
  readonly #list = unclobbered(document).createElement('div')
  readonly #status = unclobbered(document).createElement('p')
  readonly #button = unclobbered(document).createElement('button')
  readonly #input = unclobbered(document).createElement('input')
  /** Names of files that are being read. */
  #reading: readonly string[] = []
  #problems: readonly string[] = []
  #files: readonly UserPart[] = []
  /** The user wants to send as soon as all files are read. */
  #sendsLater = false

  constructor(composer: Composer, section: HTMLElement, element: AgentElement, scope: string) {
    this.#composer = composer
    this.#section = section
    this.#element = element
    this.#scope = scope
    this.#list.className = 'attachments'
    this.#status.className = 'unseen'
    this.#status.role = 'status'
    this.#button.type = 'button'
    this.#button.className = 'round attach'
    render(paperclip, this.#button)
    this.#button.addEventListener('click', () => this.#input.click())
    this.#input.type = 'file'
    this.#input.multiple = true
    this.#input.hidden = true
    this.#input.addEventListener('change', () => {
      void this.#add(this.#input.files ?? [])
      this.#input.value = ''
    })
    const field = composer.querySelector('.field')
    insertNodes(field?.parentNode, field, this.#status)
    insertNodes(field, field?.firstChild ?? null, this.#list, this.#button, this.#input)
    // Before the composer's own listeners, because it would send the text alone.
    composer.addEventListener('keydown', this.#onSend, { capture: true })
    composer.addEventListener('click', this.#onSend, { capture: true })
    composer.addEventListener('paste', this.#onPaste)
    section.addEventListener('dragenter', this.#onDrag)
    section.addEventListener('dragover', this.#onDrag)
    section.addEventListener('dragleave', this.#onDragLeave)
    section.addEventListener('drop', this.#onDrop)
    this.#showLost()
    this.#draw()
  }

  /** Called by Lit. */
  hostConnected(): void {
    addEventListener('pagehide', this.#saveNames)
  }

  /** Called by Lit. */
  hostDisconnected(): void {
    removeEventListener('pagehide', this.#saveNames)
    this.#saveNames()
  }

  /** Called by Lit when the composer or the panel was drawn. */
  hostUpdated(): void {
    this.#draw()
  }

  get #words(): AttachmentWords {
    return this.#composer.words.attachments
  }

  #sizeOf(bytes: number): string {
    return sizeIn(this.#composer.words.language, bytes)
  }

  /** The accepted types; empty: none. */
  get #accept(): string {
    return this.#element.attachments ?? ''
  }

  #draw(): void {
    const words = this.#words
    const files = this.#files
    this.#button.title = words.attach
    this.#button.hidden = this.#accept === ''
    // The composer knows only the text.
    const isEmpty = files.length + this.#reading.length === 0
    const send = this.#composer.querySelector('.send')
    if (send) send.ariaDisabled = String(isEmpty && this.#composer.text.trim() === '')
    this.#input.accept = this.#accept
    render(
      [
        isEmpty
          ? nothing
          : html`<ul aria-label=${words.attached}>${repeat(
              files,
              (file) => file,
              (file) => {
                const name = file.name ?? ''
                return html`<li><tool-agent-file .file=${file}></tool-agent-file>
                  <span class="muted">${this.#sizeOf(bytesOf(file))}</span>
                  ${iconButton({
                    name: 'close',
                    title: `${words.remove}: ${name}`,
                    click: () => this.#remove(file),
                  })}</li>`
              },
            )}${this.#reading.map(
              (name) =>
                html`<li aria-busy="true"><span class="spinner"></span>
                  <span class="line">${words.reading}: ${name}</span></li>`,
            )}</ul>`,
        this.#problems.length === 0
          ? nothing
          : html`<div role="alert">${this.#problems.map(
              (text) => html`<p class="problem">${icon('alert')}${text}</p>`,
            )}</div>`,
      ],
      this.#list,
    )
  }

  #announce(text: string): void {
    this.#status.textContent = text
  }

  #remove(file: UserPart): void {
    const files = this.#files
    this.#problems = []
    this.#files = files.filter((one) => one !== file)
    this.#draw()
    this.#announce(this.#words.removed(file.name ?? ''))
    this.#composer.focusField()
  }

  /** Reads the files and attaches those that can be attached, in their order. */
  async #add(chosen: Iterable<File>): Promise<void> {
    const words = this.#words
    this.#problems = []
    const problems: string[] = []
    const free = mostFiles - this.#files.length - this.#reading.length
    const all = [...chosen]
    if (all.length > free) problems.push(words.tooMany(mostFiles))
    const files = all.slice(0, Math.max(0, free)).filter((file) => {
      const isAccepted = accepts(this.#accept, file)
      if (!isAccepted) problems.push(words.wrongType(file.name))
      return isAccepted
    })
    this.#reading = [...this.#reading, ...files.map((file) => file.name)]
    this.#draw()
    const added: string[] = []
    for (const file of files) {
      const part = await this.#read(file, problems)
      this.#reading = withoutFirst(this.#reading, file.name)
      if (part === undefined) continue
      if ([...this.#files, part].reduce((sum, one) => sum + bytesOf(one), 0) > mostBytes) {
        problems.push(words.tooLargeTogether(file.name, this.#sizeOf(mostBytes)))
        continue
      }
      this.#files = [...this.#files, part]
      added.push(part.name ?? '')
    }
    this.#problems = problems
    if (added.length > 0) this.#announce(words.added(added.join(', ')))
    this.#draw()
    if (this.#reading.length > 0 || !this.#sendsLater) return
    this.#sendsLater = false
    // With a problem the user decides whether to send without the file.
    if (problems.length === 0) this.#send()
  }

  /** Reads a file; undefined with a new problem if it cannot be attached. */
  async #read(file: File, problems: string[]): Promise<UserPart | undefined> {
    const words = this.#words
    try {
      return await readFile(file, acceptsByType(this.#accept, file))
    } catch (thrown) {
      const { kind, limit } = thrown instanceof FileProblem ? thrown : { kind: 'unreadable' as const, limit: 0 }
      if (kind === 'type') problems.push(words.wrongType(file.name))
      else if (kind === 'large') problems.push(words.tooLarge(file.name, this.#sizeOf(file.size), this.#sizeOf(limit)))
      else problems.push(words.unreadable(file.name))
      return undefined
    }
  }

  /** Sends a message with files, later if a file is being read. Without files, the composer sends. */
  #onSend = (event: Event): void => {
    const isSend =
      event instanceof KeyboardEvent
        ? // As in the composer: in WebKit the key code 229 marks the Enter that ends a composition.
          event.key === 'Enter' &&
          !event.shiftKey &&
          !event.isComposing &&
          event.keyCode !== 229 &&
          event.target instanceof HTMLTextAreaElement
        : event.target instanceof Element && event.target.closest('.send') !== null
    if (!isSend) return
    // The user has seen what was wrong with the last files.
    this.#problems = []
    this.#sendsLater = this.#reading.length > 0
    if (!this.#sendsLater && this.#files.length === 0) return this.#draw()
    event.preventDefault()
    event.stopPropagation()
    if (!this.#sendsLater) this.#send()
  }

  #send(): void {
    const composer = this.#composer
    const files = this.#files
    const text = composer.text.trim()
    const input: readonly UserPart[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files]
    const isSent = sentCheck(this.#element, input)
    this.#files = []
    composer.text = ''
    composer.focusField()
    composer.dispatchEvent(
      new ActionEvent({
        do: 'send',
        text,
        input,
        restore: () => {
          // A turn that started has the message in the transcript.
          if (isSent()) return
          this.#files = [...files, ...this.#files]
          if (text !== '') composer.restore(text)
          if (!composer.isConnected) this.#saveNames()
          this.#draw()
        },
      }),
    )
    this.#draw()
  }

  /** Attaches pasted files. Text wins, because office programs put a picture of the text beside it. */
  #onPaste = (event: ClipboardEvent): void => {
    const { clipboardData } = event
    if (this.#accept === '' || !clipboardData || clipboardData.files.length === 0) return
    if (clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    void this.#add(clipboardData.files)
  }

  #onDrag = (event: DragEvent): void => {
    if (!this.#takes(event)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    this.#section.dataset['drop'] = this.#words.drop
  }

  #onDragLeave = (event: DragEvent): void => {
    if (!(event.relatedTarget instanceof Node && this.#section.contains(event.relatedTarget)))
      delete this.#section.dataset['drop']
  }

  #onDrop = (event: DragEvent): void => {
    delete this.#section.dataset['drop']
    if (!this.#takes(event)) return
    event.preventDefault()
    void this.#add(event.dataTransfer.files)
    this.#composer.focusField()
  }

  #takes(event: DragEvent): event is DragEvent & { readonly dataTransfer: DataTransfer } {
    return this.#accept !== '' && event.dataTransfer?.types.includes('Files') === true
  }

  get #lostKey(): string {
    return `tool-agent:unsent-files:${this.#scope}`
  }

  /** The unsent text is kept for the next panel of the scope; files are not, so their names are. */
  #saveNames = (): void => {
    const names = [...this.#files.map(({ name = '' }) => name), ...this.#reading]
    try {
      if (names.length > 0) sessionStorage.setItem(this.#lostKey, names.join(', '))
      else sessionStorage.removeItem(this.#lostKey)
    } catch {
      // A sandboxed page has no storage.
    }
  }

  #showLost(): void {
    try {
      const names = sessionStorage.getItem(this.#lostKey)
      sessionStorage.removeItem(this.#lostKey)
      if (names !== null) this.#problems = [this.#words.notKept(names)]
    } catch {
      // A sandboxed page has no storage.
    }
  }
}

/** The bytes of a part as it is stored. */
function bytesOf(part: UserPart): number {
  return part.type === 'text' ? part.text.length : Math.ceil((part.data.length * 3) / 4)
}

function withoutFirst(names: readonly string[], name: string): string[] {
  const index = names.indexOf(name)
  return names.filter((_one, at) => at !== index)
}

/** The accepted types, as the attribute `accept` of a file input lists them. */
const tokensOf = (accept: string): string[] =>
  accept
    .split(/[\s,]+/)
    .map((token) => token.toLowerCase())
    .filter((token) => token !== '')

/**
 * Whether the list accepts the file: by its media type (`image/png`, `image/*`) or by the end of its name (`.md`).
 * `text/*` also accepts files without a type, because browsers know the types of few text files.
 */
function accepts(accept: string, { name, type }: Pick<File, 'name' | 'type'>): boolean {
  return tokensOf(accept).some((token) => {
    if (token.startsWith('.')) return name.toLowerCase().endsWith(token)
    if (token === '*/*' || token === type) return true
    if (token === 'text/*' && (type === '' || isTextLike(type))) return true
    return token.endsWith('/*') && type.startsWith(token.slice(0, -1))
  })
}

/** Whether the list names the type or the extension itself, not with a `*`. */
function acceptsByType(accept: string, { name, type }: Pick<File, 'name' | 'type'>): boolean {
  return tokensOf(accept).some((token) =>
    token.startsWith('.') ? name.toLowerCase().endsWith(token) : token === type && type !== '',
  )
}

/** JSON and other text formats whose type begins with `application/`. */
function isTextLike(type: string): boolean {
  return /^application\/(?:[\w.-]*\+)?(?:json|xml|yaml|x-yaml|javascript|sql)$/.test(type)
}
