import { definePart } from '@longreach/kit/part'
import type { MappingsDeps } from '../deps.ts'
import { models } from '../models/part.ts'
import { presetsContract } from './contract.ts'
import { presetHandlers } from './preset-handlers.ts'
import { presetSharing } from './preset-sharing.ts'

export const presets = definePart<MappingsDeps>()({
  name: 'presets',
  contract: presetsContract,
  uses: [models],
  handlers: (deps) => ({
    ...presetHandlers(deps),
    ...presetSharing(deps),
  }),
})
