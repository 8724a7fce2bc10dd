import type { ReactNode } from 'react'
import { ActionButton } from '@longreach/ui/ActionButton'
import { ActionMenuItem } from '@longreach/ui/ActionMenuItem'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Menu, TextInput } from '@mantine/core'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { faults, show } from './page-testing.tsx'

let pressed = 0
const press = () => void (pressed += 1)
beforeEach(() => {
  pressed = 0
})

const add = () => page.getByRole('button', { name: 'Add' })

test('a button without a reason is pressed', async () => {
  await show(
    <ActionButton reason={undefined} onClick={press}>
      Add
    </ActionButton>,
  )
  await add().click()
  expect(pressed).toBe(1)
})

test('a button with a reason takes the focus, says the reason and does nothing', async () => {
  await show(
    <ActionButton reason="You may not add devices" onClick={press}>
      Add
    </ActionButton>,
  )
  await expect.element(add()).toHaveAttribute('aria-disabled', 'true')
  const before = add().element()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('You may not add devices')
  // The file of the tooltip takes neither the element nor its focus away.
  expect(document.activeElement).toBe(before)
  await expect.element(add()).toHaveAccessibleDescription('You may not add devices')
  await userEvent.keyboard('{Enter}')
  expect(pressed).toBe(0)
  expect(await faults()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => page.getByRole('tooltip').elements()).toEqual([])
  await expect.element(add()).toHaveFocus()
})

test('a link with a reason is a button that leads nowhere', async () => {
  const link = ({ children, ...props }: { children?: ReactNode }) => (
    <a href="#elsewhere" {...props}>
      {children}
    </a>
  )
  const button = (reason: string | undefined) => (
    <ActionButton reason={reason} renderRoot={link}>
      Add
    </ActionButton>
  )
  const { unmount } = await show(button('Not for you'))
  await expect.element(add()).toBeVisible()
  expect(page.getByRole('link').elements()).toEqual([])
  await unmount()
  await show(button(undefined))
  await expect.element(page.getByRole('link', { name: 'Add' })).toBeVisible()
})

test('a submit button that is off sends no form', async () => {
  await show(
    <form onSubmit={press}>
      <ActionButton type="submit" reason={undefined} idle>
        Add
      </ActionButton>
    </form>,
  )
  await add().click({ force: true })
  expect(pressed).toBe(0)
})

test('an entry of a menu with a reason leaves the menu open', async () => {
  await show(
    <Menu defaultOpened>
      <Menu.Target>
        <button type="button">More</button>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionMenuItem reason="You may not delete devices" onClick={press}>
          Delete
        </ActionMenuItem>
        <ActionMenuItem reason={undefined} onClick={press}>
          Rename
        </ActionMenuItem>
      </Menu.Dropdown>
    </Menu>,
  )
  await page.getByRole('menuitem', { name: 'Delete' }).click({ force: true })
  expect(pressed).toBe(0)
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  expect(pressed).toBe(1)
})

test('a form dialog sends its form once, shows the failure, and closes by Cancel and Escape', async () => {
  let closed = 0
  await show(
    <FormDialog
      title="New pump"
      verb="Create"
      pending={false}
      error="This name is already taken."
      onSubmit={press}
      onClose={() => void (closed += 1)}
    >
      <TextInput label="Name" data-autofocus />
    </FormDialog>,
  )
  const dialog = page.getByRole('dialog', { name: 'New pump' })
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This name is already taken.')
  await userEvent.keyboard('{Enter}')
  expect(pressed).toBe(1)
  expect(await faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await userEvent.keyboard('{Escape}')
  expect(closed).toBe(2)
})
