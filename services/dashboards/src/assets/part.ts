import { definePart } from '@longreach/kit/part'
import type { DashboardsDeps } from '../deps.ts'
import { items } from '../items/part.ts'
import { cleanupAssets } from './asset-cleanup.ts'
import { assetHandlers } from './asset-handlers.ts'
import { mountAssets } from './asset-routes.ts'
import { createAssetState } from './asset-state.ts'
import { assetsContract } from './contract.ts'

/** Files of dashboards: uploads, signed addresses, and the folder that they lie in. */
export const assets = definePart<DashboardsDeps>()({
  name: 'assets',
  contract: assetsContract,
  uses: [items],
  state: createAssetState,
  handlers: (deps) => assetHandlers(deps),
  mount: mountAssets,
  every: { hour: cleanupAssets },
})
