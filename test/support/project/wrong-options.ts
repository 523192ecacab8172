// Values that an option does not take, with what the console must say. The core is tested with all of them, each framework
// with `perFramework`. A function is written as the text `function`, because a page gets the values as JSON.
import type { ElementOptions } from '../../../src/wrappers/component-props.js'

export type OptionName = keyof ElementOptions | 'tools'
export type WrongValue = readonly [value: unknown, says: RegExp]

const notText = (name: string): WrongValue => [
  5,
  new RegExp(`${name}: expected a string, received (?:5|a value of type number)`),
]
const notBoolean = (name: string): WrongValue => [
  'yes',
  new RegExp(`${name}: expected (?:true or false|a boolean), received "yes"`),
]

/** At least one wrong value for every option. */
export const wrongOptions: Readonly<Record<OptionName, readonly WrongValue[]>> = {
  agent: [[{ endpoint: '/v1' }, /agent: expected an Agent from createAgent\(options\)/]],
  endpoint: [
    notText('endpoint'),
    ['http://shop.example/v1', /endpoint: 'http:\/\/shop\.example' is neither https, nor localhost/],
    ['wss://shop.example/v1', /endpoint: 'wss:\/\/shop\.example' is neither https, nor localhost/],
    ['ftp://localhost/v1', /endpoint: 'ftp:\/\/localhost' is neither https, nor localhost/],
    ['https://user:key@shop.example/v1', /endpoint: a URL must not contain credentials/],
    ['https://', /endpoint: 'https:\/\/' is not (?:a URL\. Example: \/v1|an absolute URL)/],
  ],
  host: [
    notText('host'),
    ['ws://shop.example', /host: 'ws:\/\/shop\.example' is neither https, nor localhost/],
    ['ftp://localhost', /host: 'ftp:\/\/localhost' is neither https, nor localhost/],
    ['wss://user:key@shop.example', /host: a URL must not contain credentials/],
  ],
  model: [
    [5, /model: expected a string or a list of names, received 5/],
    [[], /model: expected a string or a list of names, received an array/],
    [['gpt-5', ''], /model: expected a string or a list of names/],
  ],
  provider: [['opnai', /provider: expected 'openai' or .*'browser', received "opnai"/]],
  instructions: [[['Be short'], /instructions: expected a string, received an array/]],
  sessionId: [
    ['', /sessionId: expected a non-empty string, received ""/],
    [17, /sessionId: expected a non-empty string, received 17/],
  ],
  scope: [[17, /scope: expected a string, received 17/]],
  resume: [['never', /resume: expected 'auto' or 'ask', received "never"/]],
  approval: [
    ['allways', /approval: expected 'hints' or 'always' or 'off', received "allways"/],
    [true, /approval: expected .*, received true/],
  ],
  workerUrl: [[{ href: '/worker.js' }, /workerUrl: expected a string, received an object/]],
  headers: [['Bearer secret-1', /headers: expected an object or a function, received a string/]],
  credentials: [['omit', /credentials: expected 'same-origin' or 'include', received "omit"/]],
  toolContext: [
    [{ user: 'function' }, /toolContext\.user: JSON cannot hold it \(a function\)\. Use ids and plain data/],
    ['u1', /toolContext: expected an object, received string/],
  ],
  pageContext: [['x'.repeat(2001), /pageContext: expected a function, a text or JSON: .*2,?000/]],
  limits: [
    [{ step: 3 }, /limits\.step: there is no such limit\. Did you mean "steps"\?/],
    [{ steps: '3' }, /limits\.steps: expected a number of at least 0, received "3"/],
    [5, /limits: expected an object, received 5/],
  ],
  todo: [
    [true, /todo: expected false or \{ afterRounds, text \}, received true/],
    [{ afterRounds: -1 }, /todo\.afterRounds: expected a number of at least 0, received -1/],
  ],
  toolSearch: [['on', /toolSearch: expected 'auto' or 'true' or 'false', received "on"/]],
  contextWindow: [[{ tokens: 0 }, /contextWindow\.tokens: expected a number of at least 1, received 0/]],
  textProtocol: [
    ['yes', /textProtocol: expected true or \{ open, close, instructions \}, received "yes"/],
    [{ open: '<call>' }, /textProtocol: open and close must be set together/],
  ],
  modelAdapter: [[{}, /modelAdapter: expected an object with a stream function, received an object/]],
  stream: [notBoolean('stream')],
  retention: [[{ maxSessions: '3' }, /retention\.maxSessions: expected a number of at least 0, received "3"/]],
  debug: [notBoolean('debug')],
  logErrors: [notBoolean('logErrors')],
  exposeErrors: [['all', /exposeErrors: expected 'message' or 'generic' .*, received "all"/]],
  effects: [
    [{}, /effects: expected a list of \{ selector or url, effect \}/],
    [[{ selector: '#pay' }], /effects: expected a list of \{ selector or url, effect \}/],
  ],
  onToolError: [['generic', /onToolError: expected a function, received "generic"/]],
  stopWhen: [[5, /stopWhen: expected a function, received 5/]],
  hooks: [
    [[], /hooks: expected an object, received an array/],
    [{ beforTool: 'function' }, /hooks\.beforTool is not a hook and is never called\. Did you mean "beforeTool"\?/],
  ],
  tools: [[{ find: {} }, /tools: expected an array of tools, received an object/]],
  layout: [
    ['side-bar', /layout: expected 'inline', 'floating' or 'sidebar', received "side-bar"/],
    [['sidebar'], /layout: expected 'inline', 'floating' or 'sidebar', received a value of type object/],
  ],
  open: [notBoolean('open')],
  heading: [notText('heading')],
  placeholder: [notText('placeholder')],
  prefill: [notText('prefill')],
  suggestions: [
    ['Find my order', /suggestions: expected an array of strings, received "Find my order"/],
    [[5], /suggestions: expected an array of strings/],
  ],
  attachments: [[true, /attachments: expected a string, received a value of type boolean/]],
  followUps: [[[{ text: 'More' }], /followUps: expected an array of strings/]],
  feedback: [notBoolean('feedback')],
  pageTools: [
    ['read fil', /pageTools: expected 'read', 'fill' and 'act', separated by spaces, received "read fil"/],
    [['reed'], /pageTools: expected 'read', 'fill' and 'act'/],
    [true, /pageTools: expected 'read', 'fill' and 'act'/],
  ],
  greeting: [notText('greeting')],
  icon: [[{ src: '/logo.svg' }, /icon: expected a string, received a value of type object/]],
  accent: [[5, /accent: expected a CSS colour, received a value of type number/]],
  disclaimer: [notText('disclaimer')],
  shortcut: [[true, /shortcut: expected a string, received a value of type boolean/]],
  sidebar: [['over', /sidebar: expected 'overlay' or 'push', received "over"/]],
  selection: [['on', /selection: expected 'offer' or 'off', received "on"/]],
  trust: [['on', /trust: expected 'line' or 'off', received "on"/]],
  stage: [['on', /stage: expected 'auto', 'ring' or 'off', received "on"/]],
  words: [
    ['Hello', /words: expected an object, received "Hello"/],
    [[{ greeting: 'Hello' }], /words: expected an object, received a value of type object/],
  ],
  messageActions: [['copy', /messageActions: expected a function, received "copy"/]],
}

/** What each framework is tested with: an option of the agent, of the panel, and one that protects the visitor. */
export const perFramework = ['pageTools', 'approval', 'layout', 'limits', 'endpoint'] as const satisfies OptionName[]

/** The value with its functions. */
export function revive(value: unknown): unknown {
  if (value === 'function') return () => 1
  if (Array.isArray(value)) return value.map(revive)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revive(one)]))
}
