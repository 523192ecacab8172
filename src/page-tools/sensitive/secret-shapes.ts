// Secrets that are known by how they are written, wherever they stand: prefixes that providers give their keys so that
// they are found, signed tokens, private keys, addresses that let somebody in. A random string without a prefix may be
// an order number or a hash, and is not taken for a secret.

/** Beginnings of keys, each with the least number of characters that follow. */
const prefixes: readonly (readonly [source: string, least: number])[] = [
  ['[srp]k[-_](?:live|test|prod|proj|ant|or|svcacct|admin)[-_]', 8],
  ['whsec_', 8],
  ['gh[opsur]_', 16],
  ['github_pat_', 16],
  ['gl(?:pat|dt|rt|ptt|soat|agent)-', 12],
  ['xox[abeoprs]-|xapp-', 10],
  ['(?:AKIA|ASIA)(?=[A-Z\\d])', 12],
  ['AIza', 24],
  ['ya29\\.', 16],
  ['npm_|pypi-|rubygems_', 24],
  ['hf_|gsk_|xai-|nvapi-|r8_|tvly-|pplx-', 20],
  ['dop_v1_|doo_v1_|dckr_pat_|glsa_|lin_api_|ntn_|secret_|hvs\\.|sntrys_|phc_|phx_', 20],
  ['shp(?:at|ca|pa|ss)_|sq0(?:csp|atp)-|EAAA', 20],
  ['SG\\.', 24],
  ['key-(?=[\\da-f]{32})', 24],
  ['AGE-SECRET-KEY-', 20],
]

/** Publishable keys of payment providers are made for pages. */
const publishable = '(?!pk[-_])'
const body = (least: number): string => `[\\w.=+/~-]{${least},}`
const hasDigit = '(?=[\\w.=+/~-]{0,60}\\d)'

const prefixed = prefixes.map(([source, least]) => `(?:${source})${hasDigit}${body(least)}`).join('|')
const keyEnd = 'PRIVATE KEY(?: BLOCK)?-----'

const shapes = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])${publishable}(?:${prefixed})`,
    // A key without a word in its prefix needs a long run: "sk-spinner-1-of-3" is a class.
    `(?<![\\p{L}\\p{N}])sk-(?=[\\w-]{0,40}[A-Za-z\\d]{16})${hasDigit}[\\w-]{16,}`,
    '(?<![\\p{L}\\p{N}])eyJ[\\w-]{6,}\\.eyJ[\\w-]{6,}(?:\\.[\\w-]*)?',
    `-----BEGIN [A-Z ]{0,30}${keyEnd}[^"]{0,8000}?(?:-----END [A-Z ]{0,30}${keyEnd}|$)`,
    'otpauth(?:-migration)?://[^\\s"\'<>]+',
    'https://hooks\\.slack\\.com/(?:services|workflows)/[\\w/]{20,}',
    'https://(?:ptb\\.|canary\\.)?discord(?:app)?\\.com/api/webhooks/\\d+/[\\w-]{20,}',
    // The token of a bot of Telegram.
    '(?<![\\p{L}\\p{N}])\\d{8,10}:AA[\\w-]{30,}',
    // A password in an address.
    '(?<=[a-z][a-z\\d+.-]{1,20}://[^\\s/:@"]{0,64}:)[^\\s/:@"]{3,128}(?=@[^\\s/"])',
    '(?<=(?<!\\p{L})(?:Bearer|Basic) )(?=[\\w.=+/~-]{0,60}\\d)[\\w.=+/~-]{20,}',
  ].join('|'),
  'gu',
)
/** A part of each shape, so that most texts need no search. */
const maybe = /[_-]|AKIA|ASIA|AIza|eyJ|\.|otpauth|Bearer|Basic|:AA|@/

/** The text with `[private]` in place of each secret that is known by its shape. */
export const hideShapes = (text: string): string => (maybe.test(text) ? text.replace(shapes, '[private]') : text)
