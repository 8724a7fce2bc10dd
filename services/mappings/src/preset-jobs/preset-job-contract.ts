import { rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, largestTree, mostTreeValues } from '../asked-contract.ts'
import { NewPreset } from '../presets/preset-contract.ts'

const status = z.enum(['PROCESSING', 'DONE', 'ERROR'])
const MappingJob = z.object({ id: z.string(), status, error: z.string().nullable() })
export type MappingJob = z.output<typeof MappingJob>
/** `instanceOf` is the preset's model; empty when the devices lose theirs. */
const DeviceGroupConfigJob = MappingJob.extend({ instanceOf: z.string() })

const jobId = z.string().max(40)
const presetId = z.string().max(100)

/** Presets made and handed out as jobs; `GET jobs/{id}` tells of their progress and failures. */
export const presetJobEndpoints = {
  createPresetAsync: {
    method: 'POST',
    path: '/presets/async',
    also: ['/mappings/async'],
    access: 'models:create',
    largestBody: largestTree,
    mostValues: mostTreeValues,
    costly: true,
    query: inOrganization,
    body: NewPreset,
    ignored: ['UUID'],
    result: MappingJob,
  },
  presetJob: {
    method: 'GET',
    path: '/presets/async/:jobId',
    also: ['/mappings/async/:jobId'],
    access: 'models:create',
    params: z.object({ jobId }),
    query: inOrganization,
    result: MappingJob,
  },
  /** Every device of a group gets the preset, or none. */
  configureGroup: {
    method: 'PUT',
    path: '/devices/groups/:group/async',
    access: 'devices:update',
    params: z.object({ group: rowIdText }),
    query: inOrganization.extend({ presetId: presetId.optional() }),
    body: z.object({ presetId: presetId.nullish() }).nullish(),
    result: DeviceGroupConfigJob,
  },
  groupJob: {
    method: 'GET',
    path: '/devices/groups/:group/async/:jobId',
    access: 'devices:update',
    params: z.object({ group: rowIdText, jobId }),
    query: inOrganization,
    result: DeviceGroupConfigJob,
  },
  /** Give these devices the preset, one after the other; what fails is in the job's failures. */
  givePreset: {
    method: 'POST',
    path: '/presets/:id/assign',
    access: 'devices:update',
    params: z.object({ id: z.string() }),
    query: inOrganization,
    body: z.object({ deviceIds: z.array(z.string().max(100)).min(1).max(10_000) }),
    result: z.object({ id: z.string() }),
    status: 202,
  },
  /** Send a device its configuration once more, where it has not taken it over. */
  resendConfiguration: {
    method: 'POST',
    path: '/devices/:id/configuration/resend',
    access: 'devices:update',
    params: z.object({ id: z.string() }),
    query: inOrganization,
    result: z.object({ sent: z.boolean() }),
  },
} as const
