// The hands of policies for page-agent: the same methods as those of hands.mjs, done with the actions of page-agent and
// what its browser state tells. Where page-agent has no action, they throw `NoAction` or note what is missing.
import { findItem, isField, isTextField, itemsIn, namesOf, plain, roleOf } from './state.mjs'

/**
 * page-agent at work: `observe` brings its newest browser state, `act` does one action and brings its result.
 * @typedef {object} PageAgent
 * @property {() => Promise<string>} observe
 * @property {(action: Record<string, object>) => Promise<string>} act
 */

/** @typedef {import('./state.mjs').Item} Item */
/** @typedef {import('../hands.mjs').Where} Where */
/** @typedef {{ field: string, ok: boolean, now: unknown, problem?: string }} Report */

/** page-agent has no action for what a policy wants. */
export class NoAction extends Error {}

const months = 'January February March April May June July August September October November December'.split(' ')
const isRef = (/** @type {string} */ text) => /^@\d+$/.test(text)

/**
 * @param {PageAgent} agent
 * @returns {{ hands: import('../hands.mjs').Hands, lacks: string[] }} `lacks`: the actions that were wanted and do not
 *   exist, of which a policy could go on without
 */
export function pageAgentHands(agent) {
  /** @type {string[]} */
  const lacks = []
  /** What a reference means. @type {{ item: Item, name: string, where: Where }[]} */
  const known = []
  const lack = (/** @type {string} */ what) => {
    lacks.push(what)
    throw new NoAction(what)
  }

  /** The newest state. */
  let latest = ''
  const observe = async () => (latest = await agent.observe())
  const look = async () => itemsIn(await observe())
  const act = async (/** @type {string} */ name, /** @type {object} */ input) => {
    const result = await agent.act({ [name]: input })
    await observe()
    if (result.startsWith('❌')) throw new Error(result)
    return result
  }
  const wait = () => act('wait', { seconds: 1 })
  const clickItem = (/** @type {Item} */ { index }) => act('click_element_by_index', { index })

  const sees = (/** @type {string} */ text, /** @type {string} */ state) => plain(state).includes(plain(text))

  /**
   * An element without a name that can only be meant: the one after a text, or the only box of text.
   * @param {string} name @param {Where & { isRight?: (item: Item) => boolean }} where
   */
  const guess = async (name, { isRight = () => true, ...where } = {}) => {
    const items = await look()
    const near = where.near ?? where.inside ?? where.beside
    const isNameless = (/** @type {Item} */ one) => namesOf(items, one).own.length === 0 && isRight(one)
    if (near !== undefined) return findItem(items, '', { near, isRight: isNameless })
    const boxes = items.filter((one) => one.attributes['contenteditable'] === 'true' && isRight(one))
    return name !== '' && boxes.length === 1 ? boxes[0] : undefined
  }

  /**
   * The element with a name. Waits a second if there is none: the page may still be drawing it.
   * @param {string} name
   * @param {Where & { isRight?: (item: Item) => boolean }} [where]
   */
  const locate = async (name, where = {}) => {
    let item = findItem(await look(), name, where)
    if (!item) {
      await wait()
      item = findItem(await look(), name, where) ?? (await guess(name, where))
    }
    if (item) return item
    const isTold = (await look()).some(({ text }) => sees(name, text))
    const told = isTold ? 'tells the text but has no index for' : 'does not have'
    throw new Error(`Its state ${told} ${JSON.stringify(name)} ${JSON.stringify({ ...where, isRight: undefined })}`)
  }

  /** Keeps an element for later. @param {Item} item @param {string} name @param {Where} where */
  const refOf = (item, name, where) => `@${known.push({ item, name, where }) - 1}`

  /** The element that a reference or a name means now. @param {string} target @param {Where} [where] */
  const resolve = async (target, where) => {
    const kept = isRef(target) ? known[Number(target.slice(1))] : undefined
    if (!kept) return locate(target, where)
    const items = await look()
    const same = (/** @type {Item} */ one) =>
      one.tag === kept.item.tag && JSON.stringify(one.attributes) === JSON.stringify(kept.item.attributes)
    const isSame = (/** @type {Item} */ one) => one.index === kept.item.index && one.text === kept.item.text
    return (
      items.find((one) => same(one) && isSame(one)) ??
      findItem(items, kept.name, kept.where) ??
      items.find(same) ??
      locate(kept.name, kept.where)
    )
  }

  /**
   * @param {string} name
   * @param {Where & { hover?: boolean, how?: string, with?: string }} [where]
   */
  const click = async (name, { hover, how, with: held, ...where } = {}) => {
    if (how !== undefined) lack(`a ${how} click`)
    if (held !== undefined) lack(`a click with ${held}`)
    // Its click also tells the page that the pointer is over the element, which may be enough.
    if (hover) lacks.push('hovering')
    return clickItem(await resolve(name, where))
  }

  /** The field that a label means. @param {string} label */
  const fieldOf = async (label) => {
    if (isRef(label)) return resolve(label)
    const items = await look()
    const named = findItem(items, label, { isRight: isField })
    if (named) return named
    // Between the label and its field may be a hint.
    const text = items.find((one) => plain(one.text) === plain(label) && !isField(one))
    return text && items.slice(text.line + 1, text.line + 4).find((one) => isField(one) && roleOf(one) !== 'radio')
  }

  /** Chooses a day in the calendar that the page shows. @param {string} date */
  const pickDay = async (date) => {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
    for (let turns = 0; turns < 24; turns++) {
      const items = await look()
      const [, name = '', shownYear] = new RegExp(`(${months.join('|')})\\s+(\\d{4})`).exec(await observe()) ?? []
      if (shownYear === undefined) return false
      const behind = (year - Number(shownYear)) * 12 + month - 1 - months.indexOf(name)
      const isDay = (/** @type {Item} */ one) => !isField(one)
      const target =
        behind === 0
          ? findItem(items, String(day), { isRight: isDay })
          : (findItem(items, behind > 0 ? 'Next' : 'Prev', { isRight: isDay }) ??
            findItem(items, behind > 0 ? '›' : '‹', { isRight: isDay }))
      if (!target) return false
      await clickItem(target)
      if (behind === 0) return true
    }
    return false
  }

  /** Clicks what has the name of a value, near a label. @param {string} label @param {string} value */
  const pick = async (label, value) => {
    const near = isRef(label) ? {} : { near: label }
    const isOther = (/** @type {Item} */ one) => !isTextField(one) && plain(one.text) !== plain(label)
    const find = async () => findItem(await look(), value, { ...near, role: 'radio', isRight: isOther })
    const item = await find()
    if (item?.attributes['checked'] === 'true') return
    if (item) {
      await clickItem(item)
      return
    }
    // What comes after the label may open a list.
    const opener = findItem(await look(), '', near)
    if (!opener) throw new Error(`Its state has no field ${JSON.stringify(label)}`)
    await clickItem(opener)
    await clickItem(await locate(value, { role: 'option', isRight: isOther }))
  }

  /** Gives one value to one field. @param {string} label @param {unknown} value @returns {Promise<void>} */
  const fillOne = async (label, value) => {
    const text = String(value)
    const item = await fieldOf(label)
    const role = item && roleOf(item)
    if (Array.isArray(value)) for (const one of value) await hands.choose(label, one)
    else if (item?.tag === 'select') {
      const options = item.text.split('\n').map((one) => one.trim())
      const option =
        options.find((one) => plain(one) === plain(text)) ??
        options.find((one) => plain(one).startsWith(plain(text))) ??
        options.find((one) => plain(one).includes(plain(text))) ??
        // An option such as "Sep".
        options.find((one) => one.length > 1 && plain(text).startsWith(plain(one)))
      await act('select_dropdown_option', { index: item.index, text: option ?? text })
    } else if (item && typeof value === 'boolean') {
      const { checked, 'aria-checked': ariaChecked, 'data-state': state } = item.attributes
      const now = checked ?? ariaChecked ?? state ?? 'false'
      if (/^(?:true|checked|on)$/.test(now) !== value) await clickItem(item)
    } else if (item && isTextField(item)) {
      await act('input_text', { index: item.index, text })
      if (/^\d{4}-\d\d-\d\d$/.test(text) && item.attributes['type'] !== 'date') await pickDay(text)
    } else if (role === 'slider') lack('moving a slider')
    else if (item && role !== 'radio') {
      // A box that opens a list.
      await clickItem(item)
      const isOption = (/** @type {Item} */ one) => plain(one.text) !== plain(item.text)
      await clickItem(await locate(text, { role: 'option', isRight: isOption }))
    } else if (typeof value === 'boolean') await clickItem(await locate(label))
    else await pick(label, text)
  }

  /** @param {Record<string, unknown>} values @returns {Promise<Report[]>} */
  const tryFill = async (values) => {
    /** @type {Report[]} */
    const reports = []
    for (const [field, value] of Object.entries(values)) {
      try {
        await fillOne(field, value)
        reports.push({ field, ok: true, now: value })
      } catch (thrown) {
        if (thrown instanceof NoAction) throw thrown
        reports.push({ field, ok: false, now: undefined, problem: /** @type {Error} */ (thrown).message })
      }
      const filled = await fieldOf(field)
      if (filled) lastField = filled
    }
    return reports
  }
  /** Where the last value went. @type {Item | undefined} */
  let lastField

  const isButton = (/** @type {Item} */ one) => roleOf(one) === 'button'
  const submit = async () => {
    const items = await look()
    const isOther = (/** @type {Item} */ one) =>
      /remove|delete|discard|cancel|close|reset|back|previous/.test(namesOf(items, one).own.join())
    const buttons = items.filter((one) => isButton(one) && !isOther(one))
    const after = buttons.filter(({ line }) => line > (lastField?.line ?? -1))
    const isSubmit = (/** @type {Item} */ { attributes: { type } }) => type === 'submit'
    const button = after.find(isSubmit) ?? after.at(0) ?? buttons.find(isSubmit) ?? buttons.at(-1)
    if (!button) return lack('pressing Enter')
    return clickItem(button)
  }

  /** @param {string} key @param {string} [name] */
  const press = async (key, name) => {
    if (key !== 'Enter' || name === undefined) return lack(`pressing ${key}`)
    // A button beside the field may do the same; and some pages take the text when the field is left.
    const field = await resolve(name)
    const items = await look()
    const beside = items.slice(field.line + 1, field.line + 3).find(isButton)
    if (beside && /add|ok|save|go|search|send|submit|enter|✓|➕/i.test(namesOf(items, beside).own.join()))
      return clickItem(beside)
    lacks.push('pressing Enter')
    return ''
  }

  /**
   * Scrolls until the text is told. Where the page tells numbers beside the same words, jumps to where the wanted number
   * must be.
   * @param {string} text @param {string} [target]
   */
  const scrollTo = async (text, target) => {
    const wanted = Number(/\d+/.exec(text)?.[0] ?? NaN)
    const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\d+/, '0*(\\d+)'), 'gi')
    for (let tries = 0; tries < 30; tries++) {
      const state = await observe()
      if (sees(text, state)) return
      const box = target === undefined ? undefined : await resolve(target)
      const scrollable = box?.attributes['data-scrollable'] ?? ''
      const [above = 0, below = 0] = ['top', 'bottom'].map((side) =>
        Number(new RegExp(`${side}=(\\d+)`).exec(scrollable)?.[1] ?? 0),
      )
      const numbers = [...state.matchAll(pattern)].map(([, number]) => Number(number))
      const [first, last] = [Math.min(...numbers), Math.max(...numbers)]
      // What is above the first number tells how high one line is.
      const isFar = numbers.length > 1 && above > 0 && first > 1 && (wanted < first || wanted > last)
      const lines = (wanted > last ? wanted - last : wanted - first) * (isFar ? above / (first - 1) : 0)
      const down = isFar ? lines > 0 : below > 0 || target === undefined
      // In a box, page-agent moves by a third of what it is told.
      const pixels = isFar ? Math.ceil(Math.abs(lines) * 3) : undefined
      const amount = pixels === undefined ? { num_pages: box ? 3 : 1 } : { pixels }
      await act('scroll', { down, ...amount, ...(box ? { index: box.index } : {}) })
    }
    throw new Error(`Its state does not have the text ${text} after 30 scrolls`)
  }

  /** @param {{ text?: string, still?: boolean }} until */
  const waitFor = async ({ text }) => {
    for (let tries = 0; tries < 6; tries++) {
      if (text === undefined && tries > 0) return
      if (text !== undefined && sees(text, await observe())) return
      await wait()
    }
    throw new Error(`Its state does not have the text ${text} after 6 seconds`)
  }

  const read = observe
  /** @param {string} name @param {Where} [where] */
  const find = async (name, where = {}) => refOf(await locate(name, where), name, where)
  /** @param {string} text @param {(item: Item) => boolean} isRight */
  const exact = async (text, isRight) => {
    const item = (await look()).find((one) => one.index !== undefined && isRight(one))
    if (!item) throw new Error(`Its state has no element for ${JSON.stringify(text)}`)
    return refOf(item, text, {})
  }

  /**
   * A tool of ours: the action of page-agent that does the same.
   * @param {string} tool @param {Record<string, any>} [input]
   * @returns {Promise<string>}
   */
  const use = async (tool, { target, fields: given = [], ...input } = {}) => {
    if (tool === 'page_click') return click(target, input)
    if (tool === 'page_press' && input['select'] !== undefined) return lack('selecting a text')
    if (tool === 'page_press') return press(input['key'], target)
    if (tool === 'page_drag') return lack('dragging')
    if (tool === 'form_fill') {
      for (const { field, value } of given) await tryFill({ [field]: value })
      return ''
    }
    if (tool === 'form_submit') return submit()
    if (tool === 'page_scroll')
      return act('scroll', {
        down: input['to'] !== 'top',
        num_pages: 10,
        ...(target === undefined ? {} : { index: (await resolve(target)).index }),
      })
    return lack(`the tool ${tool}`)
  }
  /** An argument of a form that is a tool: the field has its name. @param {string} field @param {unknown} value */
  const fillFormTool = async (field, value) => {
    const items = await look()
    const named = items.filter((one) => one.attributes['name'] === field)
    for (const one of Array.isArray(value) ? value : [value]) {
      const text = String(one)
      const isTicked = (/** @type {Item} */ item) => /^(?:checkbox|radio)$/.test(item.attributes['type'] ?? '')
      const isMeant = (/** @type {Item} */ item) =>
        item.attributes['value'] === text || namesOf(items, item).own.includes(plain(text))
      const item = named.some(isTicked) ? named.find(isMeant) : named[0]
      if (!item) throw new Error(`Its state has no field ${field} for ${text}`)
      if (isTicked(item)) await clickItem(item)
      else await fillOne(refOf(item, field, {}), text)
    }
  }

  /** @type {import('../hands.mjs').Hands} */
  const hands = {
    read,
    find,
    findText: find,
    click,
    tryFill,
    use,
    submit,
    press,
    scrollTo,
    wait: waitFor,
    fill: async (values) => {
      const wrong = (await tryFill(values)).find(({ ok }) => !ok)
      if (wrong) throw new Error(`${wrong.field}: ${wrong.problem}`)
    },
    /** The fields as form_read tells them, as far as the state does. */
    fields: async () => {
      const items = await look()
      const fields = items.filter(isField).map((item) => {
        const { own, close } = namesOf(items, item)
        const [label = ''] = [...own, ...close].filter((name) => name !== plain(item.text))
        // Names are compared in lower case, but told as the page writes them.
        const written = items.flatMap((one) => [one.text, ...Object.values(one.attributes)])
        return {
          label: (written.find((one) => plain(one) === label) ?? label).replace(/\s+/g, ' '),
          ref: refOf(item, label, {}),
          value: item.text || item.attributes['value'],
          placeholder: item.attributes['placeholder'],
        }
      })
      return JSON.stringify({ fields })
    },
    sees: (text) => sees(text, latest),
    elementWith: (text) => exact(text, (one) => plain(one.text) === plain(text)),
    fieldHolding: (text) =>
      exact(text, (one) => isTextField(one) && [one.text, one.attributes['value']].includes(text)).catch(() =>
        exact(text, (one) => isTextField(one) && one.isNew),
      ),
    choose: async (field, typed, option = typed) => {
      const item = await fieldOf(field)
      if (item && isTextField(item)) {
        await act('input_text', { index: item.index, text: typed })
        const isOption = (/** @type {Item} */ one) => !isField(one)
        await clickItem(await locate(option, { role: 'option', isRight: isOption }))
      } else await fillOne(field, option)
    },
    drag: async () => lack('dragging'),
    // A form that the page offers as a tool is filled as any other form.
    form: async (_tool, input, { sends = true } = {}) => {
      for (const [field, value] of Object.entries(input)) await fillFormTool(field, value)
      if (sends) await submit()
      return ''
    },
    firstCell: async (header) => {
      const items = await look()
      const at = items.findIndex(({ text }) => plain(text) === plain(header))
      const cell = items.slice(at + 1).find(({ text, index }) => text !== '' && index === undefined)
      return cell?.text ?? ''
    },
    matching: async (pattern) => {
      const items = await look()
      for (const item of items.filter(({ index }) => index !== undefined))
        for (const name of [item.text.replace(/\s+/g, ' '), item.attributes['aria-label'] ?? '']) {
          const [, found] = pattern.exec(name) ?? []
          if (found !== undefined) return found
        }
      return ''
    },
    isOn: async (target) => {
      const item = await resolve(target)
      const { checked, 'aria-checked': ariaChecked, 'data-state': state } = item.attributes
      const told = checked ?? ariaChecked ?? state
      if (told === undefined) throw new Error(`Its state does not tell whether ${item.text || 'a box'} is on`)
      return /^(?:true|checked|on)$/.test(told)
    },
    controlAfter: async (text, count) => {
      const items = await look()
      const at = items.findIndex((one) => plain(one.text) === plain(text))
      const item = at < 0 ? undefined : items.slice(at + 1).filter(({ index }) => index !== undefined)[count]
      return item ? refOf(item, '', { near: text }) : text
    },
    controlOf: (...roles) => exact(roles.join(), (one) => roles.includes(roleOf(one))),
  }
  return { hands, lacks }
}
