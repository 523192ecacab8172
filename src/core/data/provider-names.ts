// The protocols of model endpoints, as the option `provider` names them. Each one is a folder of `host/models/` whose
// `index.ts` exports `provider`. With a new name here, the type check asks for its entries in the type `Provider`
// (`page/options.ts`), `page/client/spawn.ts` and `host/models/bundled-providers.ts`.

/** The names. Requests of these protocols have no effect on their servers. */
export const providerNames = ['openai', 'openai-responses', 'anthropic', 'google'] as const

/** One of the names. */
export type ProviderName = (typeof providerNames)[number]
