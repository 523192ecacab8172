// Real forms, recorded by others, the network blocked: how many controls get a label of their own, how many take a
// value, and whether any secret leaves. Prints a table; the floors are what must hold on every page.
import { expect, test } from '../../../support/page/site.js'
import { corpusFiles, missingCorpus } from '../../../support/lab/corpora.js'
import { isLong } from '../../../support/project/long.js'

const files = corpusFiles('forms', '.html')

/**
 * Secret, but not marked in the corpus: `data-manual-scoring` is `unknown` or the name of what else a browser would fill in
 * there. Each was read by hand. They count as labelled secrets, so that a false alarm is a field that is none.
 */
const unmarked = new Map<string, readonly (readonly [selector: string, count: number, reason: string])[]>([
  [
    'account_my_com_signup.html',
    [
      ['#token', 1, '"Enter verification code", of an app or a message'],
      ['#verification_code', 1, '"Verification code", below "SMS sent to"'],
    ],
  ],
  ['chase_2fa-verification-step.html', [['#otpcode_input-input-field', 1, '"One-time code" of the second factor']]],
  ['cookpad_email-confirmation-code.html', [['#email_verification_code_given', 1, 'the code that was sent by e-mail']]],
  ['hulu_account-pin.html', [['[data-automationid=digit-input-field]', 4, 'a digit each of the PIN of an account']]],
  [
    'ikea_signup-verification.html',
    [['[id^=email-verification-single-otp-input-]', 6, 'a digit each of the one-time code that was sent by e-mail']],
  ],
  [
    'mcqueensdairies_co_uk_login.html',
    [['#myvcode', 1, '"Verification Code", with which a customer signs in without a password']],
  ],
  [
    'online_simplii_com_login.html',
    [['[name=cardNumber]', 1, '"Card Number" of a bank card, which is the user name there']],
  ],
  [
    'porkbun_com_login.html',
    [
      ['#bypassTwoFactorEmailCode', 1, 'the code that was sent by e-mail, for the second factor'],
      ['#bypassTwoFactorPhoneCode', 1, 'the code that was sent by phone, for the second factor'],
    ],
  ],
])

interface Row {
  labelled: number
  named: number
  unique: number
  ordinals: number
  declared: number
  declaredLeaks: number
  hidden: number
  hiddenLeaks: number
  secrets: number
  secretLeaks: number
  open: number
  alarms: number
  tried: number
  filled: number
  refusable: number
  refused: number
  problems: string[]
  leaked: string[]
  alarmed: string[]
  longest: number
  usual: number
  fields: number
  ms: number
}

/** The bound that the reading is asked for; the line with the cursor comes on top. */
const most = 40_000
const usualMost = 12_000
const cursorLine = 400

test(
  'real forms: labels are readable and unique, values stick, and secrets are neither returned nor written',
  { tag: ['@matrix', '@S17', '@S18'] },
  async ({ page, site, browserName }) => {
    test.skip(files.length === 0, missingCorpus('forms', 1))
    test.setTimeout(900_000)
    // `npm run forms` and the long run read every page in Chromium, which takes about a minute.
    const isWhole = isLong && browserName === 'chromium'
    const sample = files.filter((_, index) => isWhole || index % 6 === 0)
    await page.route(
      (address) => address.origin !== site,
      (route) => route.abort(),
    )
    // One window for all: writing a document anew keeps the modules that are loaded.
    await page.goto(`${site}/test/pages/session/blank.html`)
    await page.evaluate(() => import('/src/tools.ts' as string))

    const rows: (Row & { name: string })[] = []
    for (const file of sample) {
      // The recordings are of the page after its scripts ran; addresses without a host would be asked of this server.
      const body = file
        .read()
        .replace(/<script[\s\S]*?<\/script>/gi, '')
        .replace(/<base\b[^>]*>|<meta[^>]*http-equiv[^>]*>/gi, '')
      const text = `${/^\s*<!doctype/i.test(body) ? '' : '<!doctype html>'}<base href="https://corpus.invalid/">${body}`
      await page.evaluate((text) => {
        document.open()
        document.write(text)
        document.close()
      }, text)
      const listed = unmarked.get(file.name) ?? []
      for (const [selector, count, reason] of listed)
        await expect(page.locator(selector), `${file.name}: ${reason}`).toHaveCount(count)
      const row = await page.evaluate(
        async ({ most, listed }): Promise<Row> => {
          const { readTools, fillTools } = (await import(
            `${location.origin}/src/tools.ts`
          )) as typeof import('../../../../src/tools.js')
          const tools = new Map([...readTools(), ...fillTools()].map((tool) => [tool.name, tool]))
          const run = {
            signal: new AbortController().signal,
            toolContext: {},
            sessionId: 's',
            toolCallId: 'c',
            messages: [],
            shared: new Map<string, unknown>(),
            remember() {},
            report() {},
            ask: () => Promise.reject(new Error('Nobody can be asked')),
          }
          const execute = async (name: string, input: Record<string, unknown> = {}): Promise<unknown> =>
            tools.get(name)?.execute?.(input, run)

          // A canary in every field that can hold one; numbers apart, so that a leak tells where it came from.
          const canaries = new Map<string, Element>()
          const isSecret = (element: Element): boolean =>
            /^(password|cardNumber|cardSecurityCode|totp)/.test(element.getAttribute('data-manual-scoring') ?? '') ||
            listed.some((selector) => element.matches(selector))
          const isDeclared = (element: Element): boolean =>
            (element as HTMLInputElement).type === 'password' ||
            /(^|\s)(cc-(number|exp|csc)|one-time-code|(current|new)-password)/.test(
              element.getAttribute('autocomplete') ?? '',
            )
          const inputs = [...document.querySelectorAll('input')]
          inputs.forEach((input, at) => {
            if (!isSecret(input) && !isDeclared(input) && input.type !== 'hidden') return
            const canary = `CNRY${String(at).padStart(4, '0')}X`
            try {
              input.removeAttribute('maxlength')
              input.value = canary
            } catch {
              return
            }
            if (input.type === 'hidden' || input.type === 'password') input.setAttribute('value', canary)
            if (input.value === canary) canaries.set(canary, input)
          })

          const start = performance.now()
          const form = (await execute('form_read')) as {
            fields: {
              label: string
              ref: string
              type: string
              private?: string
              disabled?: boolean
              readonly?: boolean
              options?: string[]
              value?: unknown
            }[]
          }
          const outline = (await execute('page_read', { maxChars: most })) as string
          const ms = performance.now() - start
          const usual = (await execute('page_read')) as string
          let told =
            JSON.stringify(form) +
            outline +
            usual +
            JSON.stringify(
              await execute('dom_query', {
                selector: 'input',
                limit: 100,
                attributes: ['value', 'data-value', 'title'],
              }),
            )

          // Which control a field stands for, by its ref.
          const { takeSnapshot } = (await import(
            `${location.origin}/src/page-tools/dom/page-snapshot.ts`
          )) as typeof import('../../../../src/page-tools/dom/page-snapshot.js')
          const snapshot = takeSnapshot(run)
          const fieldOf = new Map(
            snapshot.fields().flatMap((field) => field.members.map((member) => [member as Element, field] as const)),
          )
          const scored = [...document.querySelectorAll<HTMLElement>('[data-manual-scoring]')].filter((element) => {
            const box = element.getBoundingClientRect()
            return (
              box.width > 0 &&
              box.height > 0 &&
              element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
              element.getAttribute('type') !== 'hidden'
            )
          })
          const labels = snapshot.fields().map((field) => field.label)
          const labelOf = (element: Element): string => fieldOf.get(element)?.label ?? ''
          const own = scored.filter(
            (element) =>
              labels.filter((label) => label === labelOf(element)).length === 1 && /\p{L}{2}/u.test(labelOf(element)),
          )

          const texts = form.fields
            .filter(
              (field) =>
                /^(text|search|tel|url|textarea)$/.test(field.type) &&
                !field.private &&
                !field.disabled &&
                !field.readonly,
            )
            .slice(0, 12)
          const selects = form.fields
            .filter(
              (field) =>
                field.type === 'select' && (field.options?.length ?? 0) > 1 && !field.disabled && !field.private,
            )
            .slice(0, 3)
          const answers =
            texts.length + selects.length === 0
              ? []
              : ((await execute('form_fill', {
                  fields: [
                    ...texts.map((field) => ({ field: field.label, value: '7' })),
                    ...selects.map((field) => ({ field: field.label, value: field.options?.at(-1) ?? '' })),
                  ],
                })) as { field: string; ok: boolean; problem?: string; now: unknown }[])
          told += JSON.stringify(answers)
          // A pattern or an impossible length is the page's own refusal: the value still stands there.
          const stuck = (answer: { ok: boolean; now: unknown; problem?: string }): boolean =>
            answer.ok || answer.now === '7'

          // Secrets are for the user to fill, and what a tool says when it refuses is told, too.
          const secrets = form.fields.filter((field) => field.private && !field.disabled).slice(0, 20)
          const refusals =
            secrets.length === 0
              ? []
              : ((await execute('form_fill', {
                  fields: secrets.map(({ ref }) => ({ field: ref, value: 'attack' })),
                })) as { ok: boolean; problem?: string }[])
          const written = inputs.filter((input) => input.value === 'attack').length
          told += JSON.stringify(refusals)
          // All that is shown in plain letters now, and a page that is read again.
          for (const input of inputs) if (input.type === 'password') input.type = 'text'
          told +=
            JSON.stringify(await execute('form_read')) +
            JSON.stringify(await execute('dom_query', { selector: 'input', limit: 100, attributes: ['value'] })) +
            JSON.stringify(await execute('page_read', { scope: 'e9999999' }).catch((error: Error) => error.message))

          const leaked = [...canaries].filter(([canary]) => told.includes(canary)).map(([, element]) => element)
          const all = [...canaries.values()]
          return {
            labelled: scored.length,
            named: scored.filter((element) => /\p{L}{2}/u.test(labelOf(element))).length,
            unique: own.length,
            ordinals: scored.filter((element) => /\(\d+\)$/.test(labelOf(element))).length,
            declared: all.filter((element) => isDeclared(element)).length,
            declaredLeaks: leaked.filter((element) => isDeclared(element)).length,
            hidden: all.filter((element) => (element as HTMLInputElement).type === 'hidden').length,
            hiddenLeaks: leaked.filter((element) => (element as HTMLInputElement).type === 'hidden').length,
            secrets: all.filter(isSecret).length,
            secretLeaks: leaked.filter(isSecret).length,
            open: scored.filter((element) => !isSecret(element) && !isDeclared(element)).length,
            alarms: scored.filter(
              (element) => !isSecret(element) && !isDeclared(element) && fieldOf.get(element)?.secret !== undefined,
            ).length,
            refusable: refusals.length,
            refused:
              written > 0
                ? 0
                : refusals.filter((answer) => !answer.ok && answer.problem?.startsWith('sensitive-field')).length,
            tried: answers.length,
            filled: answers.filter(stuck).length,
            problems: answers
              .filter((answer) => !stuck(answer))
              .map((answer) => `${answer.field}: ${answer.problem ?? ''}`),
            leaked: leaked.map((element) => element.outerHTML.slice(0, 200)),
            alarmed: scored
              .filter(
                (element) => !isSecret(element) && !isDeclared(element) && fieldOf.get(element)?.secret !== undefined,
              )
              .map(
                (element) =>
                  `${fieldOf.get(element)?.secret ?? ''} ${JSON.stringify(labelOf(element))} ${element.outerHTML.slice(0, 200)}`,
              ),
            longest: outline.length,
            usual: usual.length,
            fields: JSON.stringify(form).length,
            ms,
          }
        },
        { most, listed: listed.map(([selector]) => selector) },
      )
      rows.push({ ...row, name: file.name })
    }

    const sum = (pick: (row: Row) => number): number => rows.reduce((total, row) => total + pick(row), 0)
    const share = (part: number, whole: number): string =>
      `${part} of ${whole} (${whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`})`
    const size = (pick: (row: Row) => number, bound: number): string =>
      `${Math.max(...rows.map(pick))} characters (bound ${bound})`
    const table = [
      ['pages', String(rows.length)],
      [
        'labelled visible controls with a readable label',
        share(
          sum((row) => row.named),
          sum((row) => row.labelled),
        ),
      ],
      [
        '… that no other field has',
        share(
          sum((row) => row.unique),
          sum((row) => row.labelled),
        ),
      ],
      [
        '… told apart by a number only',
        share(
          sum((row) => row.ordinals),
          sum((row) => row.labelled),
        ),
      ],
      [
        'values that stick',
        share(
          sum((row) => row.filled),
          sum((row) => row.tried),
        ),
      ],
      [
        'leaks of declared secrets',
        share(
          sum((row) => row.declaredLeaks),
          sum((row) => row.declared),
        ),
      ],
      [
        'leaks of hidden inputs',
        share(
          sum((row) => row.hiddenLeaks),
          sum((row) => row.hidden),
        ),
      ],
      [
        'leaks of all labelled secrets',
        share(
          sum((row) => row.secretLeaks),
          sum((row) => row.secrets),
        ),
      ],
      [
        'false alarms among other controls',
        share(
          sum((row) => row.alarms),
          sum((row) => row.open),
        ),
      ],
      [
        'private fields refused by form_fill',
        share(
          sum((row) => row.refused),
          sum((row) => row.refusable),
        ),
      ],
      ['largest page_read, asked for 40 000', size((row) => row.longest, most + cursorLine)],
      ['largest page_read, as it comes', size((row) => row.usual, usualMost + cursorLine)],
      ['largest form_read', `${Math.max(...rows.map((row) => row.fields))} characters`],
      ['slowest page to read', `${Math.round(Math.max(...rows.map((row) => row.ms)))} ms`],
    ]
    console.log(
      `\nForms of the corpus, ${browserName}\n${table.map(([what = '', value]) => `  ${what.padEnd(50)} ${value}`).join('\n')}`,
    )
    for (const { name, problems, leaked, alarmed } of rows)
      for (const line of [
        ...problems.map((text) => `not filled: ${text}`),
        ...leaked.map((text) => `LEAK ${text}`),
        ...alarmed.map((text) => `ALARM ${text}`),
      ])
        console.log(`  ${name}: ${line.slice(0, 600)}`)

    expect(sum((row) => row.declaredLeaks)).toBe(0)
    expect(sum((row) => row.hiddenLeaks)).toBe(0)
    expect(sum((row) => row.secretLeaks)).toBe(0)
    expect(sum((row) => row.unique) / sum((row) => row.labelled)).toBeGreaterThanOrEqual(0.995)
    expect(sum((row) => row.filled) / sum((row) => row.tried)).toBeGreaterThanOrEqual(isWhole ? 832 / 834 : 0.98)
    expect(sum((row) => row.alarms)).toBe(0)
    expect(sum((row) => row.refused)).toBe(sum((row) => row.refusable))
    expect(Math.max(...rows.map((row) => row.longest))).toBeLessThanOrEqual(most + cursorLine)
    expect(Math.max(...rows.map((row) => row.usual))).toBeLessThanOrEqual(usualMost + cursorLine)
  },
)
