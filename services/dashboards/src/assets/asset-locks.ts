import { holdLock, shareLock } from '@longreach/kit/locks'
import type { QueryExecutorProvider } from 'kysely'

/** Lock of the storage of one organization, while its bytes are counted and one file is added. */
export const lockStorage = (tx: QueryExecutorProvider, org: string) =>
  holdLock(tx, 'dashboards.asset_storage', org)

/** Lock of all files against those who write one and its row, while unused files are deleted. */
export const lockFiles = (tx: QueryExecutorProvider) => holdLock(tx, 'dashboards.asset_files')

/** Part in the lock of all files, beside others who write a file and its row. */
export const shareFiles = (tx: QueryExecutorProvider) => shareLock(tx, 'dashboards.asset_files')
