// Whether the words of an error say that a request is longer than the model's context. Servers have no common code, so
// the rule reads how the sentence is built: something of the request, counted in tokens or length, exceeds a maximum.

/** Wordings without that form, by their server. The list of `@mariozechner/pi-ai` (overflow.js) names most of them. */
const wordings: readonly (readonly [server: string, words: RegExp])[] = [
  ['OpenAI, llama.cpp, vLLM, MiniMax', /context[ _-]?(?:length|window|size|overflow)/i],
  ['Anthropic', /prompt (?:is )?too long|request[ _]too[ _]large/i],
  ['Amazon Bedrock', /input is too long/i],
  ['Google', /input token count/i],
  ['xAI', /maximum prompt length/i],
  ['Groq', /reduce the length/i],
  ['Moonshot', /model token limit/i],
  ['Mistral', /too large for model/i],
  ['GitHub Copilot, DashScope', /exceeds (?:the )?(?:max(?:imum)? length|limit of \d+)/i],
  ['TGI', /tokens \+ .?max_new_tokens/i],
  ['DashScope', /range of input length/i],
  ['OpenAI', /string_above_max_length/i],
  ['several', /too many (?:input )?tokens|token limit exceeded|maximum number of input tokens/i],
  ['Zhipu', /(?:prompt|输入|上下文).{0,20}(?:超长|过长|超过|超出)/i],
]
const nouns = 'prompt|inputs?|context|conversation|total|sequence'
const ofRequest = String.raw`\b(?:${nouns})(?:[ _](?:tokens?|length))?\b(?![[.\w])`
const mustBe = 'must (?:be|have) (?:less|fewer|at most)'
const exceeds = String.raw`(?:\bexceed|too (?:long|large)|(?:longer|greater|more) than|${mustBe})`
const form = new RegExp(
  `${ofRequest}.{0,120}?${exceeds}|\\btokens?\\b.{0,60}?\\bexceed|\\bexceed.{0,60}?\\btokens?\\b`,
  'is',
)
const counted = /token|length|context|seq_len|too long/i
/** Limits of time, and of the answer. */
const throttled =
  /throttl|rate.?limit|too many requests|please wait|\bper[ _](?:second|minute|min|hour|day)\b|\bTP[MD]\b/i
const ofAnswer = /max_(?:completion_|output_|new_)?tokens|(?:completion|output) tokens/i

/** True for the code and message of an error about a request that is too long. */
export function saysOverflow(words: string): boolean {
  if (throttled.test(words)) return false
  if (wordings.some(([, pattern]) => pattern.test(words))) return true
  if (!counted.test(words) || !form.test(words)) return false
  return !ofAnswer.test(words) || new RegExp(ofRequest, 'i').test(words)
}
