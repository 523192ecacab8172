// What providers charge for input tokens, as a share of the usual price. As of November 2026:
// https://platform.openai.com/docs/pricing, https://platform.claude.com/docs/en/build-with-claude/prompt-caching,
// https://cloud.google.com/vertex-ai/generative-ai/docs/context-cache/context-cache-overview
export const cachePrices = /** @type {const} */ ({
  'OpenAI and Google': { read: 0.1, write: 1 },
  Anthropic: { read: 0.1, write: 1.25 },
})
