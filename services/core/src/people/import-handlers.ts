import { failure } from '@longreach/kit/errors'
import { Reply } from '@longreach/kit/reply'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { type importEndpoints, resultColumns } from './import-contract.ts'
import { importLabel } from './import-job.ts'
import { planImport } from './import-plan.ts'
import { csvSheet } from './import-sheet.ts'
import { findImport, importLines, insertImport, listImports } from './import-store.ts'

type ImportHandlers = Pick<Handlers<typeof coreContract>, keyof typeof importEndpoints>

export const importHandlers = (deps: CoreDeps): ImportHandlers => ({
  importUsers: async ({ query: { dryRun }, body }, ctx) => {
    const { table, mapping, lines } = await planImport(deps, ctx, body)
    const count = (outcome: string) => lines.filter((line) => line.outcome === outcome).length
    const plan = {
      separator: table.separator,
      headers: table.headers,
      mapping,
      lines: lines.map(({ line, username, email, outcome, problems }) => ({
        line,
        username,
        email,
        outcome,
        problems,
      })),
      counts: {
        create: count('CREATE'),
        join: count('JOIN'),
        present: count('PRESENT'),
        error: count('ERROR'),
      },
    }
    if (dryRun) return plan
    const job = { organizationId: ctx.organization.id, caller: ctx.caller, now: ctx.now }
    const importId = await deps.db.transaction().execute((tx) => insertImport(tx, job, lines))
    return { ...plan, importId }
  },

  userImports: async (_, { organization, caller }) =>
    listImports(deps.db, organization.id, caller.sub),

  userImport: async ({ params }, ctx) => requireOwnImport(deps, ctx, params.import),

  userImportResult: async ({ params }, ctx) => {
    const { id, finishedAt } = await requireOwnImport(deps, ctx, params.import)
    if (finishedAt === null) {
      const message = 'The import is still at work; its result is there when it is done'
      throw failure(coreContract, 'not_done', { message })
    }
    const lines = await importLines(deps.db, id)
    const sheet = csvSheet([
      [...resultColumns],
      ...lines.map(({ line, username, outcome, problem, link }) => [
        line,
        username,
        outcome,
        problem ?? '',
        link ? deps.secrets.open(importLabel(id), link).toString() : '',
      ]),
    ])
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="people-${id}.csv"`,
      'cache-control': 'no-store',
    }
    return new Reply(200, headers, sheet)
  },
})

/** An import that the caller asked for: its sheet lets people set passwords. */
async function requireOwnImport({ db }: CoreDeps, { organization, caller }: OrgCtx, id: number) {
  const found = await findImport(db, { organizationId: organization.id, sub: caller.sub, id })
  if (!found) throw failure(coreContract, 'not_found', { message: 'You asked for no such import' })
  return found
}
