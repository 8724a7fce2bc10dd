import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { localName, qualifiedName } from '@longreach/kit/person-name-rules'
import { Reply } from '@longreach/kit/reply'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Scope, ScopeOf } from './audit-scope.ts'
import { auditContract } from '../contract.ts'
import type { entriesContract, Wanted } from './contract.ts'
import type { AuditDeps } from '../deps.ts'
import { countValues, entryById, exportEntries, hashAt, searchEntries } from './entry-store.ts'
import { toCursor, parseCursor, toEntry } from './entry-wire.ts'
import { fileOf, type Format } from './export-lines.ts'
import { addKnownNames } from './refused-names.ts'

export function entryHandlers(deps: AuditDeps, scopeOf: ScopeOf): Handlers<typeof entriesContract> {
  return {
    search: async ({ query: { cursor, pageSize, ...asked } }, ctx) => {
      const scope = await scopeOf(ctx)
      const wanted = inBothNames(asked, ctx)
      const question = { scope, wanted, after: parseCursor(cursor), limit: pageSize + 1 }
      const rows = await searchEntries(deps.db, question)
      const page = rows.slice(0, pageSize)
      const last = page.at(-1)
      return {
        data: (await addKnownNames(deps.db, scope, page)).map(toEntry),
        next: last && rows.length > pageSize ? toCursor(last) : null,
      }
    },

    entry: async ({ params: { id } }, ctx) => {
      const scope = await scopeOf(ctx)
      const found = await entryById(deps.db, scope, id)
      const [row] = await addKnownNames(deps.db, scope, found ? [found] : [])
      if (!row)
        throw failure(auditContract, 'not_found', {
          message: 'Not found. The entry may have been removed after its retention time.',
        })
      const { hash } = await hashAt(deps.db, id)
      const { before, after } = row
      return { ...toEntry(row), before, after, input: after, hash: hash.toString('hex') }
    },

    facets: async ({ query }, ctx) => countValues(deps.db, await scopeOf(ctx), query),

    export: async ({ query: { format, ...asked } }, ctx) =>
      exported(deps, ctx, { scope: await scopeOf(ctx), wanted: inBothNames(asked, ctx), format }),
  }
}

/** Filter that finds a person as `anna` and as `anna@nordwerk`, since entries have either. */
const inBothNames = <W extends Wanted>(asked: W, { organization: { realm } }: OrgCtx): W => {
  const both = (name: string) => [name, localName(name, realm), qualifiedName(name, realm)]
  return asked.actor ? { ...asked, actor: [...new Set(asked.actor.flatMap(both))] } : asked
}

const atOnce = 1_000
const types = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' }

type Taken = { scope: Scope; wanted: Wanted; format: Format }

/** Export of the trail as a file; the export itself is recorded in the trail. */
async function exported({ db }: AuditDeps, ctx: OrgCtx, { scope, wanted, format }: Taken) {
  await recordChange(db, ctx, {
    resource: 'audit',
    action: 'export',
    id: '',
    after: { ...wanted, format, below: scope.subtree },
  })
  const file = fileOf(format, (after) => exportEntries(db, { scope, wanted, after, limit: atOnce }))
  const day = ctx.now.toISOString().slice(0, 10)
  return new Reply(
    200,
    {
      'content-type': types[format],
      'content-disposition': `attachment; filename="audit-${day}.${format}"`,
    },
    file,
  )
}
