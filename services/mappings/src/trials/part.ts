import { definePart } from '@longreach/kit/part'
import type { MappingsDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { models } from '../models/part.ts'
import { presets } from '../presets/part.ts'
import { trialsContract } from './contract.ts'
import { presetTrial } from './preset-trial.ts'

export const trials = definePart<MappingsDeps>()({
  name: 'trials',
  contract: trialsContract,
  uses: [models, presets, devices],
  handlers: presetTrial,
})
