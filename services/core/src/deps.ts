import type { identityContract } from '@longreach/identity/contract'
import type { Deps } from '@longreach/kit/service'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { CoreDb } from './database.ts'

export type CoreDeps = Deps<
  CoreDb,
  { identity: typeof identityContract; mappings: typeof mappingsContract }
>
