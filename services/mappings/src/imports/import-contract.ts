import {
  type Endpoint,
  type Event,
  flag,
  timestamp,
  rowIdText,
  laneOfDevice,
} from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization } from '../asked-contract.ts'

/** Fields that a column may hold, beside `attributes.` with the name of an attribute. */
const importFields = [
  'label',
  'description',
  'serialNumber',
  'tags',
  'position',
  'latitude',
  'longitude',
  'preset',
  'groups',
  'organization',
] as const
export type ImportField = (typeof importFields)[number]
const importSeparators = [',', ';', '\t', '|'] as const
export const mostImportLines = 10_000

const ImportProblem = z.object({
  /** Header of the column; empty: the line as a whole. */
  column: z.string(),
  value: z.string(),
  code: z.enum([
    'missing',
    'malformed',
    'twice',
    'too_long',
    'too_many_cells',
    'refused_attribute',
    'unknown_preset',
    'unknown_group',
    'beyond_own_rights',
    'unknown_organization',
    'several_organizations',
    'not_allowed_there',
  ]),
  /** Description of the problem and of its solution. */
  message: z.string(),
})
export type ImportProblem = z.output<typeof ImportProblem>

/** Why a line made no device. */
export const ImportFault = z.object({
  /** Header of the column; empty: the line as a whole. */
  column: z.string(),
  /** Of a problem of the table (`unknown_preset`), or of an error of the making (`mappings.label_taken`). */
  code: z.string(),
  value: z.string(),
  /** Description of the problem and of its solution, in English. */
  message: z.string(),
})
export type ImportFault = z.output<typeof ImportFault>

const ImportLine = z.object({
  /** As a text editor counts, the header is 1. */
  line: z.int(),
  label: z.string(),
  serialNumber: z.string(),
  organization: z.string(),
  /** Planned result: a new device, one of this name exists already, or an error. */
  outcome: z.enum(['CREATE', 'PRESENT', 'ERROR']),
  problems: z.array(ImportProblem),
})
export type ImportLine = z.output<typeof ImportLine>

const target = z
  .string()
  .max(220)
  .refine((one) => one === '' || isTarget(one), 'is neither a field nor attributes.name')

/** Check for a field or attribute that a column can hold. */
const isTarget = (one: string) =>
  /^attributes\..{1,200}$/.test(one) || (importFields as readonly string[]).includes(one)

const DeviceImport = z.object({
  id: z.int(),
  name: z.string(),
  createdAt: timestamp,
  /** After that nobody sees the keys any more. */
  shownUntil: timestamp,
  jobId: z.string().nullable(),
  total: z.int(),
  made: z.int(),
  failed: z.int(),
  waiting: z.int(),
  keys: z.int(),
})
type DeviceImport = z.output<typeof DeviceImport>

const one = z.object({
  import: rowIdText,
})

export const importEvents = {
  /** An import made an activation key for a device; the key itself is only in the sheet of the import. */
  activationKeyMade: {
    topic: 'mappings.activation_key_made',
    lane: laneOfDevice,
    payload: z.object({
      deviceId: z.string(),
      orgResourceId: z.string(),
      fingerprint: z.string(),
      by: z.string(),
      at: timestamp,
    }),
  },
} as const satisfies Record<string, Event>

export const importEndpoints = {
  /** Say what a table of devices would do, line by line, or do it as a job. */
  importDevices: {
    method: 'POST',
    path: '/devices/imports',
    access: 'devices:create',
    largestBody: 10_000_000,
    costly: true,
    query: inOrganization.extend({ dryRun: flag.default(false) }),
    body: z.object({
      /** The first line names the columns. */
      csv: z.string().max(8_000_000),
      /** Guessed when absent. */
      separator: z.enum(importSeparators).optional(),
      /** Field of each column by its header; an empty text: none. Absent: found by the names of the columns. */
      mapping: z.record(z.string().max(500), target).optional(),
      /** Name of the import in lists: that of the file. */
      name: z.string().trim().max(200).default(''),
    }),
    result: z.object({
      separator: z.string(),
      headers: z.array(z.string()),
      mapping: z.record(z.string(), z.string()),
      /** The first 1,000 lines that something is wrong with, then some of the others. */
      lines: z.array(ImportLine),
      counts: z.object({ create: z.int(), present: z.int(), error: z.int() }),
      /** Absent in a dry run. */
      importId: z.int().optional(),
      jobId: z.string().optional(),
    }),
  },
  /** The caller's own imports of the last seven days, newest first. */
  deviceImports: {
    method: 'GET',
    path: '/devices/imports',
    access: 'devices:create',
    query: inOrganization,
    result: z.object({ data: z.array(DeviceImport) }),
  },
  deviceImport: {
    method: 'GET',
    path: '/devices/imports/:import',
    access: 'devices:create',
    params: one,
    query: inOrganization,
    result: DeviceImport,
  },
  /** The devices with their activation keys, for who imported them; each look is in the audit trail. */
  deviceImportSheet: {
    method: 'POST',
    path: '/devices/imports/:import/sheet',
    access: 'devices:create',
    params: one,
    query: inOrganization,
    result: z.object({
      data: z.array(
        z.object({
          line: z.int(),
          deviceId: z.string(),
          label: z.string(),
          serialNumber: z.string(),
          organization: z.string(),
          outcome: z.enum(['WAITING', 'MADE', 'PRESENT', 'FAILED']),
          activationKey: z.string(),
          /** Why there is no device, in English; empty where nothing is wrong. */
          problem: z.string(),
          /** The same for programs, and for pages in other languages. */
          fault: ImportFault.nullable(),
        }),
      ),
    }),
  },
} as const satisfies Record<string, Endpoint>
