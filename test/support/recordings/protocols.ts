// All recorded answers by protocol, in one shape, for the comparison with the AI SDK and for the tests in browsers.
import { inPieces, type Answer, type Recording } from '../lab/streams.js'
import * as chat from '../lab/streams.js'
import * as messages from './anthropic.js'
import * as gemini from './google.js'
import { namedBytes, namedForms } from './named-events.js'
import * as responses from './openai-responses.js'

/** One recorded answer. */
export interface RecordedAnswer {
  readonly name: string
  readonly stream: boolean
  /** The bytes of the answer in form number `form`; there are twelve forms of a stream and one of a whole answer. */
  body(form?: number): Uint8Array
  /** What it contains, read in the simplest way. Undefined for whole chat completions and for recorded errors. */
  readonly wanted?: Answer
}

export interface RecordedProtocol {
  /** The value of the option `provider`, also in `compare.mjs`. */
  readonly provider: string
  readonly endpoint: '/v1' | '/v1beta'
  readonly answers: readonly RecordedAnswer[]
  /** What the adapter makes of an answer: its content, and what goes back to the server unchanged. */
  read(body: Uint8Array, stream: boolean): Promise<Answer & { readonly raw?: string | undefined; secrets: unknown[] }>
}

type Whole = { readonly name: string; readonly text: string }
const wholesOf = (wholes: readonly Whole[], wanted?: (whole: unknown) => Answer): RecordedAnswer[] =>
  wholes.map(({ name, text }) => ({
    name,
    stream: false,
    body: () => new TextEncoder().encode(text),
    ...(wanted ? { wanted: wanted(JSON.parse(text)) } : {}),
  }))
const streamsOf = (
  recordings: readonly Recording[],
  bytes: (events: readonly string[], form: number) => Uint8Array,
  wanted?: (events: readonly string[]) => Answer,
): RecordedAnswer[] =>
  recordings.map(({ name, events }) => ({
    name,
    stream: true,
    body: (form = 0) => bytes(events, form),
    ...(wanted ? { wanted: wanted(events) } : {}),
  }))

const named = (events: readonly string[], form: number) => namedBytes(events, namedForms[form % namedForms.length]!)
const plain = (terminal: boolean) => (events: readonly string[], form: number) =>
  chat.bytesOf(events, chat.forms[form % chat.forms.length]!, terminal)

/** The four protocols with their recordings. */
export const protocols: readonly RecordedProtocol[] = [
  {
    provider: 'openai',
    endpoint: '/v1',
    answers: [...streamsOf(chat.recordings, plain(true), chat.plainReading), ...wholesOf(chat.wholeAnswers)],
    read: async (body, stream) => ({
      ...(await chat.fetched(inPieces(body, []), 'http://corpus/v1', stream)),
      secrets: [],
    }),
  },
  {
    provider: 'openai-responses',
    endpoint: '/v1',
    answers: [
      ...streamsOf(responses.recordings, named, responses.plainReading),
      ...streamsOf(responses.failures, named),
      ...wholesOf(responses.wholeAnswers, responses.readingOfWhole),
    ],
    read: async (body, stream) => {
      const answer = await responses.fetched(inPieces(body, []), { stream })
      return { ...answer, secrets: answer.items.flatMap((item) => item['encrypted_content'] ?? []) }
    },
  },
  {
    provider: 'anthropic',
    endpoint: '/v1',
    answers: [
      ...streamsOf(messages.recordings, named, messages.plainReading),
      ...wholesOf(messages.wholeAnswers, messages.readingOfWhole),
    ],
    read: async (body, stream) => {
      const answer = await messages.fetched(inPieces(body, []), { stream })
      return { ...answer, secrets: answer.thinking.map(({ signature }) => signature) }
    },
  },
  {
    provider: 'google',
    endpoint: '/v1beta',
    answers: [
      ...streamsOf(gemini.geminiRecordings, plain(false), gemini.plainGemini),
      ...wholesOf(gemini.geminiAnswers, (whole) => gemini.plainGemini([JSON.stringify(whole)])),
    ],
    read: async (body, stream) => {
      const answer = await gemini.fetchedGemini(inPieces(body, []), { stream })
      return { ...answer, secrets: [] }
    },
  },
]
