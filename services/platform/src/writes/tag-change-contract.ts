import { type Endpoint, flag } from '@longreach/kit/contract'
import { z } from 'zod'

const ofOrganization = z.object({ org: z.string() })
const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })

/** Why a value is written, in a person's words. */
export const writeReason = z.string().trim().min(1).max(1_000).optional()

const Written = z.object({
  modelPath: z.string(),
  /** `confirmed`: the device reported the value; `sent`: not waited for; `no_answer`: it did not in time. */
  status: z.enum(['sent', 'confirmed', 'no_answer']),
  /** Last value that the device reported after the write. */
  value: z.unknown().optional(),
  t: z.number().optional(),
})

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

/** Values of devices: writing, bringing those of the past. */
export const tagChangeEndpoints = {
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
      /** Longest wait for the device's confirmation; 0: none. */
      timeoutMs: z.int().min(0).max(60_000).default(5_000),
      /** Reason, kept with the write on the device's time-line. */
      reason: writeReason,
      /** Dashboard and its node that the value was written from; kept on the time-line and in the audit trail. */
      origin: z.object({ board: z.string().max(100), node: z.string().max(100) }).optional(),
      /**
       * The platform writes `v` after so many ms, unless the write is repeated before, or another one to the path
       * comes; also when the caller is gone. Of one path. No safety function.
       */
      revert: z.object({ v: z.unknown(), afterMs: z.int().min(50).max(60_000) }).optional(),
    }),
    result: z.object({ data: z.array(Written) }),
  },

  /** Values of the past, from a file or another system. */
  bulkInsertTags: {
    method: 'POST',
    path: '/organizations/:org/devices/bulkInsertTags',
    access: 'devices:update',
    largestBody: 8_000_000,
    mostValues: 800_000,
    costly: true,
    params: ofOrganization,
    query: z.object({
      ifNotExists: flag.default(false),
      /** Rules of alarms judge the values too. */
      alarms: flag.default(false),
    }),
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
} as const satisfies Record<string, Endpoint>
