import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../../parts/api/queries.ts'
import { answer, desktop, faults, misplaced, phone, show } from '../../../page-testing.tsx'
import type { Device } from '../device-calls.ts'
import { MoveDeviceDialog } from '../MoveDeviceDialog.tsx'
import { MoveManyDialog } from './MoveManyDialog.tsx'

const item = (kind: string, fate: string, names: string[] = []) => ({
  kind,
  fate,
  names,
  count: names.length,
})
const meant = {
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
}

beforeEach(async () => {
  queries.clear()
  await desktop()
  answer({
    'POST /svc/mappings/api/v1/devices/bulk/move-check': () => meant,
  })
})

/** The dialog for many devices, at its second step. */
async function openMany() {
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
  await page.getByRole('button', { name: 'Preview' }).click()
}

test('the second step of a move says how many devices move where, and fits a phone', async () => {
  await openMany()
  const dialog = page.getByRole('dialog', { name: 'Move 3 devices' })
  await expect.element(dialog.getByText('1 device is already there.')).toBeVisible()
  const move = dialog.getByRole('button', { name: 'Move 3 devices' })
  await expect.element(move).toBeDisabled()
  await dialog.getByRole('textbox').fill('Panificio Aurora')
  await expect.element(move).toBeEnabled()
  expect(await faults()).toEqual([])
  await phone()
  expect(misplaced(dialog.element())).toEqual([])
})

/** The tick of a dialog's second step; without it the dialog says that the notes stay. */
const takeAlong = page.getByRole('checkbox', {
  name: 'Also move description, attributes, comments and time-line',
})

test.each([true, false])(
  'the notes of many devices go along when that is ticked: %s',
  async (notes) => {
    const sent: unknown[] = []
    const job = { id: 'j', kind: 'bulk', label: '', state: 'DONE', total: 3, done: 3, failed: 0 }
    answer({
      'POST /svc/mappings/api/v1/devices/bulk/move-check': () => meant,
      'POST /svc/mappings/api/v1/devices/bulk': (_, body) => {
        sent.push(body)
        return { id: 'j', total: 3 }
      },
      'GET /svc/mappings/api/v1/jobs/j': () => ({
        ...job,
        error: null,
        result: null,
        createdAt: 0,
        updatedAt: 0,
      }),
    })
    await openMany()
    await expect.element(takeAlong).not.toBeChecked()
    const left = page.getByRole('listitem').filter({ hasText: 'time-line' })
    await expect.element(left).toBeVisible()
    if (notes) await takeAlong.click()
    expect(left.elements()).toHaveLength(notes ? 0 : 1)
    const dialog = page.getByRole('dialog', { name: 'Move 3 devices' })
    await dialog.getByRole('textbox').fill('Panificio Aurora')
    await dialog.getByRole('button', { name: 'Move 3 devices' }).click()
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ action: { kind: 'move', token: 'a-token', notes } })
  },
)

test.each([true, false])(
  'the notes of one device go along when that is ticked: %s',
  async (notes) => {
    const core = '/svc/core/api/v1/organizations/nordwerk/devices/oven'
    const sent: unknown[] = []
    const oven = { id: 1, alias: 'oven', label: 'Oven', hwId: 'oven', orgResourceId: 'nordwerk' }
    answer({
      [`GET ${core}/move-check`]: () => ({
        device: oven,
        from: { id: 1, resourceId: 'nordwerk', label: 'Nordwerk' },
        to: meant.to,
        items: meant.items,
      }),
      [`POST ${core}/move`]: (_, body) => {
        sent.push(body)
        return oven
      },
    })
    const device = { deviceId: 'oven', label: 'Oven', orgResourceId: 'nordwerk' } as Device
    const moved = Promise.withResolvers<undefined>()
    await show(
      <QueryClientProvider client={queries}>
        <MoveDeviceDialog
          device={device}
          onClose={() => undefined}
          onMoved={() => moved.resolve(undefined)}
        />
      </QueryClientProvider>,
    )
    await page.getByRole('textbox', { name: /Import token/ }).fill('a-token')
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect.element(takeAlong).not.toBeChecked()
    if (notes) await takeAlong.click()
    const dialog = page.getByRole('dialog', { name: 'Move Oven' })
    expect(await faults()).toEqual([])
    await dialog.getByRole('textbox').fill('Panificio Aurora')
    await dialog.getByRole('button', { name: 'Move device' }).click()
    await moved.promise
    expect(sent).toEqual([{ organizationImportToken: 'a-token', notes }])
  },
)
