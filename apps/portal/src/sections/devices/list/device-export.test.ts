import { afterEach, expect, test, vi } from 'vitest'
import { listState, questionOf } from '../../../parts/devices/device-filters.ts'
import { answerCalls, refusedWith } from '../../../parts/api/calls-testing.ts'
import { exportDevices } from './device-export.ts'

afterEach(() => vi.unstubAllGlobals())

const call = 'POST /svc/mappings/api/v1/devices/export'
const question = questionOf(listState({ q: 'oven', sort: '-seen' }), 'nordwerk')
const options = { ids: undefined, t: (id: string) => id, zone: 'Europe/Rome' }

/** Files that the page saves, by their name. */
function watchFiles() {
  const saved: string[] = []
  const link = { download: '', href: '', click: () => saved.push(link.download) }
  vi.stubGlobal('document', { createElement: () => link })
  return saved
}

test('what the list shows is saved, in its order, with times of the person’s zone', async () => {
  const saved = watchFiles()
  const asked = answerCalls({ [call]: () => new Response('Device\nOven') })
  await exportDevices(question, options)
  expect(asked[0]).toMatchObject({
    query: { organization: 'nordwerk.*' },
    body: {
      question: { search: 'oven' },
      orderBy: 'lastConnUpdateAt',
      orderDir: 'desc',
      timezone: 'Europe/Rome',
    },
  })
  expect(asked[0]?.body).not.toHaveProperty('ids')
  expect(saved).toEqual([expect.stringMatching(/^devices-\d{4}-\d\d-\d\d\.csv$/)])
})

test('devices that were ticked are saved alone, with names of columns in the language', async () => {
  watchFiles()
  const asked = answerCalls({ [call]: () => new Response('') })
  await exportDevices(question, { ...options, ids: ['a', 'b'] })
  expect(asked[0]?.body).toMatchObject({
    ids: ['a', 'b'],
    columns: expect.arrayContaining([{ field: 'label', label: 'devices.device' }]) as unknown,
  })
})

test('a refusal is told by its code, and no file is saved', async () => {
  const saved = watchFiles()
  answerCalls({
    [call]: () => refusedWith(403, 'auth.missing_permission', { permission: 'devices:read' }),
  })
  await expect(exportDevices(question, options)).rejects.toMatchObject({
    code: 'auth.missing_permission',
    details: { permission: 'devices:read' },
  })
  answerCalls({ [call]: () => new Response('<html>', { status: 500 }) })
  await expect(exportDevices(question, options)).rejects.toMatchObject({
    code: 'unexpected_response',
  })
  expect(saved).toEqual([])
})
