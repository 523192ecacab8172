// The arguments and environment variables of the commands of `tool-agent`.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** What the user has to change: a wrong argument, a missing package, a file without tasks. */
export class UsageError extends Error {}

/** What `eval` needs. */
export interface Settings {
  /** Files with tasks. */
  readonly files: readonly string[]
  /** Base URL of the model's API; undefined for the offline model. */
  readonly endpoint: string | undefined
  /** Names of models. Empty: the page's own. */
  readonly models: readonly string[]
  /** Never printed, and never sent to a page. */
  readonly key: string | undefined
  /** How often each task runs with each model. */
  readonly repeat: number
  /** Runs only tasks whose name contains this. */
  readonly filter: string
  /** Print JSON instead of the table; a string is the file to write it to. */
  readonly json: boolean | string
  readonly headed: boolean
  /** The browser's executable. */
  readonly browser: string | undefined
}

/** What `dev` needs. */
export interface DevSettings {
  /** The folder whose files are served. */
  readonly folder: string
  readonly port: number
}

/** What `init` needs. */
export interface InitSettings {
  /** The folder of the project. */
  readonly folder: string
  /** Remove what an earlier call has added. */
  readonly remove: boolean
  /** Do not ask. */
  readonly yes: boolean
}

/** What `attack` needs. */
export interface AttackSettings extends Pick<Settings, 'json' | 'headed' | 'browser'> {
  /** Addresses and files. */
  readonly pages: readonly string[]
  /** The most calls of the first pass on each page. */
  readonly limit: number
}

/** A command with what it needs. */
export type Command =
  | { readonly command: 'help' }
  | { readonly command: 'init'; readonly settings: InitSettings }
  | { readonly command: 'dev'; readonly settings: DevSettings }
  | { readonly command: 'eval'; readonly settings: Settings }
  | { readonly command: 'attack'; readonly settings: AttackSettings }

export const usage = `Usage: tool-agent init [folder] [--yes] [--remove]

Adds the assistant to the project of the folder (default: this one): the element, which may read the page and fill its forms,
a tool that reads, a tool that asks, a relay with the key from MODEL_API_KEY, and a task for eval. Knows plain HTML, Vite
(also with React, Vue or Svelte), Next.js, Angular, Nuxt and Astro. Shows the changes and asks; without a terminal it only
shows them and exits with 1.

  --yes               write without a question
  --remove            remove what init has added and nobody has changed since

Usage: tool-agent dev [folder] [--port <n>]

Serves the files of the folder (default: this one), the SDK at /tool-agent/ and a model at /v1 on 127.0.0.1, for
development. /models/openai, which pages of init name, is the same model. The port is 8790 if there is no other. With
MODEL_ENDPOINT, requests go to that server of chat completions, with the key MODEL_API_KEY and the model MODEL_NAME;
otherwise an offline model with fixed rules answers. Only pages of this computer may use the model.

Usage: tool-agent eval <files…> [options]

Runs the tasks of the files (see defineEvals in tool-agent/testing) with a model in Chromium, and prints for each task and
model: success, steps, tokens and time. Exits with 1 if a task fails, with 2 for a wrong call.

  --endpoint <url>    base URL of the model's API       MODEL_ENDPOINT
  --model <name>      may be repeated, or a list a,b    MODEL_NAME
  --repeat <n>        runs of each task                 1
  --filter <text>     only tasks whose name contains it
  --json[=<file>]     JSON instead of the table, or the table and a file
  --headed            show the browser
  -h, --help          this text

Usage: tool-agent attack <pages…> [options]

Opens each page, a file or an address, in Chromium, plants instructions of an attacker in it, and plays a model that obeys
them all. Reports effects without a question, private values that reached a request, and questions that name something else
than what then happens. Needs no model and no key; nothing that the page sends during the attack reaches a server. Exits
with 1 for findings, with 2 if a page cannot be attacked.

  --limit <n>         calls of the model on each page   300
  --json[=<file>], --headed

The key is read from MODEL_API_KEY only. CHROMIUM_PATH is the executable of another Chromium. Without an endpoint an
offline model with fixed rules answers, which only shows that the tasks run.`

const commands = ['init', 'dev', 'eval', 'attack']
const seeHelp = 'tool-agent --help lists the commands and their options.'

/**
 * The command of these arguments. No command is `help`.
 * @throws UsageError for a command or an option that does not exist, or a value that is not valid
 */
export function parseArguments(args: readonly string[], env: NodeJS.ProcessEnv): Command {
  const { values, positionals } = parsedArguments(args)
  const [command, ...files] = positionals
  if (values.help || (command === undefined && args.length === 0)) return { command: 'help' }
  const browser = env['CHROMIUM_PATH'] || undefined
  switch (command) {
    case 'init':
      return { command, settings: initSettings(files, values) }
    case 'dev':
      return { command, settings: devSettings(files, values.port) }
    case 'attack':
      return { command, settings: attackSettings(files, { ...values, browser }) }
    case 'eval':
      return { command, settings: evalSettings(files, { values, env, browser }) }
    default: {
      const known = `The commands are ${commands.join(', ')}. ${seeHelp}`
      throw new UsageError(
        command === undefined
          ? `There is no command. ${known}`
          : `Unknown command ${JSON.stringify(command)}. ${known}`,
      )
    }
  }
}

function evalSettings(
  files: readonly string[],
  {
    values,
    env,
    browser,
  }: { values: ReturnType<typeof parsedArguments>['values']; env: NodeJS.ProcessEnv; browser: string | undefined },
): Settings {
  if (files.length === 0) throw new UsageError(`eval: expected at least one file.\n\n${seeHelp}`)
  const repeat = Number(values.repeat ?? 1)
  if (!Number.isInteger(repeat) || repeat < 1)
    throw new UsageError(`--repeat: expected a number of at least 1, received ${JSON.stringify(values.repeat)}`)
  const endpoint = values.endpoint ?? env['MODEL_ENDPOINT']
  if (endpoint && !/^https?:\/\//.test(endpoint))
    throw new UsageError(`--endpoint: expected an absolute URL, received ${JSON.stringify(endpoint.split('?')[0])}`)
  const models = values.model ?? (env['MODEL_NAME'] ? [env['MODEL_NAME']] : [])
  return {
    files,
    endpoint: endpoint?.replace(/\/+$/, '') || undefined,
    models: models.flatMap((one) => one.split(',')).filter(Boolean),
    key: env['MODEL_API_KEY'] || undefined,
    repeat,
    filter: values.filter ?? '',
    json: values.json ?? false,
    headed: values.headed ?? false,
    browser,
  }
}

function attackSettings(
  pages: readonly string[],
  given: Partial<Pick<Settings, 'headed'>> & {
    limit?: string
    json: boolean | string | undefined
    browser: string | undefined
  },
): AttackSettings {
  if (pages.length === 0) throw new UsageError(`attack: expected at least one page.\n\n${seeHelp}`)
  const limit = Number(given.limit ?? 300)
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError(`--limit: expected a number of at least 1, received ${JSON.stringify(given.limit)}`)
  return { pages, limit, json: given.json ?? false, headed: given.headed ?? false, browser: given.browser }
}

function initSettings(folders: readonly string[], { yes = false, remove = false }): InitSettings {
  const [folder = '.', ...more] = folders
  if (more.length > 0) throw new UsageError(`init: expected one folder, received ${folders.length}. ${seeHelp}`)
  return { folder: resolve(folder), remove, yes }
}

function devSettings(folders: readonly string[], text = '8790'): DevSettings {
  const [folder = '.', ...more] = folders
  if (more.length > 0) throw new UsageError(`dev: expected one folder, received ${folders.length}.\n\n${seeHelp}`)
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port: expected a number from 0 to 65535, received ${JSON.stringify(text)}`)
  return { folder, port }
}

function parsedArguments(args: readonly string[]) {
  // `--json` has an optional value, which parseArgs does not know.
  const json = args.findLast((one) => one === '--json' || one.startsWith('--json='))
  try {
    const { values, positionals } = parseArgs({
      args: args.filter((one) => one !== '--json' && !one.startsWith('--json=')),
      allowPositionals: true,
      options: {
        endpoint: { type: 'string' },
        model: { type: 'string', multiple: true },
        repeat: { type: 'string' },
        filter: { type: 'string' },
        limit: { type: 'string' },
        port: { type: 'string' },
        headed: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        remove: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return { positionals, values: { ...values, json: json && (json.slice('--json='.length) || true) } }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${seeHelp}`)
  }
}
