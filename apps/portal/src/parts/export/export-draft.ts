import type { MessageId } from '@longreach/ui/use-words'
import type { Input } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import type { TimeRange, TimeWindow } from '@longreach/ui/time-range'

export type ExportBody = Input<(typeof platformContract.endpoints)['startExport']>['body']
export type ExportDevices = ExportBody['devices']

/** Figures of an interval that a row can have. */
export const exportFigures = [
  'average',
  'timeWeightedAverage',
  'min',
  'max',
  'median',
  'first',
  'last',
  'delta',
  'sum',
  'count',
] as const
export const exportUnits = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const
export const exportTimes = ['iso8601', 'local', 'unix'] as const
export const exportSeparators = ['comma', 'semicolon', 'tab'] as const

/** Values of the export form. */
export type ExportDraft = {
  paths: string[]
  range: TimeRange
  format: 'csv' | 'xlsx'
  layout: 'wide' | 'long'
  /** Every stored value, or a figure for each step. */
  every: 'stored' | (typeof exportFigures)[number]
  size: number
  unit: (typeof exportUnits)[number]
  zone: string
  times: (typeof exportTimes)[number]
  separator: (typeof exportSeparators)[number]
  name: string
  /** A task writes the file, also where it could be had at once. */
  background: boolean
}

type Missing = Partial<Record<'paths' | 'name' | 'size', MessageId>>

/** Message of each field that is empty or wrong. */
export function missingIn({ paths, name, every, size }: ExportDraft): Missing {
  return {
    ...(paths.length === 0 && { paths: 'export.pathsNeeded' }),
    ...(name.trim() === '' && { name: 'export.nameNeeded' }),
    ...(every !== 'stored' && !(size > 0) && { size: 'export.sizeNeeded' }),
  }
}

const separators = { comma: ',', semicolon: ';', tab: '\t' } as const

type About = { devices: ExportDevices; window: TimeWindow; words: ExportBody['words'] }

/** The question that a draft means. Where lists are separated by semicolons, numbers have a comma. */
export function exportBody(draft: ExportDraft, { devices, window, words }: About): ExportBody {
  const { paths, format, layout, every, size, unit, zone, times, separator, name } = draft
  return {
    devices,
    ...(!('sources' in devices) && { paths }),
    since: window.from,
    to: window.to,
    ...(every !== 'stored' && { aggregation: { type: every, sampling: { size, unit } } }),
    format,
    layout,
    timezone: zone,
    timestampFormat: times,
    ...(format === 'csv' && {
      separator: separators[separator],
      decimal: separator === 'semicolon' ? ',' : '.',
    }),
    words,
    name: name.trim(),
  }
}

/** Field of the form that shows a fault, by the field of the request. */
export const fieldOf: Readonly<Record<string, string>> = {
  since: 'range',
  to: 'range',
  aggregation: 'size',
  timezone: 'zone',
}
