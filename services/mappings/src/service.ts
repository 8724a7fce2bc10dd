import { coreContract } from '@longreach/core/contract'
import { jobsPart } from '@longreach/kit/jobs-part'
import { defineService } from '@longreach/kit/service'
import { mappingsContract } from './contract.ts'
import { devices } from './devices/part.ts'
import { imports } from './imports/part.ts'
import { models } from './models/part.ts'
import { overview } from './overview/part.ts'
import { presetJobs } from './preset-jobs/part.ts'
import { presets } from './presets/part.ts'
import { search } from './search/part.ts'
import { segments } from './segments/part.ts'
import { trials } from './trials/part.ts'

export const mappings = defineService({
  contract: mappingsContract,
  needs: { core: coreContract },
  migrations: new URL('migrations/', import.meta.url),
  parts: [
    models,
    presets,
    search,
    devices,
    imports,
    presetJobs,
    trials,
    segments,
    overview,
    jobsPart(mappingsContract),
  ],
})
