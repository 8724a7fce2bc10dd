import { createWorkerPool } from '@longreach/kit/worker-pool'
import type { DashboardsDeps } from '../deps.ts'
import { type AssetFiles, createAssetFiles } from './asset-files.ts'

/** Files of the installation, the thread that reads pictures, and the uploads whose pieces are being read. */
export type AssetState = {
  files: AssetFiles
  pool: ReturnType<typeof createWorkerPool>
  pieces: Set<string>
  close: () => Promise<void>
}
export type AssetDeps = DashboardsDeps & { state: AssetState }

/** One picture at a time, as one of 36 Mpx takes some 550 MB and 2 s of a processor. */
const poolLimits = {
  threads: 1,
  mostWaiting: 20,
  longestMs: 20_000,
  memoryMb: 256,
  idleMs: 20_000,
}

export function createAssetState({ site }: Pick<DashboardsDeps, 'site'>): AssetState {
  const pool = createWorkerPool(poolLimits)
  return {
    files: createAssetFiles(site.dataDir),
    pool,
    pieces: new Set(),
    close: () => pool.close(),
  }
}
