import { type Endpoint, flag, timestamp, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'

export const ImportField = z.enum([
  'username',
  'email',
  'firstName',
  'lastName',
  'groups',
  'adminGroups',
  'roles',
])
export type ImportField = z.output<typeof ImportField>

export const mostImportLines = 5_000

export const ImportProblem = z.object({
  /** Header of the column; empty: the line as a whole. */
  column: z.string(),
  value: z.string(),
  code: z.enum([
    'missing',
    'malformed',
    'twice',
    'too_long',
    'unknown_group',
    'unknown_role',
    'beyond_own_rights',
    'too_many_cells',
  ]),
  /** Description of the problem and of its solution. */
  message: z.string(),
})
export type ImportProblem = z.output<typeof ImportProblem>

export const ImportLine = z.object({
  /** As a text editor counts, the header is 1. */
  line: z.int(),
  username: z.string(),
  email: z.string(),
  /**
   * Planned result: a new account, an account of another organization of the caller's joins, nothing,
   * or an error. A person of the realm whom the caller does not administer is invited.
   */
  outcome: z.enum(['CREATE', 'JOIN', 'PRESENT', 'ERROR']),
  problems: z.array(ImportProblem),
})
export type ImportLine = z.output<typeof ImportLine>

const ImportPlan = z.object({
  separator: z.string(),
  headers: z.array(z.string()),
  /** Header of the column of each field. */
  mapping: z.partialRecord(ImportField, z.string()),
  lines: z.array(ImportLine),
  counts: z.object({ create: z.int(), join: z.int(), present: z.int(), error: z.int() }),
  /** The job that does it; absent in a dry run. */
  importId: z.int().optional(),
})
type ImportPlan = z.output<typeof ImportPlan>

const UserImport = z.object({
  id: z.int(),
  createdAt: timestamp,
  finishedAt: timestamp.nullable(),
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Links that the sheet holds, for the administrator to hand over. */
  links: z.int(),
})
type UserImport = z.output<typeof UserImport>

const org = z.object({ org: z.string() })
const one = org.extend({
  import: rowIdText,
})

/** Headings of the sheet that says what became of each line. */
export const resultColumns = ['line', 'username', 'outcome', 'problem', 'invitation link'] as const

export const importEndpoints = {
  /** Say what a table of people would do, line by line, or do it as a job. */
  importUsers: {
    method: 'POST',
    path: '/organizations/:org/users/import',
    access: 'users:create',
    largestBody: 6_000_000,
    costly: true,
    params: org,
    query: z.object({ dryRun: flag.default(false) }),
    body: z.object({
      /** Comma, semicolon, tab or bar between cells; the first line names the columns. */
      csv: z.string().max(4_000_000),
      /** Headers of columns that are not found by themselves. */
      mapping: z.partialRecord(ImportField, z.string()).optional(),
    }),
    result: ImportPlan,
  },
  /** The caller's own imports, newest first. */
  userImports: {
    method: 'GET',
    path: '/organizations/:org/users/imports',
    access: 'users:create',
    params: org,
    result: z.array(UserImport),
  },
  userImport: {
    method: 'GET',
    path: '/organizations/:org/users/imports/:import',
    access: 'users:create',
    params: one,
    result: UserImport,
  },
  /** The result as a CSV sheet, with links where no mail went out; for who asked for the import. */
  userImportResult: {
    method: 'GET',
    path: '/organizations/:org/users/imports/:import/result',
    access: 'users:create',
    params: one,
    result: z.string(),
    files: ['text/csv'],
    columns: resultColumns,
  },
} as const satisfies Record<string, Endpoint>
