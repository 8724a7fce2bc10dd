import { flag, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { pathPattern } from '../queries/path-pattern-contract.ts'
import { PlatformTags, tagQuestion } from '../queries/tag-contract.ts'

const ofOrganization = z.object({ org: z.string() })
const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })

/** Why a value is written, in a person's words. */
export const writeReason = z.string().trim().min(1).max(1_000).optional()

const Written = z.object({
  modelPath: z.string(),
  /** `confirmed`: the device reported the value; `sent`: not waited for; `no_answer`: it did not in time. */
  status: z.enum(['sent', 'confirmed', 'no_answer']),
  /** What the device reported last after the writing. */
  value: z.unknown().optional(),
  t: z.number().optional(),
})

/** Values of devices: reading, writing, bringing those of the past. */
type BulkRow = [string | number, ...unknown[]]
const isBulkRow = (row: unknown) =>
  Array.isArray(row) && row.length > 1 && (typeof row[0] === 'string' || typeof row[0] === 'number')

/** Judged in one pass: a schema of each of a hundred thousand rows would keep everybody waiting. */
const bulkRows = z
  .custom<BulkRow[]>(
    (rows) => Array.isArray(rows) && rows.length <= 250_000 && rows.every(isBulkRow),
    { error: 'at most 250000 rows of a time, a value and perhaps a quality are expected' },
  )
  .meta({ type: 'array', maxItems: 250_000, items: { type: 'array', items: {}, minItems: 2 } })

export const tagEndpoints = {
  tags: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/tags',
    access: 'devices:read',
    params: ofDevice,
    query: z.object({ modelPath: pathPattern.default('**'), ...tagQuestion }),
    result: z.array(PlatformTags),
    files: ['text/csv'],
  },
  /** Write to the device: 200 when it was sent, with what the device made of each value. */
  writeTags: {
    method: 'POST',
    path: '/organizations/:org/devices/:deviceId/tags',
    access: 'devices:update',
    params: ofDevice,
    body: z.object({
      data: z
        .array(z.object({ modelPath: z.string().max(2_000), v: z.unknown() }))
        .min(1)
        .max(1_000),
      /** How long to wait for the device to confirm; 0: not at all. */
      timeoutMs: z.int().min(0).max(60_000).default(5_000),
      /** Kept with the writing on the device's time-line. */
      reason: writeReason,
    }),
    result: z.object({ data: z.array(Written) }),
  },
  queryTags: {
    method: 'POST',
    path: '/organizations/:org/devices/tags/query',
    reads: true,
    access: 'devices:read',
    params: ofOrganization,
    body: z.object({
      sources: z
        .array(
          z.object({
            deviceId: z.string().max(100),
            modelPath: pathPattern,
            tagName: z.string().max(2_000).optional(),
          }),
        )
        .min(1)
        .max(1_000),
      ...tagQuestion,
    }),
    result: z.array(PlatformTags),
    files: ['text/csv'],
  },
  tagsByName: {
    method: 'GET',
    path: '/organizations/:org/devicesByName/:name/tags',
    access: 'devices:read',
    params: z.object({ org: z.string(), name: z.string() }),
    query: z.object({ modelPath: pathPattern.default('**'), ...tagQuestion }),
    result: z.array(PlatformTags),
  },
  tagsOfGroup: {
    method: 'GET',
    path: '/organizations/:org/deviceGroups/:group/tags',
    access: 'devices:read',
    params: z.object({ org: z.string(), group: rowIdText }),
    query: z.object({ modelPath: pathPattern.default('**'), ...tagQuestion }),
    result: z.array(PlatformTags),
  },
  /** Values of the past, from a file or another system. */
  bulkInsertTags: {
    method: 'POST',
    path: '/organizations/:org/devices/bulkInsertTags',
    access: 'devices:update',
    largestBody: 8_000_000,
    mostValues: 800_000,
    dear: true,
    params: ofOrganization,
    query: z.object({ ifNotExists: flag.default(false) }),
    body: z
      .array(
        z.object({
          deviceId: z.string().max(100),
          modelPath: z.string().max(2_000),
          header: z.array(z.string()).max(10).optional(),
          types: z.array(z.string()).max(10).optional(),
          /** Time, value and, where it is not good, its quality: 1 uncertain, 2 bad. */
          data: bulkRows,
        }),
      )
      .max(1_000),
    result: z.object({ inserted: z.int(), skipped: z.int() }),
  },
  /** For an explorer: every path of the device, and its newest value. */
  series: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/series',
    access: 'devices:read',
    params: ofDevice,
    result: z.array(
      z.object({
        modelPath: z.string(),
        type: z.string(),
        mode: z.enum(['R', 'RW']),
        /** What the model says of the path. */
        unit: z.string().optional(),
        label: z.string().optional(),
        description: z.string().optional(),
        /** The model's label of the part that the path is in. */
        group: z.string().optional(),
        /** The model's limits for writing. */
        min: z.number().optional(),
        max: z.number().optional(),
        last: z.object({ t: z.number(), v: z.unknown(), q: z.int() }).nullable(),
      }),
    ),
  },
} as const
