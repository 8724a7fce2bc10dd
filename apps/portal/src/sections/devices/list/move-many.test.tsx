import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../../lib/queries.ts'
import { answer, desktop, faults, misplaced, phone, show } from '../../../page-testing.tsx'
import { MoveManyDialog } from './MoveManyDialog.tsx'

const item = (kind: string, fate: string, names: string[] = []) => ({
  kind,
  fate,
  names,
  count: names.length,
})
beforeEach(async () => {
  queries.clear()
  await desktop()
  answer({
    'POST /svc/mappings/api/v1/devices/bulk/move-check': () => ({
      to: { id: 2, resourceId: 'nordwerk.aurora', label: 'Panificio Aurora' },
      from: [{ resourceId: 'nordwerk', devices: 3 }],
      total: 4,
      moving: 3,
      there: 1,
      refused: 0,
      losingPreset: 0,
      items: [
        item('history', 'goes'),
        item('credentials', 'cut'),
        item('notes', 'left'),
        item('model', 'goes', ['TunnelOven 1.0.0']),
        item('model', 'copied', ['Gateway 1.0.0']),
      ],
    }),
  })
})

test('the second step of a move says how many devices move where, and fits a phone', async () => {
  const props = { count: 4, organization: 'nordwerk', onClose: () => undefined }
  await show(
    <QueryClientProvider client={queries}>
      <MoveManyDialog
        {...props}
        selection={{ ids: ['a', 'b', 'c', 'd'] }}
        onStarted={() => undefined}
      />
    </QueryClientProvider>,
  )
  await page.getByRole('textbox', { name: /Import token/ }).fill('a-token')
  await page.getByRole('button', { name: 'Show what it means' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 3 devices' })
  await expect.element(dialog.getByText('1 device is there already.')).toBeVisible()
  const move = dialog.getByRole('button', { name: 'Move 3 devices' })
  await expect.element(move).toBeDisabled()
  await dialog.getByRole('textbox').fill('Panificio Aurora')
  await expect.element(move).toBeEnabled()
  expect(await faults()).toEqual([])
  await phone()
  expect(misplaced(dialog.element())).toEqual([])
})
