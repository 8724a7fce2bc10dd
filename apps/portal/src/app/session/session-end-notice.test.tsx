import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import { SessionContext } from '../../parts/session/session.ts'
import { answer, desktop, faults, phone, session, show } from '../../page-testing.tsx'
import { SessionEndNotice } from './SessionEndNotice.tsx'

const minute = 60_000

beforeEach(async () => {
  queries.clear()
  await desktop()
  answer({})
  history.replaceState(null, '', '/devices?search=oven')
})

/** The notice of a session that ends so many ms from now, on a page; what it asks for is noted. */
async function noticeOf(left: number | undefined) {
  const asked: string[] = []
  const who = (endsAt: number | undefined) =>
    session({ endsAt, signInAgain: async (back) => void asked.push(back) })
  const at = (inMs: number | undefined) => (
    <SessionContext value={who(inMs === undefined ? undefined : Date.now() + inMs)}>
      <main>
        <h1>Devices</h1>
        <SessionEndNotice />
      </main>
    </SessionContext>
  )
  const view = await show(at(left))
  return { asked, view }
}

test('in its last five minutes a session says how long it lasts, and signing in again returns here', async () => {
  const { asked } = await noticeOf(4.9 * minute)
  const timer = page.getByRole('timer')
  await expect
    .element(timer)
    .toMatchTextContent(/^You will be signed out in 4:\d\d\. Save your work\.$/)
  const first = timer.element().textContent
  await expect.poll(() => timer.element().textContent).not.toBe(first)
  const help = 'You enter your password again and return to this page.'
  await expect.element(page.getByText(help)).toBeVisible()
  expect(await faults()).toEqual([])
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  expect(asked).toEqual(['/devices?search=oven'])
  await phone()
  expect(await faults()).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})

test.each([
  ['more than five minutes', 6 * minute],
  ['no known end', undefined],
])('a session of %s is not warned of', async (_, left) => {
  await noticeOf(left)
  await expect.element(page.getByRole('heading', { name: 'Devices' })).toBeVisible()
  expect(page.getByRole('timer').elements()).toEqual([])
})

test('the warning goes when the session has ended', async () => {
  await noticeOf(3_000)
  await expect.element(page.getByRole('timer')).toMatchTextContent(/in 0:0\d\./)
  await expect.poll(() => page.getByRole('timer').elements()).toEqual([])
})
