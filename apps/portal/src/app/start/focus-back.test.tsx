import { Button, Menu, Modal } from '@mantine/core'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../../page-testing.tsx'

/** A dialog opened by a button or from a menu, and one that takes its place. */
function Dialogs() {
  const [open, setOpen] = useState<'first' | 'second'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onClick={() => setOpen('first')}>Open</Button>
      <Menu>
        <Menu.Target>
          <Button>More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('first')}>Open from here</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'first' && (
        <Modal opened title="First" onClose={close}>
          <Button onClick={() => setOpen('second')}>Go on</Button>
        </Modal>
      )}
      {open === 'second' && (
        <Modal opened title="Second" onClose={close}>
          Text
        </Modal>
      )}
    </>
  )
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })
const isInside = (name: string) => dialog(name).query()?.contains(document.activeElement)

test('the focus goes back to the button that opened a dialog', async () => {
  await show(<Dialogs />)
  await button('Open').click()
  await expect.poll(() => isInside('First')).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Open')).toHaveFocus()
})

test('the focus goes back to the button of the menu whose item opened a dialog', async () => {
  await show(<Dialogs />)
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Open from here' }).click()
  await expect.poll(() => isInside('First')).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.element(button('More')).toHaveFocus()
})

test('after a dialog that took the place of another the focus is where it was before both', async () => {
  await show(<Dialogs />)
  await button('Open').click()
  await button('Go on').click()
  await expect.poll(() => isInside('Second')).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Open')).toHaveFocus()
})
