import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { startJob } from '@longreach/kit/jobs'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import type { importEndpoints } from './import-contract.ts'
import { faultText, readFault } from './import-fault.ts'
import { importDevicesJob } from './import-job.ts'
import { sealLabelOf } from './import-keys.ts'
import { planImport } from './import-plan.ts'
import type { PlannedLine } from './import-rules.ts'
import * as store from './import-store.ts'

type ImportHandlers = Pick<Handlers<typeof mappingsContract>, keyof typeof importEndpoints>
const mostErrors = 1_000
const mostOthers = 100
const { service } = mappingsContract

export const importHandlers = (deps: MappingsDeps): ImportHandlers => ({
  importDevices: async ({ query: { dryRun }, body }, ctx) => {
    const { table, mapping, lines } = await planImport(deps, ctx, body)
    const count = (outcome: string) => lines.filter((line) => line.outcome === outcome).length
    const plan = {
      separator: table.separator,
      headers: table.headers,
      mapping: Object.fromEntries(mapping),
      lines: previewLines(lines),
      counts: { create: count('CREATE'), present: count('PRESENT'), error: count('ERROR') },
    }
    if (dryRun) return plan
    if (plan.counts.create === 0) {
      const message = 'No line would make a device; nothing was done'
      throw failure(mappingsContract, 'nothing_selected', { message, field: 'csv' })
    }
    const label = body.name || `${plan.counts.create}`
    const started = await deps.db.transaction().execute(async (tx) => {
      const importId = await store.insertImport(
        tx,
        { ...mineOf(ctx), name: body.name, now: ctx.now },
        lines,
      )
      const asked = { kind: importDevicesJob, input: { importId }, service, label }
      const jobId = await startJob(tx, ctx, asked)
      await store.setJob(tx, importId, jobId)
      const what = { resource: 'devices', action: 'import', id: importId, label: body.name }
      await recordChange(tx, ctx, { ...what, after: plan.counts })
      return { importId, jobId }
    })
    return { ...plan, ...started }
  },

  deviceImports: async (_, ctx) => ({
    data: (await store.listImports(deps.db, mineOf(ctx), sinceOf(ctx))).map(toImport),
  }),

  deviceImport: async ({ params }, ctx) => toImport(await mine(deps, ctx, params.import)),

  deviceImportSheet: async ({ params }, ctx) => {
    const { id, name } = await mine(deps, ctx, params.import)
    const lines = await store.importLines(deps.db, id)
    const what = { resource: 'devices', action: 'showKeys', id, label: name }
    const keys = lines.filter(({ key }) => key !== null).length
    await recordChange(deps.db, ctx, { ...what, after: { count: keys } })
    return {
      data: lines.map(({ line, device_id, wanted, outcome, problem, key }) => ({
        ...faultShown(problem),
        line,
        deviceId: outcome === 'MADE' ? device_id : '',
        label: wanted.label,
        serialNumber: wanted.serialNumber,
        organization: wanted.organization,
        outcome,
        activationKey: key ? deps.secrets.open(sealLabelOf(id), key).toString() : '',
      })),
    }
  },
})

function faultShown(kept: string | null) {
  if (kept === null) return { problem: '', fault: null }
  const fault = readFault(kept)
  return { problem: faultText(fault), fault }
}

/** Lines for the preview: those with errors first, then enough others to see that the columns are right. */
function previewLines(lines: readonly PlannedLine[]) {
  const wrong = lines.filter(({ outcome }) => outcome === 'ERROR').slice(0, mostErrors)
  const others = lines.filter(({ outcome }) => outcome !== 'ERROR').slice(0, mostOthers)
  return [...wrong, ...others].map(({ wanted: _wanted, ...line }) => line)
}

const mineOf = ({ organization, caller }: OrgCtx) => ({
  organization: organization.resourceId,
  sub: caller.sub,
})
const sinceOf = ({ now }: OrgCtx) => new Date(now.getTime() - store.shownForMs)

/** An import that the caller asked for: its sheet lets devices connect. */
async function mine({ db }: MappingsDeps, ctx: OrgCtx, id: number) {
  const found = await store.findImport(db, mineOf(ctx), sinceOf(ctx), id)
  if (found) return found
  const message = 'You asked for no such import here within the last seven days'
  throw failure(mappingsContract, 'not_found', { message })
}

type Found = Awaited<ReturnType<typeof mine>>

const toImport = ({ created_at: createdAt, job: jobId, ...found }: Found) => ({
  ...found,
  jobId,
  createdAt,
  shownUntil: new Date(createdAt.getTime() + store.shownForMs),
})
