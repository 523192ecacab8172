// Wrong options in plain HTML and in each framework, with the built package: the application lives, the visitor reads one
// sentence, and the console names the option, the value and what to write, once. The values of all other options are
// tested in Node. React and plain HTML stand for the others in the default run.
import { expect, heard, lives, notices, test } from '../../support/page/mistakes.js'
import { perFramework, wrongOptions } from '../../support/project/wrong-options.js'

for (const name of ['plain HTML', 'React', 'Vue', 'Svelte', 'Angular'] as const) {
  test.describe(name, { tag: name === 'plain HTML' || name === 'React' ? [] : ['@long'] }, () => {
    for (const option of perFramework) {
      const [value, says] = wrongOptions[option][option === 'endpoint' ? 1 : 0]!
      test(`${option}: ${JSON.stringify(value)} is one sentence and one line in the console`, async ({
        page,
        open,
      }) => {
        const { said } = await open(name, 'development', { props: { [option]: value } })
        await expect(notices(page)).toHaveText(/The assistant is not set up correctly/)
        await expect.poll(() => heard(page)).toEqual([expect.stringMatching(says)])
        await lives(page)
        expect(said.filter((line) => !line.includes('Failed to load'))).toEqual([expect.stringMatching(says)])
      })
    }
  })
}

test('several wrong options are one sentence for the visitor, and each is named in the console', async ({
  page,
  open,
}) => {
  const props = Object.fromEntries(perFramework.map((name) => [name, wrongOptions[name][0]?.[0]]))
  const { said } = await open('React', 'development', { props })
  await expect.poll(() => heard(page)).toHaveLength(5)
  await expect(notices(page)).toHaveCount(1)
  await lives(page)
  expect(said).toHaveLength(5)
})
