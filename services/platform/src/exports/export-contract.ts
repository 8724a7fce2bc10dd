import { type Endpoint, rowId } from '@longreach/kit/contract'
import { z } from 'zod'
import { pathPattern } from '../queries/path-pattern-contract.ts'
import { time } from '../times/time-contract.ts'

const id = z.string().min(1).max(100)
const path = pathPattern.pipe(z.string().trim().min(1))

/** Of which devices: named ones, those of a group, all that a device search finds, or single paths of some. */
const ExportDevices = z.union([
  z.strictObject({ ids: z.array(id).min(1).max(10_000) }),
  z.strictObject({ group: rowId }),
  z.strictObject({
    /** As the body of a device search. */
    question: z.record(z.string(), z.unknown()),
    /** Of all that match, not these. */
    except: z.array(id).max(10_000).default([]),
  }),
  z.strictObject({
    sources: z
      .array(z.strictObject({ deviceId: id, modelPath: path }))
      .min(1)
      .max(1_000),
  }),
])
type ExportDevices = z.output<typeof ExportDevices>

const units = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'] as const
const word = z.string().trim().min(1).max(60)

/** Headings; English where none is given. */
const Words = z
  .object({ time: word, device: word, deviceId: word, path: word, value: word, unit: word })
  .partial()
export type ExportWords = z.output<typeof Words>

/** Values to export, and the format of the file. */
export const ExportQuestion = z.object({
  devices: ExportDevices,
  /** Model paths and patterns, `Oven:1/**`; of sources their own count. */
  paths: z.array(path).min(1).max(1_000).default(['**']),
  /** ISO 8601, ms since 1970 or relative (`now-7d`); the end is not included. */
  since: time,
  to: time.default('now'),
  /** One figure for each step; without it every stored value is written. */
  aggregation: z
    .object({
      type: z.string().max(40),
      param: z.number().optional(),
      sampling: z.object({ size: z.number().positive().max(1_000_000), unit: z.enum(units) }),
    })
    .optional(),
  filterCondition: z.string().max(10_000).optional(),
  format: z.enum(['csv', 'xlsx']),
  /** `long`: a row for each value. `wide`: a row for each time, a column for each path of each device. */
  layout: z.enum(['wide', 'long']).default('long'),
  /** IANA name: of days and longer steps, and of written times. */
  timezone: z.string().max(60).default('UTC'),
  /** `local`: the zone's clock without its offset (in XLSX a date); usual for XLSX, `iso8601` for CSV. */
  timestampFormat: z.enum(['iso8601', 'unix', 'local']).optional(),
  /** Of CSV. */
  separator: z.enum([',', ';', '\t']).default(','),
  decimal: z.enum(['.', ',']).default('.'),
  /** Spreadsheets take a file for UTF-8 by this mark. */
  bom: z.boolean().default(true),
  words: Words.default({}),
  /** Name of the file without its extension. */
  name: z.string().trim().min(1).max(120).default('values'),
})
export type ExportQuestion = z.output<typeof ExportQuestion>

/** Estimated size of an export; counts of many devices are projected from some of them. */
const Estimate = z.object({
  devices: z.int(),
  /** Paths of all devices. */
  series: z.number(),
  /** Values that are written, and about how many rows and bytes that makes. */
  values: z.number(),
  rows: z.number(),
  bytes: z.number(),
  /** False: some devices were counted and the rest is thought to be like them. */
  exact: z.boolean(),
  /** Too much to be answered at once: a job writes it. */
  large: z.boolean(),
  /** Of the range, in ms since 1970. */
  since: z.number(),
  to: z.number(),
})
export type ExportEstimate = z.output<typeof Estimate>

/** Result of a finished job: its file. */
export const ExportResult = z.object({
  download: z.object({ name: z.string(), bytes: z.number(), expiresAt: z.number() }),
  values: z.number(),
})
export type ExportResult = z.output<typeof ExportResult>

const params = z.object({ org: z.string() })
const ofExport = z.object({ org: z.string(), exportId: z.string().max(40) })

/** Errors of exports, part of the platform contract's. */
export const exportErrors = {
  export_not_found: 404,
  /** The file was there, and its time is over; the message says what to do. */
  export_expired: 410,
  /** More than is answered at once, or than one file may hold. */
  export_too_large: 422,
  export_empty: 422,
  too_many_exports: 409,
} as const

/** Values as files, part of the platform contract's endpoints. */
const files = [
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const

export const exportEndpoints = {
  estimateExport: {
    method: 'POST',
    path: '/organizations/:org/exports/estimate',
    reads: true,
    access: 'devices:read',
    params,
    body: ExportQuestion,
    result: Estimate,
  },
  /** The file itself, written while it is read; refused when a job has to write it. */
  exportValues: {
    method: 'POST',
    path: '/organizations/:org/exports/now',
    access: 'devices:read',
    params,
    body: ExportQuestion,
    result: z.undefined(),
    files,
  },
  /** Have a job write the file; the job's id is the file's. */
  startExport: {
    method: 'POST',
    path: '/organizations/:org/exports',
    access: 'devices:read',
    params,
    body: ExportQuestion,
    result: z.object({ id: z.string() }),
    status: 202,
  },
  exportFile: {
    method: 'GET',
    path: '/organizations/:org/exports/:exportId/file',
    access: 'devices:read',
    params: ofExport,
    result: z.undefined(),
    files,
  },
  /** An address that the browser can follow by itself for a few minutes. */
  exportLink: {
    method: 'POST',
    path: '/organizations/:org/exports/:exportId/link',
    access: 'devices:read',
    params: ofExport,
    result: z.object({ url: z.string() }),
  },
  deleteExport: {
    method: 'DELETE',
    path: '/organizations/:org/exports/:exportId',
    access: 'devices:read',
    params: ofExport,
    result: z.undefined(),
  },
  /** Opened by the ticket of `exportLink`. */
  exportFileByTicket: {
    method: 'GET',
    path: '/exportFile',
    access: 'public',
    query: z.object({ ticket: z.string().max(2_000) }),
    result: z.undefined(),
    files,
  },
} as const satisfies Record<string, Endpoint>
