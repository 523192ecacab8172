// The page around every product: a plain shop, the same for all. It starts one product, and offers the tool of the shop.

/** The names of the compared products. A picture in which one of them can be read is refused. */
export const productNames = /tool-agent|copilot|assistant-ui|deep[ -]?chat/i

/**
 * @typedef {object} Product
 * @property {string} name
 * @property {string} panel a selector of its panel, also in open shadow roots
 * @property {string} field a selector of its text field
 */

/** @type {Product[]} */
export const products = [
  { name: 'ours', panel: 'tool-agent [part=panel]', field: 'tool-agent textarea' },
  { name: 'copilotkit', panel: '[data-copilot-popup]', field: '[data-copilot-popup] textarea' },
  { name: 'assistant-ui', panel: '[data-looks-panel]', field: '.composer-input' },
  { name: 'deep-chat', panel: 'deep-chat', field: 'deep-chat #text-input' },
  // Only in the states that act on the page.
  { name: 'page-agent', panel: 'body', field: 'body' },
]

const style = `
:root { color-scheme: light; background: #f6f3ee; color: #24201a; font: 16px/1.5 system-ui, sans-serif; }
:root.dark { color-scheme: dark; background: #1b1916; color: #ece7df; }
body { margin: 0; }
body > header { display: flex; gap: 24px; align-items: baseline; padding: 20px 32px; }
body > header strong { font-size: 20px; }
body > main { display: grid; grid-template-columns: repeat(auto-fill, 220px); gap: 20px; padding: 12px 32px; }
body > main article { border-radius: 10px; padding: 16px; background: rgb(128 110 80 / 12%); }
body > main article div { height: 130px; border-radius: 6px; margin-bottom: 12px; background: rgb(128 110 80 / 22%); }
`

const teapots = [
  ['Kyoto', '$64.00'],
  ['Aurora', '$38.50'],
  ['Windsor', '$72.00'],
  ['Rooibos Vanilla', '$6.20'],
  ['Peppermint', '$5.40'],
  ['Camomile & Honey', '$5.90'],
]

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Our tag, as docs/start.md has it, floating, with a heading, a greeting and suggestions. */
const ourBody = (/** @type {PageOptions} */ { base, texts }) => `
<tool-agent endpoint="${base}/v1" model="looks" layout="floating" open heading="${escaped(texts.shop)}"
  greeting="${escaped(texts.greeting)}" suggestions="${escaped(JSON.stringify(texts.suggestions))}"></tool-agent>
<script type="module">
  import '/tool-agent/tool-agent.js'
  document.querySelector('tool-agent').registerTool({
    name: 'find_orders',
    title: 'Find orders',
    description: 'Returns the orders of a customer.',
    inputSchema: {
      type: 'object',
      properties: { customer: { type: 'string' }, status: { type: 'string' } },
      required: ['customer'],
    },
    annotations: { readOnlyHint: true },
    execute: (input) => looks.call(input),
  })
</script>`

/**
 * @typedef {object} PageOptions
 * @property {string} product
 * @property {string} base of the protocols
 * @property {{ shop: string, greeting: string, suggestions: readonly string[] }} texts
 * @property {boolean} isDark
 * @property {boolean} isPhone
 * @property {unknown} [result] of the tool; without one, the tool never returns
 */

/** The HTML of a page with a product. @param {PageOptions} options */
export function pageOf(options) {
  const { product, base, texts, isDark, isPhone, result } = options
  const given = JSON.stringify({ endpoint: base, texts, isPhone, result }).replaceAll('<', '\\u003c')
  const peer = `<link rel="stylesheet" href="/peers/${product}/index.css"><script type="module" src="/peers/${product}/index.js"></script>`
  return `<!doctype html>
<html lang="en"${isDark ? ' class="dark"' : ''}><head><meta charset="utf-8"><title>${escaped(texts.shop)}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>${style}</style>
<script>
  globalThis.looks = ${given}
  looks.call = () => (looks.result === undefined ? new Promise(() => {}) : Promise.resolve(looks.result))
</script></head>
<body><header><strong>${escaped(texts.shop)}</strong><span>Teapots</span><span>Tea</span><span>Gifts</span></header>
<main>${teapots.map(([name = '', price = '']) => `<article><div></div>${escaped(name)}<br>${price}</article>`).join('')}</main>
${product === 'ours' ? ourBody(options) : peer}
</body></html>`
}
