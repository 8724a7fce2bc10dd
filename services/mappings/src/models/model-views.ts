import { can } from '@longreach/authorization/can'
import type { OrgCtx } from '@longreach/kit/service'
import type { MappingsDeps } from '../deps.ts'

type Of = { name: string; paths: readonly string[] }

/** Saved views of the data explorer that show these paths of a model; whatever of it where none are named. */
export async function viewsUsing({ clients }: MappingsDeps, ctx: OrgCtx, { name, paths }: Of) {
  const { capability, organization, caller } = ctx
  // Who may not read devices has no views.
  if (!can(capability, 'devices', 'read')) return []
  return clients.platform.viewsUsing({
    body: {
      organization: organization.resourceId,
      author: caller.sub,
      model: name,
      paths: [...paths],
    },
  })
}
