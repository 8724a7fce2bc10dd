import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useFocusBack } from './focus-back.ts'
import { FormShell } from './FormShell.tsx'
import { Toasts, useToast } from './Toasts.tsx'
import { desktop, faults, fitsWindow, phone, showPart } from './ui-testing.tsx'

type ConfirmProps = Parameters<typeof ConfirmDialog>[0]
const confirmed: string[] = []
const Confirm = (props: Partial<ConfirmProps>) => (
  <ConfirmDialog
    title="Delete Press 3?"
    verb="Delete"
    danger
    pending={false}
    error={undefined}
    onConfirm={() => confirmed.push('confirmed')}
    onClose={() => confirmed.push('closed')}
    {...props}
  >
    All of its values are deleted.
  </ConfirmDialog>
)
const pressed = () => confirmed.splice(0)

test.for(['light', 'dark'] as const)(
  'a question says what will happen, in %s, on a screen and on a phone',
  async (scheme) => {
    await desktop()
    await showPart(<Confirm error="Press 3 is writing now." />, { scheme })
    const dialog = page.getByRole('dialog', { name: 'Delete Press 3?' })
    await expect.element(dialog).toMatchTextContent(/All of its values are deleted/)
    await expect.element(page.getByRole('alert')).toHaveTextContent('Press 3 is writing now.')
    expect(await faults()).toEqual([])
    await phone()
    await expect.poll(fitsWindow).toBe(true)
    expect(await faults()).toEqual([])
    await desktop()
  },
)

test('the verb confirms, Cancel, the cross and Escape close', async () => {
  await showPart(<Confirm />)
  await page.getByRole('button', { name: 'Delete' }).click()
  expect(pressed()).toEqual(['confirmed'])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  await userEvent.keyboard('{Escape}')
  expect(pressed()).toEqual(['closed', 'closed', 'closed'])
})

test('what cannot be undone is confirmed only after its name was typed exactly', async () => {
  await showPart(<Confirm typed="press-3" />)
  const field = page.getByRole('textbox', { name: 'Type press-3 to confirm' })
  const button = page.getByRole('button', { name: 'Delete' })
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('Press-3{Enter}')
  await expect.element(button).toBeDisabled()
  expect(pressed()).toEqual([])
  await field.fill('press-3')
  await expect.element(button).toBeEnabled()
  await userEvent.keyboard('{Enter}')
  expect(pressed()).toEqual(['confirmed'])
})

test('while the answer is on its way nobody confirms twice', async () => {
  await showPart(<Confirm pending />)
  await expect.element(page.getByRole('button', { name: 'Delete' })).toBeDisabled()
})

test('a form tells of its failure above its buttons, and sends with Enter', async () => {
  await desktop()
  const sent: string[] = []
  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    sent.push('sent')
  }
  const formOf = (more: { error?: string; pending?: boolean }) => (
    <main>
      <FormShell
        verb="Save"
        pending={more.pending ?? false}
        error={more.error}
        onSubmit={submit}
        onCancel={() => sent.push('cancelled')}
      >
        <label>
          Name <input />
        </label>
      </FormShell>
    </main>
  )
  const { showAgain } = await showPart(formOf({}))
  await page.getByRole('textbox', { name: 'Name' }).click()
  await userEvent.keyboard('Press{Enter}')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(sent).toEqual(['sent', 'sent', 'cancelled'])
  expect(page.getByRole('alert').elements()).toEqual([])
  await showAgain(formOf({ error: 'This name is already taken.' }))
  await expect.element(page.getByRole('alert')).toHaveTextContent('This name is already taken.')
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Press')
  expect(await faults()).toEqual([])
  await showAgain(formOf({ pending: true }))
  await expect.element(page.getByRole('button', { name: 'Save' })).toBeDisabled()
})

test('a form without a way back has no Cancel', async () => {
  await showPart(
    <FormShell verb="Save" pending={false} error={undefined} onSubmit={() => undefined}>
      <p>Fields</p>
    </FormShell>,
  )
  expect(
    page
      .getByRole('button')
      .elements()
      .map((one) => one.textContent),
  ).toEqual(['Save'])
})

const undone: string[] = []
function Speaker() {
  const toast = useToast()
  const [count, setCount] = useState(1)
  return (
    <main>
      <button onClick={() => toast({ message: 'Not saved', kind: 'failed' })}>Fail</button>
      <button
        onClick={() => {
          toast({ message: `Saved ${count}` })
          setCount(count + 1)
        }}
      >
        Save
      </button>
      <button
        onClick={() =>
          toast({ message: 'Deleted', action: { label: 'Undo', run: () => undone.push('undo') } })
        }
      >
        Delete
      </button>
    </main>
  )
}
const speak = (name: string) => page.getByRole('button', { name, exact: true }).click()
const said = () => page.getByRole('status').element().textContent

test('a toast that can be taken back is taken back once, and goes', async () => {
  await showPart(
    <Toasts>
      <Speaker />
    </Toasts>,
  )
  await speak('Delete')
  await expect.element(page.getByText('Deleted')).toBeVisible()
  expect(await faults()).toEqual([])
  await speak('Undo')
  expect(undone).toEqual(['undo'])
  await expect.poll(said).toBe('')
})

test('at most four toasts are shown, the oldest goes first', async () => {
  await showPart(
    <Toasts>
      <Speaker />
    </Toasts>,
  )
  for (let count = 0; count < 5; count++) await speak('Save')
  await expect.poll(said).toBe('Saved 2Saved 3Saved 4Saved 5')
})

test('good news goes after six seconds, unless somebody reads it; a failure stays until it is closed', async () => {
  await showPart(
    <Toasts>
      <Speaker />
    </Toasts>,
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    // Pressed without the pointer of the test, which waits by timers.
    const press = (name: string) =>
      (page.getByRole('button', { name, exact: true }).element() as HTMLElement).click()
    press('Fail')
    press('Save')
    await vi.waitUntil(() => said() === 'Not savedSaved 1')
    const close = page.getByRole('button', { name: 'Close' }).last().element() as HTMLElement
    const drawn = () => new Promise(requestAnimationFrame)
    close.focus()
    await vi.advanceTimersByTimeAsync(20_000)
    await drawn()
    expect(said()).toBe('Not savedSaved 1')
    close.blur()
    await vi.advanceTimersByTimeAsync(5_900)
    await drawn()
    expect(said()).toBe('Not savedSaved 1')
    await vi.advanceTimersByTimeAsync(200)
    await expect.poll(said).toBe('Not saved')
  } finally {
    vi.useRealTimers()
  }
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(said).toBe('')
})

function Opener() {
  useFocusBack()
  const [open, setOpen] = useState(false)
  return (
    <main>
      <button onClick={() => setOpen(true)}>Delete Press 3</button>
      {open && <Confirm onClose={() => setOpen(false)} />}
    </main>
  )
}

test('the focus goes back to the button that opened a dialog', async () => {
  await showPart(<Opener />)
  const opener = page.getByRole('button', { name: 'Delete Press 3' })
  await opener.click()
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(opener).toHaveFocus()
})
