import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

/** Stored amount, and its growth in the last seven days. Times are ms since 1970. */
const amounts = {
  values: z.number(),
  bytes: z.number(),
  valuesPerDay: z.number(),
  bytesPerDay: z.number(),
  /** Of the oldest and the newest value; null without any. */
  oldest: z.number().nullable(),
  newest: z.number().nullable(),
}
const Amounts = z.object(amounts)
export type Amounts = z.output<typeof Amounts>

/** All paths of an organization and those below it; of one model (its name); or of a path, also with `**` at its end. */
const target = {
  model: z.string().trim().max(200).default(''),
  path: z.string().trim().max(2_000).default(''),
}
const rule = { ...target, keepDays: z.int().min(1).max(36_500) }
export const NewRule = z.object(rule)
export type NewRule = z.output<typeof NewRule>

const RetentionRule = z.object({
  id: z.uuid(),
  /** resourceId of the organization that it was made in. */
  organization: z.string(),
  ...rule,
  /** Made above: changed there only. */
  inherited: z.boolean(),
  changedAt: z.number(),
  changedBy: z.string(),
})
export type RetentionRule = z.output<typeof RetentionRule>

const params = z.object({ org: z.string() })

/** Errors of storage and retention, part of the platform contract's. */
export const storageErrors = {
  /** An organization above keeps these values for less time. */
  retention_longer_than_above: 422,
  retention_two_targets: 422,
  too_many_retention_rules: 422,
} as const

/** Calls about stored amounts and retention. */
export const storageEndpoints = {
  /** Values of devices that the caller may not read are counted, and not named. */
  storage: {
    method: 'GET',
    path: '/organizations/:org/storage',
    access: 'organizations:read',
    params,
    result: z.object({
      at: z.number(),
      total: Amounts,
      /** The organization and those below it that hold values, the heaviest first. */
      organizations: z.array(z.object({ organization: z.string(), ...amounts })),
      /** The heaviest first, at most 500. */
      devices: z.array(
        z.object({
          deviceId: z.string(),
          label: z.string(),
          organization: z.string(),
          deleted: z.boolean(),
          ...amounts,
        }),
      ),
      /** Devices that are not in the list. */
      others: z.object({ devices: z.int(), values: z.number(), bytes: z.number() }),
    }),
  },
  deviceStorage: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/storage',
    access: 'organizations:read',
    params: z.object({ org: z.string(), deviceId: z.string().max(100) }),
    result: z.array(
      z.object({
        modelPath: z.string(),
        ...amounts,
        /** Retention time of its values; null: for ever. */
        keepDays: z.number().nullable(),
      }),
    ),
  },
  retention: {
    method: 'GET',
    path: '/organizations/:org/retention',
    access: 'organizations:read',
    params,
    result: z.object({
      /** Those of the organization and of all above it. */
      rules: z.array(RetentionRule),
      /** End of the last run that deletes old values. */
      lastRun: z.number().nullable(),
    }),
  },
  /** Make the rule for these paths, or change how long it keeps. */
  saveRetention: {
    method: 'PUT',
    path: '/organizations/:org/retention',
    access: 'organizations:update',
    params,
    body: NewRule,
    result: RetentionRule,
  },
  deleteRetention: {
    method: 'DELETE',
    path: '/organizations/:org/retention/:rule',
    access: 'organizations:update',
    params: z.object({ org: z.string(), rule: z.uuid() }),
    result: z.undefined(),
  },
  /** Values that would be deleted soon if the rule were saved, nearly exact; deletes nothing. */
  previewRetention: {
    method: 'POST',
    path: '/organizations/:org/retention/preview',
    reads: true,
    access: 'organizations:update',
    params,
    body: NewRule,
    result: z.object({ devices: z.int(), paths: z.int(), values: z.number(), bytes: z.number() }),
  },
} as const satisfies Record<string, Endpoint>
