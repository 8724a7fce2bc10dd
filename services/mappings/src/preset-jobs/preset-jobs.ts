import { AppError, failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import { jobKind, jobOf, startJob } from '@longreach/kit/jobs'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { z } from 'zod'
import { mappingsContract } from '../contract.ts'
import type { Tree } from '../columns.ts'
import type { MappingsDeps } from '../deps.ts'
import { lockFor } from '../devices/device-handlers.ts'
import { toAsking } from '../asking.ts'
import { assignPreset } from '../devices/device-preset.ts'
import { devicesOfGroup, labelsOf } from '../devices/device-store.ts'
import { newId } from '../ids.ts'
import { reachOf } from '@longreach/authorization/reach'
import { devicesFor } from '../reach.ts'
import type { MappingJob } from './preset-job-contract.ts'
import { requirePreset, makePreset, noPreset } from '../presets/preset-handlers.ts'
import { findPreset } from '../presets/preset-store.ts'

const { service } = mappingsContract

/** `text` is the tree as JSON: the order of its keys is part of it. */
const NewPresetJob = z.object({ id: z.string(), name: z.string(), text: z.string() })

export const createPresetJob = jobKind<MappingsDeps, z.output<typeof NewPresetJob>>({
  name: 'create-preset',
  input: NewPresetJob,
  async run({ input: { id, name, text }, ctx }, { db }) {
    const asking = await requireContext(ctx)
    // Begun again after a crash it may be there already.
    const made = await findPreset(db, reachOf(asking), id)
    const data = JSON.parse(text) as Tree // as the call's schema read it
    const asked = { id, name, data }
    if (!made) await db.transaction().execute((tx) => makePreset(tx, asking, asked))
    return { presetId: id }
  },
})

const Assignment = z.object({
  presetId: z.string().nullable(),
  instanceOf: z.string(),
  to: z.union([z.object({ group: z.int() }), z.object({ deviceIds: z.array(z.string()) })]),
})

export const assignPresetJob = jobKind<MappingsDeps, z.output<typeof Assignment>>({
  name: 'assign-preset',
  input: Assignment,
  async run({ input: { presetId, instanceOf, to }, ctx, each }, { db }) {
    const devices = async () => {
      const visible = devicesFor(await requireContext(ctx), 'read')
      if ('group' in to) return devicesOfGroup(db, to.group, visible)
      const labels = await labelsOf(db, to.deviceIds, visible)
      return [...new Set(to.deviceIds)].map((id) => ({ id, label: labels.get(id) ?? id }))
    }
    await each(
      devices,
      async ({ id }, asking) => {
        await db.transaction().execute((tx) => assignPreset(tx, asking, { id, presetId }))
      },
      ({ label }) => label,
    )
    return { presetId, instanceOf }
  },
})

type Keys =
  | 'createPresetAsync'
  | 'presetJob'
  | 'configureGroup'
  | 'groupJob'
  | 'givePreset'
  | 'resendConfiguration'

/** Presets made and handed out beside the call. */
export const presetJobHandlers = ({
  db,
  clients,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  createPresetAsync: async ({ body: { name, data } }, ctx) => {
    const input = { id: newId(), name, text: JSON.stringify(data) }
    const id = await startJob(db, ctx, { service, kind: createPresetJob, input, label: name })
    return { id, status: 'PROCESSING', error: null }
  },

  presetJob: async ({ params: { jobId } }, ctx) =>
    wireOf(await jobFor(db, ctx, { id: jobId, kind: createPresetJob.name })),

  configureGroup: async ({ params: { group }, query, body }, ctx) => {
    const presetId = body?.presetId ?? query.presetId ?? null
    const devices = await devicesOfGroup(db, group, devicesFor(ctx, 'read'))
    // One without a device that the caller sees is none the less a group of theirs.
    if (devices.length === 0) {
      const { groupIds } = await clients.core.findPlaces({
        body: { ...toAsking(ctx), groupIds: [group] },
      })
      if (groupIds.length === 0) throw noGroup(group)
    }
    const preset = presetId === null ? undefined : await requirePreset(db, ctx, presetId)
    const instanceOf = preset ? `${preset.model_name}:${preset.model_version}` : ''
    const input = { presetId, instanceOf, to: { group } }
    const label = preset?.name ?? ''
    const id = await startJob(db, ctx, { service, kind: assignPresetJob, input, label })
    return { id, instanceOf, status: 'PROCESSING', error: null }
  },

  groupJob: async ({ params: { jobId } }, ctx) => {
    const job = await jobFor(db, ctx, { id: jobId, kind: assignPresetJob.name })
    return { ...wireOf(job), instanceOf: Assignment.parse(job.input).instanceOf }
  },

  givePreset: async ({ params: { id: presetId }, body: { deviceIds } }, ctx) => {
    const preset = await requirePreset(db, ctx, presetId)
    const instanceOf = `${preset.model_name}:${preset.model_version}`
    const input = { presetId, instanceOf, to: { deviceIds } }
    const asked = { service, kind: assignPresetJob, input, label: preset.name }
    return { id: await startJob(db, ctx, asked) }
  },

  resendConfiguration: async ({ params: { id } }, ctx) =>
    db.transaction().execute(async (tx) => {
      const { preset_id, configuration_applied } = await lockFor(tx, ctx, id, 'update')
      // A device ignores the configuration that it has, and would never report it again.
      const sent = preset_id !== null && !configuration_applied
      const event = { deviceId: id, configurationChanged: true }
      if (sent) await publish(tx, mappingsContract.events.deviceChanged, event)
      return { sent }
    }),
})

const noGroup = (group: number) =>
  failure(mappingsContract, 'not_found', { message: 'There is no such device group here.', group })

/** The caller of a job, if they may still be here. */
async function requireContext(ctx: () => Promise<OrgCtx | undefined>) {
  const asking = await ctx()
  if (asking) return asking
  throw new AppError(403, 'auth.no_such_organization', { message: 'You may not be here any more' })
}

type Job = NonNullable<Awaited<ReturnType<typeof jobOf>>>

async function jobFor(
  db: MappingsDeps['db'],
  ctx: OrgCtx,
  { id, kind }: { id: string; kind: string },
) {
  const job = await jobOf(db, ctx, { service, id })
  if (job?.kind === kind) return job
  throw noPreset(id)
}

/** A job as clients in the field read it: they know no other states, and no failures one by one. */
const wireOf = ({ id, state, error, failed, total }: Job): MappingJob => ({
  id,
  status: state === 'CANCELLED' ? 'ERROR' : state,
  error:
    state === 'CANCELLED'
      ? 'cancelled'
      : (error ?? (failed > 0 ? `${failed} of ${total} devices did not get the preset` : null)),
})
