import { definePart } from '@longreach/kit/part'
import type { MappingsDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { presets } from '../presets/part.ts'
import { importsContract } from './contract.ts'
import { importHandlers } from './import-handlers.ts'
import { cleanupImports, importDevicesJob } from './import-job.ts'

export const imports = definePart<MappingsDeps>()({
  name: 'imports',
  contract: importsContract,
  uses: [presets, devices],
  handlers: importHandlers,
  jobs: [importDevicesJob],
  every: { hour: cleanupImports },
})
