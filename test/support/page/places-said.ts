// What the tools say of the place of each control that has `says` on a page: in the question before a click, and in the
// outline.
import type { Page } from 'playwright/test'

export interface SaidPlace {
  readonly name: string
  /** The places that a person would say. */
  readonly says: readonly string[]
  readonly asked: string
  /** What the line of the outline has; undefined where the control has no line with a place. */
  readonly listed: string | undefined
  /** Whether name and place as the question has them lead to the control. */
  readonly isFound: boolean | undefined
}

/** Reads what is said of all controls with `says`. */
export const placesSaid = (page: Page): Promise<readonly SaidPlace[]> =>
  page.evaluate(async () => {
    type Tool = {
      execute(input: object, run: object): unknown
      readonly [key: symbol]: { preview(...a: object[]): unknown }
    }
    const { pageTools } = window as unknown as { pageTools: Map<string, Tool> }
    const { takeSnapshot } = (await import(
      '/src/page-tools/dom/page-snapshot.ts' as string
    )) as typeof import('../../../src/page-tools/dom/page-snapshot.js')
    const { resolveActionTarget } = (await import(
      '/src/page-tools/act/resolve-target.ts' as string
    )) as typeof import('../../../src/page-tools/act/resolve-target.js')
    const full = window.toolRun()
    const outline = String(await pageTools.get('page_read')!.execute({}, full))
    const snapshot = takeSnapshot(full as never)
    const deep = (root: Document | ShadowRoot): Element[] =>
      [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])])
    const found = deep(document).filter((one) => one.hasAttribute('says') && one.checkVisibility())
    const all = found.map((one) => ({ one, ref: snapshot.refs.refFor(one, snapshot.visibility) }))
    return all.flatMap(({ one, ref }) => {
      const says = (one.getAttribute('says') ?? '').split('|')
      const at = outline.indexOf(`[ref=${ref}]`)
      const line = outline.slice(outline.lastIndexOf('\n', at) + 1, at)
      const listed = at < 0 ? undefined : / in "([^"]*)" $/.exec(line)?.[1]
      let asked = ''
      let name = ''
      try {
        const own = pageTools.get('page_click')![Symbol.for('tool-agent.internals')]!
        const forecast = own.preview({ target: ref }, { ...full, toolCallId: crypto.randomUUID() }) as {
          preview: { in?: string; target?: string }
        }
        asked = forecast.preview.in ?? ''
        name = forecast.preview.target ?? ''
      } catch {
        return [] // It is covered, or not there yet.
      }
      let isFound: boolean | undefined
      if (asked !== '') {
        try {
          const got = resolveActionTarget(`${name} in ${JSON.stringify(asked)}`, undefined, snapshot)
          isFound = got === one || got.contains(one) || one.contains(got)
        } catch (error) {
          // Two controls without a name in one row are told apart by their refs alone.
          isFound = / matches \d+ elements/.test((error as Error).message) ? undefined : false
        }
      }
      return [{ name, says, asked, listed, isFound }]
    })
  })

/** The places that a person would not say, or that the outline says otherwise. */
export const wrongPlaces = (said: readonly SaidPlace[]): string[] =>
  said.flatMap(({ name, says, asked, listed, isFound }) => {
    const bad = says.filter((one) => one.startsWith('-')).map((one) => one.slice(1))
    const isRight = bad.length > 0 ? !bad.includes(asked) : says.includes(asked)
    if (!isRight) return [`${name} in "${asked}" instead of "${says.join(' | ')}"`]
    if (listed !== undefined && listed !== asked) return [`${name} in "${asked}" is in "${listed}" in the outline`]
    return isFound === false ? [`${name} in "${asked}" leads to something else`] : []
  })

/** Gives visible elements their `says`. `.a >> .b` leads into a shadow root, `:nth(1)` takes one of several. */
const markedBy = (page: Page, says: Readonly<Record<string, readonly string[]>>): Promise<string[]> =>
  page.evaluate((says) => {
    const deep = (root: Document | ShadowRoot): Element[] =>
      [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])])
    return Object.entries(says).flatMap(([written, places]) => {
      const [, selector = '', nth] = /^(.*?)(?::nth\((\d+)\))?$/.exec(written)!
      const [first = '', inner] = selector.split(/(?::nth\(\d+\))? >> /)
      const hosts = deep(document).filter((one) => one.matches(first) && one.checkVisibility())
      const at = nth ?? /:nth\((\d+)\) >>/.exec(written)?.[1]
      const picked = at === undefined ? hosts : hosts.slice(Number(at), Number(at) + 1)
      const found = inner ? picked.flatMap((one) => one.shadowRoot!.querySelector(inner) ?? []) : picked
      found.forEach((one, index) => one.setAttribute('says', places[index] ?? '?'))
      return found.length === places.length ? [] : [`${written}: ${found.length} instead of ${places.length}`]
    })
  }, says)
export { markedBy as markPlaces }

/** The ref of the first element of a selector. */
export const refOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate(async (selector) => {
    const { takeSnapshot } = (await import(
      '/src/page-tools/dom/page-snapshot.ts' as string
    )) as typeof import('../../../src/page-tools/dom/page-snapshot.js')
    const { refs, visibility } = takeSnapshot({ sessionId: 'session', messages: [] })
    return refs.refFor(
      (() => {
        const deep = (root: Document | ShadowRoot): Element[] =>
          [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])])
        return deep(document).find((one) => one.matches(selector))!
      })(),
      visibility,
    )
  }, selector)
