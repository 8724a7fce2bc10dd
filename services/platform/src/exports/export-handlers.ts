import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { jobHandlers, startJob } from '@longreach/kit/jobs'
import { Reply } from '@longreach/kit/reply'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { platformContract } from '../contract.ts'
import type { PlatformDeps } from '../deps.ts'
import { withStorageErrors } from '../telemetry/storage-fault.ts'
import type { exportEndpoints, ExportEstimate, ExportQuestion } from './export-contract.ts'
import { askedDevices, type ReadableStates } from './export-devices.ts'
import { estimate, mostAtOnce } from './export-estimate.ts'
import { downloadHeaders, type Export, exportedFile, fileFacts } from './export-file.ts'
import { exportJob } from './export-job.ts'
import { addLink, followLink } from './export-links.ts'
import { exportPlan } from './export-plan.ts'
import {
  deleteFile,
  type ExportRow,
  findFile,
  keptBytes,
  lockPerson,
  readParts,
} from './export-store.ts'

type ExportHandlers = Pick<Handlers<typeof platformContract>, keyof typeof exportEndpoints>

/** Values of one file; a job of more would write for hours. */
const mostValues = 200_000_000
/** Exports of one person that are written at the same time. */
const mostUnderWay = 3
/** Of all files of an organization together. */
const mostKeptBytes = 20 * 2 ** 30

/** Handlers of `exportEndpoints`, to be joined with the platform's. */
export function exportHandlers(known: ReadableStates, deps: PlatformDeps): ExportHandlers {
  const { db } = deps
  const ask = async (question: ExportQuestion, ctx: OrgCtx) => {
    const plan = exportPlan(question, ctx.now.getTime())
    const exporting = { known, deps, ctx }
    const devices = await askedDevices(exporting, question)
    const exported: Export = { ...exporting, question, plan, devices, signal: ctx.signal }
    return { exported, estimated: await withStorageErrors(() => estimate(exported)) }
  }
  const ownFile = async (id: string, ctx: OrgCtx) => fileFor(deps, id, personOf(ctx))

  return {
    estimateExport: async ({ body }, ctx) => (await ask(body, ctx)).estimated,

    exportValues: async ({ body }, ctx) => {
      const { exported, estimated } = await ask(body, ctx)
      checkEstimate(estimated)
      if (estimated.large) throw tooLargeForCall(estimated)
      const reply = await withStorageErrors(async () => replyWith(exported))
      await recordExport(deps.db, ctx, body, '')
      return reply
    },

    startExport: async ({ body }, ctx) => {
      const { estimated } = await ask(body, ctx)
      checkEstimate(estimated)
      const id = await deps.db.transaction().execute(async (tx) => {
        await lockPerson(tx, personOf(ctx))
        await requireRoom(deps, ctx, tx)
        const started = await startJob(tx, ctx, {
          kind: exportJob,
          input: { question: body, at: ctx.now.getTime() },
          service: platformContract.service,
          label: fileFacts(body).name,
        })
        await recordExport(tx, ctx, body, started)
        return started
      })
      return { id }
    },

    exportFile: async ({ params }, ctx) => fileReply(deps, await ownFile(params.exportId, ctx)),

    exportLink: async ({ params }, ctx) => {
      const { id } = await ownFile(params.exportId, ctx)
      const ticket = await addLink(db, id, ctx)
      return { url: `${platformContract.base}/exportFile?ticket=${ticket}` }
    },

    deleteExport: async ({ params }, ctx) => {
      if (!(await deleteFile(db, params.exportId, personOf(ctx)))) throw exportNotFound()
    },

    exportFileByTicket: async ({ query: { ticket: secret } }, ctx) => {
      const link = await followLink(db, deps.admit, { secret, ctx })
      if (!link) throw exportExpired('The link is too old; ask for the download again')
      return fileReply(deps, await fileFor(deps, link.id, link))
    },
  }
}

const personOf = ({ organization, caller }: OrgCtx) => ({
  organization: organization.resourceId,
  asked_by: caller.sub,
})

async function fileFor(
  { db, now }: PlatformDeps,
  id: string,
  whose: ReturnType<typeof personOf>,
): Promise<ExportRow> {
  const file = await findFile(db, id, whose)
  if (!file) throw exportNotFound()
  if (file.expires_at <= now()) {
    throw exportExpired('The file was kept for seven days and is gone; export once more')
  }
  return file
}

function fileReply({ db }: PlatformDeps, file: ExportRow) {
  const parts = Readable.from(readParts(db, file), { objectMode: false })
  const headers = downloadHeaders({ name: file.name, contentType: file.content_type })
  const length = { 'content-length': String(file.bytes) }
  if (!file.packed) return new Reply(200, { ...headers, ...length }, parts)
  const text = createGunzip()
  parts.on('error', (error) => text.destroy(error))
  text.on('close', () => parts.destroy())
  return new Reply(200, { ...headers, ...length }, parts.pipe(text))
}

/** The file as it is read; its first piece is waited for, so that a fault in it has its status. */
async function replyWith(exported: Export) {
  const chunks = exportedFile(exported)
  const first = await chunks.next()
  const all = async function* () {
    if (first.done !== true) yield first.value
    yield* chunks
  }
  const headers = downloadHeaders(fileFacts(exported.question))
  const { signal } = exported
  return new Reply(200, headers, Readable.from(all(), { objectMode: false, signal }))
}

type Executor = Parameters<typeof recordChange>[0]

/** The line of the audit trail: what was taken out, and by whom. */
const recordExport = (tx: Executor, ctx: OrgCtx, question: ExportQuestion, id: string) => {
  const { devices, paths, since, to, format, layout, aggregation } = question
  const after = { devices, paths, since, to, format, layout, ...(aggregation && { aggregation }) }
  const label = fileFacts(question).name
  return recordChange(tx, ctx, { resource: 'exports', action: 'create', id, label, after })
}

async function requireRoom(deps: PlatformDeps, ctx: OrgCtx, tx: PlatformDeps['db']) {
  const { data } = await jobHandlers({ ...deps, db: tx }, platformContract).jobs({}, ctx)
  const underWay = data.filter(
    ({ kind, state }) => kind === exportJob.name && state === 'PROCESSING',
  )
  if (underWay.length >= mostUnderWay) {
    throw tooManyExports(
      `${mostUnderWay} exports of yours are under way; wait for one, or cancel it`,
    )
  }
  if ((await keptBytes(tx, ctx.organization.resourceId, ctx.now)) >= mostKeptBytes) {
    throw tooManyExports('Exported files take 20 GB here; delete one, or wait until one expires')
  }
}

function checkEstimate({ values, devices }: ExportEstimate) {
  if (devices === 0) {
    throw failure(platformContract, 'export_empty', {
      message: 'No device is found; choose others',
      field: 'devices',
    })
  }
  if (values > mostValues) {
    throw failure(platformContract, 'export_too_large', {
      message: `about ${values} values, and a file holds ${mostValues}; take a shorter range, steps, or fewer paths`,
      field: 'since',
    })
  }
}

const tooLargeForCall = ({ values }: ExportEstimate) =>
  failure(platformContract, 'export_too_large', {
    message: `about ${values} values, and ${mostAtOnce} are answered at once; have a job write the file`,
  })
const tooManyExports = (message: string) =>
  failure(platformContract, 'too_many_exports', { message })
const exportNotFound = () =>
  failure(platformContract, 'export_not_found', { message: 'You have no such file here' })
const exportExpired = (message: string) => failure(platformContract, 'export_expired', { message })
