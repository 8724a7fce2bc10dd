import { definePart } from '@longreach/kit/part'
import type { MappingsDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { presets } from '../presets/part.ts'
import { presetJobsContract } from './contract.ts'
import { assignPresetJob, createPresetJob, presetJobHandlers } from './preset-jobs.ts'

export const presetJobs = definePart<MappingsDeps>()({
  name: 'preset-jobs',
  contract: presetJobsContract,
  uses: [presets, devices],
  handlers: presetJobHandlers,
  jobs: [createPresetJob, assignPresetJob],
})
