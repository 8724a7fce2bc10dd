import { coreContract } from '@longreach/core/contract'
import { jobHandlers } from '@longreach/kit/jobs'
import { defineService } from '@longreach/kit/service'
import { platformContract } from '@longreach/platform/contract'
import { mappingsContract } from './contract.ts'
import type { MappingsDb } from './database.ts'
import { bulkJob, deviceBulk } from './devices/device-bulk.ts'
import { forgetImportsInTime, importDevicesJob } from './imports/import-job.ts'
import { importHandlers } from './imports/import-handlers.ts'
import { deviceChosen } from './devices/device-chosen.ts'
import { deviceExport } from './devices/device-export.ts'
import { deviceDescribed } from './devices/device-described.ts'
import { deviceHandlers } from './devices/device-handlers.ts'
import { tellRenamed } from './devices/device-labels.ts'
import { deviceLife } from './devices/device-life.ts'
import { purgeDevicesInTime } from './devices/device-purge.ts'
import { devicePresetHandlers } from './devices/device-preset.ts'
import { deviceMoveCheck } from './devices/device-move-check.ts'
import { deviceMoving } from './devices/device-moving.ts'
import { deviceReads } from './devices/device-reads.ts'
import { fleetHandlers } from './overview/fleet-handlers.ts'
import { mappingsConsumers } from './mappings-consumers.ts'
import { modelHandlers } from './models/model-handlers.ts'
import { modelJudging } from './models/model-judging.ts'
import { modelLists } from './models/model-lists.ts'
import { segmentHandlers } from './segments/segment-handlers.ts'
import { presetHandlers } from './presets/preset-handlers.ts'
import { assignPresetJob, createPresetJob, presetJobs } from './preset-jobs/preset-jobs.ts'
import { presetTrial } from './trials/preset-trial.ts'
import { presetSharing } from './presets/preset-sharing.ts'

export const mappings = defineService<MappingsDb>()({
  contract: mappingsContract,
  needs: { core: coreContract, platform: platformContract },
  migrations: new URL('migrations/', import.meta.url),
  handlers: (deps) => ({
    ...modelHandlers(deps),
    ...modelLists(deps),
    ...modelJudging(deps),
    ...presetHandlers(deps),
    ...presetSharing(deps),
    ...presetTrial(deps),
    ...presetJobs(deps),
    ...deviceReads(deps),
    ...fleetHandlers(deps),
    ...deviceHandlers(deps),
    ...deviceDescribed(deps),
    ...deviceMoving(deps),
    ...deviceLife(deps),
    ...deviceBulk(deps),
    ...deviceMoveCheck(deps),
    ...importHandlers(deps),
    ...deviceExport(deps),
    ...deviceChosen(deps),
    ...segmentHandlers(deps),
    ...devicePresetHandlers(deps),
    ...jobHandlers(deps, mappingsContract),
  }),
  consumers: mappingsConsumers,
  jobs: [createPresetJob, assignPresetJob, bulkJob, importDevicesJob],
  start: async (deps) => {
    await tellRenamed(deps)
    const running = [purgeDevicesInTime(deps), forgetImportsInTime(deps)]
    return { close: async () => void (await Promise.all(running.map((one) => one.close()))) }
  },
})
