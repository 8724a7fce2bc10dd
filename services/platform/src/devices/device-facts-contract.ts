import { flag, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { time } from '../times/time-contract.ts'
import { Refusal } from './refusal-contract.ts'

const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })
const many = z.coerce.number<number>().int().min(1).max(10_000).default(1_000)

const Uptime = z.object({
  /** Number of days until now; 1 is 24 hours. */
  days: z.int(),
  onlineMs: z.number(),
  /** Known part of the time: a device is not offline before it was first seen. */
  knownMs: z.number(),
  losses: z.int(),
})

/** Calls about a device beside its values: connections, log and configurations. */
export const deviceFactsEndpoints = {
  /** Connections of the device, newest first, and its uptime. */
  connections: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/connections',
    access: 'devices:read',
    params: ofDevice,
    query: z.object({ since: time.optional(), to: time.optional(), limit: many }),
    result: z.object({
      connected: z.boolean(),
      connections: z.array(
        z.object({ from: z.number(), to: z.number().nullable(), ip: z.string().nullable() }),
      ),
      uptime: z.array(Uptime),
      /** The line is lost again and again: so often within the last hour. */
      flapping: z.object({ losses: z.int(), withinMs: z.number() }).nullable(),
    }),
  },
  /** Messages of the device beside its values, and rejected values, newest first; kept for 30 days. */
  deviceLog: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/logs',
    access: 'devices:read',
    params: ofDevice,
    query: z.object({
      /** With the messages of the protocol itself. */
      showSystem: flag.default(false),
      fromTimestamp: time.optional(),
      toTimestamp: time.optional(),
      limit: many,
    }),
    result: z.array(
      z.object({
        id: z.int(),
        at: z.number(),
        system: z.boolean(),
        level: z.string(),
        /** `rejected`, `value` (written), `configuration`, `availableTags`, `more` … */
        kind: z.string(),
        modelPath: z.string().nullable(),
        direction: z.string().nullable(),
        topic: z.string().nullable(),
        bytes: z.number().nullable(),
        reason: z.string().nullable(),
        /** The reason in parts, for words in the reader's language. */
        refusal: Refusal.nullable().default(null),
        value: z.unknown().optional(),
        /** First bytes of what was rejected, as hex. */
        head: z.string().nullable(),
        /** Of `more`: so many were left out. */
        count: z.int().nullable(),
      }),
    ),
  },
  /** The configurations that the device was to have, newest first. */
  configurations: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/configurations',
    access: 'devices:read',
    params: ofDevice,
    result: z.array(
      z.object({
        version: z.int(),
        at: z.number(),
        by: z.string().nullable(),
        /** It was to have none any more. */
        none: z.boolean(),
        sentAt: z.number().nullable(),
        appliedAt: z.number().nullable(),
        error: z.string().nullable(),
      }),
    ),
  },
  configurationVersion: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/configurations/:version',
    access: 'devices:read',
    params: ofDevice.extend({ version: rowIdText }),
    result: z.object({ version: z.int(), configurationJson: z.unknown() }),
  },
} as const
