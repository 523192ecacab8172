// What a scripted model does with the page tools: it calls them and finds names and refs in their answers. It never
// sees the DOM. Each method acts as a small language model would after it has read the last answers.

/**
 * One call of a tool. Resolves with the text that a model reads.
 * @typedef {(name: string, input?: Record<string, unknown>) => Promise<string>} Call
 */

/**
 * A control in an answer.
 * @typedef {{ role: string, name: string, ref: string, line: number }} Control
 */

/**
 * Where to look. `role` must be the control's role. `near` is a text; the first control from its line on is used, or else
 * one of the three lines before it. `beside` is a text; the nearest control within three lines is used. `inside` is a text of an item, such as a row or a card; the innermost item
 * around it that has such a control is used, or else as `near`.
 * @typedef {{ role?: string, near?: string, beside?: string, inside?: string }} Where
 */

const plain = (/** @type {string} */ text) => text.toLowerCase().replace(/\s+/g, ' ').trim()

/**
 * All controls with a ref in a text.
 * @param {string} text
 * @returns {Control[]}
 */
export function controlsIn(text) {
  const lines = text.split('\n')
  const indent = (/** @type {string} */ content) => content.search(/\S/)
  /** The texts of the lines inside the item of a line. @param {number} at */
  const contents = (at) => {
    const rest = lines.slice(at + 1)
    const end = rest.findIndex((content) => indent(content) <= indent(lines[at] ?? ''))
    return rest
      .slice(0, end < 0 ? undefined : end)
      .flatMap((content) => /- text: (.*)/.exec(content)?.[1] ?? /"([^"]*)"/.exec(content)?.[1] ?? [])
      .join(' ')
  }
  return lines.flatMap((content, line) => [
    ...[...content.matchAll(/([\w-]+)(?: "([^"]*)")?(?: in "[^"]*")? \[ref=(e\d+)\]/g)].map(
      ([, role = '', name, ref = '']) => ({
        role,
        name: name ?? (role === 'clickable' ? contents(line) : ''),
        ref,
        line,
      }),
    ),
    // The days of a calendar share a line: `days (number=ref): 1=e3 2=e4`.
    ...(/- days [^:]*: /.test(content) ? [...content.matchAll(/(\d+)=(e\d+)/g)] : []).map(
      ([, name = '', ref = '']) => ({ role: 'day', name, ref, line }),
    ),
  ])
}

/** Roles of items of which each may have the same controls. */
const itemRoles = /^\s*- (?:row|listitem|article|group|clickable|treeitem|option|\|)/

/**
 * The items of an outline that contain a text, from the innermost to the outermost.
 * @param {string} text @param {string} inside
 */
function itemsAround(text, inside) {
  const lines = text.split('\n')
  const depth = (/** @type {string | undefined} */ line) => line?.search(/\S/) ?? -1
  const found = []
  let at = lines.findIndex((line) => plain(line).includes(plain(inside)))
  for (let isItem = true; at >= 0 && isItem; isItem = itemRoles.test(lines[at] ?? '')) {
    const rest = lines.slice(at + 1)
    const end = rest.findIndex((line) => depth(line) <= depth(lines[at]))
    found.push(lines.slice(at, end < 0 ? undefined : at + 1 + end).join('\n'))
    at = lines.slice(0, at).findLastIndex((line) => depth(line) >= 0 && depth(line) < depth(lines[at]))
  }
  return found
}

/**
 * The ref of the best match for a name; undefined if no control has it.
 * @param {string} text
 * @param {string} name
 * @param {Where & { whole?: boolean }} [where] with `whole`, only the whole name matches
 * @returns {string | undefined}
 */
export function findControl(text, name, { whole = false, role, near: under, beside, inside } = {}) {
  if (inside !== undefined) {
    for (const part of itemsAround(text, inside)) {
      const ref = findControl(part, name, { whole, ...(role === undefined ? {} : { role }) })
      if (ref !== undefined) return ref
    }
  }
  const near = under ?? beside ?? inside
  const wanted = plain(name)
  const all = controlsIn(text).filter((one) => role === undefined || one.role === role)
  const lines = text.split('\n')
  const anchors = near === undefined ? [] : lines.flatMap((line, at) => (plain(line).includes(plain(near)) ? [at] : []))
  if (near !== undefined && anchors.length === 0) return undefined
  const distance = (/** @type {Control} */ one) => Math.min(...anchors.map((at) => Math.abs(one.line - at)))
  const below = all.filter((one) => anchors.some((at) => one.line >= at))
  // A control of a card may also come shortly before its text.
  const around = near === undefined ? all : all.filter((one) => distance(one) <= 3)
  for (const candidates of under === undefined && inside === undefined ? [around] : [below, around])
    for (const matches of [
      (/** @type {string} */ own) => own === wanted,
      (/** @type {string} */ own) => !whole && own.startsWith(wanted),
      (/** @type {string} */ own) => !whole && own.includes(wanted),
    ]) {
      const found = candidates.filter((one) => matches(plain(one.name)))
      if (near !== undefined) found.sort((one, other) => distance(one) - distance(other))
      if (found[0]) return found[0].ref
    }
  return undefined
}

/**
 * The methods that policies use.
 * @typedef {ReturnType<typeof handsFor>} Hands
 */

/** @param {Call} call */
export function handsFor(call) {
  /** The last page_read and everything after it, oldest first. @type {string[]} */
  let answers = []

  /** @param {string} tool @param {Record<string, unknown>} [input] */
  const use = async (tool, input = {}) => {
    const answer = await call(tool, input)
    answers = tool === 'page_read' || answer.startsWith('{"navigated"') ? [answer] : [...answers, answer]
    return answer
  }
  const failed = (/** @type {string} */ answer) => answer.startsWith('Error (')
  const expectDone = (/** @type {string} */ answer) => {
    if (failed(answer)) throw new Error(answer)
    return answer
  }

  /** @param {object} [input] arguments of page_read */
  const read = async (input = {}) => expectDone(await use('page_read', { ...input }))

  /** @param {string} name @param {Where} [where] */
  const known = (name, where) => {
    for (const whole of where?.near === undefined && where?.inside === undefined ? [true, false] : [false])
      for (const answer of answers.toReversed()) {
        const ref = findControl(answer, name, { ...where, whole })
        if (ref !== undefined) return ref
      }
    return undefined
  }

  /**
   * The ref of a control: from the answers so far, or else from a new page_read.
   * @param {string} name @param {Where} [where]
   */
  const find = async (name, where) => {
    const ref = known(name, where) ?? findControl(await read(), name, where)
    if (ref === undefined)
      throw new Error(`No answer has a control ${JSON.stringify(name)} ${JSON.stringify(where ?? {})}`)
    return ref
  }

  /** Whether an answer since the last page_read contains the text. @param {string} text */
  const sees = (text) => answers.some((answer) => plain(answer).includes(plain(text)))

  /**
   * The ref of a control, or else the name itself if it is a text of the page.
   * @param {string} name @param {Where} [where]
   */
  const findText = async (name, where = {}) => {
    const ref = known(name, where)
    if (ref !== undefined) return ref
    return Object.keys(where).length === 0 && sees(name) ? name : find(name, where)
  }

  /**
   * Clicks a control or a text. Reads the page and tries once more if the ref is stale. `how` and `with` are
   * arguments of page_click.
   * @param {string} name @param {Where & { hover?: boolean, how?: string, with?: string }} [where]
   */
  const click = async (name, { hover, how, with: held, ...where } = {}) => {
    const more = {
      ...(hover === undefined ? {} : { hover }),
      ...(how === undefined ? {} : { how }),
      ...(held === undefined ? {} : { with: held }),
    }
    const answer = await use('page_click', { target: await findText(name, where), ...more })
    if (!failed(answer)) return answer
    const ref = findControl(await read(), name, where)
    if (ref === undefined) throw new Error(answer)
    return expectDone(await use('page_click', { target: ref, ...more }))
  }

  /**
   * Fills fields by label.
   * @param {Record<string, unknown>} values
   * @returns {Promise<{ field: string, ok: boolean, now: unknown, problem?: string }[]>}
   */
  const tryFill = async (values) => {
    const fields = Object.entries(values).map(([field, value]) => ({ field, value }))
    return JSON.parse(expectDone(await use('form_fill', { fields })))
  }

  /** Fills fields, and fails if one was not accepted. @param {Record<string, unknown>} values */
  const fill = async (values) => {
    const wrong = (await tryFill(values)).find(({ ok }) => !ok)
    if (wrong) throw new Error(`form_fill: ${wrong.field}: ${wrong.problem}`)
  }

  return {
    read,
    find,
    findText,
    click,
    fill,
    tryFill,
    /** Calls any tool. @param {string} tool @param {Record<string, unknown>} [input] */
    use: async (tool, input) => expectDone(await use(tool, input)),
    /** Reads the fields. */
    fields: async () => expectDone(await use('form_read')),
    sees,
    /** The ref of the text field that holds a text. @param {string} text */
    fieldHolding: async (text) => {
      const fields = (await read()).matchAll(/(?:textbox|searchbox)[^|\n]*?\[ref=(e\d+)\][^|\n]*?: ([^|\n]*)/g)
      const ref = [...fields].find(([, , value = '']) => value.trim() === text)?.[1]
      if (ref === undefined) throw new Error(`No answer has a field that holds ${JSON.stringify(text)}`)
      return ref
    },
    /** The ref of the innermost element that shows just this text, not of a control with this name. @param {string} text */
    elementWith: async (text) => {
      const { matches } = JSON.parse(expectDone(await use('dom_query', { text })))
      const found = matches.find((/** @type {{ text?: string }} */ one) => one.text === text)
      if (found === undefined) throw new Error(`No element shows just ${JSON.stringify(text)}`)
      return found.ref
    },
    /**
     * Fills a field that offers options. If the option is not accepted, types the text and clicks the option that the
     * page then shows; if it shows none, clicks the field first.
     * @param {string} field @param {string} typed @param {string} [option]
     */
    choose: async (field, typed, option = typed) => {
      const [report] = await tryFill({ [field]: option })
      if (report?.ok) return
      if (option !== typed) await tryFill({ [field]: typed })
      const page = await read()
      const list = /listbox "[^"]*" \[ref=(e\d+)\].*\[options: ([^\]]*)\]/.exec(page)
      if (list?.[1] && list[2]?.split(' | ').includes(option)) {
        // The list may close, so that the tool cannot see its value.
        await tryFill({ [list[1]]: option })
        return
      }
      if (findControl(page, option) === undefined) await click(field)
      await click(option)
    },
    /** Submits a form. @param {Record<string, unknown>} [input] */
    submit: async (input = {}) => {
      const answer = expectDone(await use('form_submit', input))
      if (/ was not submitted\./.test(answer)) throw new Error(answer)
      return answer
    },
    /**
     * Drags what has the first name to what has the second one. `place` is before, after or on.
     * @param {string} name @param {string} onto @param {string} [place]
     */
    drag: async (name, onto, place) => {
      const [target, to] = [await findText(name), await findText(onto)]
      return expectDone(await use('page_drag', { target, to, ...(place === undefined ? {} : { place }) }))
    },
    /**
     * Uses a form that the page offers as a tool. The answer is empty where only its fields can be filled.
     * @param {string} tool @param {Record<string, unknown>} input
     * @param {{ sends?: boolean }} [_about] whether the form is sent then; default: true
     */
    form: async (tool, input, _about) => expectDone(await use(tool, input)),
    /** The first cell of the first row of a table. @param {string} _header the last of its headings */
    firstCell: async (_header) => /\n\s*- \| ([^|]*) \|/.exec(await read())?.[1]?.trim() ?? '',
    /** What the group of a pattern is in the first name of a control that matches it. @param {RegExp} pattern */
    matching: async (pattern) => {
      const names = controlsIn(await read()).map(({ name }) => pattern.exec(name)?.[1])
      return names.find((name) => name !== undefined) ?? ''
    },
    /**
     * Whether a control, or what has this text, is on or chosen, as the last answer tells.
     * @param {string} target a ref or a text
     */
    isOn: async (target) => {
      const text = /^e\d+$/.test(target) ? `[ref=${target}]` : target
      const lines = (answers.at(-1) ?? '').split('\n').filter((line) => line.includes(text))
      return lines.some((line) => /toggle on|\[(?:on|looks selected|current|selected|checked|pressed)/.test(line))
    },
    /** The ref of a control after a text: the first one for 0. @param {string} text @param {number} count */
    controlAfter: async (text, count) => {
      const page = await read()
      const at = page.indexOf(text)
      const ref = at < 0 ? undefined : controlsIn(page.slice(at))[count]?.ref
      if (ref === undefined) throw new Error(`No answer has a control after ${text}`)
      return ref
    },
    /** The ref of the first control with one of some roles. @param {string[]} roles */
    controlOf: async (...roles) => {
      const found = controlsIn(await read()).find(({ role }) => roles.includes(role))
      if (found === undefined) throw new Error(`No answer has a control of the role ${roles.join(' or ')}`)
      return found.ref
    },
    /** @param {Record<string, unknown>} until */
    wait: async (until) => {
      const answer = expectDone(await use('page_wait', until))
      if (!answer.includes('"met":true')) throw new Error(`page_wait: ${answer}`)
    },
    /** Presses a key, in a control if one is named. @param {string} key @param {string} [name] a name or a ref */
    press: async (key, name) => {
      const target = name === undefined || /^e\d+$/.test(name) ? name : await find(name)
      return expectDone(await use('page_press', { ...(target === undefined ? {} : { target }), key }))
    },
    /**
     * Scrolls the page, or the part with this ref, until a text is visible.
     * @param {string} text @param {string} [target]
     */
    scrollTo: async (text, target) => {
      const part = target === undefined ? {} : { target }
      for (let tries = 0; tries < 4; tries++)
        if (!/Call again to search/.test(await use('page_scroll', { ...part, text }))) break
      for (let tries = 0; !plain(await read()).includes(plain(text)); tries++) {
        if (tries === 30) throw new Error(`No answer has the text ${text} after 30 calls of page_scroll`)
        expectDone(await use('page_scroll', { ...part, to: 'down' }))
      }
    },
  }
}
