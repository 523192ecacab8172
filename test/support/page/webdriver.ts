// A small W3C WebDriver client: the commands that the WebKit specs use, typed, over fetch. It waits for conditions by
// polling; no command retries by itself. https://www.w3.org/TR/webdriver2/
import type { JsonValue } from '../../../src/core/data/json.js'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/** A reference to an element of the current page, as WebDriver sends it. */
export interface ElementReference {
  readonly [elementKey]: string
}

/** A page function: serialised, run in the page, and its JSON result returned. Promises are awaited. */
type PageFunction<A extends readonly unknown[], T> = (...args: A) => T

export class WebDriverError extends Error {
  /** The code of the specification, such as `javascript error` or `no such window`. */
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.name = 'WebDriverError'
    this.code = code
  }
}

const commandTimeout = 30_000
const pollEvery = 25
const patience = 15_000

/** One browser with its windows. Commands go to the window that `use` chose last. */
export class WebDriver {
  readonly #session: string

  private constructor(session: string) {
    this.#session = session
  }

  static async start(url: string, capabilities: Record<string, unknown>): Promise<WebDriver> {
    const value = (await command(`${url}/session`, 'POST', { capabilities: { alwaysMatch: capabilities } })) as {
      sessionId: string
    }
    return new WebDriver(`${url}/session/${value.sessionId}`)
  }

  quit(): Promise<unknown> {
    return this.#command('DELETE', '')
  }

  // --- Navigation

  async goto(url: string): Promise<void> {
    await this.#command('POST', '/url', { url })
  }

  async reload(): Promise<void> {
    await this.#command('POST', '/refresh', {})
  }

  async back(): Promise<void> {
    await this.#command('POST', '/back', {})
  }

  async forward(): Promise<void> {
    await this.#command('POST', '/forward', {})
  }

  async url(): Promise<string> {
    return String(await this.#command('GET', '/url'))
  }

  // --- Windows

  async window(): Promise<string> {
    return String(await this.#command('GET', '/window'))
  }

  async windows(): Promise<string[]> {
    return (await this.#command('GET', '/window/handles')) as string[]
  }

  /** Opens a window; does not switch to it. */
  async open(type: 'tab' | 'window' = 'window'): Promise<string> {
    const { handle } = (await this.#command('POST', '/window/new', { type })) as { handle: string }
    return handle
  }

  async use(handle: string): Promise<void> {
    await this.#command('POST', '/window', { handle })
  }

  async close(): Promise<void> {
    await this.#command('DELETE', '/window')
  }

  /** Sets the size of the viewport, not of the window around it. */
  async resize(width: number, height: number): Promise<void> {
    const extra = await this.run(() => [outerWidth - innerWidth, outerHeight - innerHeight] as const)
    await this.#command('POST', '/window/rect', { width: width + extra[0], height: height + extra[1] })
    await this.until((wanted, tall) => innerWidth === wanted && innerHeight === tall, width, height)
  }

  /** Further commands go to the document in this frame; without one to the window's own. */
  async frame(element: ElementReference | null): Promise<void> {
    await this.#command('POST', '/frame', { id: element })
  }

  // --- Scripts

  /** Runs a function in the page and returns its result. It sees only its arguments, which are JSON or elements. */
  async run<A extends readonly unknown[], T>(work: PageFunction<A, T>, ...args: A): Promise<Awaited<T>> {
    const script = `const done = arguments[arguments.length - 1]
      Promise.resolve((${work.toString()}).apply(null, Array.prototype.slice.call(arguments, 0, -1)))
        .then(
          (value) => done({ value: value === undefined ? null : value }),
          (error) => done({ error: String(error && error.message || error), stack: String(error && error.stack) }),
        )`
    const result = (await this.#command('POST', '/execute/async', { script, args })) as {
      value?: unknown
      error?: string
      stack?: string
    }
    if (result.error !== undefined)
      throw new WebDriverError('javascript error', `${result.error}\n${result.stack ?? ''}`)
    return result.value as Awaited<T>
  }

  /**
   * Waits until the function returns something truthy, and returns it. A page that is about to load answers with an
   * error; that counts as "not yet".
   */
  async until<A extends readonly unknown[], T>(work: PageFunction<A, T>, ...args: A): Promise<NonNullable<Awaited<T>>> {
    const end = Date.now() + patience
    let last: unknown
    for (;;) {
      try {
        const value = await this.run(work, ...args)
        if (value) return value as NonNullable<Awaited<T>>
        last = value
      } catch (error) {
        if (!(error instanceof WebDriverError)) throw error
        last = error.message
      }
      if (Date.now() > end) {
        const seen = await this.run(() => `${location.href} ${document.readyState}`).catch(String)
        throw new Error(
          `Waited ${patience} ms in vain for ${work.toString()} with ${JSON.stringify(args)}; ` +
            `the last answer was ${JSON.stringify(last)}; the page is ${seen}`,
        )
      }
      await new Promise((resolve) => {
        setTimeout(resolve, pollEvery)
      })
    }
  }

  // --- Input, as a user gives it

  /** Scrolls as far as the element is out of sight. */
  async show(element: ElementReference): Promise<void> {
    await this.run(
      (one) => {
        one.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
      },
      element as unknown as Element,
    )
  }

  /** Moves a mouse onto the middle of the element, which may have to be scrolled to, and clicks. */
  async click(element: ElementReference): Promise<void> {
    await this.show(element)
    await this.#command('POST', '/actions', {
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          parameters: { pointerType: 'mouse' },
          actions: [
            { type: 'pointerMove', duration: 0, x: 0, y: 0, origin: element },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ],
    })
    await this.#command('DELETE', '/actions')
  }

  /** Types into whatever has the focus. `\uE007` is Enter. */
  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await this.#command('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
    await this.#command('DELETE', '/actions')
  }

  /** Finds an element by a function, so that shadow trees are no obstacle. Waits until there is one. */
  async find<A extends readonly unknown[]>(
    work: PageFunction<A, Element | null | undefined>,
    ...args: A
  ): Promise<ElementReference> {
    return (await this.until(work, ...args)) as unknown as ElementReference
  }

  /** A PNG of the element, or of the viewport. */
  async screenshot(element?: ElementReference): Promise<Buffer> {
    const path = element ? `/element/${element[elementKey]}/screenshot` : '/screenshot'
    return Buffer.from(String(await this.#command('GET', path)), 'base64')
  }

  #command(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Record<string, unknown>): Promise<unknown> {
    return command(this.#session + path, method, body)
  }
}

async function command(url: string, method: string, body?: Record<string, unknown>): Promise<unknown> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(commandTimeout),
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  })
  const { value } = (await response.json()) as { value: JsonValue }
  if (response.ok) return value
  const { error, message } = value as { error: string; message: string }
  throw new WebDriverError(error, message)
}
