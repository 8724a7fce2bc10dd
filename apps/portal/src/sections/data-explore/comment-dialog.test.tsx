import { Toasts } from '@longreach/ui/Toasts'
import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import { SessionContext } from '../../parts/session/session.ts'
import { answer, faults, session, show } from '../../page-testing.tsx'
import { CommentDialog } from './CommentDialog.tsx'

const comment = {
  id: '0b7f8c1e-2f0a-4a55-9d52-3d1d3c6b7a10',
  deviceId: 'd',
  at: Date.UTC(2026, 4, 9, 6, 30),
  until: null,
  text: 'Filter changed',
  modelPath: null,
  by: 'service-account-user-service-shifts',
  own: true,
  madeAt: Date.UTC(2026, 4, 9, 7),
  editedAt: null,
}
const path = '/svc/platform/api/v1/organizations/nordwerk.*/devices/d/comments'
let saved: unknown[] = []
let closed = 0

beforeEach(() => {
  queries.clear()
  saved = []
  closed = 0
  answer({
    [`POST ${path}`]: (_, body) => {
      saved.push(body)
      return comment
    },
    [`PATCH ${path}/${comment.id}`]: (_, body) => {
      saved.push(body)
      return comment
    },
  })
})

type Shown = Pick<Parameters<typeof CommentDialog>[0], 'comment' | 'span'>
const open = (shown: Shown) =>
  show(
    <QueryClientProvider client={queries}>
      <SessionContext value={session()}>
        <Toasts>
          <CommentDialog {...shown} devices={['d']} zone="UTC" onClose={() => (closed += 1)} />
        </Toasts>
      </SessionContext>
    </QueryClientProvider>,
  )
const at = () => page.getByLabelText('At', { exact: true })
const save = () => page.getByRole('button', { name: 'Save comment' })

test('a comment without a time is not saved as one of now: its field is required', async () => {
  await open({ comment })
  await expect.element(at()).toHaveValue('2026-05-09T06:30')
  await at().fill('')
  await save().click()
  await expect.element(at()).toHaveAttribute('aria-invalid', 'true')
  expect(saved).toEqual([])
  expect(await faults()).toEqual([])
  await at().fill('2026-05-09T06:45')
  await save().click()
  await expect
    .poll(() => saved)
    .toEqual([{ text: 'Filter changed', at: Date.UTC(2026, 4, 9, 6, 45), until: null }])
  await expect.poll(() => closed).toBe(1)
})

test('a comment names a service account as its list does', async () => {
  await open({ comment })
  await expect.element(page.getByText(/^Service account shifts · /)).toBeVisible()
})

test('a new comment stands at its time with its text', async () => {
  await open({ span: { from: Date.UTC(2026, 4, 9, 8), to: Date.UTC(2026, 4, 9, 9) } })
  await save().click()
  await expect.element(page.getByLabelText('Comment text')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabelText('Comment text').fill('Heard a noise')
  await save().click()
  await expect
    .poll(() => saved)
    .toEqual([
      { text: 'Heard a noise', at: Date.UTC(2026, 4, 9, 8), until: Date.UTC(2026, 4, 9, 9) },
    ])
})
