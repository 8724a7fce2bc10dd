import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { AppError, failure } from '@longreach/kit/errors'
import { jobKind, type RunningJob } from '@longreach/kit/jobs'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { platformContract } from '../contract.ts'
import type { PlatformDeps } from '../deps.ts'
import { withStorageErrors } from '../telemetry/storage-fault.ts'
import { ExportQuestion, type ExportResult } from './export-contract.ts'
import { askedDevices, readableOf, type UsedStates } from './export-devices.ts'
import { estimate } from './export-estimate.ts'
import { type Export, exportedFile, fileFacts } from './export-file.ts'
import { exportPlan } from './export-plan.ts'
import { addPart, beginFile, completeFile, dropFile, type ExportDb } from './export-store.ts'

/** Files are kept for so long. */
const keptMs = 7 * 86_400_000
const partBytes = 1 << 20
/** Of a stored file: more is a database, not a file. */
const mostBytes = 4 * 2 ** 30

const Input = z.object({
  question: ExportQuestion,
  /** Time of the request: relative times count from it. */
  at: z.number(),
})
type Input = z.output<typeof Input>
type Job = RunningJob<Input>
type ExportDeps = PlatformDeps & { used: UsedStates }

/** Writes the file of an export, to be downloaded for a week. */
export const exportJob = jobKind<ExportDeps, Input>({
  name: 'export-values',
  input: Input,
  async run(job, deps): Promise<ExportResult> {
    const { question } = job.input
    const exported = await planExport(job, deps)
    const total = (await withStorageErrors(() => estimate(exported))).values
    const { db } = deps
    const facts = fileFacts(question)
    const now = deps.now()
    const file = { id: job.id, writer: randomUUID() }
    await job.progress(0, total)
    await beginFile(db, {
      ...file,
      organization: job.organization,
      asked_by: job.caller.sub,
      name: facts.name,
      content_type: facts.contentType,
      packed: facts.packed,
      made_at: now,
      expires_at: new Date(now.getTime() + keptMs),
    })
    try {
      return await writeExport(job, { exported, db, file, total, now: deps.now })
    } catch (error) {
      // Cancelled, refused or stopped: the file is deleted; a job that continues writes it from its beginning.
      await dropFile(db, file)
      throw error
    }
  },
})

/** The export by the rights that the person has now. */
async function planExport(job: Job, deps: ExportDeps): Promise<Export> {
  const ctx = await job.ctx()
  if (!ctx) {
    const message = 'Who asked may not be here any more'
    throw new AppError(403, 'job.not_allowed', { message })
  }
  const { question, at } = job.input
  const exporting = { known: readableOf(deps.used), deps, ctx }
  const devices = await askedDevices(exporting, question)
  return { ...exporting, question, plan: exportPlan(question, at), devices, signal: job.signal }
}

type Writing = {
  exported: Export
  db: Kysely<ExportDb>
  file: { id: string; writer: string }
  total: number
  now: () => Date
}

async function writeExport(
  job: Job,
  { exported, db, file, total, now }: Writing,
): Promise<ExportResult> {
  let values = 0
  let bytes = 0
  const passed = async (more: number) => {
    values += more
    await job.progress(values, Math.max(total, values))
  }
  const counted = async function* (chunks: AsyncIterable<string | Buffer>) {
    for await (const chunk of chunks) {
      bytes += Buffer.byteLength(chunk)
      yield chunk
    }
  }
  const sink = createSink(db, file)
  const source = Readable.from(counted(exportedFile(exported, passed)), { objectMode: false })
  const { name, packed } = fileFacts(exported.question)
  await withStorageErrors(() =>
    packed ? pipeline(source, createGzip({ level: 1 }), sink.take) : pipeline(source, sink.take),
  )
  await job.progress(values, values)
  const expires_at = new Date(now().getTime() + keptMs)
  if (!(await completeFile(db, file, { ...sink.size(), bytes, expires_at }))) throw fileTaken()
  return { download: { name, bytes, expiresAt: expires_at.getTime() }, values }
}

/** Keeps what comes in parts of equal size. */
function createSink(db: Kysely<ExportDb>, file: Writing['file']) {
  let parts = 0
  let stored_bytes = 0
  const keep = async (data: Buffer) => {
    stored_bytes += data.length
    if (stored_bytes > mostBytes) throw exportTooLarge()
    if (!(await addPart(db, file, parts, data))) throw fileTaken()
    parts += 1
  }
  return {
    size: () => ({ parts, stored_bytes }),
    async take(chunks: AsyncIterable<Buffer | string>) {
      let held: Buffer[] = []
      let length = 0
      for await (const chunk of chunks) {
        held.push(Buffer.from(chunk))
        length += chunk.length
        if (length < partBytes) continue
        await keep(Buffer.concat(held))
        held = []
        length = 0
      }
      if (length > 0) await keep(Buffer.concat(held))
    },
  }
}

const fileTaken = () => new Error('the file is written by another process, or was deleted')

const exportTooLarge = () =>
  failure(platformContract, 'export_too_large', {
    message: 'The file would be over 4 GB; take a shorter range, longer steps or fewer paths',
    field: 'since',
  })
