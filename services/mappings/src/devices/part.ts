import { definePart } from '@longreach/kit/part'
import type { MappingsDeps } from '../deps.ts'
import { models } from '../models/part.ts'
import { presets } from '../presets/part.ts'
import { search } from '../search/part.ts'
import { devicesContract } from './contract.ts'
import { bulkJob, deviceBulk } from './device-bulk.ts'
import { deviceChosen } from './device-chosen.ts'
import { deviceConsumers } from './device-consumers.ts'
import { deviceDescribed } from './device-described.ts'
import { deviceExport } from './device-export.ts'
import { deviceHandlers } from './device-handlers.ts'
import { publishRenamed } from './device-labels.ts'
import { deviceLife } from './device-life.ts'
import { deviceMoveCheck } from './device-move-check.ts'
import { deviceMoving } from './device-moving.ts'
import { devicePresetHandlers } from './device-preset.ts'
import { purgeDueDevices } from './device-purge.ts'
import { deviceTriggers } from './device-triggers.ts'
import { deviceReads } from './device-reads.ts'

export const devices = definePart<MappingsDeps>()({
  name: 'devices',
  contract: devicesContract,
  uses: [models, presets, search],
  handlers: (deps) => ({
    ...deviceReads(deps),
    ...deviceHandlers(deps),
    ...deviceDescribed(deps),
    ...deviceMoving(deps),
    ...deviceLife(deps),
    ...deviceBulk(deps),
    ...deviceMoveCheck(deps),
    ...deviceExport(deps),
    ...deviceChosen(deps),
    ...deviceTriggers(deps),
    ...devicePresetHandlers(deps),
  }),
  consumers: deviceConsumers,
  jobs: [bulkJob],
  every: { hour: purgeDueDevices },
  start: publishRenamed,
})
