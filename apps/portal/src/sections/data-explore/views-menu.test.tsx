import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, desktop, faults, openPortal } from '../../page-testing.tsx'
import { api } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { section } from './section.ts'

const view = {
  id: '5f0c7c1e-4a0e-4e5b-9f59-1f6a3c1d2b3a',
  name: 'Ovens of the night',
  description: 'Both zones',
  author: 'Tom',
  mine: false,
  shared: true,
  mayChange: false,
  query: { range: '7d' },
  version: 1,
  createdAt: 0,
  updatedAt: 0,
}
const menuButton = (name: string) => page.getByRole('button', { name })

beforeEach(async () => {
  queries.clear()
  await desktop()
  answer(api.platform.views, () => [view])
  answer(api.platform.view, () => view)
})

test('a saved view is opened by keys, and the button has the focus again', async () => {
  await openPortal('/data-explore', { sections: [section] })
  await menuButton('Saved views').click()
  await expect.element(page.getByRole('menuitem', { name: /Ovens of the night/ })).toBeVisible()
  expect(await faults()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(menuButton('Saved views')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await page.getByRole('menuitem', { name: /Ovens of the night/ }).click()
  await expect.element(menuButton('Ovens of the night')).toHaveFocus()
  await expect.poll(() => location.search).toContain(`view=${view.id}`)
})

test('what shows nothing cannot be saved, and its link is copied', async () => {
  const copied: string[] = []
  navigator.clipboard.writeText = async (text) => void copied.push(text)
  await openPortal('/data-explore', { sections: [section] })
  await menuButton('Saved views').click()
  const save = page.getByRole('menuitem', { name: 'Save as view' })
  await expect.element(save).toBeDisabled()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect.element(page.getByText('Link copied')).toBeVisible()
  expect(copied).toEqual([location.href])
})
