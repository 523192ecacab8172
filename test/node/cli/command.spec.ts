// The command `tool-agent` itself: what it prints without a command, and what it says about a wrong one.
import { join } from 'node:path'
import { parseArguments, usage } from '../../../cli/arguments.js'
import { runCommand } from '../../support/project/command.js'
import { expect, root, test } from '../../support/project/dist.js'

test('without a command it prints its help and succeeds', async ({ dist }) => {
  const run = (...args: string[]) => runCommand(join(dist, 'cli.mjs'), { args, cwd: root })
  const help = { code: 0, output: `${usage}\n`, errors: '' }
  expect(await run()).toEqual(help)
  expect(await run('--help')).toEqual(help)
  expect(await run('evil')).toEqual({
    code: 2,
    output: '',
    errors: expect.stringMatching(/^Unknown command "evil"\. The commands are .*eval.*\. tool-agent --help lists /),
  })
})

test('the help has every command, and each error of a call names the help', () => {
  const listed = [...usage.matchAll(/^Usage: tool-agent (\w+)/gm)].map(([, name]) => name)
  for (const name of listed) expect(() => parseArguments(['evil'], {})).toThrow(new RegExp(`[ ,]${name}[,.]`))
  expect(parseArguments([], {})).toEqual({ command: 'help' })
  expect(parseArguments(['eval', '-h'], {})).toEqual({ command: 'help' })
  expect(() => parseArguments(['--headed'], {})).toThrow('There is no command')
  for (const args of [['eval'], ['attack'], ['evil'], ['dev', 'a', 'b'], ['eval', '--unknown']])
    expect(() => parseArguments(args, {}), args.join(' ')).toThrow('tool-agent --help')
})
