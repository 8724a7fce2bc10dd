import { Readable } from 'node:stream'
import { csvLine, utf8Mark } from '@longreach/kit/csv'
import { failure } from '@longreach/kit/errors'
import { Reply } from '@longreach/kit/reply'
import type { Handlers } from '@longreach/kit/service'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import type { Device } from '../search/device-fields-contract.ts'
import { createZoneClock } from './time-in.ts'
import { allDevices } from './device-list.ts'
import { orderOf } from './device-order.ts'
import { devicesWhere, filtersOf } from '../search/device-question.ts'
import { requireField } from '../search/device-search.ts'
import { toDevice } from './device-wire.ts'

const times = new Set(['creationDate', 'updatedAt', 'lastConnUpdateAt', 'lastConfigUpdateAt'])

/** The list as a file, written while it is read: never all of it in memory. */
export const deviceExport = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, 'exportDevices'> => ({
  exportDevices: async ({ body }, ctx) => {
    const { question, ids, columns, timezone } = body
    for (const { field } of columns) requireField(ctx, field)
    const format = createZoneClock(timezone)
    if (!format) {
      const message = `There is no time zone ${timezone}.`
      throw failure(mappingsContract, 'bad_expression', {
        message,
        field: 'timezone',
        fault: 'time_zone',
      })
    }
    const chosen = ids ? { deviceIds: ids } : filtersOf(question)
    const where = await devicesWhere(deps, ctx, chosen)
    const order = { where, order: orderOf(body.orderBy), dir: body.orderDir ?? 'asc' }
    const lines = async function* () {
      yield utf8Mark + csvLine(columns.map(({ label }) => label))
      for await (const rows of allDevices(deps.db, order)) {
        const devices = rows.map((row) => toDevice(ctx, row))
        const texts = devices.map((device) =>
          csvLine(columns.map(({ field }) => cellOf(device, field, format))),
        )
        yield texts.join('')
      }
    }
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="devices.csv"',
    }
    return new Reply(200, headers, Readable.from(lines()))
  },
})

function cellOf(device: Device, field: string, format: (at: number) => string) {
  const value = valueAt(device, field.split('.'))
  if (times.has(field)) return typeof value === 'number' && value > 0 ? format(value) : ''
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return value as string | number | boolean | null | undefined // what JSON has beside these
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  )
