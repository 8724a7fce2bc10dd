import { coreContract } from '@longreach/core/contract'
import { defineService } from '@longreach/kit/service'
import { assets } from './assets/part.ts'
import { dashboardsContract } from './contract.ts'
import { drafts } from './drafts/part.ts'
import { items } from './items/part.ts'
import { sharing } from './sharing/part.ts'
import { versions } from './versions/part.ts'

/** Dashboards: their drafts, versions, and who sees and edits them. */
export const dashboards = defineService({
  contract: dashboardsContract,
  needs: { core: coreContract },
  migrations: new URL('./migrations/', import.meta.url),
  parts: [drafts, items, versions, sharing, assets],
})
