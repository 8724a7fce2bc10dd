import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { consequenceEndpoints } from './consequence-contract.ts'
import { deletionEndpoints } from './deletion-contract.ts'
import { importTokenEndpoints } from './import-token-contract.ts'
import { organizationEndpoints } from './organization-contract.ts'
import { resourceEndpoints } from './resource-contract.ts'
import { treeEndpoints } from './tree-contract.ts'

const organizationsGone = z.object({
  resourceId: z.string(),
  organizations: z.array(z.object({ id: z.int(), resourceId: z.string() })),
  /** Time in ms, so that a consumer can order a deletion and a restoration that arrive in any order. */
  at: z.int().default(0),
})

export const organizationsContract = definePartContract({
  errors: {
    /** The host name alone does not tell which organization is meant. */
    no_such_host: 404,
    hostname_taken: 409,
    /** A root organization cannot be deleted. */
    is_root: 409,
    /** A sub-organization cannot have what the one above it lacks. */
    beyond_parent: 422,
    /** A host name needs the permission of the organization above. */
    hostname_not_allowed: 422,
    /** Nobody could administer it any more. */
    needs_administrator: 422,
    /** The caller could not enter any more. */
    locks_you_out: 422,
    /** Only its own people may open it again. */
    private_access_kept: 403,
    /** The organization above it is deleted itself. */
    parent_deleted: 409,
  },
  endpoints: {
    ...organizationEndpoints,
    ...treeEndpoints,
    ...resourceEndpoints,
    ...deletionEndpoints,
    ...consequenceEndpoints,
    ...importTokenEndpoints,
  },
  events: {
    /** Nobody can enter these organizations any more; they may come back. The first one was deleted, the others went with it. */
    organizationDeleted: { topic: 'core.organization_deleted', payload: organizationsGone },
    organizationRestored: { topic: 'core.organization_restored', payload: organizationsGone },
    /** They will not come back: everything of theirs goes. */
    organizationPurged: { topic: 'core.organization_purged', payload: organizationsGone },
  },
})
