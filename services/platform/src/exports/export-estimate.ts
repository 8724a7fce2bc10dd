import { exportColumns, wideColumns, type Column } from './export-columns.ts'
import type { ExportEstimate, ExportQuestion } from './export-contract.ts'
import type { AskedDevice } from './export-devices.ts'
import type { Export } from './export-file.ts'
import { countStored } from '../queries/stored-counts.ts'
import { timeFormatOf } from './export-times.ts'

/** Values that are answered at once; of more, a job writes a file. */
export const mostAtOnce = 500_000
/** Most stored values from which figures are computed during a call. */
const mostReadAtOnce = 20_000_000
/** Devices that are counted; of more, some here and there. */
const mostCounted = 200

/** Estimated size of an export, by a count of the stored values. */
export async function estimate(exported: Export): Promise<ExportEstimate> {
  const { question, plan, devices, signal, known } = exported
  const telemetry = await known.telemetry()
  const some = pickEvenly(devices, question.layout === 'wide' ? devices.length : mostCounted)
  const sums = { stored: 0, series: 0, most: 0, text: 0 }
  const all = exportColumns(exported, question, some)
  const groups = question.layout === 'wide' ? [await wideColumns(all)] : all
  for await (const columns of groups) {
    const counts = await storedOf({ telemetry, signal, plan }, columns)
    sums.series += columns.length
    for (const [at, count] of counts.entries()) {
      sums.stored += count
      sums.most = Math.max(sums.most, count)
      sums.text += count * namesLength(columns[at])
    }
  }
  const scale = some.length === 0 ? 0 : devices.length / some.length
  const steps = plan.grid?.steps.starts.length
  const stored = Math.ceil(sums.stored * scale)
  const series = Math.ceil(sums.series * scale)
  const values = steps === undefined ? stored : Math.min(stored, series * steps)
  const rows = question.layout === 'long' ? values : (steps ?? sums.most)
  const names = sums.stored === 0 ? 0 : sums.text / sums.stored
  return {
    devices: devices.length,
    series,
    values,
    rows,
    bytes: estimateBytes(question, { values, rows, series, names }),
    exact: some.length === devices.length,
    large: values > mostAtOnce || stored > mostReadAtOnce,
    since: plan.since,
    to: plan.to,
  }
}

/** Of paths whose past is not shown there is one value. */
async function storedOf(
  { plan, ...counting }: Omit<Parameters<typeof countStored>[0], 'ids'> & Pick<Export, 'plan'>,
  columns: readonly Column[],
) {
  const seen = columns.filter(({ found }) => found.past)
  const ids = seen.map(({ found }) => found.series.id)
  const counts = await countStored({ ...counting, ids }, plan)
  const byColumn = new Map(seen.map((column, at) => [column, counts[at] ?? 0]))
  return columns.map((column) => byColumn.get(column) ?? 1)
}

const namesLength = (column: Column | undefined) =>
  column === undefined
    ? 0
    : column.device.length + column.deviceId.length + column.path.length + column.unit.length

function pickEvenly(devices: readonly AskedDevice[], most: number) {
  if (devices.length <= most) return devices
  const step = devices.length / most
  return Array.from({ length: most }, (_, at) => devices[Math.floor(at * step)]).filter(
    (device) => device !== undefined,
  )
}

type Amounts = { values: number; rows: number; series: number; names: number }

/** Estimated bytes of the file: digits and their compression vary. */
function estimateBytes(question: ExportQuestion, { values, rows, series, names }: Amounts) {
  const { format, layout } = question
  if (format === 'xlsx') {
    // Bytes of a compressed cell: repeated text takes little.
    return Math.ceil(2_000 + values * 6 + rows * (layout === 'long' ? 14 : 8))
  }
  const time = { iso8601: 29, local: 23, unix: 13 }[timeFormatOf(question)]
  const others = layout === 'long' ? names + 5 : series
  return Math.ceil(values * 7 + rows * (time + 2 + others))
}
