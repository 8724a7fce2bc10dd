import { expect, test } from 'vitest'
import { createAccountTools, codeOf, earlyInStep } from './attack-account.ts'
import { send } from './attack-http.ts'
import { attackWorld, enter, loginPage, mustBe } from './attack-world.ts'
import { longestBlock, slowness } from './loop-guard.ts'

// The sign-in forms are opened at their real steps.
const world = attackWorld()
const tools = createAccountTools(world)
const limitMs = () => 250 * slowness()

/** Nearly all that a form may have: in one field, in many fields, in what has to be decoded. */
const most = 60_000
const fillings = {
  'a long text': (field: string) => new URLSearchParams({ [field]: 'x'.repeat(most) }),
  'digits and blanks': (field: string) => new URLSearchParams({ [field]: '1 '.repeat(most / 4) }),
  'many fields': (field: string) =>
    new URLSearchParams([
      ...Array.from({ length: 6_000 }, (_, n) => [`f${n}`, '']),
      ...Array.from({ length: 1_000 }, () => [field, 'x']),
    ]),
  'signs of four bytes': (field: string) =>
    new URLSearchParams({ [field]: '\u{1f511}'.repeat(most / 12) }),
}
const kinds = Object.entries(fillings)

type Sent = (form: URLSearchParams) => Promise<{ status: number; text: string }>

/** Every filling of a field, beside the other fields of its form: the same form again, or a wait. */
async function filled(field: string, others: Record<string, string>, sent: Sent) {
  for (const [kind, fill] of kinds) {
    const form = fill(field)
    for (const [name, value] of Object.entries(others)) form.append(name, value)
    // Once before: programs are compiled at their first use.
    await sent(form)
    const { result, longest } = await longestBlock(world.server(), () => sent(form))
    const { status } = result
    const meant = [200, 400, 429].includes(status)
    expect({ kind, status, meant }).toEqual({ kind, status, meant: true })
    expect(longest).toBeLessThan(limitMs())
  }
}

test('attack 127: a password and a name that fill the form of the sign-in', async () => {
  await world.person('sigrid')
  for (const [field, other] of [
    ['password', 'username'],
    ['username', 'password'],
  ] as const) {
    const browser = world.browser()
    const { action, fields } = await loginPage(browser, tools.ask())
    const others = { ...fields, [other]: 'sigrid' }
    await filled(field, others, (body) => browser.go(action, { body }))
  }
  const browser = world.browser()
  const other = await world.person('sonja')
  mustBe(303, await enter(browser, await loginPage(browser, tools.ask()), other))
})

test('attack 128: a code that fills the form of the second factor', async () => {
  const { who, secret } = await tools.withTotp('thea')
  await earlyInStep()
  const good = await tools.atCode(who)
  mustBe(303, await good.send(codeOf(secret)))
  const page = await tools.atCode(who)
  await filled('code', {}, (form) => page.send(form.get('code') ?? ''))
})

test('attack 129: a name that fills the form of a forgotten password', async () => {
  const from = world.seat()
  const sent: Sent = (body) => send(tools.forgottenAddress(), { from, body })
  await filled('username', {}, sent)
  expect((await tools.forgot('anna')).status).toBe(200)
})

test('attack 130: a form of the sign-in that is larger than any is refused', async () => {
  const browser = world.browser()
  const { action, fields } = await loginPage(browser, tools.ask())
  const body = new URLSearchParams({ ...fields, username: 'anna', password: 'p'.repeat(300_000) })
  const ask = () => browser.go(action, { body })
  const { result, longest } = await longestBlock(world.server(), ask)
  expect(result.status).toBe(413)
  expect(longest).toBeLessThan(limitMs())
})
