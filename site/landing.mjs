// The start page. Its code is the first block of the README, and its figures are read from the limits and tables that tests
// check, so that they stay true.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { scenarios } from '../scripts/budget.mjs'
import { codeBlock } from './highlight.mjs'
import { root } from './navigation.mjs'

const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8')

/** The figures of the page. */
export function figures() {
  const guarantees = read('docs/guarantees.md')
  const faults = new Set([...guarantees.matchAll(/^\|.*`@F\d+`.*\|$/gm)].flatMap(([row]) => row.match(/@F\d+/g) ?? []))
  const threats = guarantees.match(/^\| S\d+ \|/gm) ?? []
  const languages = readdirSync(join(root, 'src/ui/i18n/languages')).length + 1
  return {
    closed: scenarios.closed.kib,
    visible: scenarios.visible.kib,
    faults: faults.size,
    threats: threats.length,
    languages,
  }
}

/** The first block of HTML in the README. */
export function startCode() {
  const code = /^```html\n([^]*?)^```/m.exec(read('README.md'))?.[1]?.trimEnd()
  if (code === undefined) throw new Error('README.md has no block of HTML')
  return code
}

/** Title, description and content. */
export function landing() {
  const { closed, visible, faults, threats, languages } = figures()
  /** @param {string} value @param {string} text @param {string} url */
  const figure = (value, text, url) => `<li><a href="${url}"><strong>${value}</strong> <span>${text}</span></a></li>`
  /** @param {string} title @param {string} text @param {string} url */
  const card = (title, text, url) => `<li><a href="${url}"><strong>${title}</strong> <span>${text}</span></a></li>`
  const description =
    'tool-agent puts an assistant inside any web page: one tag, tools from your own functions, and the visitor stays in control.'
  const html = `<section class="hero">
<div>
<h1>An assistant inside your web page</h1>
<p class="lead">Add one tag and register functions of your page as tools. The assistant reads the page, fills its forms and calls your functions, and the visitor stays in control. Everything except the model runs in the browser.</p>
<p class="actions"><a class="primary" href="start.html">Get started</a> <a class="secondary" href="playground/index.html">Try the playground</a></p>
</div>
<picture class="shot">
<img class="only-light" src="images/playground.png" width="1280" height="800" alt="A booking form that the assistant has filled from one sentence, and the panel that shows what it did">
<img class="only-dark" src="images/playground-dark.png" width="1280" height="800" loading="lazy" alt="A booking form that the assistant has filled from one sentence, and the panel that shows what it did">
</picture>
</section>
<section aria-labelledby="five-lines">
<h2 id="five-lines">Five lines</h2>
${codeBlock(startCode(), 'html')}
<p>The endpoint is your server that keeps the key of the model, such as <a href="relay.html">the relay</a>. <a href="start.html">Start</a> leads from an empty folder to a first call, without a key, for plain HTML, Vite and Next.js.</p>
</section>
<section aria-labelledby="figures">
<h2 id="figures">What a page gets</h2>
<ul class="figures">
${figure(`${closed} KiB`, 'is the most that a closed panel loads, compressed. An open one loads at most ' + `${visible} KiB until the first message.`, 'performance.html')}
${figure(String(faults), 'faults have a test: reloads, crashes, cut connections, full disks, broken streams.', 'guarantees.html#faults-that-the-agent-survives')}
${figure(String(threats), 'threats have a defence with a test, from text that gives orders to a covered question.', 'guarantees.html#threats-and-defences')}
${figure(String(languages), 'languages in the panel, with light and dark, phones, and right to left.', 'languages.html')}
</ul>
</section>
<section aria-labelledby="abilities">
<h2 id="abilities">What it can do</h2>
<ul class="cards">
${card('Your functions as tools', 'Schemas from zod or JSON Schema, validated arguments, time-outs, retries, progress, hooks.', 'tools.html')}
${card('Read and fill the page', 'Opt-in tools that never read passwords or card numbers and never submit a form unasked.', 'page-tools.html')}
${card('Ask first', 'Calls with consequences wait for the visitor, who sees and can change every argument.', 'tools.html#executing')}
${card('Survive a reload', 'Calls are stored before they start. A turn continues after a reload, and no call with consequences is repeated.', 'sessions.html')}
${card('Any model', 'OpenAI, Anthropic, Gemini, any server of chat completions, the AI SDK, or the model of the browser.', 'models.html')}
${card('MCP and WebMCP', 'The tools of MCP servers, and your tools for the agents of browsers.', 'mcp.html')}
${card('Your design', 'Themes, custom properties, parts, slots, renderers, or a chat of your own.', 'theming.html')}
${card('Tests and evaluation', 'A scripted model for tests, traces that replay, tasks with a real model.', 'testing.html')}
</ul>
</section>
<section aria-labelledby="next">
<h2 id="next">Where to go next</h2>
<ul class="next">
<li><a href="start.html">Start</a>: from an empty page to an assistant that calls your function</li>
<li><a href="frameworks.html">Frameworks</a>: React, Vue, Svelte, Angular, Next.js, Nuxt, Astro, SvelteKit and bundlers</li>
<li><a href="recipes.html">Recipes</a>: common tasks, to copy</li>
<li><a href="comparison.html">Comparison</a>: what page-agent, deep-chat, CopilotKit, AI SDK UI and assistant-ui do better, and what they leave to you</li>
<li><a href="security.html">Security</a> and <a href="guarantees.html">guarantees</a>: what you can rely on, and how it is proven</li>
<li><a href="playground/index.html">Playground</a>: three small sites to try it on, without a key, and a workshop: your own model, page tools, recordings, themes</li>
</ul>
</section>`
  return { title: 'tool-agent: an assistant inside your web page', description, html }
}
