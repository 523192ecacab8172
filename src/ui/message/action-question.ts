// The question about an action on the page, in words: what will happen, to what, and where. Names come from the page,
// so they are quoted, cut, and kept from changing the direction of the sentence. A preview may come from storage or
// another tab, so its shape is checked again.
import { effects, type Effect } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { isObject } from '../../core/data/json.js'
import type { ToolCallPart } from '../../core/data/message.js'
import type { Preview } from '../../core/data/action.js'
import type { Words } from '../i18n/en.js'
import type { RenderState } from '../panel/render-context.js'
import type { IconName } from '../styles/icons.js'
import type { ToolAnnotations } from '../../core/data/tool.js'
import { inputLine } from './call/tool-call-summary.js'
import { callTitleOf } from './call-title.js'
import { cutMiddle } from './values/folded-text.js'

/** A question in words. */
export interface ActionQuestion {
  /** What kind of effect is asked about. */
  readonly effect: Effect
  /** The question; undefined if the preview does not say what it is about. */
  readonly title: string | undefined
  /** What the button that allows it does. */
  readonly verb: string
  /** What the user must know before they allow it. */
  readonly warning: string | undefined
}

/** What an action acts on, from `Preview.target`. */
export interface ActionTarget {
  /** The key that is pressed on it. */
  readonly key: string | undefined
  /** Its role. */
  readonly role: string
  /** Its name; empty if it has none. */
  readonly name: string
  /** The name of the control around it. */
  readonly around: string | undefined
  /** The name of the button that sends this form. */
  readonly by: string | undefined
}

/**
 * How serious a question is: about what can be undone or reads only, about what has consequences, about what cannot be
 * undone.
 */
export type Level = 'harmless' | 'consequences' | 'final'

/** The icon of each level. */
export const levelIcons: Readonly<Record<Level, IconName>> = {
  harmless: 'info',
  consequences: 'shield',
  final: 'alert',
}

/** The effect decides for an action on the page, the hints of the author for other calls. */
export function levelOf(
  question: ActionQuestion | undefined,
  tool: { readonly annotations: ToolAnnotations; readonly isDiscovered: boolean } | undefined,
): Level {
  if (question !== undefined) {
    if (question.effect === 'destroy') return 'final'
    return question.effect === 'view' || question.effect === 'value' ? 'harmless' : 'consequences'
  }
  if (!tool) return 'consequences'
  const { destructiveHint, consequentialHint, openWorldHint, readOnlyHint } = tool.annotations
  if (destructiveHint === true) return 'final'
  // What a tool of the page or of a server does is not known without a hint.
  const isUnknown = tool.isDiscovered && readOnlyHint !== true
  return consequentialHint === true || openWorldHint === true || isUnknown ? 'consequences' : 'harmless'
}

/** Characters of a name, or of an address, in a title. The whole is below it. */
const titleLength = { name: 80, address: 60 }
/** A longer name does not fit on a button. */
const buttonLength = 20

/** The question about a call; undefined if the call is no action on the page. */
export function actionQuestion({ call, approval }: ToolCallPart, words: Words): ActionQuestion | undefined {
  const preview = approval?.preview
  const effect = effectOf(preview)
  if (!isObject(preview) || effect === undefined) return undefined
  const { approve, verbs, warnings } = words.approval
  const [title, verb] = sentenceFor(preview as unknown as Preview, effect, words)
  const { name = '' } = pressedOf(preview as unknown as Preview) ?? {}
  let warning: string | undefined
  const stopped = stoppedBy(preview as unknown as Preview)
  const isSending = stopped.some(({ does }) => does === 'request' || does === 'submit')
  if (effect === 'destroy') warning = warnings.destroys
  else if ((preview as unknown as Preview).held === true && isSending) warning = warnings.held
  else if (stopped.length > 0) warning = warnings.stopped
  else if (effect === 'send' && verb !== 'send') warning = warnings.sends
  if ((preview as unknown as Preview).refused === true)
    warning = warning === undefined ? warnings.refused : `${warning} ${warnings.refused}`
  const other = call.name === 'form_fill' ? verbs.fill : approve
  if (effect !== 'destroy') return { effect, title, verb: verb === undefined ? other : verbs[verb], warning }
  const { does, how } = preview as unknown as Preview
  // What is held was pressed before.
  const isPressed = does !== 'drag' && how === undefined && stopped[0]?.effect !== 'destroy'
  const short = isPressed && /\p{L}/u.test(name) && name.length <= buttonLength ? name : undefined
  return { effect, title, verb: short === undefined ? approve : verbs.named(quoted(short, words)), warning }
}

/** What a question is called: a sentence for an action on the page, or the title of the call. */
export function questionTitle(part: ToolCallPart, renderState: RenderState): string {
  return actionQuestion(part, renderState.words)?.title ?? callTitleOf(part, renderState)
}

/** The question on one line, with its warning; for a call that is no action on the page, with its arguments. */
export function questionLine(part: ToolCallPart, renderState: RenderState): string {
  const question = actionQuestion(part, renderState.words)
  const title = questionTitle(part, renderState)
  if (question !== undefined) return question.warning === undefined ? title : `${title} ${question.warning}`
  const line = inputLine(part, renderState, part.approval?.input)
  return line === '' ? title : `${title}. ${line}`
}

/** The effect of a preview, the most serious of what was stopped. Undefined if the preview is about no action. */
function effectOf(preview: unknown): Effect | undefined {
  if (!isObject(preview)) return undefined
  const { effect, does, site } = preview as unknown as Preview
  let own = effects.find((one) => one === effect)
  // A question of an older build.
  if (own === undefined && typeof does === 'string') own = older[does] ?? 'unknown'
  if (effect === undefined && typeof site === 'string') own = 'outside'
  const all = [own, ...stoppedBy(preview as unknown as Preview).map((one) => one.effect)]
  return effects.findLast((one) => all.includes(one))
}

const older: Partial<Record<string, Effect>> = { submit: 'send', go: 'go' }

/** What was stopped, the most serious first. */
export function stoppedBy({ stopped }: Preview): readonly StoppedEffect[] {
  if (!Array.isArray(stopped)) return []
  const all = (stopped as readonly StoppedEffect[]).filter((one) => isObject(one) && effects.includes(one.effect))
  return all.sort((one, other) => effects.indexOf(other.effect) - effects.indexOf(one.effect))
}

/** The parts of `Escape on dialog "Help"`, `span "Reply" in clickable "Reply all"`, `form "Order" by button "Pay"`. */
export function targetOf({ target }: Preview): ActionTarget | undefined {
  if (typeof target !== 'string' || target === '') return undefined
  const text = /"(?:[^"\\]|\\.)*"/.source
  const found = new RegExp(`^(?:(\\S+) on )?(\\S+) (${text})(?: (in|by) \\S+ (${text}))?`).exec(target)
  const [, key, role = '', name, relation, other] = found ?? []
  const [, forPage] = /^(\S+) on the page$/.exec(target) ?? []
  if (forPage !== undefined) return { key: forPage, role, name: '', around: undefined, by: undefined }
  if (name === undefined) return { key: undefined, role, name: target, around: undefined, by: undefined }
  const otherName = other === undefined ? undefined : unquoted(other)
  const [around, by] = relation === 'by' ? [undefined, otherName] : [otherName, undefined]
  return { key, role, name: unquoted(name), around, by }
}

/** The control that is pressed: the button of a form that is sent by one. */
export function pressedOf(preview: Preview): ActionTarget | undefined {
  const target = targetOf(preview)
  return target?.by ? { ...target, role: 'button', name: target.by, around: target.name, by: undefined } : target
}

/** An address of this site as a path, and another one as it is. */
export function shownAddress(url: string): string {
  const { origin } = location
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text.slice(1, -1)
  }
}

/** A host, or an address without one as it is. */
export function hostOf(site: string): string {
  return (URL.canParse(site) && new URL(site).host) || site
}

type Verb = Exclude<keyof Words['approval']['verbs'], 'named'>

/** The sentence and the verb of the button. The verb is undefined where only "Allow" fits. */
function sentenceFor(preview: Preview, effect: Effect, words: Words): readonly [string | undefined, Verb | undefined] {
  const { ask } = words.approval
  const [stopped] = stoppedBy(preview)
  const { does, url, site, opens } = preview
  const target = targetOf(preview)
  const pressed = pressedOf(preview)
  const thing = thingOf(preview, pressed, words)
  if (stopped !== undefined) {
    if (stopped.does === 'request' || stopped.does === 'submit') return sendsBy(preview, stopped, thing, words)
    if (stopped.does === 'choose')
      return [ask.press(quoted(cutMiddle(stopped.operation ?? '', titleLength.address), words)), 'press']
    const kind = { open: 'tab', download: 'download', go: undefined } as const
    // Where a step in the history leads, the browser does not tell.
    if (stopped.does === 'go' && (stopped.url ?? stopped.site) === undefined) return [ask.leaveBack, 'leave']
    return leadsTo({ url: stopped.url, site: stopped.site, opens: kind[stopped.does] }, words)
  }
  const isForm = does === 'submit' && !(effect === 'destroy' && pressed !== undefined && pressed.role !== 'form')
  if (isForm && typeof site === 'string') return [ask.sendFormTo(isolated(cutMiddle(hostOf(site), 60), words)), 'send']
  const form = target?.role === 'form' && target.name !== '' ? thingOf(preview, target, words) : undefined
  if (isForm && form !== undefined) return [ask.sendNamed(form), 'send']
  if (isForm) return [thing === undefined ? ask.sendForm : ask.sendWith(thing), 'send']
  const leads = does === 'go' || effect === 'go' || effect === 'outside'
  if (leads && (typeof url === 'string' || typeof site === 'string')) return leadsTo({ url, site, opens }, words)
  if (thing === undefined) return [undefined, undefined]
  if (does === 'drag') return [dragTo(preview, thing, words), 'drag']
  return does === undefined ? [ask.change(thing), undefined] : clickOf(preview, thing, words)
}

const clicks = ['double', 'right', 'middle', 'hold', 'hover'] as const

/** The press on a thing, as it is made: a double click, a long press. */
function clickOf({ how }: Preview, thing: string, { approval: { ask } }: Words): readonly [string, Verb] {
  const kind = clicks.find((one) => one === how) ?? 'press'
  return [ask[kind](thing), kind]
}

/** Data or a form that a stopped action would send: by the control, or by the other site. The path is below it. */
function sendsBy(
  preview: Preview,
  { effect, does, site, method }: StoppedEffect,
  thing: string | undefined,
  words: Words,
): readonly [string, Verb] {
  const { ask } = words.approval
  const isForm = does === 'submit'
  if (site !== undefined) {
    const host = isolated(cutMiddle(hostOf(site), titleLength.address), words)
    return [isForm ? ask.sendFormTo(host) : ask.sendTo(host), 'send']
  }
  if (thing === undefined) return [isForm ? ask.sendForm : ask.sendData, 'send']
  // Where it was dragged is what it is for.
  if (preview.does === 'drag') return [dragTo(preview, thing, words), 'drag']
  if (effect === 'destroy') return [method === 'DELETE' ? ask.deleteWith(thing) : ask.destroyWith(thing), 'send']
  return [isForm ? ask.sendWith(thing) : ask.sendDataWith(thing), 'send']
}

/** What is dragged, and to what. */
function dragTo({ to }: Preview, thing: string, words: Words): string {
  const { ask } = words.approval
  const end = typeof to === 'string' ? targetOf({ target: to }) : undefined
  if (end === undefined) return ask.move(thing)
  const name = end.name === '' ? ask.unnamedPlace : quoted(end.name, words)
  return ask.drag(thing, end.around ? ask.inside(name, quoted(end.around, words)) : name)
}

/** What is pressed, with the row, card or item around it: `“Archive” in “Slack”`. */
function thingOf(preview: Preview, target: ActionTarget | undefined, words: Words): string | undefined {
  if (target === undefined) return undefined
  const { ask } = words.approval
  const { key, role, name, around } = target
  const place = [preview.in, around, preview.heading].find((one) => typeof one === 'string' && one !== '') ?? ''
  const inside = (thing: string, where: string): string =>
    where === '' ? thing : ask.inside(thing, quoted(where, words))
  if (key !== undefined) return inside(ask.key(isolated(cutMiddle(key, 30), words)), name === '' ? place : name)
  const isMute = name !== '' && !/\p{L}/u.test(name)
  // "⚙" alone, from an older question, says no more than that there is a button.
  if (isMute && place === '' && role !== 'form') return `${ask.unnamed} (${quoted(name, words)})`
  if (name !== '') return inside(quoted(name, words), place === name ? '' : place)
  return role === 'form' ? undefined : inside(ask.unnamed, place)
}

/** Opening an address, here or in a window of its own, and leaving this site. */
function leadsTo(
  { url, site, opens }: { [Name in 'url' | 'site' | 'opens']: Preview[Name] | undefined },
  words: Words,
): readonly [string, Verb] {
  const { ask } = words.approval
  const short = (text: string): string => isolated(cutMiddle(text, titleLength.address), words)
  if (opens === 'download') return [ask.download(short(fileOf(url ?? site ?? ''))), 'download']
  if (typeof site !== 'string') {
    const address = short(shownAddress(url ?? ''))
    return [opens === 'tab' ? ask.openTab(address) : ask.open(address), 'open']
  }
  const host = hostOf(site)
  // The address of a link that another program opens.
  if (host === site) return [ask.openApp(short(url ?? site)), 'open']
  return opens === 'tab' ? [ask.openTab(short(host)), 'open'] : [ask.leave(short(host)), 'leave']
}

/** The last part of an address, without its query. */
function fileOf(url: string): string {
  const path = url.replace(/[?#].*$/s, '')
  return path.split('/').findLast((part) => part !== '') ?? path
}

/** A name from the page, in the quotation marks of the language. */
/** A name of the page or of an author, cut and in quotation marks. */
export function quoted(name: string, words: Words): string {
  return words.approval.ask.quote(isolated(cutMiddle(name, titleLength.name), words))
}

/** Text of the page that does not change the direction of the text around it. */
function isolated(text: string, { language }: Words): string {
  return language === 'ar' || /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u.test(text)
    ? `\u2068${text}\u2069`
    : text
}
