import type { TelemetryStore } from '@longreach/telemetry/store'
import { wordsOf } from '../devices/device.ts'
import { valueAccess } from '../devices/path-access.ts'
import { queryTooLarge } from '../queries/query-answered.ts'
import { type Found, findSources, mostSeries } from '../queries/query-source.ts'
import { type AskedDevice, type Exporting, exportedDevice } from './export-devices.ts'
import type { ExportQuestion } from './export-contract.ts'

/** A path of a device as it is exported. */
export type Column = { found: Found; device: string; deviceId: string; path: string; unit: string }

/** Columns of a wide file: a spreadsheet with more is of no use to anybody. */
const mostColumns = 2_000

/** The paths of each device that the caller may see, device by device. */
export async function* exportColumns(
  exporting: Exporting,
  question: ExportQuestion,
  devices: readonly AskedDevice[],
): AsyncGenerator<Column[]> {
  const telemetry = await exporting.known.telemetry()
  for (const asked of devices) yield await columnsOfDevice(telemetry, exporting, question, asked)
}

async function columnsOfDevice(
  telemetry: TelemetryStore,
  exporting: Exporting,
  question: ExportQuestion,
  { id, paths }: AskedDevice,
): Promise<Column[]> {
  const device = await exportedDevice(exporting, question, id)
  if (!device) return []
  const access = valueAccess(exporting.ctx, device)
  const sources = paths.map((modelPath) => ({ device, modelPath, access }))
  const all = await findSources(telemetry, sources)
  if (!all) throw queryTooLarge('paths', `over ${mostSeries} paths of one device; name fewer`)
  const found = new Map(all.map((one) => [one.modelPath, one]))
  return [...found.values()].map((one) => ({
    found: one,
    device: device.label || id,
    deviceId: id,
    path: one.modelPath,
    unit: wordsOf(device, one.modelPath).unit ?? '',
  }))
}

/** All columns of a wide file. */
export async function wideColumns(devices: AsyncIterable<Column[]>): Promise<Column[]> {
  const all: Column[] = []
  for await (const some of devices) {
    all.push(...some)
    if (all.length > mostColumns) {
      const message = `over ${mostColumns} paths side by side; take the long layout, or fewer paths`
      throw queryTooLarge('layout', message)
    }
  }
  return all
}

/** Names of columns: device and path, with the id where two devices have the same name. */
export function columnNames(columns: readonly Column[]): string[] {
  const ids = new Map<string, Set<string>>()
  for (const { device, deviceId } of columns) {
    ids.set(device, (ids.get(device) ?? new Set()).add(deviceId))
  }
  return columns.map(({ device, deviceId, path, unit }) => {
    const name = (ids.get(device)?.size ?? 0) > 1 ? `${device} (${deviceId})` : device
    return `${name} ${path}${unit === '' ? '' : ` [${unit}]`}`
  })
}
